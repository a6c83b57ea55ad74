"""What a respondent wrote for a pipeline, read with tolerance: a fence or words around the JSON do no harm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from core.judging.reading import LONGEST, objects_in
from core.records import Json

LONGEST_TEXT: Final = 400
"""Characters of a question or a short answer; what is longer is no such thing."""


def the_object(text: str) -> Mapping[str, Json]:
    """The one object that a reply holds, its keys in lower case; empty where there is none, or there are several."""
    found: list[Mapping[str, Json]] = []
    for held in objects_in(text[:LONGEST]):
        if held not in found:
            found.append(held)
    return keyed(found[0]) if len(found) == 1 else {}


def keyed(held: Mapping[str, Json]) -> dict[str, Json]:
    """``" unhelpfulness_score"`` (as one printed prompt has it) and ``Unhelpfulness Score`` are one key."""
    return {re.sub(r"[^a-z0-9]+", "_", str(key).casefold()).strip("_"): value for key, value in held.items()}


def words(value: Json) -> str:
    """One line of text, or a number as text; "" for anything else, and for what is too long to be meant."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    line = " ".join(str(value).split())
    return line if len(line) <= LONGEST_TEXT else ""
