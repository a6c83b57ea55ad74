"""The fields of an MMRA row and their names in data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from core.benchmarks.mmra.values import folded
from core.errors import UsageError

_SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "sample_id", "question_id"),
    "subtask": ("subtask", "task", "sub_task", "task_name", "subtask_name", "category", "type"),
    "QA_type": ("QA_type", "question_type"),
    "question": ("question",),
    "options": ("options", "choices"),
    "answer": ("answer",),
    "image1": ("image1", "image_1", "img1"),
    "image2": ("image2", "image_2", "img2"),
    "description1": ("description1", "description_1", "desc1", "caption1"),
    "description2": ("description2", "description_2", "desc2", "caption2"),
    "marks": ("marks", "option_marks"),
}
"""Field to its known names, the first found in a file is taken; capitals and punctuation do not matter."""

FIELDS: Final = tuple(_SPELLINGS)
PICTURES: Final = ("image1", "image2")


def check_mapping(mapping: Mapping[str, str]) -> dict[str, str]:
    """``--map`` as field to the file's own name, whichever way round it was given.

    Where both sides are fields, the left one is the field. Raises UsageError where neither is.
    """
    known = {folded(spelling): field for field, names in _SPELLINGS.items() for spelling in names}
    found: dict[str, str] = {}
    for left, right in mapping.items():
        if folded(left) in known:
            found[known[folded(left)]] = right
        elif folded(right) in known:
            found[known[folded(right)]] = left
        else:
            near = get_close_matches(left, FIELDS, n=1) or get_close_matches(right, FIELDS, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"Fields: {', '.join(FIELDS)}."
            raise UsageError("neither side is a field of MMRA", where=f"--map {left}={right}", remedy=hint)
    return found


def find_columns(header: Sequence[str], mapping: Mapping[str, str]) -> dict[str, str]:
    """Field to the file's name of it, for the fields it has."""
    by_fold = {folded(name): name for name in reversed(header)}
    found = {}
    for field, spellings in _SPELLINGS.items():
        if field in mapping:
            if mapping[field] in header:
                found[field] = mapping[field]
            continue
        for spelling in spellings:
            if folded(spelling) in by_fold:
                found[field] = by_fold[folded(spelling)]
                break
    return found
