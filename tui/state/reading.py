"""What was read in an answer beside what was right, field by field."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from core.benchmarks.base import Benchmark
from core.records import EMPTY, Field, Score, Turn


@dataclass(frozen=True, slots=True)
class Reading:
    """One field of a turn's form, in words: with what was stated beside its value and is judged with it (the values
    a relation holds between). ``read`` is None where nothing was; ``right`` None where it is not scored. ``value``
    and ``stated`` are what ``read`` was made of."""

    field: Field
    read: str | None
    gold: str
    right: bool | None
    value: str | None = None
    stated: Mapping[str, str] = dataclasses.field(default_factory=lambda: EMPTY)

    @property
    def label(self) -> str:
        return self.field.label or self.field.name

    @property
    def agrees(self) -> bool:
        """Whether it is as gold has it: as it was judged, or, where it is not scored, word by word."""
        return self.read == self.gold if self.right is None else self.right

    def otherwise(self, other: Reading) -> bool:
        """Whether the other says something else. What only one of them states beside the value is no difference,
        unless it makes one of them wrong."""
        both = self.stated.keys() & other.stated.keys()
        unlike = any(self.stated[name] != other.stated[name] for name in both)
        return self.value != other.value or self.right != other.right or unlike


def readings(benchmark: Benchmark, turn: Turn, score: Score | None) -> tuple[Reading, ...]:
    """The turn's fields in order, with what the scorer made of each."""
    layout, golden = benchmark.layout(turn.step), benchmark.golden(turn)
    parsed = score.parsed if score is not None else EMPTY
    out = []
    for each in turn.form:
        name, bit = each.name, layout.bit_of(each.name)
        read = benchmark.in_words(name, parsed) if name in parsed else None
        gold = benchmark.in_words(name, golden) if name in golden else ""
        right = None if score is None or bit is None or not score.scored & bit else bool(score.right & bit)
        stated = {key: value for key, value in parsed.items() if key.startswith(f"{name}.")}
        out.append(Reading(each, read, gold, right, parsed.get(name), stated))
    return tuple(out)
