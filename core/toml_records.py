"""Tables of a TOML file as records: what does not fit is told in words, each with its place and the nearest name."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any, Final, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from core.toml_places import Place, Problem

_TYPES: Final = {
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a table",
}
_WANTED: Final = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a table",
    "dataclass_type": "a table",
}


def record(
    kind: type[Any],
    table: Any,
    place: Place,
    problems: list[Problem],
    *,
    told: Callable[[str], bool] = lambda name: False,
) -> Any:
    """The table as a record, None where it has problems, which are added; ``told``: not of a field of that name."""
    if not isinstance(table, dict):
        problems.append((place, f"must be a table, not {type_name(table)}"))
        return None
    try:
        # As JSON a table may become a record and a list a tuple, while 5 stays no text and "5" no number.
        return TypeAdapter(kind).validate_json(json.dumps(table, default=str))
    except ValidationError as error:
        for found in error.errors(include_url=False, include_context=False):
            where = tuple(str(part) for part in found["loc"])
            if where and told(where[-1]):
                continue
            problems.append(((*place, *where), _told(found, kind)))
    return None


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """That there is no such ``what``, and the nearest name there is."""
    near = difflib.get_close_matches(name.lower(), list(known), 1, 0.5)
    return f"no such {what}; the nearest is {near[0]}" if near else f"no such {what}"


def type_name(value: Any) -> str:
    """What a value of TOML is, in words."""
    return _TYPES.get(type(value), type(value).__name__)


def _told(found: Any, kind: Any) -> str:
    problem = found["type"]
    if problem in ("unexpected_keyword_argument", "extra_forbidden"):
        return unknown("field", str(found["loc"][-1]), _known_at(kind, found["loc"][:-1]))
    if problem in ("missing", "missing_argument", "missing_keyword_only_argument"):
        return "is missing"
    if problem in _WANTED:
        given = found["input"]
        return f"must be {_WANTED[problem]}, not {given if isinstance(given, float) else type_name(given)}"
    said = str(found["msg"]).replace("Input should", "must", 1)
    if problem == "literal_error" and isinstance(found["input"], str):
        near = difflib.get_close_matches(found["input"].lower(), re.findall(r"'([^']*)'", said), 1, 0.5)
        return f"{said}; the nearest is {near[0]}" if near else said
    return said


def _known_at(kind: Any, inside: Iterable[str | int]) -> list[str]:
    """Names of the fields of the record that lies there within another."""
    for part in inside:
        if is_dataclass(kind):
            kind = get_type_hints(kind).get(str(part))
        else:
            held = get_args(kind)
            kind = None if not held else held[-1] if get_origin(kind) is dict else held[0]
    return [entry.name for entry in fields(kind)] if is_dataclass(kind) else []
