"""Runs whose items were asked several times: their repeats taken as one answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Final

from core.benchmarks import registry
from core.benchmarks.base import Benchmark
from core.cells import Cell
from core.records import Layout, Parse, Progress
from core.repeats import Said, Together
from core.tally import REASKED
from sessions import encoding, reading
from sessions.cells import labelled
from sessions.lanes import before_of
from sessions.ranking import ranked
from sessions.runs import Run
from sessions.store import Store
from sessions.tallies import names_of

_ANSWERS: Final = (
    "SELECT st.id, t.item, t.repeat, step_names.name, lanes.label, s.right, s.scored, s.status, st.prompt, st.gold,"
    " r.parsed"
    " FROM trajectories AS t JOIN steps AS st ON st.trajectory = t.id"
    " JOIN scores AS s ON s.step = st.id AND s.scorer = ?"
    " JOIN step_names ON step_names.id = st.name JOIN lanes ON lanes.id = st.lane"
    " LEFT JOIN readings AS r ON r.step = st.id AND r.scorer = s.scorer"
    " WHERE t.run = ? AND t.parent IS NULL AND s.counted = ? ORDER BY t.repeat, st.id"
)


_WHOLE: Final = (
    "SELECT count(*), ifnull(sum(done >= ?3), 0) FROM (SELECT sum(progress = ?2) AS done FROM trajectories"
    " WHERE run = ?1 AND parent IS NULL GROUP BY item)"
)


def repeats_of(store: Store, runs: Sequence[Run], scorer: str | None = None) -> list[Cell]:
    """Cells of the runs with repeats: the majority of an item's answers, the best and all of them, by step and
    property. Items that were not answered by every repeat are left out."""
    with store.snapshot():
        return [cell for run in runs for cell in _cells(store, run, scorer)]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A run in which not every item was finished by each of its ``times`` repeats: of ``items`` taken up, ``whole``
    were."""

    run: str
    times: int
    items: int
    whole: int


def unfinished(store: Store, runs: Sequence[Run]) -> list[Unfinished]:
    """Those of the runs with repeats that lack some: their majorities are of fewer items than the run has."""
    out = []
    for run in runs:
        times = _times(store, run)
        if times > 1:
            words = (run.id, encoding.PROGRESS_CODE[Progress.DONE], times)
            items, whole = store.reader().execute(_WHOLE, words).fetchone()
            out += [Unfinished(run.name, times, items, whole)] if whole < items else []
    return out


def _times(store: Store, run: Run) -> int:
    return reading.repeats_of(store, run.id) if reading.hangs_together(store, run.id) else 1


def _cells(store: Store, run: Run, scorer: str | None) -> list[Cell]:
    times = _times(store, run)
    if times < 2:
        return []
    benchmark = registry.get(run.config.benchmark)
    together = Together(benchmark.layout, times, benchmark.pooled)
    db, before = store.reader(), before_of(run.config)
    for name in names_of(db, run.id, scorer):
        rows = ranked(db, name)
        for (lane, item), repeats in _answers(store, run, rows, benchmark).items():
            for answers in repeats.values():
                for whole, parts in benchmark.parts.items():
                    if set(parts) <= answers.keys():
                        answers[whole] = reduce(Said.joined, (answers[part] for part in parts))
            for step in dict.fromkeys(chain.from_iterable(repeats.values())):
                said = [answers[step] for answers in repeats.values() if step in answers]
                together.add(name, lane or before, step, item, said)
    return labelled(run, together.cells())


def _answers(
    store: Store, run: Run, scorers: Sequence[int], benchmark: Benchmark
) -> dict[tuple[str, int], dict[int, dict[str, Said]]]:
    """By lane and item, then by repeat and step; of each score the newest version (``scorers``, newest first).

    A step asked again after an answer that could not be read counts with its second answer.
    """
    db = store.reader()
    out: dict[tuple[str, int], dict[int, dict[str, Said]]] = defaultdict(lambda: defaultdict(dict))
    seen: set[int] = set()
    for scorer in scorers:
        rows = db.execute(_ANSWERS, (scorer, run.id, encoding.OWN)).fetchall()
        for step, item, repeat, stored_name, lane, right, scored, status, prompt, gold, parsed in rows:
            if step in seen:
                continue
            name = encoding.from_text(stored_name)
            answers = out[encoding.from_text(lane), item][repeat]
            again = answers.get(name.removesuffix(REASKED))
            if name.endswith(REASKED) or again is None:
                question = again.question if again is not None else (prompt, gold)
                values = _by_bit(benchmark.layout(name), parsed) if parsed is not None else {}
                answers[name.removesuffix(REASKED)] = Said(
                    right, scored, values, question, unread=encoding.PARSES[status] is not Parse.OK
                )
        seen.update(row[0] for row in rows)
    return out


def _by_bit(layout: Layout, parsed: str | bytes) -> dict[int, str]:
    found = ((layout.bit_of(name), value) for name, value in encoding.from_json(parsed).items())
    return {bit: value for bit, value in found if bit is not None}
