"""What people answered in a study, counted: accuracy, majorities, agreement, difficulty, golds nobody follows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.answered import Asked, counted
from core.cells import ALL, UNPARSED, Cell, Sums, filled
from core.records import Json, Layout, Parse
from core.repeats import Said, Together
from core.study.alpha import Alpha, alpha
from core.study.crossed import crossed_bootstrap

PEOPLE: Final = "people"
"""``group_by`` of cells of several people's answers taken as one."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What one person answered to one item, under one scorer: by step, a step asked in parts under its own name too.

    ``golds`` are the right values by bit of the step's layout. ``unasked`` are the steps that were not asked any more
    since the time was out.
    """

    person: str
    item: str
    condition: str
    groups: Mapping[str, str]
    said: Mapping[str, Said]
    parses: Mapping[str, Parse] = field(default_factory=dict)
    golds: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    unasked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a benchmark's answers are packed, and how many people (k) were to answer each item."""

    layout: Callable[[str], Layout]
    pooled: tuple[str, ...] = ()
    raters: int = 1


@dataclass(frozen=True, slots=True)
class Agreeing:
    """Krippendorff's alpha of the values that people chose; property ``all``: of all of them at once."""

    condition: str
    step: str
    property: str
    alpha: Alpha

    def to_json(self) -> dict[str, Json]:
        out: dict[str, Json] = {name: getattr(self, name) for name in ("condition", "step", "property")}
        return out | {name: getattr(self.alpha, name) for name in Alpha.__slots__}


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How many of the people who answered an item's step had all of it right."""

    condition: str
    item: str
    step: str
    people: int
    right: float
    share: float

    def to_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class AgainstGold:
    """A value that more than half of the people gave, two at least, and that is not the gold's. ``unit`` counts from
    1 where a step has several (pictures), else it is 0."""

    condition: str
    item: str
    step: str
    property: str
    unit: int
    said: str
    gold: str
    count: int
    people: int

    def to_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Reported:
    """An item that somebody said something is wrong with, instead of answering."""

    condition: str
    item: str
    step: str
    person: str
    reason: str
    words: str = ""

    def to_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}


def people_cells(trials: Sequence[Trial], scheme: Scheme, group_by: str = "") -> list[Cell]:
    """Single answers of people: each step by property (and group), with intervals over participants and items.

    Conditions stand apart, named in ``options``. Steps that were not asked since the time was out are left out of
    n, and counted as failed.
    """
    failed = Counter(
        (trial.condition, trial.groups.get(group_by, "") if group_by else ALL, step)
        for trial in trials
        for step in trial.unasked
    )
    tables: dict[tuple[str, str, Asked], dict[tuple[str, str], tuple[float, float]]] = defaultdict(dict)
    sums: dict[tuple[str, str, Asked], Sums] = defaultdict(Sums)
    for trial in trials:
        group = trial.groups.get(group_by, "") if group_by else ALL
        for asked, (right, n) in counted(trial.said, scheme.layout, scheme.pooled).items():
            where = (trial.condition, group, asked)
            before = tables[where].get((trial.person, trial.item), (0.0, 0.0))
            tables[where][trial.person, trial.item] = before[0] + right, before[1] + n
            total = sums[where]
            total.right += right
            total.n += n
            parse = trial.parses.get(asked[0])
            total.unparsed += n if parse in UNPARSED else 0
            total.refused += n if parse is Parse.REFUSAL else 0
    out = []
    for where, total in sums.items():
        condition, group, (step, name) = where
        lost = failed[condition, group, step] * (1 if step in scheme.pooled else scheme.layout(step).units)
        cell = filled(name, total, {}, lost, crossed_bootstrap(tables[where]))
        named = replace(cell, step=step, scorer="", group_by=group_by or ALL, group=group, options=condition)
        out.append(named)
    return out


def together_cells(trials: Sequence[Trial], scheme: Scheme, scorer: str) -> list[Cell]:
    """The k people of an item taken as one: their majority, the best of them, all of them. Not plain accuracy.

    Where more than k answered a step, the first k count; items with fewer are left out of it. Intervals are over
    items.
    """
    out = []
    for condition in dict.fromkeys(trial.condition for trial in trials):
        together = Together(scheme.layout, scheme.raters, scheme.pooled)
        for item, of_item in by_item(trials, condition).items():
            for step in dict.fromkeys(step for trial in of_item for step in trial.said):
                said = [trial.said[step] for trial in of_item if step in trial.said]
                together.add(scorer, "", step, item, said[: scheme.raters])
        for cell in together.cells():
            rule = cell.group.partition(" ")[0]
            out.append(replace(cell, group_by=PEOPLE, group=f"{rule} of {scheme.raters}", options=condition))
    return out if scheme.raters > 1 else []


def by_item(trials: Sequence[Trial], condition: str) -> dict[str, list[Trial]]:
    """The trials of a condition by their item, in their order."""
    found: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        if trial.condition == condition:
            found[trial.item].append(trial)
    return found


def agreement(trials: Sequence[Trial], scheme: Scheme) -> list[Agreeing]:
    """Alpha by step and property. Only answers to the same turn are judged together; what was not read is missing."""
    units: dict[tuple[str, str, str], dict[object, list[object]]] = defaultdict(lambda: defaultdict(list))
    for trial in trials:
        for step, said in trial.said.items():
            layout = scheme.layout(step)
            common = step.partition(".")[0]
            shown = common if common in scheme.pooled else step
            place = (trial.item, step, said.question)
            for unit in range(layout.units):
                values = [said.values.get(layout.bit(name, unit)) for name in layout.properties]
                for name, value in zip(layout.properties, values, strict=True):
                    if value is not None:
                        units[trial.condition, shown, name][*place, unit].append(value)
                if len(values) > 1 and None not in values:
                    units[trial.condition, shown, ALL][*place, unit].append(tuple(values))
    return [Agreeing(*where, alpha(found.values())) for where, found in units.items()]


def difficulties(trials: Sequence[Trial], scheme: Scheme) -> list[Difficulty]:
    """Item by item, the hardest first, at each step: the mean share of it that people had right."""
    sums: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for trial in trials:
        found = counted(trial.said, scheme.layout, scheme.pooled)
        for step in dict.fromkeys(step for step, _ in found):
            names = [name for of_step, name in found if of_step == step]
            right, n = found[step, ALL if ALL in names else names[0]]
            sums[trial.condition, trial.item, step].append(right / n)
    rows = [Difficulty(*where, len(got), sum(got), sum(got) / len(got)) for where, got in sums.items()]
    return sorted(rows, key=lambda row: (row.condition, row.step, row.share))


def against_gold(trials: Sequence[Trial], scheme: Scheme) -> list[AgainstGold]:
    """Where people agree with each other and not with the gold, the most united first."""
    votes: dict[tuple[str, str, str, object], list[tuple[Said, Mapping[int, str]]]] = defaultdict(list)
    for trial in trials:
        for step, said in trial.said.items():
            votes[trial.condition, trial.item, step, said.question].append((said, trial.golds.get(step, {})))
    rows = [row for where, given in votes.items() for row in _united(*where[:3], given, scheme.layout(where[2]))]
    return sorted(rows, key=lambda row: (-row.count / row.people, -row.count, row.condition, row.item, row.step))


def _united(
    condition: str, item: str, step: str, given: Sequence[tuple[Said, Mapping[int, str]]], layout: Layout
) -> Iterator[AgainstGold]:
    for unit in range(layout.units):
        for name in layout.properties:
            bit = layout.bit(name, unit)
            wrong = Counter(
                said.values[bit]
                for said, _ in given
                if bit in said.values and said.scored & bit and not said.right & bit
            )
            asked = sum(1 for said, _ in given if said.scored & bit)
            if not wrong:
                continue
            value, count = wrong.most_common(1)[0]
            if count >= 2 and 2 * count > asked:
                gold = given[0][1].get(bit, "")
                yield AgainstGold(
                    condition, item, step, name, unit + 1 if layout.units > 1 else 0, value, gold, count, asked
                )
