"""A judge's reply as verdicts: read with tolerance, and never guessed.

Servers that hold a model to a schema reply with bare JSON. Others put a fence around it, words before and after, or
write it as Python would; all of that is read. What lacks a key, holds another value than yes or no, or says two
different things is unreadable.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from core.records import Json

VERSION: Final = "1"
LONGEST: Final = 100_000
"""Characters of a reply that are looked at; a judgement has a few dozen."""
MOST_OBJECTS: Final = 200

_FLAT: Final = re.compile(r"\{[^{}]*\}")
_YES: Final = (1, "1", "true", "yes")
_NO: Final = (0, "0", "false", "no")


class UnreadableError(Exception):
    """The reply holds no judgement, or two."""


def read_verdicts(text: str, keys: Sequence[str]) -> dict[str, bool]:
    """Each key with its verdict. Raises UnreadableError with what is wrong."""
    if not text.strip():
        raise UnreadableError("the judge said nothing")
    found: list[dict[str, bool]] = []
    problem = ""
    for held in objects_in(text[:LONGEST]):
        try:
            verdicts = _verdicts(held, keys)
        except UnreadableError as error:
            problem = problem or str(error)
            continue
        if verdicts not in found:
            found.append(verdicts)
    if len(found) > 1:
        raise UnreadableError("the judge gave two different judgements")
    if not found:
        raise UnreadableError(problem or "the judge's reply holds no JSON object")
    return found[0]


def objects_in(text: str) -> Iterator[Mapping[str, Json]]:
    """The outermost objects in a text, JSON or as Python writes them."""
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    at, seen = text.find("{"), 0
    while at >= 0 and seen < MOST_OBJECTS:
        seen += 1
        try:
            held, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            held, end = _literal(text, at)
        if isinstance(held, dict):
            yield held
        at = text.find("{", end)


def _once(pairs: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    """A key that is given twice with two values has none."""
    held: dict[str, Json] = {}
    for key, value in pairs:
        held[key] = value if held.get(key, value) == value else None
    return held


def _literal(text: str, at: int) -> tuple[Json, int]:
    """A flat object with single quotes, or a comma too many; where it ends."""
    found = _FLAT.match(text, at)
    if found is None:
        return None, at + 1
    try:
        tree = ast.parse(found[0], mode="eval").body
        if isinstance(tree, ast.Dict):
            keys = [ast.literal_eval(key) for key in tree.keys if key is not None]
            values = [_named(value) for value in tree.values]
            if len(keys) == len(values):
                return _once(list(zip(map(str, keys), values, strict=True))), found.end()
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    return None, found.end()


def _named(node: ast.expr) -> Json:
    """A literal; ``true`` and ``false`` as JSON writes them too."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def _verdicts(held: Mapping[str, Json], keys: Sequence[str]) -> dict[str, bool]:
    flat: dict[str, Json] = {}
    for key, value in _flattened(held):
        flat[key] = value if flat.get(key, value) == value else None
    missing = [key for key in keys if key not in flat]
    if missing:
        raise UnreadableError(f"the judge's reply lacks {', '.join(missing)}")
    return {key: _verdict(key, flat[key]) for key in keys}


def _flattened(held: Mapping[str, Json], before: str = "") -> Iterator[tuple[str, Json]]:
    """``{"Image 1": {"number": 1}}`` says what ``{"image_1_number": 1}`` does."""
    for key, value in held.items():
        name = before + re.sub(r"[^a-z0-9]+", "_", str(key).casefold()).strip("_")
        if isinstance(value, dict):
            yield from _flattened(value, f"{name}_")
        else:
            yield name, value


def _verdict(key: str, value: Json) -> bool:
    plain = value.strip().casefold() if isinstance(value, str) else value
    if isinstance(plain, str | int | float) and plain in _YES:
        return True
    if isinstance(plain, str | int | float) and plain in _NO:
        return False
    raise UnreadableError(f"the judge's verdict on {key} is neither 1 nor 0")
