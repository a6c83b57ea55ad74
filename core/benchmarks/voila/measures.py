"""VOILA's tables and figures: most are cells of ``report``, those that set conditions side by side are made here.

Cells: tables 2, 4, 8 and 16 and figures 4 and 6 are ``describe``, ``relate``, ``apply`` under ``l2m`` or ``direct``,
property ``all``, ``images=sequence|collage``; table 9 is ``generate``; tables 10 and 11 and figures 5 and 13 are each
step by number, subject and action; figure 7 is ``apply`` by rule (``right`` counts questions). Section 6.1: the lanes
``describe=gold`` and ``relate=gold`` and what ``flips`` says of them, tables 12 to 15 ``report --agreement``.

Contrasts (``contrasts``): runs of one respondent that differ in one condition and in nothing else, prompts, pictures
and parameters included, over the items that both answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from types import MappingProxyType
from typing import Final, TypeAlias

from core.benchmarks.voila.question import APPLY, DESCRIBE, GENERATE, RELATE, layout
from core.benchmarks.voila.rules import LETTERS, RULES
from core.benchmarks.voila.vocabulary import PROPERTIES
from core.cells import ALL, taken_apart
from core.measures import Answered, Measure, RunAnswers
from core.statistics import (
    Interval,
    cluster_bootstrap,
    paired_difference,
    paired_ratio,
    unpaired_difference,
    wilson,
)

PARTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {RELATE: tuple(f"{RELATE}.{name}" for name in PROPERTIES)}
)
"""A step asked in parts: its parts' scores joined are the step's (B.7, table 17: "after merging the results")."""

NAMES: Final = (*PROPERTIES, ALL)
_PLAIN: Final = {"images": "sequence", "input": "images", "subprompts": "no", "cot": "no", "examples": "no"}
STRUCTURE: Final = "structure"
_STRUCTURES: Final = frozenset(RULES.values())
_BITS: Final = layout(APPLY)
_LATER: Final = "generate"
"""The option that changes nothing of the steps before."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two conditions of one respondent: ``of`` minus ``less``, each the protocol ("": of either) and the options that
    it is told by; all other options are alike."""

    name: str
    of: tuple[str, Mapping[str, str]]
    less: tuple[str, Mapping[str, str]]
    steps: tuple[str, ...]
    where: str


CONTRASTS: Final = (
    Contrast("gain_of_steps", ("l2m", {}), ("direct", {}), (APPLY, GENERATE), "5.3, tables 3 and 9"),
    Contrast(
        "gain_of_sequence",
        ("", {"images": "sequence"}),
        ("", {"images": "collage"}),
        (DESCRIBE, RELATE, APPLY, GENERATE),
        "5.4 and B.6, tables 4 and 16",
    ),
    Contrast("gain_of_text", ("", {"input": "text"}), ("", {"input": "images"}), (RELATE, APPLY), "6.2"),
    Contrast(
        "gain_of_subprompts",
        ("l2m", {"subprompts": "yes"}),
        ("l2m", {"subprompts": "no"}),
        (RELATE,),
        "B.7, table 17",
    ),
    Contrast("gain_of_worked_examples", ("l2m", {"cot": "yes"}), ("l2m", {"cot": "no"}), (APPLY,), "B.8, table 18"),
    Contrast("gain_of_examples", ("direct", {"examples": "yes"}), ("direct", {"examples": "no"}), (APPLY,), "B.9"),
    Contrast("examples_over_steps", ("direct", {"examples": "yes"}), ("l2m", {}), (APPLY,), "B.9, table 19"),
)


def contrasts(runs: Sequence[RunAnswers], by: Collection[str] = ()) -> list[Measure]:
    """Sections 5.3 to 5.5, 6.2 and B.6 to B.9 over these runs; of several under one condition the last counts that
    was asked alike. Where none was, an undefined value says what they differ in.

    Accuracy by a structure's letters comes where the report is broken down ``by`` structure.
    """
    latest = {
        (_whose(run), run.subset, run.protocol, _condition(run), *sorted(run.asked.items())): run for run in runs
    }
    by_whom: dict[tuple[str, str], list[RunAnswers]] = {}
    for run in latest.values():
        by_whom.setdefault(_whose(run), []).append(run)
    out: list[Measure] = []
    for alike in by_whom.values():
        pairs = list(permutations(alike, 2))
        for contrast in CONTRASTS:
            wanted = [pair for pair in pairs if pair[0].subset == pair[1].subset and _contrasted(contrast, *pair)]
            for of, less in _matched(wanted):
                if otherwise := _otherwise(of, less):
                    name, where = f"{contrast.name}_{contrast.steps[0]}", contrast.where
                    out.append(_unmatched(name, of, less, f"{otherwise}; {where}"))
                else:
                    out += chain.from_iterable(_differences(contrast, of, less, step) for step in contrast.steps)
        wanted = [
            (of, less)
            for of, less in pairs
            if (of.protocol, _condition(of)) == (less.protocol, _condition(less))
            and (of.subset, less.subset) == ("ND", "WD")
        ]
        for of, less in _matched(wanted):
            if otherwise := _otherwise(of, less):
                out.append(_unmatched("loss_by_distraction_apply", of, less, f"{otherwise}; 5.5, figure 6"))
            else:
                out += _by_distraction(of, less)
    return out + [measure for run in runs if STRUCTURE in by for measure in _by_letter(run)]


Pair: TypeAlias = tuple[RunAnswers, RunAnswers]


def _matched(pairs: Sequence[Pair]) -> list[Pair]:
    """One pair for each two conditions: the last that was asked alike, else the last."""
    chosen: dict[Hashable, Pair] = {}
    for of, less in pairs:
        conditions = (of.subset, of.protocol, _condition(of), less.subset, less.protocol, _condition(less))
        before = chosen.get(conditions)
        if before is None or not _otherwise(of, less) or _otherwise(*before):
            chosen[conditions] = (of, less)
    return list(chosen.values())


def _otherwise(of: RunAnswers, less: RunAnswers) -> str:
    """What both were asked with, but not the same; prompts that only one of them has are its condition's."""
    there = of.asked.keys() & less.asked.keys()
    there |= {name for name in of.asked.keys() ^ less.asked.keys() if not name.startswith("prompt ")}
    return ", ".join(sorted(name for name in there if of.asked.get(name) != less.asked.get(name)))


def _unmatched(name: str, of: RunAnswers, less: RunAnswers, why: str) -> Measure:
    who = (f"{of.run} vs {less.run}", of.respondent)
    return _measure(name, who, of.scorer, None, 0, None, f"undefined: not asked alike: {why}")


def _whose(run: RunAnswers) -> tuple[str, str]:
    return run.respondent, run.scorer


def _condition(run: RunAnswers) -> tuple[tuple[str, str], ...]:
    """How it was asked; an option that was not said, or that a protocol has not, is as by default."""
    said = {name: value for name, value in run.options.items() if name != _LATER}
    return tuple(sorted({**_PLAIN, **said}.items()))


def _contrasted(contrast: Contrast, of: RunAnswers, less: RunAnswers) -> bool:
    """Whether these two differ in what is contrasted and in nothing else."""
    ours, theirs = dict(_condition(of)), dict(_condition(less))
    if of.protocol != (contrast.of[0] or less.protocol) or less.protocol != (contrast.less[0] or of.protocol):
        return False
    apart = {**contrast.less[1], **contrast.of[1]}
    wanted_of, wanted_less = ({**{name: _PLAIN[name] for name in apart}, **side[1]} for side in _sides(contrast))
    rest = {*ours, *theirs} - set(apart)
    return (
        all(ours[name] == value for name, value in wanted_of.items())
        and all(theirs[name] == value for name, value in wanted_less.items())
        and all(ours.get(name) == theirs.get(name) for name in rest)
    )


def _sides(contrast: Contrast) -> tuple[tuple[str, Mapping[str, str]], ...]:
    return contrast.of, contrast.less


# -- two runs


Counts = dict[int, tuple[int, int]]
"""By item: right units and scored ones."""


def _counts(answers: Iterable[Answered], step: str) -> dict[str, Counts]:
    """By property, ``all`` last."""
    found: dict[str, Counts] = {name: {} for name in NAMES}
    bits = layout(step)
    for item, right, scored, count in answers:
        for counts, (units_right, units_scored) in zip(found.values(), taken_apart(bits, right, scored), strict=True):
            if units_scored:
                before = counts.get(item, (0, 0))
                counts[item] = (before[0] + units_right * count, before[1] + units_scored * count)
    return found


def _differences(contrast: Contrast, of: RunAnswers, less: RunAnswers, step: str) -> Iterator[Measure]:
    """``of`` minus ``less`` over the items that both answered, by property and, last, in all of them together.

    ``change_to_collage`` is the same as a share of the accuracy in sequence (5.4: "dropped by approximately 40%").
    """
    ours, theirs = _counts(of.answers(step), step), _counts(less.answers(step), step)
    for name in NAMES:
        first, second = ours[name], theirs[name]
        pairs = [(first[item], second[item]) for item in first if item in second]
        if not pairs:
            continue
        left = len(first) + len(second) - 2 * len(pairs)
        note = f"{step}; {contrast.where}" + (f"; {left} items of one run alone left out" if left else "")
        who = (f"{of.run} vs {less.run}", of.respondent)
        group = (ALL, ALL) if name == ALL else ("property", name)
        value, bounds = _difference(pairs)
        yield _measure(f"{contrast.name}_{step}", who, of.scorer, value, len(pairs), bounds, note, group)
        if contrast.name == "gain_of_sequence" and name == ALL:
            yield _relative(pairs, who, of.scorer, step, note)


def _difference(pairs: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> tuple[float, Interval]:
    """Mean difference of the shares of paired items; items asked equally often on both sides weigh by that."""
    if all(ours[1] == theirs[1] for ours, theirs in pairs):
        clusters = Counter((float(ours[0] - theirs[0]), ours[1]) for ours, theirs in pairs)
    else:
        clusters = Counter((ours[0] / ours[1] - theirs[0] / theirs[1], 1) for ours, theirs in pairs)
    gained = sum(gain * count for (gain, _), count in clusters.items())
    return gained / sum(n * count for (_, n), count in clusters.items()), paired_difference(clusters)


def _relative(
    pairs: Sequence[tuple[tuple[int, int], tuple[int, int]]], who: tuple[str, str], scorer: str, step: str, note: str
) -> Measure:
    shares = Counter((ours[0] / ours[1], theirs[0] / theirs[1]) for ours, theirs in pairs)
    before = sum(share * count for (share, _), count in shares.items())
    after = sum(share * count for (_, share), count in shares.items())
    value = after / before - 1 if before else None
    note = note if before else f"undefined: nothing is right in sequence; {note}"
    bounds = paired_ratio(shares) if before else None
    return _measure(f"change_to_collage_{step}", who, scorer, value, len(pairs), bounds, note)


def _by_distraction(nd: RunAnswers, wd: RunAnswers) -> Iterator[Measure]:
    """``loss_by_distraction_apply``: the third step without distraction less that with it (5.5, figure 6). Other
    items, so nothing is paired: the limits of both accuracies are joined."""
    ours, theirs = _counts(nd.answers(APPLY), APPLY), _counts(wd.answers(APPLY), APPLY)
    for name in NAMES:
        first, second = ours[name], theirs[name]
        if first and second:
            group = (ALL, ALL) if name == ALL else ("property", name)
            (one, of_one), (other, of_other) = _share(first), _share(second)
            bounds = unpaired_difference((one, of_one), (other, of_other))
            note = f"apply, {len(first)} items of ND, {len(second)} of WD; 5.5, figure 6"
            who, n = (f"{nd.run} vs {wd.run}", nd.respondent), len(first) + len(second)
            yield _measure("loss_by_distraction_apply", who, nd.scorer, one - other, n, bounds, note, group)


def _share(counts: Counts) -> tuple[float, Interval]:
    right, n = (sum(sums) for sums in zip(*counts.values(), strict=True))
    alone = all(asked == 1 for _, asked in counts.values())
    return right / n, wilson(right, n) if alone else cluster_bootstrap(
        Counter((float(of), asked) for of, asked in counts.values())
    )


# -- one run


def _by_letter(run: RunAnswers) -> Iterator[Measure]:
    """``apply_by_letter``: each property of the third step by the rule that its items give that property, S, C, A or
    D (5.5 on distraction, 6.2 on arithmetic)."""
    answers, structure = list(run.answers(APPLY)), run.group(STRUCTURE)
    alone = len({answer.item for answer in answers}) == sum(answer.count for answer in answers)
    kinds: Counter[tuple[str, int, int]] = Counter()
    for item, right, scored, count in answers:
        kinds[structure.get(item, ""), right, scored] += count
    by_property = {} if alone else _counts(answers, APPLY)
    for place, name in enumerate(PROPERTIES):
        sums = dict.fromkeys("SCAD", (0, 0))
        for (rule, right, scored), count in kinds.items():
            if letter := _letter(rule, name):
                is_right, is_scored = taken_apart(_BITS, right, scored)[place]
                sums[letter] = (sums[letter][0] + is_right * count, sums[letter][1] + is_scored * count)
        for letter, (right, n) in sums.items():
            if not n:
                continue
            bounds = wilson(right, n)
            if not alone:
                of_item = by_property[name].items()
                bounds = _share({i: c for i, c in of_item if _letter(structure.get(i, ""), name) == letter})[1]
            who, group = (run.run, run.respondent), (STRUCTURE, f"{name} {letter}")
            yield _measure("apply_by_letter", who, run.scorer, right / n, n, bounds, "5.5, 6.2", group)


def _letter(structure: str, name: str) -> str:
    return structure[LETTERS.index(name)] if structure in _STRUCTURES else ""


def _measure(
    name: str,
    who: tuple[str, str],
    scorer: str,
    value: float | None,
    n: int,
    bounds: Interval | None,
    note: str,
    group: tuple[str, str] = (ALL, ALL),
) -> Measure:
    low, high, how = bounds if bounds is not None else (None, None, "")
    return Measure(name, *who, value, n, scorer, *group, low, high, how, note)
