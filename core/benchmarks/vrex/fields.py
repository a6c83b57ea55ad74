"""The fields of a V-REX file: their documented names, and a user's own (``--map``) for files that have others.

Names are dotted paths. ``question`` is the row's, ``steps.question`` that of each step,
``steps.planning.options.kind`` that of each planning option. The other side of ``--map`` is the path in the user's
file: from the row, from the step, or from the option, with or without the path of what holds it: ``--map steps=chain
--map steps.question=chain.q`` and ``--map steps=chain --map steps.question=q`` are the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Final

from core.errors import UsageError

ROW: Final = ("id", "image", "category", "scenario", "question", "options", "answer", "steps")
STEP: Final = (
    "steps.question", "steps.answer", "steps.following", "steps.following.options", "steps.following.answer",
    "steps.planning", "steps.planning.options", "steps.planning.answer",
)  # fmt: skip
OPTION: Final = ("steps.planning.options.question", "steps.planning.options.answer", "steps.planning.options.kind")
FIELDS: Final = (*ROW, *STEP, *OPTION)
_HOLDERS: Final = frozenset({"options", "steps", "following", "planning"})


class Fields:
    """Where each field stands in the file. Raises UsageError for a mapping of which neither side is a field."""

    def __init__(self, mapping: Mapping[str, str]) -> None:
        self._given: dict[str, str] = {}
        for left, right in mapping.items():
            if left in FIELDS:
                self._given[left] = right
            elif right in FIELDS:
                self._given[right] = left
            else:
                near = get_close_matches(left, FIELDS, n=1) or get_close_matches(right, FIELDS, n=1)
                hint = f"Did you mean {near[0]}?" if near else f"Fields: {', '.join(FIELDS)}."
                raise UsageError("neither side is a field of V-REX", where=f"--map {left}={right}", remedy=hint)
        self._paths = {field: self._relative(field) for field in FIELDS}

    def get(self, holder: Any, field: str) -> Any:
        """The field's value in the row, step or option that holds it; None where it is not there."""
        found = holder
        for part in self._paths[field]:
            found = unpacked(found)
            if not isinstance(found, Mapping):
                return None
            found = found.get(part)
        return unpacked(found) if field.rpartition(".")[2] in _HOLDERS else found

    def _relative(self, field: str) -> tuple[str, ...]:
        """The path from the row, step or option."""
        base = "steps.planning.options" if field in OPTION else "steps" if field in STEP else ""
        if field in self._given:
            path, prefix = self._given[field], self._whole(base) + "." if base else ""
            return tuple(path.removeprefix(prefix).split("."))
        holder, _, name = field.rpartition(".")
        return (name,) if holder == base else (*self._relative(holder), name)

    def _whole(self, field: str) -> str:
        """The path from the row."""
        path = ".".join(self._relative(field))
        return f"{self._whole('steps')}.{path}" if field in STEP else path


def unpacked(value: Any) -> Any:
    """A value as JSON gives it: text that holds an object or array is read, a list of pairs is a map (parquet)."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            read = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return read if isinstance(read, (dict, list)) else value
    if isinstance(value, list) and value and all(isinstance(each, tuple) and len(each) == 2 for each in value):
        return dict(value)
    return value


def nested(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of dotted columns (``options.A``, ``steps.1.question``) as nested objects; numbered keys as a list."""
    out: dict[str, Any] = {}
    for name, value in row.items():
        *holders, last = name.split(".")
        if value is None and holders:
            continue
        holder = out
        for part in holders:
            inner = holder.setdefault(part, {})
            if not isinstance(inner, dict):
                break
            holder = inner
        else:
            holder[last] = value
    return {name: _listed(value) for name, value in out.items()}


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {key: _listed(each) for key, each in value.items()}
    if inner and all(key.isdecimal() for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner
