"""An answer's text to fields: the one entry to the reading room."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from core.benchmarks.voila.question import APPLY, DESCRIBE, RELATE
from core.benchmarks.voila.reading.apply import read_apply
from core.benchmarks.voila.reading.describe import read_describe
from core.benchmarks.voila.reading.kinds import Found
from core.benchmarks.voila.reading.prepare import prepare
from core.benchmarks.voila.reading.relate import read_relate
from core.benchmarks.voila.reading.tables import unrolled
from core.benchmarks.voila.reading.tokens import tokenise

_CACHED: Final = 2_000
"""Answers up to this length are remembered: models and people repeat short ones."""

_NO_PICTURE: Final = re.compile(
    r"\b(?:sorry|apologi[sz]e|as an ai)\b"
    r"|\b(?:can't|cannot|can not|unable to|not able to|won't|will not|couldn't|could not)\b[^.\n]{0,80}"
    r"\b(?:help|assist|see|view|identif|determin|make out|process|describ|provid|answer|access|analy|recogni|comply|"
    r"fulfil|discern|tell|solve|complete|interpret|open|display|continue|engage|respond|discuss|do that)"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """``values`` by field, ``spans`` in the original text, ``unclear`` fields, and whether the text declines."""

    values: Mapping[str, str]
    spans: Mapping[str, tuple[int, int]]
    unclear: frozenset[str]
    declines: bool


NOTHING: Final = Reading(MappingProxyType({}), MappingProxyType({}), frozenset(), declines=False)


def read(step: str, text: str) -> Reading:
    """What an answer at that step says. A step that is not answered in words says nothing."""
    return _remembered(step, text) if len(text) <= _CACHED else _read(step, text)


def _read(step: str, text: str) -> Reading:
    kind, _, only = step.partition(".")
    if kind not in (DESCRIBE, RELATE, APPLY):
        return NOTHING
    prepared = prepare(text)
    tokens = tokenise(prepared.text)
    if "|" in prepared.text:
        tokens = unrolled(tokens, by_row=kind == RELATE)
    found: dict[str, Found]
    unclear: frozenset[str]
    if kind == DESCRIBE:
        told = read_describe(tokens)
        found = {f"{unit}.{name}": value for unit, said in told.items() for name, value in said.values.items()}
        unclear = frozenset(f"{unit}.{name}" for unit, said in told.items() for name in said.unclear)
    elif kind == RELATE:
        found, unclear = read_relate(tokens, only)
        if only:
            found = {name: value for name, value in found.items() if name.partition(".")[0] == only}
            unclear &= {only}
    else:
        said = read_apply(tokens)
        found, unclear = dict(said.values), said.unclear
    return Reading(
        MappingProxyType({name: value.value for name, value in found.items()}),
        MappingProxyType({name: prepared.origin(value.start, value.end) for name, value in found.items()}),
        unclear,
        declines=not found and _NO_PICTURE.search(prepared.text) is not None,
    )


_remembered = lru_cache(maxsize=8192)(_read)
