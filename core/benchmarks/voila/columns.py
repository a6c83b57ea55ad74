"""Which column of a data file holds which field: the published spellings, the generator's, and a user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from core.errors import Problem, UsageError

PUBLISHED: Final = (
    "img1", "img2", "img3", "img4", "desc_img1", "desc_img2", "desc_img3", "desc_im4", "combined_description",
    "question", "rule", "Real_relations",
)  # fmt: skip
"""The columns of the published file, in its order."""

_SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "img1": ("img1",),
    "img2": ("img2",),
    "img3": ("img3",),
    "img4": ("img4",),
    "desc_img1": ("desc_img1", "desc_im1"),
    "desc_img2": ("desc_img2", "desc_im2"),
    "desc_img3": ("desc_img3", "desc_im3"),
    "desc_im4": ("desc_im4", "desc_img4"),
    "question": ("question", "image_question"),
    "rule": ("rule",),
    "relations": ("Real_relations", "relations"),
    "image1": ("image1",),
    "image2": ("image2",),
    "image3": ("image3",),
}
"""Field to the names it goes by. ``image1`` to ``image3`` are the pictures that a parquet file embeds."""

FIELDS: Final = tuple(_SPELLINGS)

_NEEDED: Final = (
    ("desc_img1", "img1"),
    ("desc_img2", "img2"),
    ("desc_img3", "img3"),
    ("desc_im4", "img4"),
    ("rule",),
)
"""Of each of these, one field must be there."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Field to the file's own column name; a field that the file lacks is not in it."""

    by_field: Mapping[str, str]

    def __getitem__(self, field: str) -> str | None:
        return self.by_field.get(field)

    def name(self, *fields: str) -> str:
        """The file's name for the first of the fields it has, for messages."""
        return next((self.by_field[field] for field in fields if field in self.by_field), fields[0])

    def used(self, *, pictures: bool = True) -> list[str]:
        return [column for field, column in self.by_field.items() if pictures or not field.startswith("image")]


def check_mapping(mapping: Mapping[str, str]) -> dict[str, str]:
    """``--map`` as field to the file's column, whichever way round it was given.

    Where both sides are fields, the left one is the field. Raises UsageError where neither is.
    """
    known = {spelling.casefold(): field for field, names in _SPELLINGS.items() for spelling in (field, *names)}
    found: dict[str, str] = {}
    for left, right in mapping.items():
        if left.casefold() in known:
            found[known[left.casefold()]] = right
        elif right.casefold() in known:
            found[known[right.casefold()]] = left
        else:
            near = get_close_matches(left, known, n=1) or get_close_matches(right, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"Fields: {', '.join(_SPELLINGS)}."
            raise UsageError("neither side is a field of VOILA", where=f"--map {left}={right}", remedy=hint)
    return found


def find_columns(header: Sequence[str], mapping: Mapping[str, str], file: str) -> tuple[Columns, list[Problem]]:
    """The file's columns for the fields, and one problem for each field that cannot be done without."""
    by_fold = {name.casefold(): name for name in reversed(header)}
    found: dict[str, str] = {}
    problems = []
    for field, spellings in _SPELLINGS.items():
        for spelling in (mapping[field],) if field in mapping else spellings:
            if spelling in header or spelling.casefold() in by_fold:
                found[field] = spelling if spelling in header else by_fold[spelling.casefold()]
                break
        else:
            if field in mapping:
                what = f"the file has no column {mapping[field]!r} to read it from{_nearest(mapping[field], header)}"
                problems.append(Problem(file, 0, field, what))
    free = [name for name in header if name not in found.values()]
    for fields in _NEEDED:
        if not any(field in found or field in mapping for field in fields):
            names = " or ".join(dict.fromkeys(name for field in fields for name in _SPELLINGS[field]))
            what = f"the column is missing ({names}){_nearest(fields[0], free)}"
            problems.append(Problem(file, 0, fields[0], what))
    return Columns(found), problems


def _nearest(name: str, header: Sequence[str]) -> str:
    near = get_close_matches(name, header, n=1)
    if near:
        return f"; the nearest is {near[0]!r}"
    shown = ", ".join(repr(column[:40]) for column in header[:12])
    return f"; other columns are {shown}" if shown else ""
