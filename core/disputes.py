"""Disputes of an item's gold: what somebody holds right instead, and scores counted against it.

A corrected value is right where the rule read exactly that value in the answer; nothing is read anew. Choices are
corrected by the option's text, since its letter is another one where options were turned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias, get_args

from core.benchmarks.base import Benchmark
from core.errors import UsageError
from core.records import EMPTY, Item, Layout, Score, Turn

Gold: TypeAlias = Literal["published", "corrected", "undisputed"]
GOLDS: Final[tuple[Gold, ...]] = get_args(Gold)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A value held right instead of the gold; ``text`` is the option's where the value is its letter."""

    value: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Dispute:
    """What one author holds against an item's gold. ``step`` is the turn in question ("" for the item as a whole),
    ``corrected`` maps fields of its form to the right values, as far as they were given. ``created`` is in
    milliseconds since 1970."""

    author: str
    reason: str
    step: str = ""
    corrected: Mapping[str, Corrected] = field(default_factory=lambda: EMPTY)
    created: int = 0


def proposal(benchmark: Benchmark, item: Item, turn: Turn, values: Mapping[str, str]) -> dict[str, Corrected]:
    """Values somebody holds right at a turn, checked; letters and vocabulary in any case, empty ones left out.

    Raises UsageError for a field or value that the turn does not have, or one that is its gold already.
    """
    fields = {each.name: each for each in turn.form}
    offer = benchmark.offer(item, turn)
    out: dict[str, Corrected] = {}
    for name, given in values.items():
        if not (value := given.strip()):
            continue
        if name not in fields:
            raise UsageError(
                f"{turn.step} has no value {name!r}", where=name, remedy=f"It has: {', '.join(fields) or 'none'}"
            )
        known = fields[name].options
        found = next((option for option in known if option.casefold() == value.casefold()), None)
        if known and found is None:
            shown = ", ".join(known[:12]) + (" ..." if len(known) > 12 else "")
            begun = [option for option in known if option.casefold().startswith(value.casefold())]
            meant = f"Did you mean {' or '.join(begun[:3])}? " if begun else ""
            raise UsageError(f"it cannot be {value[:60]!r}", where=name, remedy=f"{meant}It can be: {shown}")
        value = found or value
        if value == turn.gold.get(name):
            raise UsageError(f"{value} is the gold of {name} already", where=name)
        option = offer.options.get(value) if offer is not None else None
        out[name] = Corrected(value, option.text if option is not None else "")
    return out


def same_step(benchmark: Benchmark, disputed: str, step: str) -> bool:
    """Whether a correction at one step holds at the other: the same, or a whole and its part."""
    if disputed == step:
        return True
    return any(
        {disputed, step} <= {whole, *parts} and whole in (disputed, step) for whole, parts in benchmark.parts.items()
    )


def corrections(benchmark: Benchmark, item: Item, turn: Turn, disputes: Sequence[Dispute]) -> dict[str, str]:
    """Field by field what is right at this turn instead of its gold; of several disputes the later one counts."""
    offer = benchmark.offer(item, turn)
    names = {each.name for each in turn.form}
    out: dict[str, str] = {}
    for dispute in disputes:
        if not same_step(benchmark, dispute.step, turn.step):
            continue
        for name, corrected in dispute.corrected.items():
            if name not in names:
                continue
            value = corrected.value
            if offer is not None and corrected.text:
                same = [letter for letter, option in offer.options.items() if option.text == corrected.text]
                value = value if value in same else next(iter(same), value)
            out[name] = value
    return out


def rescored(layout: Layout, score: Score, values: Mapping[str, str]) -> Score:
    """The score as it is with those values right; what the scorer left unscored stays so."""
    right = score.right
    for name, value in values.items():
        bit = layout.bit_of(name) or 0
        right = right | bit if score.parsed.get(name) == value else right & ~bit
    return replace(score, right=right & score.scored)
