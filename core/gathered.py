"""The counts of a whole run as arrays, one entry an answer: broken down by as many groups as wanted in one go.

The same cells as ``Tally``, which adds to its counts one by one, gives of the same answers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from core.cells import ALL, UNPARSED, Cell, Clusters, Sums, cells_from, taken_apart
from core.pooled import Shape, one_step, pooled_cells
from core.records import Layout, Parse
from core.tally import REASKED

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Whole: TypeAlias = NDArray[numpy.int64]

Where: TypeAlias = tuple[str, str, str]
"""Scorer, lane and step, numbered steps under their common name."""

_SUMS: Final = ("right", "n", "unparsed", "refused", "unscored", "right_open")


@dataclass(frozen=True, slots=True)
class Groups:
    """Items broken down by one group: its ``labels``, and by the item's row the place of its label."""

    name: str
    labels: Sequence[str]
    codes: Whole

    def label(self, item: int) -> str:
        return self.labels[int(self.codes[item])]


@dataclass(slots=True)
class _Answers:
    """The answers to one step: how each came out, and its item's row."""

    kinds: dict[tuple[Parse, int, int, bool], int] = field(default_factory=dict)
    kind: list[Whole] = field(default_factory=list)
    item: list[Whole] = field(default_factory=list)
    columns: _Columns | None = None
    samples: _Samples | None = None
    items: Whole | None = None

    def add(self, kind: int, items: Whole) -> None:
        self.columns = self.samples = self.items = None
        self.kind.append(_full(len(items), kind))
        self.item.append(items)

    def distinct(self) -> Whole:
        """The items' rows, each once."""
        import numpy

        if self.items is None:
            self.items = numpy.unique(self.arrays()[1])
        return self.items

    def arrays(self) -> tuple[Whole, Whole]:
        import numpy

        if len(self.kind) > 1:
            self.kind, self.item = [numpy.concatenate(self.kind)], [numpy.concatenate(self.item)]
        return self.kind[0], self.item[0]


class Gathered:
    """One run's answers. ``layout`` and ``pooled`` are the benchmark's; with ``clustered`` an item's answers to a
    step hang together. ``before`` names the plain answers of a run with interventions, which stand before those."""

    def __init__(
        self, layout: Callable[[str], Layout], pooled: Sequence[str], *, clustered: bool, before: str = ""
    ) -> None:
        self._before = before
        self._layout, self._pooled, self._clustered = layout, frozenset(pooled), clustered
        self._answers: dict[Where, _Answers] = defaultdict(_Answers)
        self._failed: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)

    def add(self, scorer: str, lane: str, step: str, status: Parse, right: int, scored: int, items: Whole) -> None:
        """Answers to a step that came out alike, an entry each: their items' rows."""
        name, _, number = step.partition(".")
        pooled = bool(number) and name in self._pooled
        answers = self._answers[scorer, lane, name if pooled else step]
        again = pooled and number.endswith(REASKED)
        kind = answers.kinds.setdefault((status, right, scored, again), len(answers.kinds))
        answers.add(kind, items)

    def add_failed(self, step: str, item: int, count: int, lane: str) -> None:
        """Trajectories of an item that failed at this step or before it: none of them answered it."""
        self._failed[lane, step][item] += count

    def cells(
        self,
        groups: Groups | None,
        unjudged: Mapping[tuple[str, str, str, str], int],
        about: Mapping[str, Any],
    ) -> Iterator[Cell]:
        """A cell for each scorer, lane, step, group and property. ``unjudged`` counts, by scorer, lane, step and
        group, the answers that a judge gave no score for; ``about`` are fields that all cells share."""
        scorers = dict.fromkeys([*(where[0] for where in self._answers), *(key[0] for key in unjudged)] or ["rule"])
        wanted = dict.fromkeys(self._answers)
        wanted |= dict.fromkeys((scorer, lane, step) for lane, step in self._failed for scorer in scorers)
        wanted |= dict.fromkeys((scorer, lane, step) for scorer, lane, step, _ in unjudged)
        for where in wanted:
            scorer, lane, step = where
            missed = {key[3]: count for key, count in unjudged.items() if key[:3] == where}
            shared = {
                **about, "scorer": scorer, "interventions": lane or self._before, "step": step,
                "group_by": groups.name if groups else ALL,
            }  # fmt: skip
            make = self._pooled_cells if step in self._pooled else self._plain_cells
            yield from make(where, groups, missed, shared)

    # -- inside

    def _lost(self, where: Where, groups: Groups | None) -> dict[str, Counter[int]]:
        """By group and item the calls that failed."""
        found: dict[str, Counter[int]] = {}
        for item, count in self._failed.get(where[1:], {}).items():
            found.setdefault(groups.label(item) if groups else ALL, Counter())[item] += count
        return found

    def _plain_cells(
        self, where: Where, groups: Groups | None, missed: Mapping[str, int], about: Mapping[str, Any]
    ) -> Iterator[Cell]:
        layout = self._layout(where[2])
        found = self._summed(layout, self._answers[where], groups) if where in self._answers else {}
        lost = self._lost(where, groups)
        nothing = [(Sums(), _NONE)] * (len(layout.properties) + 1)
        for group in dict.fromkeys([*found, *lost, *missed]):
            failed = sum(lost.get(group, Counter()).values())
            told = {**about, "group": group}
            yield from cells_from(layout, found.get(group, nothing), failed, missed.get(group, 0), told)

    def _summed(
        self, layout: Layout, answers: _Answers, groups: Groups | None
    ) -> dict[str, list[tuple[Sums, Clusters]]]:
        """By group, of each property and last of all of them together, the sums and the clusters."""
        import numpy

        kind, item = answers.arrays()
        labels, codes = _coded(groups, item)
        columns = answers.columns or _Columns(layout, list(answers.kinds))
        answers.columns = columns
        counts = _table(codes, kind, len(labels), len(answers.kinds))
        sums = (counts @ columns.sums).astype(numpy.int64).tolist()
        if self._clustered and len(items := answers.distinct()) < len(item):
            clusters = _by_cluster(columns, kind, numpy.searchsorted(items, item), codes, len(labels))
        else:
            clusters = columns.clusters(counts)
        size = len(_SUMS)
        return {
            label: [
                (Sums(**dict(zip(_SUMS, row[place * size : (place + 1) * size], strict=True))), of_label[place])
                for place in range(columns.names)
            ]
            for label, row, of_label in zip(labels, sums, clusters, strict=True)
        }

    def _pooled_cells(
        self, where: Where, groups: Groups | None, missed: Mapping[str, int], about: Mapping[str, Any]
    ) -> Iterator[Cell]:
        import numpy

        name, lost = self._layout(where[2]).properties[0], self._lost(where, groups)
        shapes: dict[str, Counter[Shape]] = {}
        unread: dict[str, tuple[int, int]] = {}
        if where in self._answers:
            answers = self._answers[where]
            kind, item = answers.arrays()
            labels, codes = _coded(groups, item)
            samples = answers.samples = answers.samples or _Samples.of(answers)
            items, steps = samples.items, samples.steps
            counts = _table(codes, kind, len(labels), len(steps))
            for label, row in zip(labels, (counts @ steps).astype(int).tolist(), strict=True):
                unread[label] = (row[3], row[4])
            failed = numpy.zeros(len(items), dtype=numpy.int64)
            for of_group in lost.values():
                for row, count in of_group.items():
                    place = int(numpy.searchsorted(items, row))
                    if place < len(items) and items[place] == row:
                        failed[place] = count
            for (code, *shape), count in _alike([codes[samples.first], *samples.sums, failed]):
                shapes.setdefault(labels[code], Counter())[Shape(*shape)] += count
            there = set(items.tolist())
        else:
            there = set()
        for label, of_group in lost.items():
            more = shapes.setdefault(label, Counter())
            more.update(Shape(lost=count) for row, count in of_group.items() if row not in there)
        for label in dict.fromkeys([*shapes, *missed]):
            told = {**about, "group": label}
            of_label = shapes.get(label, Counter())
            yield from pooled_cells(name, of_label, *unread.get(label, (0, 0)), missed.get(label, 0), told)


_NONE: Final[Clusters] = {}


class _Samples(NamedTuple):
    """Numbered steps item by item: the items' rows, where each first comes, and its sums of what ``steps`` tells of
    each kind of answer."""

    items: Whole
    first: Whole
    sums: Sequence[Whole]
    steps: Whole

    @classmethod
    def of(cls, answers: _Answers) -> _Samples:
        import numpy

        kind, item = answers.arrays()
        steps = numpy.array([one_step(*key[:3], again=key[3]) for key in answers.kinds])
        items, first, sample = numpy.unique(item, return_index=True, return_inverse=True)
        parts = (steps[:, 0], steps[:, 1], steps[:, 2], steps[:, 3] + steps[:, 4])
        return cls(items, first, [_weighted(sample, part[kind], len(items)) for part in parts], steps)


class _Columns:
    """What each kind of answer adds to a property's sums, and which cluster it alone would be."""

    def __init__(self, layout: Layout, kinds: Sequence[tuple[Parse, int, int, bool]]) -> None:
        import numpy

        self.names = len(layout.properties) + 1
        apart = [taken_apart(layout, right, scored) for _, right, scored, _ in kinds]
        rows = []
        for (status, *_), by_name in zip(kinds, apart, strict=True):
            unread, refused = status in UNPARSED, status is Parse.REFUSAL
            row: list[int] = []
            for right, n in by_name:
                vague = right if unread or refused else 0
                row += [right, n, n if unread else 0, n if refused else 0, layout.units - n, vague]
            rows.append(row)
        self.sums = numpy.array(rows, dtype=float)
        self.right = numpy.array([[pair[0] for pair in by_name] for by_name in apart])
        self.n = numpy.array([[pair[1] for pair in by_name] for by_name in apart])
        self._pairs = [list(dict.fromkeys(by_name[place] for by_name in apart)) for place in range(self.names)]
        self._of_pair = []
        for place, pairs in enumerate(self._pairs):
            alike = numpy.zeros((len(kinds), len(pairs)))
            for index, by_name in enumerate(apart):
                alike[index, pairs.index(by_name[place])] = 1
            self._of_pair.append(alike)

    def clusters(self, counts: NDArray[numpy.float64]) -> list[list[dict[tuple[float, int], int]]]:
        """By group and property, each answer a cluster of its own."""
        found: list[list[dict[tuple[float, int], int]]] = [[] for _ in counts]
        for pairs, alike in zip(self._pairs, self._of_pair, strict=True):
            for of_group, row in zip(found, (counts @ alike).tolist(), strict=True):
                of_group.append({pair: int(count) for pair, count in zip(pairs, row, strict=True) if count})
        return found


def _by_cluster(
    columns: _Columns, kind: Whole, sample: Whole, codes: Whole, groups: int
) -> list[list[dict[tuple[float, int], int]]]:
    """By group and property, an item's answers as one cluster."""
    import numpy

    size = int(sample.max()) + 1
    of_sample = numpy.zeros(size, dtype=numpy.int64)
    of_sample[sample] = codes
    found: list[list[dict[tuple[float, int], int]]] = [[] for _ in range(groups)]
    for place in range(columns.names):
        right = _weighted(sample, columns.right[:, place][kind], size)
        n = _weighted(sample, columns.n[:, place][kind], size)
        for of_group in found:
            of_group.append({})
        for (code, *pair), count in _alike([of_sample, right, n]):
            found[code][place][pair[0], pair[1]] = count
    return found


def _coded(groups: Groups | None, item: Whole) -> tuple[list[str], Whole]:
    """The labels that these items have, and the place of each item's among them."""
    import numpy

    if groups is None:
        return [ALL], numpy.zeros(len(item), dtype=numpy.int64)
    used, codes = numpy.unique(groups.codes[item], return_inverse=True)
    return [groups.labels[code] for code in used.tolist()], codes


def _full(size: int, value: int) -> Whole:
    import numpy

    return numpy.full(size, value, dtype=numpy.int64)


def _table(codes: Whole, kind: Whole, groups: int, kinds: int) -> NDArray[numpy.float64]:
    """How many answers of each group are of each kind; as floats, which multiply fast and hold such numbers."""
    import numpy

    return numpy.bincount(codes * kinds + kind, minlength=groups * kinds).reshape(groups, kinds).astype(float)


def _weighted(places: Whole, weights: Whole, size: int) -> Whole:
    import numpy

    return numpy.bincount(places, weights=weights, minlength=size).astype(numpy.int64)


def _alike(columns: Sequence[Whole]) -> Iterable[tuple[list[int], int]]:
    """Rows that stand there, each once, and how often."""
    import numpy

    spans = [(int(column.min()), int(column.max()) + 1) for column in columns]
    shape = [high - low for low, high in spans]
    places = numpy.ravel_multi_index([column - low for column, (low, _) in zip(columns, spans, strict=True)], shape)
    found, counts = numpy.unique(places, return_counts=True)
    rows = numpy.unravel_index(found, shape)
    values = [(row + low).tolist() for row, (low, _) in zip(rows, spans, strict=True)]
    return zip(map(list, zip(*values, strict=True)), counts.tolist(), strict=True)
