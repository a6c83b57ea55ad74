"""The answers of stored runs that two scorers have scored, counted for tables of their agreement."""

# ruff: noqa: S608  (only texts of this house are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.agreement import Agreement, PairRow, agreements
from core.benchmarks import registry
from core.tally import forked_lane
from sessions import encoding
from sessions.cells import common_name, ordered_steps, run_options
from sessions.lanes import before_of
from sessions.ranking import ranked
from sessions.runs import Run
from sessions.store import Store

# step by step, each scorer's row that counts first; of bare columns SQLite takes those of the row with the minimum
_BOTH: Final = (
    "WITH a AS (SELECT step, scores.name, lane, counted, right, scored, min(r.key)"
    "  FROM json_each(?3) AS r CROSS JOIN scores ON scorer = r.value WHERE run = ?1 AND counted <> ?2 GROUP BY step),"
    " b AS (SELECT step, right, scored, min(r.key)"
    "  FROM json_each(?4) AS r CROSS JOIN scores ON scorer = r.value WHERE run = ?1 AND counted <> ?2 GROUP BY step) "
)
_STEPS: Final = _BOTH + (
    "SELECT n.name, lanes.label, a.counted, a.right, a.scored, b.right, b.scored, count(*)"
    " FROM a JOIN b ON b.step = a.step JOIN step_names AS n ON n.id = a.name JOIN lanes ON lanes.id = a.lane"
    " GROUP BY n.name, lanes.label, a.counted, a.right, a.scored, b.right, b.scored"
)
_PARTS: Final = _BOTH + (
    "SELECT ?6, lanes.label, max(a.counted), sum(a.right), sum(a.scored), sum(b.right), sum(b.scored), 1"
    " FROM a JOIN b ON b.step = a.step JOIN steps AS s ON s.id = a.step JOIN lanes ON lanes.id = a.lane"
    " JOIN step_names AS n ON n.id = a.name WHERE n.name IN (SELECT value FROM json_each(?5))"
    " GROUP BY s.trajectory HAVING count(*) = ?7 AND min(a.lane) = max(a.lane)"
)


def agreement_of(store: Store, runs: Sequence[Run], scorer: str, reference: str) -> list[Agreement]:
    """``scorer`` measured against ``reference`` on the respondent's own answers, all of one moment.

    Plain answers have rows of their own, forks and interventions theirs, as in reports.
    """
    with store.snapshot():
        return [row for run in runs for row in _of_run(store, run, scorer, reference)]


def _of_run(store: Store, run: Run, scorer: str, reference: str) -> list[Agreement]:
    config = run.config
    order = ordered_steps(run)
    found = [
        replace(
            row,
            run=run.name,
            benchmark=config.benchmark,
            subset=config.subset,
            protocol=config.protocol,
            options=run_options(run),
            respondent=config.respondent,
            scorer=scorer,
            reference=reference,
        )
        for row in agreements(registry.get(config.benchmark).layout, _pairs(store, run, scorer, reference))
    ]
    return sorted(found, key=lambda row: (row.interventions, order[row.step]))


def _pairs(store: Store, run: Run, scorer: str, reference: str) -> Iterator[PairRow]:
    db, before = store.reader(), before_of(run.config)
    rows_of = [encoding.to_json(ranked(db, name)) for name in (scorer, reference)]
    values = (run.id, encoding.NOT_OWN, *rows_of)
    rows = db.execute(_STEPS, values).fetchall()
    for whole, parts in registry.get(run.config.benchmark).parts.items():
        rows += db.execute(_PARTS, (*values, encoding.to_json(list(parts)), whole, len(parts))).fetchall()
    for step, lane, counted, right, scored, other_right, other_scored, count in rows:
        label = encoding.from_text(lane)
        label = forked_lane(label) if counted == encoding.OWN_ON_FORK else label or before
        name = common_name(run, encoding.from_text(step))
        yield PairRow(label, name, right, scored, other_right, other_scored, count)
