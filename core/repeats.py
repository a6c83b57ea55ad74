"""The repeats of an item taken as one answer: the majority, the best of them, all of them. Never plain accuracy.

The majority votes on each value of the answer by itself; what could not be read votes for nothing, and of values
with as many votes the one that was said first counts. Where nobody's value could be read it is wrong. Its property
``all`` is right where every voted value is. The best is right where any one answer is, all of them where every one is
(pass^k).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.cells import ALL, Cell, Sums, filled, units
from core.records import Layout

GROUP: Final = "repeats"
"""``group_by`` of these cells; ``group`` is the rule with its number, such as ``majority of 5``."""

RULES: Final = ("majority", "best", "all")


@dataclass(frozen=True, slots=True)
class Said:
    """One repeat's answer as a scorer sees it. ``values`` are what was read, by bit of the layout; ``question`` is
    the same for answers to the same turn. ``unread``: the scorer could read nothing in it, or it was refused."""

    right: int
    scored: int
    values: Mapping[int, str] = field(default_factory=dict)
    question: Hashable = None
    unread: bool = False

    def joined(self, other: Said) -> Said:
        """With another part of the same step; parts score different properties."""
        values = {**self.values, **other.values}
        question = (self.question, other.question)
        unread = self.unread and other.unread
        return Said(self.right | other.right, self.scored | other.scored, values, question, unread)


def majority(answers: Sequence[Said]) -> Said:
    """The answer made of each value that most of them said."""
    scored = right = 0
    voted: dict[int, str] = {}
    for answer in answers:
        scored |= answer.scored
    for bit in _bits(scored):
        votes = Counter(answer.values[bit] for answer in answers if bit in answer.values)
        if votes:
            voted[bit] = votes.most_common(1)[0][0]  # of equals, the one counted first
            said = next(answer for answer in answers if answer.values.get(bit) == voted[bit])
            right |= said.right & bit
    return Said(right, scored, voted, answers[0].question)


class Together:
    """Items' repeats, step by step, under each rule. ``times`` is how many answers an item must have to count.

    ``pooled`` steps are numbered and count as each item's share under their common name. An item whose repeats were
    asked different turns has no majority: their values mean different things.
    """

    def __init__(self, layout: Callable[[str], Layout], times: int, pooled: tuple[str, ...] = ()) -> None:
        self._layout = layout
        self._times = times
        self._pooled = pooled
        self._found: dict[tuple[str, str, str], dict[Hashable, list[Sequence[Said]]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def add(self, scorer: str, lane: str, step: str, item: Hashable, answers: Sequence[Said]) -> None:
        """All answers of an item to a step, in the order of its repeats; fewer than ``times`` are left out."""
        if len(answers) == self._times:
            common = step.partition(".")[0]
            self._found[scorer, lane, common if common in self._pooled else step][item].append(answers)

    def cells(self) -> Iterator[Cell]:
        """A cell for each scorer, lane, step, rule and property, ``all`` last; n counts items (or their units)."""
        voteless = self._without_votes()
        for (scorer, lane, step), items in self._found.items():
            layout, shares = self._layout(step), step in self._pooled
            for rule in RULES[1:] if scorer in voteless else RULES:
                for name in layout.properties if shares else (*layout.properties, ALL):
                    cell = _cell(rule, layout, name, items.values(), shares=shares)
                    if cell is not None:
                        named = replace(cell, step=step, scorer=scorer, interventions=lane)
                        yield replace(named, group_by=GROUP, group=f"{rule} of {self._times}")

    def _without_votes(self) -> set[str]:
        """The scorers that judge answers and read no values in them, so that there are no votes to count. One that
        could read nothing anywhere is none of them: its majorities are wrong."""
        valued, judged = set[str](), set[str]()
        for (scorer, _, _), items in self._found.items():
            for answer in (answer for steps in items.values() for answers in steps for answer in answers):
                if answer.values:
                    valued.add(scorer)
                elif answer.scored and not answer.unread:
                    judged.add(scorer)
        return judged - valued


def _cell(
    rule: str, layout: Layout, name: str, items: Iterable[list[Sequence[Said]]], *, shares: bool
) -> Cell | None:
    total = Sums()
    clusters: Counter[tuple[float, int]] = Counter()
    for steps in items:
        if rule == "majority" and any(len({answer.question for answer in answers}) > 1 for answers in steps):
            continue
        found = [unit for answers in steps for unit in _taken(rule, layout, name, answers)]
        known = [unit for unit in found if unit is not None]
        total.unscored += len(found) - len(known)
        if known:
            cluster = (sum(known) / len(known), 1) if shares else (float(sum(known)), len(known))
            clusters[cluster] += 1
            total.right += cluster[0]
            total.n += cluster[1]
    return filled(name, total, clusters, 0) if total.n else None


def _taken(rule: str, layout: Layout, name: str, answers: Sequence[Said]) -> Iterator[bool | None]:
    """Unit by unit how the answers come out together; None where none of them was scored."""
    if rule == "majority":
        voted = majority(answers)
        yield from units(layout, name, voted.right, voted.scored)
        return
    together = any if rule == "best" else all
    for of_unit in zip(*(units(layout, name, answer.right, answer.scored) for answer in answers), strict=True):
        known = [right for right in of_unit if right is not None]
        yield together(known) if known else None


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit
