"""Counts behind every accuracy: filled from the store by one query, or added to step by step while something runs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Final

from core.cells import ALL, UNPARSED, Cell, CountRow, Sums, cells_from, taken_apart
from core.pooled import Pool, pooled_cells
from core.records import Json, Layout, Origin, Parse, Step

FORK: Final = " (fork)"
"""Ends the lane of answers on forks made on the screen, which never count among a batch's own."""

BEFORE: Final = "before "
"""Begins the lane of plain answers in a run where something was put in later."""

REASKED: Final = ".again"
"""Ends the name of a numbered step that was asked a second time, since its first answer could not be read."""


def forked_lane(lane: str) -> str:
    """The lane of an answer on a fork."""
    return f"{lane}{FORK}".strip()


class Tally:
    """Counts of one run's scores; gives cells at any time.

    ``layout``, ``parts`` and ``pooled`` are the benchmark's. A step asked in parts (``relate.number`` ...) has cells
    for each part and, under its own name, for the parts joined. Numbered steps (``plan.1``, ``plan.2`` ...) have
    cells under their common name alone: the accuracy is the mean over samples of each sample's share (``n`` samples,
    ``right`` the sum of the shares), and property ``steps`` pools over steps. Their rows must name the sample as
    ``cluster``. ``before`` names the plain answers of a run with interventions, which stand before those.
    """

    def __init__(
        self,
        layout: Callable[[str], Layout],
        *,
        group_by: str = ALL,
        parts: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        pooled: Sequence[str] = (),
        before: str = "",
    ) -> None:
        self._layout = layout
        self._before = before
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
        return {
            "step": step,
            "scorer": scorer,
            "interventions": lane or self._before,
            "group_by": self.group_by,
            "group": group,
        }


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
