"""MMRA's tables and figures from finished trajectories. Cells of ``report --by subtask`` hold the same accuracies.

Tables 2 and 3: accuracy by subtask, level and overall, over samples. Table 4: sequence perception, whose Overall is
the plain mean of its four subtasks. Figure 5: gain over the question-only baseline. Section 2.4, figure 4: leakage.
Section 4.5, figure 6: kinds of wrong answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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
from core.measures import Measure, Outcome, RunOutcomes
from core.statistics import Interval, cluster_bootstrap, paired_difference, wilson
from core.tally import ALL

TABLES: Final[Mapping[str, str]] = {"iq": "table 2", "qo": "table 2", "dq": "table 3", "idq": "table 3"}
UNREAD: Final = "unread"


@dataclass(frozen=True, slots=True)
class Asked:
    """One item's answers in one run: how many were right of how many, and whether the first was."""

    groups: Mapping[str, str]
    right: int
    n: int
    first_right: bool

    @property
    def share(self) -> float:
        return self.right / self.n


Items = Mapping[str, Asked]
Groups = Iterator[tuple[str, str, Callable[[Asked], bool]]]


def measures(runs: Sequence[RunOutcomes]) -> list[Measure]:
    """Everything that these runs yield, run by run, the gains of all runs last."""
    asked = [(run, _items(run)) for run in runs]
    out: list[Measure] = []
    for run, items in asked:
        out += _sequence(run, items) if _swapped(run) else _accuracies(run, items)
    for run, items in asked:
        out += _leakage(run, items)
    for run, _ in asked:
        out += _mistakes(run)
    return out + _gains(asked)


def _items(run: RunOutcomes) -> dict[str, Asked]:
    found: dict[str, Asked] = {}
    for outcome in run.outcomes:
        right = [step.right for step in outcome.steps if step.step == ANSWER]
        if not right:
            continue
        one = found.get(outcome.item) or Asked(outcome.groups, 0, 0, first_right=False)
        first = right[0] if outcome.repeat == 0 else one.first_right
        found[outcome.item] = Asked(outcome.groups, one.right + right[0], one.n + 1, first)
    return found


def _swapped(run: RunOutcomes) -> bool:
    return run.options.get("swap") == "yes"


def _groups() -> Groups:
    """Subtasks in the order of table 2, the two levels, everything: (group by, group, membership)."""
    for short in SUBTASKS:
        yield "subtask", short, lambda one, short=short: one.groups["subtask"] == short  # type: ignore[misc]
    for level in (ENTITY, IMAGE):
        yield "level", level, lambda one, level=level: one.groups["level"] == level  # type: ignore[misc]
    yield ALL, ALL, lambda one: True


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
    return list(_shares(run, "accuracy", items, _groups(), note))


def _shares(run: RunOutcomes, name: str, items: Items, groups: Groups, note: str) -> Iterator[Measure]:
    for group_by, group, belongs in groups:
        inside = [one for one in items.values() if belongs(one)]
        if inside:
            n = sum(one.n for one in inside)
            right = sum(one.right for one in inside)
            yield _measure(run, name, right / n, n, note, (group_by, group), _interval(inside))


def _interval(inside: Sequence[Asked]) -> Interval:
    if all(one.n == 1 for one in inside):
        return wilson(sum(one.right for one in inside), len(inside))
    return cluster_bootstrap(Counter((float(one.right), one.n) for one in inside))


def _sequence(run: RunOutcomes, items: Items) -> list[Measure]:
    """Table 4: the four subtasks, and their plain mean."""
    groups = [group for group in _groups() if group[1] in SEQUENCE_SUBTASKS]
    groups.sort(key=lambda group: SEQUENCE_SUBTASKS.index(group[1]))
    found = list(_shares(run, "sequence_accuracy", items, iter(groups), "table 4"))
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
    if not (_sees_nothing(run) or from_descriptions) or not items:
        return []
    right: dict[str, int] = {}
    chances: dict[str, list[float]] = {}
    for one in items.values():
        subtask = one.groups["subtask"]
        right[subtask] = right.get(subtask, 0) + one.first_right
        chances.setdefault(subtask, []).append(1 / int(one.groups["options"]))
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


def _mistakes(run: RunOutcomes) -> Iterator[Measure]:
    """``mistakes_KIND``: of the wrong choices the share that names an entity of neither image (``absent``, where the
    data mark such options), says there is no relation, is another option, or could not be read (section 4.5)."""
    wrong = [
        (outcome, step.mistake or UNREAD)
        for outcome in run.outcomes
        for step in outcome.steps
        if step.step == ANSWER and not step.right and outcome.groups.get("qa") == CHOICE
        if step.mistake or not step.parsed
    ]
    for kind in (ABSENT, NO_RELATION, OTHER, UNREAD):
        if any(found == kind for _, found in wrong):
            yield from _of_kind(run, kind, wrong)


def _of_kind(run: RunOutcomes, kind: str, wrong: Sequence[tuple[Outcome, str]]) -> Iterator[Measure]:
    name, note = f"mistakes_{kind.replace(' ', '_')}", "share of the wrong choices; section 4.5, figure 6"
    keys = [("subtask", short) for short in SUBTASKS] + [("level", ENTITY), ("level", IMAGE), (ALL, ALL)]
    for group_by, group in keys:
        by_item: dict[str, list[int]] = {}
        for outcome, found in wrong:
            if group_by == ALL or outcome.groups[group_by] == group:
                sums = by_item.setdefault(outcome.item, [0, 0])
                sums[0] += found == kind
                sums[1] += 1
        if by_item:
            inside = [Asked({}, right, n, first_right=False) for right, n in by_item.values()]
            right, n = sum(one.right for one in inside), sum(one.n for one in inside)
            yield _measure(run, name, right / n, n, note, (group_by, group), _interval(inside))


# -- gain


def _gains(asked: Sequence[tuple[RunOutcomes, Items]]) -> list[Measure]:
    """Figure 5: accuracy less the mean of the question-only runs of the report, on the items that all of them hold.

    Models are held against models (people too), baselines against baselines.
    """
    out: list[Measure] = []
    for run, items in asked:
        if run.protocol == "qo" or _swapped(run) or not items:
            continue
        baseline = run.kind == "baseline"
        others = [
            other_items
            for other, other_items in asked
            if other.protocol == "qo" and other.scorer == run.scorer and (other.kind == "baseline") == baseline
        ]
        common = set(items).intersection(*others) if others else set()
        if not common:
            continue
        for group_by, group, belongs in _groups():
            gains = [
                items[key].share - sum(other[key].share for other in others) / len(others)
                for key in items
                if key in common and belongs(items[key])
            ]
            if gains:
                runs = f"{len(others)} question-only run{'s' if len(others) > 1 else ''}"
                note = f"figure 5: above the mean of {runs}"
                value, interval = sum(gains) / len(gains), paired_difference(Counter((g, 1) for g in gains))
                out.append(
                    _measure(run, "gain_over_question_only", value, len(gains), note, (group_by, group), interval)
                )
    return out
