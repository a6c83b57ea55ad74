"""Counts behind every accuracy: filled from the store by one query, or added to step by step while something runs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from math import fsum
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from core.records import Json, Layout, Origin, Parse, RespondentKind, Step
from core.statistics import Interval, cluster_bootstrap, wilson

ALL: Final = "all"
STEPS: Final = "steps"
"""Property of numbered steps: all of them as one, not sample by sample."""

FORK: Final = " (fork)"
"""Ends the lane of answers on forks made on the screen, which never count among a batch's own."""

REASKED: Final = ".again"
"""Ends the name of a numbered step that was asked a second time, since its first answer could not be read."""

UNPARSED: Final = (Parse.NO_ANSWER, Parse.AMBIGUOUS)


@dataclass(frozen=True, slots=True)
class CountRow:
    """So many scores that are alike: same lane, step, scorer and group, same bits and parse status.

    ``cluster`` names what their answers hang together by (an item that was run several times); None where each
    score is a cluster of its own.
    """

    lane: str
    step: str
    scorer: str
    group: str
    status: Parse
    right: int
    scored: int
    count: int = 1
    cluster: Hashable = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One accuracy with everything it stands on: a row of ``report --json``.

    ``n`` holds unparsed and refused answers as wrong and leaves failed ones out; ``accuracy_strict`` counts failed
    as wrong too, ``accuracy_answered`` leaves all three out (None where nothing else is left). ``unscored`` were
    left out of n by the scorer, ``judge_errors`` since asking a judge gave no score. ``source`` names the table of a
    paper that a figure was taken from; such a cell has no interval, and n is 0 where the paper does not say it.
    ``gold`` says which gold counted: the published one, corrected where that is disputed, or that of undisputed
    items alone.
    """

    step: str
    property: str
    right: float
    n: int
    accuracy: float | None
    low: float | None
    high: float | None
    interval: str
    unparsed: int
    refused: int
    unscored: int
    failed: int
    accuracy_strict: float | None
    scorer: str
    interventions: str = ""
    group_by: str = ALL
    group: str = ALL
    run: str = ""
    benchmark: str = ""
    subset: str = ""
    protocol: str = ""
    options: str = ""
    respondent: str = ""
    kind: RespondentKind = "model"
    source: str = ""
    judge_errors: int = 0
    gold: str = "published"
    accuracy_answered: float | None = None

    def to_json(self) -> dict[str, Json]:
        """Flat, under the names of the contract."""
        return dict(zip(self.__slots__, _VALUES(self), strict=True))


_VALUES: Final = attrgetter(*Cell.__slots__)


@dataclass(slots=True)
class Sums:
    """Sums of one property (or ``all``) in one cell; ``right_open`` are those right of the unparsed and refused (a
    judge may see something where the answer as a whole says nothing)."""

    right: float = 0
    n: int = 0
    unparsed: int = 0
    refused: int = 0
    unscored: int = 0
    right_open: float = 0

    @property
    def answered(self) -> float | None:
        """The share of right answers of those that say something."""
        n = self.n - self.unparsed - self.refused
        return (self.right - self.right_open) / n if n else None


def forked_lane(lane: str) -> str:
    """The lane of an answer on a fork."""
    return f"{lane}{FORK}".strip()


class Tally:
    """Counts of one run's scores; gives cells at any time.

    ``layout``, ``parts`` and ``pooled`` are the benchmark's. A step asked in parts (``relate.number`` ...) has cells
    for each part and, under its own name, for the parts joined. Numbered steps (``plan.1``, ``plan.2`` ...) have
    cells under their common name alone: the accuracy is the mean over samples of each sample's share (``n`` samples,
    ``right`` the sum of the shares), and property ``steps`` pools over steps. Their rows must name the sample as
    ``cluster``.
    """

    def __init__(
        self,
        layout: Callable[[str], Layout],
        *,
        group_by: str = ALL,
        parts: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        pooled: Sequence[str] = (),
    ) -> None:
        self._layout = layout
        self._parts = parts
        self._pooled = frozenset(pooled)
        self.group_by = group_by
        self._rows: dict[tuple[str, str, str, str], Counter[tuple[Parse, int, int, Hashable]]] = defaultdict(Counter)
        self._pools: dict[tuple[str, str, str, str], Pool] = defaultdict(Pool)
        self._failed: dict[tuple[str, str, str], Counter[Hashable]] = defaultdict(Counter)
        self._unjudged: Counter[tuple[str, str, str, str]] = Counter()

    def add(self, row: CountRow) -> None:
        name, _, number = row.step.partition(".")
        if number and name in self._pooled:
            self._pools[(row.scorer, row.lane, name, row.group)].add(row, again=number.endswith(REASKED))
            return
        key = (row.scorer, row.lane, row.step, row.group)
        self._rows[key][(row.status, row.right, row.scored, row.cluster)] += row.count

    def add_all(self, rows: Iterable[CountRow]) -> None:
        for row in rows:
            self.add(row)

    def add_step(self, step: Step, group: str = ALL, count: int = 1, cluster: Hashable = None) -> None:
        """A step just stored; ``count=-1`` takes it out again. Answers that nobody gave are not counted."""
        if step.origin is not Origin.RESPONDENT:
            return
        for score in step.scores:
            bits = (score.status, score.right, score.scored, count, cluster)
            self.add(CountRow(step.lane, step.turn.step, score.scorer, group, *bits))

    def add_last(
        self, steps: Sequence[Step], group: str = ALL, cluster: Hashable = None, *, forked: bool = False
    ) -> None:
        """The last of a trajectory's steps, and the whole where it completes a step asked in parts.

        ``cluster`` names the sample: it counts where steps are pooled, and on forks, of which one item can have many.
        """
        last = steps[-1]
        if last.origin is not Origin.RESPONDENT:
            return
        lane = forked_lane(last.lane) if forked else last.lane
        together = cluster if forked or last.turn.step.partition(".")[0] in self._pooled else None
        for score in last.scores:
            bits = (score.status, score.right, score.scored, 1, together)
            self.add(CountRow(lane, last.turn.step, score.scorer, group, *bits))
        for whole, parts in self._parts.items():
            if last.turn.step == parts[-1]:
                rows = joined(steps[-len(parts) :], whole, parts, group)
                self.add_all(replace(row, lane=lane, cluster=together) for row in rows)

    def add_failed(
        self, step: str, group: str = ALL, count: int = 1, cluster: Hashable = None, lane: str = ""
    ) -> None:
        """Trajectories that failed at this step, or before it, and so never answered it; ``lane`` is the one that
        the answer would have had.

        ``cluster`` names the sample, where its steps are pooled: strictly, it has one wrong step more.
        """
        self._failed[(lane, step, group)][cluster] += count

    def add_unjudged(self, scorer: str, step: str, group: str = ALL, count: int = 1, lane: str = "") -> None:
        """Answers to this step that a judge was asked about and that have no score of its."""
        name = step.partition(".")[0]
        self._unjudged[(scorer, lane, name if name in self._pooled else step, group)] += count

    def cells(self) -> Iterator[Cell]:
        """A cell for each scorer, lane, step, group and property, ``all`` last, in the order they were added.

        A step that only failed calls stand at, or failed judgements, has cells too, with nothing in n.
        """
        for key in self._unjudged:
            (self._pools if key[2] in self._pooled else self._rows)[key]
        scorers = dict.fromkeys(key[0] for key in chain(self._rows, self._pools)) or {"rule": None}
        for lane, step, group in self._failed:
            for scorer in scorers:
                (self._pools if step in self._pooled else self._rows)[(scorer, lane, step, group)]
        for (scorer, lane, step, group), counts in self._rows.items():
            layout = self._layout(step)
            failed = sum(self._failed.get((lane, step, group), {}).values())
            unjudged = self._unjudged.get((scorer, lane, step, group), 0)
            about = self._about(scorer, lane, step, group)
            yield from cells_from(layout, _summed(layout, counts), failed, unjudged, about)
        for (scorer, lane, step, group), pool in self._pools.items():
            lost = self._failed.get((lane, step, group), Counter())
            unjudged = self._unjudged.get((scorer, lane, step, group), 0)
            about = self._about(scorer, lane, step, group)
            name = self._layout(step).properties[0]
            yield from pooled_cells(name, pool.shapes(lost), pool.unparsed, pool.refused, unjudged, about)

    def _about(self, scorer: str, lane: str, step: str, group: str) -> dict[str, Json]:
        return {"step": step, "scorer": scorer, "interventions": lane, "group_by": self.group_by, "group": group}


Clusters = Mapping[tuple[float, int], int]
"""(right, answers) of one cluster to how many clusters are like that."""


def _summed(
    layout: Layout, counts: Mapping[tuple[Parse, int, int, Hashable], int]
) -> list[tuple[Sums, dict[tuple[float, int], int]]]:
    """Of each property, and last of all of them together, the sums and the clusters: one pass over the counts."""
    names = (*layout.properties, ALL)
    totals = [Sums() for _ in names]
    alone: list[dict[tuple[float, int], int]] = [{} for _ in names]
    named: list[dict[Hashable, tuple[int, int]]] = [{} for _ in names]
    for (status, right, scored, cluster), count in counts.items():
        if count == 0:
            continue
        by_name = taken_apart(layout, right, scored)
        open_ = status in UNPARSED or status is Parse.REFUSAL
        for total, own, together, pair in zip(totals, alone, named, by_name, strict=True):
            units_right, units_scored = pair
            total.right += units_right * count
            total.n += units_scored * count
            total.unscored += (layout.units - units_scored) * count
            if open_:
                total.right_open += units_right * count
                if status is Parse.REFUSAL:
                    total.refused += units_scored * count
                else:
                    total.unparsed += units_scored * count
            if cluster is None:
                own[pair] = own.get(pair, 0) + count
            else:
                before = together.get(cluster, (0, 0))
                together[cluster] = (before[0] + units_right * count, before[1] + units_scored * count)
    for own, together in zip(alone, named, strict=True):
        for pair in together.values():
            own[pair] = own.get(pair, 0) + 1
    return list(zip(totals, alone, strict=True))


def cells_from(
    layout: Layout,
    summed: Sequence[tuple[Sums, Clusters]],
    failed: int,
    unjudged: int,
    about: Mapping[str, Any],
) -> Iterator[Cell]:
    """A cell for each property with something in it, ``all`` last; ``about`` are the fields that they share."""
    for name, (total, clusters) in zip((*layout.properties, ALL), summed, strict=True):
        if total.n == 0 and not failed and not unjudged and (total.unscored == 0 or layout.units == 1):
            continue
        asked = {pair: count for pair, count in clusters.items() if pair != (0, 0)}
        told = {**about, "judge_errors": unjudged * layout.units}
        yield filled(name, total, asked, failed * layout.units, about=told)


@lru_cache(maxsize=10_000)
def taken_apart(layout: Layout, right: int, scored: int) -> tuple[tuple[int, int], ...]:
    """Of each property, and last of all of them together, how many units of a score are right and how many are
    scored."""
    return tuple(_units(layout, name, right, scored) for name in (*layout.properties, ALL))


@dataclass(slots=True)
class Pool:
    """Numbered steps of a protocol under their common name, sample by sample as the first numbers of a Shape."""

    samples: dict[Hashable, list[int]] = field(default_factory=dict)
    unparsed: int = 0
    refused: int = 0

    def add(self, row: CountRow, *, again: bool) -> None:
        """A step asked again after an answer that could not be read adds no step to its sample, only what it got."""
        sums = self.samples.setdefault(row.cluster, [0, 0, 0, 0])
        one = one_step(row.status, row.right, row.scored, again=again)
        for place, part in enumerate((one.right, one.asked, one.vague, one.unparsed + one.refused)):
            sums[place] += part * row.count
        self.unparsed += one.unparsed * row.count
        self.refused += one.refused * row.count

    def shapes(self, lost: Mapping[Hashable, int]) -> dict[Shape, int]:
        """How many samples are alike; ``lost`` are failed calls by sample."""
        found = Counter(Shape._make((*sums, lost.get(sample, 0))) for sample, sums in self.samples.items())
        found.update(Shape(lost=count) for sample, count in lost.items() if sample not in self.samples)
        return found


class OneStep(NamedTuple):
    """What one answer adds to its sample."""

    right: int
    asked: int
    vague: int
    unparsed: int
    refused: int


def one_step(status: Parse, right: int, scored: int, *, again: bool) -> OneStep:
    """Of an answer to a numbered step; ``again`` where it was asked a second time."""
    is_right = int(scored != 0 and right == scored)
    unparsed = int(status in UNPARSED) - int(again)
    return OneStep(
        is_right, int(not again), is_right if status is not Parse.OK else 0, unparsed, int(status is Parse.REFUSAL)
    )


class Shape(NamedTuple):
    """How one sample's numbered steps came out: ``right`` of ``asked``; ``vague`` are right of those that stayed
    ``open``; ``lost`` are failed calls."""

    right: int = 0
    asked: int = 0
    vague: int = 0
    open: int = 0
    lost: int = 0


def pooled_cells(
    property_name: str,
    shapes: Mapping[Shape, int],
    unparsed: int,
    refused: int,
    unjudged: int,
    about: Mapping[str, Any],
) -> Iterator[Cell]:
    """The mean of the samples' shares under the property's name, and ``steps``: all steps as one.

    Failed calls are out of n, and strictly a wrong step each. ``unjudged`` answers have no score and are left out.
    """
    asked = [(shape, count) for shape, count in shapes.items() if shape.asked]
    failed = sum(shape.lost * count for shape, count in shapes.items())
    if not asked and not failed and not unjudged:
        return
    shares, strictly, said = Counter[float](), Counter[float](), Counter[float]()
    steps: Counter[tuple[float, int]] = Counter()
    for shape, count in shapes.items():
        if shape.asked:
            shares[shape.right / shape.asked] += count
            steps[float(shape.right), shape.asked] += count
        if shape.asked + shape.lost:
            strictly[shape.right / (shape.asked + shape.lost)] += count
        if shape.asked > shape.open:
            said[(shape.right - shape.vague) / (shape.asked - shape.open)] += count
    counted = Sums(unparsed=unparsed, refused=refused)
    mean = replace(counted, right=_total(shares), n=shares.total())
    interval = wilson(mean.right, mean.n) if shares.keys() <= {0, 1} else None
    told = {**about, "judge_errors": unjudged}
    yield replace(
        filled(property_name, mean, {(share, 1): count for share, count in shares.items()}, failed, interval, told),
        accuracy_strict=_total(strictly) / strictly.total() if strictly else None,
        accuracy_answered=_total(said) / said.total() if said else None,
    )
    totals = replace(
        counted,
        right=sum(shape.right * count for shape, count in asked),
        n=sum(shape.asked * count for shape, count in asked),
        right_open=sum(shape.vague * count for shape, count in shapes.items()),
    )
    yield filled(STEPS, totals, steps, failed, about=told)


def _total(shares: Mapping[float, int]) -> float:
    """Their sum, the same in whatever order they came."""
    return fsum(share * count for share, count in shares.items())


def filled(
    name: str,
    total: Sums,
    clusters: Clusters,
    failed: int,
    interval: Interval | None = None,
    about: Mapping[str, Any] = MappingProxyType({}),
) -> Cell:
    """A cell of these sums; its interval is Wilson's where each cluster is one answer that is right or wrong."""
    if interval is None:
        alone = all(n == 1 and right in (0, 1) for right, n in clusters)
        interval = wilson(total.right, total.n) if alone else cluster_bootstrap(clusters)
    strict_n = total.n + failed
    fields: dict[str, Any] = {
        "step": "",
        "property": name,
        "right": total.right,
        "n": total.n,
        "accuracy": total.right / total.n if total.n else None,
        "low": interval.low,
        "high": interval.high,
        "interval": interval.name,
        "unparsed": total.unparsed,
        "refused": total.refused,
        "unscored": total.unscored,
        "failed": failed,
        "accuracy_strict": total.right / strict_n if strict_n else None,
        "scorer": "",
        "accuracy_answered": total.answered,
        **about,
    }
    return Cell(**fields)


def joined(steps: Sequence[Step], whole: str, parts: Sequence[str], group: str = ALL) -> Iterator[CountRow]:
    """A step asked in parts as one row a scorer; none where a part is missing, put in, or of another lane."""
    same = {(step.origin, step.lane) for step in steps}
    if tuple(step.turn.step for step in steps) != tuple(parts) or same != {(Origin.RESPONDENT, steps[0].lane)}:
        return
    for score in steps[0].scores:
        scores = [step.score(score.scorer) for step in steps]
        found = [other for other in scores if other is not None]
        if len(found) == len(parts):
            status = min((other.status for other in found), key=list(Parse).index)
            right, scored = sum(other.right for other in found), sum(other.scored for other in found)
            yield CountRow(steps[0].lane, whole, score.scorer, group, status, right, scored)


def units_of(layout: Layout, name: str) -> list[int]:
    """Unit by unit the bits of a property, or of all of them together."""
    return [layout.unit_mask(unit) if name == ALL else layout.bit(name, unit) for unit in range(layout.units)]


def units(layout: Layout, name: str, right: int, scored: int) -> Iterator[bool | None]:
    """Unit by unit whether a property, or all of them together, is right; None where it is not scored."""
    for mask in units_of(layout, name):
        yield right & mask == mask if scored & mask == mask else None


def _units(layout: Layout, name: str, right: int, scored: int) -> tuple[int, int]:
    """How many units of a score are right and how many are scored."""
    known = [unit for unit in units(layout, name, right, scored) if unit is not None]
    return sum(known), len(known)
