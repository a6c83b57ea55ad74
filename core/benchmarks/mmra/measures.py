"""MMRA's tables and figures from finished trajectories. Cells of ``report --by subtask`` hold the same accuracies.

Tables 2 and 3: accuracy by subtask, level and overall, over samples. Table 4: sequence perception, whose Overall is
the plain mean of its four subtasks. Figure 5: gain over the question-only baseline. Section 2.4, figure 4: leakage.
Section 4.5, figure 6: kinds of wrong answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Final, TypeVar

from core.benchmarks.mmra.leakage import LEVEL, adjusted, tail
from core.benchmarks.mmra.mistakes import OTHER
from core.benchmarks.mmra.question import (
    ABSENT,
    ANSWER,
    CHOICE,
    ENTITY,
    IMAGE,
    NO_RELATION,
    SEQUENCE_SUBTASKS,
    SUBTASKS,
)
from core.cells import ALL, Clusters
from core.measures import Measure, RunOutcomes
from core.outcomes import Outcomes
from core.statistics import Interval, cluster_bootstrap, paired_difference, wilson

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from core.gathered import Whole
    from core.outcomes import Truth

TABLES: Final[Mapping[str, str]] = {"iq": "table 2", "qo": "table 2", "dq": "table 3", "idq": "table 3"}
UNREAD: Final = "unread"


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items that were asked in one run, by their place in its outcomes' list: how many answers were right of how
    many, whether the first was, and which of the outcomes' groups each has."""

    of: Outcomes
    item: Whole
    group: Whole
    right: Whole
    n: Whole
    first_right: Truth

    def __len__(self) -> int:
        return len(self.item)


Group = tuple[str, str]


def measures(runs: Sequence[RunOutcomes]) -> list[Measure]:
    """Everything that these runs yield, run by run, the gains of all runs last."""
    asked = [(run, _items(run)) for run in runs]
    out: list[Measure] = []
    for run, items in asked:
        out += _sequence(run, items) if _swapped(run) else _accuracies(run, items)
    for run, items in asked:
        out += _leakage(run, items)
    for run, items in asked:
        out += _mistakes(run, items.of)
    return out + _gains(asked)


def _items(run: RunOutcomes) -> Items:
    import numpy

    of = Outcomes.of(run.outcomes)
    answer = _step_is(of, ANSWER)
    trajectory, right = of.trajectory[answer], of.right[answer]
    trajectory, first = numpy.unique(trajectory, return_index=True)
    right = right[first]
    item, last = of.item[trajectory], len(of.items)
    n = numpy.bincount(item, minlength=last)
    group = numpy.zeros(last, dtype=numpy.int64)
    group[item] = of.group[trajectory]
    earliest = numpy.zeros(last, dtype=bool)
    at_first = of.repeat[trajectory] == 0
    earliest[item[at_first]] = right[at_first]
    sums = numpy.bincount(item, weights=right, minlength=last).astype(numpy.int64)
    there = numpy.flatnonzero(n)
    return Items(of, there, group[there], sums[there], n[there], earliest[there])


def _step_is(of: Outcomes, name: str) -> Truth:
    import numpy

    wanted = numpy.array([step == name for step in of.steps], dtype=bool)
    return wanted[of.step] if len(of.step) else numpy.zeros(0, dtype=bool)


def _member(of: Outcomes, group_by: str, group: str) -> Truth:
    """Which of the outcomes' groups belong to that one."""
    import numpy

    return numpy.array([groups.get(group_by) == group for groups in of.groups], dtype=bool)


def _swapped(run: RunOutcomes) -> bool:
    return run.options.get("swap") == "yes"


GROUPS: Final[Sequence[Group]] = (
    *(("subtask", short) for short in SUBTASKS),
    *(("level", level) for level in (ENTITY, IMAGE)),
    (ALL, ALL),
)
"""Subtasks in the order of table 2, the two levels, everything."""


def _measure(
    run: RunOutcomes,
    name: str,
    value: float | None,
    n: int,
    note: str,
    group: tuple[str, str] = (ALL, ALL),
    interval: Interval | None = None,
) -> Measure:
    low, high, how = interval if interval is not None else (None, None, "")
    return Measure(name, run.run, run.respondent, value, n, run.scorer, *group, low, high, how, note)


def _accuracies(run: RunOutcomes, items: Items) -> list[Measure]:
    """Tables 2 and 3; Overall is over samples, so that large subtasks weigh more."""
    plain = run.options.get("pictures", "shown") == "shown"
    note = TABLES[run.protocol] if plain else f"a control: pictures={run.options['pictures']}"
    return list(_shares(run, "accuracy", items, GROUPS, note))


def _shares(run: RunOutcomes, name: str, items: Items, groups: Sequence[Group], note: str) -> Iterator[Measure]:
    found = _samples(items.of, groups, items.group, items.right, items.n)
    for group, samples in zip(groups, found, strict=True):
        if samples:
            yield _share(run, name, samples, note, group)


def _samples(
    of: Outcomes, groups: Sequence[Group], group: Whole, right: Whole, n: Whole
) -> list[dict[tuple[float, int], int]]:
    """By group how many of the items have so many right of so many."""
    import numpy

    most = int(n.max(initial=0)) + 1
    kinds = right * most + n
    there = numpy.flatnonzero(numpy.bincount(kinds))
    shares = [(float(kind // most), kind % most) for kind in there.tolist()]
    return _grouped(of, groups, group, numpy.searchsorted(there, kinds), shares)


K = TypeVar("K")


def _grouped(
    of: Outcomes, groups: Sequence[Group], group: Whole, kind: Whole, kinds: Sequence[K]
) -> list[dict[K, int]]:
    """By group how many items are of each kind: of each item which of the outcomes' groups it has, and the place of
    its kind."""
    import numpy

    size = len(of.groups), len(kinds)
    counts = numpy.bincount(group * size[1] + kind, minlength=size[0] * size[1]).reshape(size)
    row_of = {one: row for row, one in enumerate(groups)}
    members = numpy.zeros((len(groups), size[0]), dtype=numpy.int64)
    for place, told in enumerate(of.groups):
        members[[row_of[one] for one in ((ALL, ALL), *told.items()) if one in row_of], place] = 1
    rows = (members @ counts).tolist()
    return [{one: count for one, count in zip(kinds, row, strict=True) if count} for row in rows]


def _share(run: RunOutcomes, name: str, samples: Clusters, note: str, group: Group) -> Measure:
    right = sum(right * count for (right, _), count in samples.items())
    n = sum(asked * count for (_, asked), count in samples.items())
    alone = all(asked == 1 for _, asked in samples)
    interval = wilson(right, sum(samples.values())) if alone else cluster_bootstrap(samples)
    return _measure(run, name, right / n, n, note, group, interval)


def _sequence(run: RunOutcomes, items: Items) -> list[Measure]:
    """Table 4: the four subtasks, and their plain mean."""
    groups = [("subtask", short) for short in SEQUENCE_SUBTASKS]
    found = list(_shares(run, "sequence_accuracy", items, groups, "table 4"))
    if not found:
        return []
    values = [measure.value for measure in found if measure.value is not None]
    there = ", ".join(measure.group for measure in found)
    note = "table 4: the plain mean of its subtasks" + ("" if len(found) == 4 else f", here only {there}")
    n = sum(measure.n for measure in found)
    return [*found, _measure(run, "sequence_overall", sum(values) / len(values), n, note)]


# -- leakage


def _sees_nothing(run: RunOutcomes) -> bool:
    hidden = run.protocol == "iq" and run.options.get("pictures") in ("none", "blank")
    return (run.protocol == "qo" or hidden) and not _swapped(run)


def _leakage(run: RunOutcomes, items: Items) -> list[Measure]:
    """Section 2.4: subtasks whose answers can be had without the pictures.

    A value is the p of the test against chance, corrected for the number of subtasks (Holm). ``leakage`` is of runs
    that saw the words alone; under DQ, where descriptions tell what the pictures show, the same test is called
    ``descriptions_beat_chance``. Each item counts once, with its first asking.
    """
    from_descriptions = run.protocol == "dq" and not _swapped(run)
    if not (_sees_nothing(run) or from_descriptions) or not len(items):
        return []
    import numpy

    right: Counter[str] = Counter()
    chances: dict[str, list[float]] = {}
    asked = numpy.bincount(items.group, minlength=len(items.of.groups)).tolist()
    rights = numpy.bincount(items.group, weights=items.first_right, minlength=len(asked)).astype(int).tolist()
    for groups, count, count_right in zip(items.of.groups, asked, rights, strict=True):
        if count:
            subtask = groups["subtask"]
            right[subtask] += count_right
            chances.setdefault(subtask, []).extend([1 / int(groups["options"])] * count)
    values = adjusted({subtask: tail(right[subtask], chances[subtask]) for subtask in chances})
    name, section = ("descriptions_beat_chance", "DQ") if from_descriptions else ("leakage", "section 2.4")
    out = []
    flagged = []
    for subtask in (short for short in SUBTASKS if short in values):
        n = len(chances[subtask])
        note = f"p against chance, {section}; flagged below {LEVEL:g}"
        out.append(_measure(run, name, values[subtask], n, note, ("subtask", subtask)))
        if values[subtask] < LEVEL:
            by_chance = sum(chances[subtask]) / n
            flagged.append(f"{subtask} ({100 * right[subtask] / n:.1f}% right, {100 * by_chance:.1f}% by chance)")
    note = f"subtasks flagged: {', '.join(flagged) or 'none'}"
    return [*out, _measure(run, f"{name}_flags", float(len(flagged)), len(out), note)]


# -- kinds of errors


def _mistakes(run: RunOutcomes, of: Outcomes) -> Iterator[Measure]:
    """``mistakes_KIND``: of the wrong choices the share that names an entity of neither image (``absent``, where the
    data mark such options), says there is no relation, is another option, or could not be read (section 4.5)."""
    import numpy

    told = numpy.array([bool(kind) for kind in of.mistakes], dtype=bool)
    choices = _member(of, "qa", CHOICE)
    wrong = numpy.flatnonzero(_step_is(of, ANSWER) & ~of.right)
    wrong = wrong[choices[of.group[of.trajectory[wrong]]] & (told[of.mistake[wrong]] | ~of.parsed[wrong])]
    items, place, n = numpy.unique(of.item[of.trajectory[wrong]], return_inverse=True, return_counts=True)
    group = numpy.zeros(len(items), dtype=numpy.int64)
    group[place] = of.group[of.trajectory[wrong]]
    kinds = [kind or UNREAD for kind in of.mistakes]
    note = "share of the wrong choices; section 4.5, figure 6"
    for kind in (ABSENT, NO_RELATION, OTHER, UNREAD):
        is_kind = numpy.array([each == kind for each in kinds], dtype=bool)[of.mistake[wrong]]
        if not is_kind.any():
            continue
        right = numpy.bincount(place[is_kind], minlength=len(items))
        for one, samples in zip(GROUPS, _samples(of, GROUPS, group, right, n), strict=True):
            if samples:
                yield _share(run, f"mistakes_{kind.replace(' ', '_')}", samples, note, one)


# -- gain


def _gains(asked: Sequence[tuple[RunOutcomes, Items]]) -> list[Measure]:
    """Figure 5: accuracy less the mean of the question-only runs of the report, on the items that all of them hold.

    Models are held against models (people too), baselines against baselines.
    """
    import numpy

    out: list[Measure] = []
    asking: dict[tuple[str, bool], list[Items]] = {}
    for run, items in asked:
        if run.protocol == "qo":
            asking.setdefault((run.scorer, run.kind == "baseline"), []).append(items)
    means: dict[tuple[str, bool, int], NDArray[numpy.float64]] = {}
    for run, items in asked:
        alike = run.scorer, run.kind == "baseline"
        others = asking.get(alike, ())
        if run.protocol == "qo" or _swapped(run) or not len(items) or not others:
            continue
        which = (*alike, id(items.of.items))
        if which not in means:
            means[which] = _mean_share(others, items.of.items)
        gained = items.right / items.n - means[which][items.item]
        common = ~numpy.isnan(gained)
        values, place = numpy.unique(gained[common], return_inverse=True)
        kinds = [(value, 1) for value in values.tolist()]
        note = f"figure 5: above the mean of {len(others)} question-only run{'s' if len(others) > 1 else ''}"
        for group, samples in zip(GROUPS, _grouped(items.of, GROUPS, items.group[common], place, kinds), strict=True):
            if not samples:
                continue
            n = sum(samples.values())
            value = fsum(gain * count for (gain, _), count in samples.items()) / n
            out.append(_measure(run, "gain_over_question_only", value, n, note, group, paired_difference(samples)))
    return out


def _mean_share(others: Sequence[Items], items: Sequence[str]) -> NDArray[numpy.float64]:
    """By item's place in the list the mean of the runs' shares; nan where one of them does not hold it."""
    import numpy

    total = numpy.zeros(len(items))
    places = {item: place for place, item in enumerate(items)}
    for other in others:
        share = numpy.full(len(items), numpy.nan)
        if other.of.items is items:
            share[other.item] = other.right / other.n
        else:
            there = [places.get(other.of.items[item], -1) for item in other.item.tolist()]
            place = numpy.array(there, dtype=numpy.int64)
            share[place[place >= 0]] = (other.right / other.n)[place >= 0]
        total += share
    return total / len(others)
