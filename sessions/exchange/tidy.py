"""Runs as one tidy table: a row for each step and scorer, its columns documented in docs/exchange.md."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final, TypeAlias

from core.benchmarks import registry
from core.columns import Column
from core.records import Layout
from sessions import encoding
from sessions.entries import properties
from sessions.lanes import before_of
from sessions.runs import Run
from sessions.store import Store

Value: TypeAlias = str | int | float | bool | None

PAGE: Final = 500
"""Trajectories read at a time."""


_BEFORE: Final = (
    Column("run", "text", "the run's name"),
    Column("run_uid", "text", "the same wherever the run is merged to"),
    Column("benchmark", "text", "voila, vrex or mmra"),
    Column("subset", "text", "ND, WD ...; empty where the benchmark has none"),
    Column("protocol", "text", "how the item was asked"),
    Column("options", "text", "the protocol's options, as JSON"),
    Column("respondent", "text", "who answered"),
    Column("kind", "text", "model, human or baseline"),
    Column("item", "text", "the item's id in its data"),
    Column("item_hash", "text", "hash of what the item asks and shows"),
)
_STEP: Final = (
    Column("repeat", "integer", "which of several trajectories on the item, from 0"),
    Column("trajectory", "integer", "its number in the store"),
    Column("forked_from", "integer", "the trajectory that it is a fork of; empty for a main one"),
    Column("shared_steps", "integer", "how many steps it shares with that one"),
    Column("progress", "text", "open, done or failed"),
    Column("reason", "text", "why it failed"),
    Column("step_id", "integer", "the step's number in the store"),
    Column("parent_step", "integer", "the step that it follows"),
    Column("step", "text", "describe, relate, apply, plan.1, final, answer ..."),
    Column("origin", "text", "whose answer it is: respondent, gold, wrong, edited, person, other"),
    Column(
        "interventions",
        "text",
        "what was put in before or at this step; empty for a plain one; `before ...` where it is yet to come",
    ),
    Column("status", "text", "ok, empty, refusal or truncated"),
    Column("text", "text", "the answer's words"),
    Column("reasoning", "text", "what the model thought aloud, where it told"),
    Column("choice", "text", "the option that the next turn was built from"),
    Column("gold", "text", "the right answer in words, at the time of asking"),
    Column("answered_at", "text", "when, UTC, ISO 8601"),
    Column("served_model", "text", "the model that the server says it was"),
    Column("prompt_tokens", "integer", "as the server counted them"),
    Column("completion_tokens", "integer", "as the server counted them"),
    Column("cost", "number", "USD; empty where no price is known"),
    Column("seconds", "number", "how long the call took"),
    Column("recalled", "boolean", "answered by a call made elsewhere: tokens and cost were paid there"),
    Column("scorer", "text", "rule, a judge, a grader's pseudonym ...; empty where nobody scored the step"),
    Column("scorer_version", "text", "the newest version that scored this step"),
    Column("parse", "text", "ok, no_answer, ambiguous or refusal"),
    Column("counts", "text", "own: in plain accuracy; fork: on a fork; no: not the respondent's own answer"),
    Column("correct", "boolean", "everything scored is right; empty where nothing was scored"),
    Column("right", "integer", "how many of the scored values are right"),
    Column("scored", "integer", "how many were scored"),
)
_AFTER: Final = (
    Column("properties", "text", "right or wrong by property (2.subject: of the second picture), as JSON"),
    Column("parsed", "text", "what the scorer read in the answer, as JSON"),
)
GROUP: Final = "group_"
SHARE: Final = "share_"

_QUERY: Final = """
    SELECT s.id, s.parent, t.id, t.item, t.repeat, t.parent, t.fork, t.progress, t.reason, n.name, s.origin, l.label,
           s.status, s.text, s.reasoning, s.choice, g.content, s.created, c.served_model, c.prompt_tokens,
           c.completion_tokens, c.cost, c.seconds, c.id IS NOT NULL AND c.trajectory IS NOT t.id,
           sc.scorer, sc.status, sc.counted, sc.right, sc.scored, r.parsed
    FROM json_each(?) AS chosen JOIN trajectories AS t ON t.id = chosen.value
    JOIN steps AS s ON s.trajectory = t.id JOIN step_names AS n ON n.id = s.name JOIN lanes AS l ON l.id = s.lane
    LEFT JOIN golds AS g ON g.id = s.gold LEFT JOIN calls AS c ON c.id = s.call
    LEFT JOIN scores AS sc ON sc.step = s.id LEFT JOIN readings AS r ON r.step = sc.step AND r.scorer = sc.scorer
    ORDER BY chosen.key, s.id, sc.scorer"""
_COUNTS: Final = ("no", "own", "fork")


@dataclass(frozen=True, slots=True)
class Tidy:
    """The table of some runs: its columns, and its rows one at a time."""

    store: Store
    runs: Sequence[Run]
    columns: tuple[Column, ...]

    def rows(self) -> Iterator[list[Value]]:
        """In the order of the columns; all of one moment."""
        with self.store.snapshot():
            db = self.store.reader()
            scorers = _Scorers(db)
            for run in self.runs:
                yield from _Rows(db, run, self.columns, scorers).all()


def tidy(store: Store, runs: Sequence[Run]) -> Tidy:
    """The table of these runs; which columns it has follows from their benchmarks and items."""
    shares: dict[str, None] = {}
    for run in runs:
        benchmark = registry.get(run.config.benchmark)
        steps = store.reader().execute(
            "SELECT DISTINCT n.name FROM scores AS s JOIN step_names AS n ON n.id = s.name WHERE s.run = ?", (run.id,)
        )
        for (name,) in steps:
            shares |= dict.fromkeys(benchmark.layout(encoding.from_text(name)).properties)
    groups: dict[str, None] = {}
    listed = encoding.to_json([run.id for run in runs])
    for (name,) in store.reader().execute(
        "SELECT DISTINCT named.key FROM items, json_each(items.groups) AS named WHERE items.id IN"
        " (SELECT item FROM trajectories WHERE run IN (SELECT value FROM json_each(?))) ORDER BY named.key",
        (listed,),
    ):
        groups[name] = None
    columns = [
        *_BEFORE,
        *(Column(GROUP + name, "text", f"the item's {name}") for name in groups),
        *_STEP,
        *(Column(SHARE + name, "number", f"share of the step's units whose {name} is right") for name in shares),
        Column(f"{SHARE}all", "number", "share of the step's units that are right in all that was scored"),
        *_AFTER,
    ]
    return Tidy(store, runs, tuple(columns))


class _Scorers:
    """Name, version and age of each scorer's row."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.known = {
            row: (encoding.from_text(name), encoding.from_text(version), age)
            for age, (row, name, version) in enumerate(
                db.execute("SELECT id, name, version FROM scorers ORDER BY created, id")
            )
        }

    def newest(self, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Of one step's rows, one for each scorer's name: its newest version's."""
        best: dict[str, tuple[Any, ...]] = {}
        for row in rows:
            if row[_SCORER] is None:
                return [row]
            name, _, age = self.known[row[_SCORER]]
            if name not in best or self.known[best[name][_SCORER]][2] < age:
                best[name] = row
        return [best[name] for name in sorted(best)]


_SCORER: Final = 24  # where its number stands in _QUERY


class _Rows:
    """The rows of one run."""

    def __init__(self, db: sqlite3.Connection, run: Run, columns: Sequence[Column], scorers: _Scorers) -> None:
        self._db = db
        self._run = run
        self._names = [column.name for column in columns]
        self._scorers = scorers
        config = run.config
        self._layout = registry.get(config.benchmark).layout
        self._before = before_of(config)
        self._common: dict[str, Value] = {
            "run": run.name,
            "run_uid": run.uid,
            "benchmark": config.benchmark,
            "subset": config.subset,
            "protocol": config.protocol,
            "options": _json(dict(config.options)),
            "respondent": config.respondent,
            "kind": config.respondent_kind,
        }
        self._items: dict[int, dict[str, Value]] = {}

    def all(self) -> Iterator[list[Value]]:
        rows = self._db.execute(
            "SELECT id FROM trajectories WHERE run = ? ORDER BY item, id", (self._run.id,)
        ).fetchall()
        for start in range(0, len(rows), PAGE):
            page = encoding.to_json([row for (row,) in rows[start : start + PAGE]])
            self._items.clear()
            for _, of_step in groupby(self._db.execute(_QUERY, (page,)), key=lambda row: row[0]):
                for row in self._scorers.newest(list(of_step)):
                    values = self._values(row)
                    yield [values.get(name) for name in self._names]

    def _item(self, number: int) -> dict[str, Value]:
        known = self._items.get(number)
        if known is None:
            key, digest, groups = self._db.execute(
                "SELECT key, hash, groups FROM items WHERE id = ?", (number,)
            ).fetchone()
            known = self._items[number] = {
                "item": encoding.from_text(key),
                "item_hash": digest.hex(),
                **{GROUP + name: value for name, value in encoding.from_json(groups).items()},
            }
        return known

    def _values(self, row: tuple[Any, ...]) -> dict[str, Value]:
        (step, parent, trajectory, item, repeat, forked, shared, progress, reason, name, origin, lane, status, text,
         reasoning, choice, gold, created, served, asked, said, cost, seconds, recalled, scorer, parse, counted,
         right, scored, parsed) = row  # fmt: skip
        step_name = encoding.from_text(name)
        values: dict[str, Value] = {
            **self._common,
            **self._item(item),
            "repeat": repeat,
            "trajectory": trajectory,
            "forked_from": forked,
            "shared_steps": shared if forked is not None else None,
            "progress": encoding.PROGRESSES[progress].value,
            "reason": encoding.from_text(reason),
            "step_id": step,
            "parent_step": parent,
            "step": step_name,
            "origin": encoding.ORIGINS[origin].value,
            "interventions": encoding.from_text(lane) or ("" if forked is not None else self._before),
            "status": encoding.STATUSES[status].value,
            "text": encoding.from_text(text),
            "reasoning": encoding.from_text(reasoning),
            "choice": None if choice is None else encoding.from_text(choice),
            "gold": encoding.from_json(gold)[1] if gold is not None else None,
            "answered_at": datetime.fromtimestamp(created / 1000, UTC).isoformat(timespec="milliseconds"),
            "served_model": encoding.from_text(served),
            "prompt_tokens": asked,
            "completion_tokens": said,
            "cost": cost,
            "seconds": seconds,
            "recalled": bool(recalled),
        }
        if scorer is not None:
            scorer_name, version, _ = self._scorers.known[scorer]
            values |= {
                "scorer": scorer_name,
                "scorer_version": version,
                "parse": encoding.PARSES[parse].value,
                "counts": _COUNTS[counted],
                "correct": right == scored if scored else None,
                "right": right.bit_count(),
                "scored": scored.bit_count(),
                "parsed": _json(encoding.from_json(parsed)) if parsed is not None else "{}",
                **_shares(self._layout(step_name), right, scored),
            }
        return values


def _shares(layout: Layout, right: int, scored: int) -> Mapping[str, Value]:
    """Of each property, the share of units that are right among those where it was scored."""
    found: dict[str, Value] = {"properties": _json(properties(layout, right, scored))}
    for name in layout.properties:
        bits = [layout.bit(name, unit) for unit in range(layout.units) if scored & layout.bit(name, unit)]
        found[SHARE + name] = sum(bool(right & bit) for bit in bits) / len(bits) if bits else None
    units = [scored & layout.unit_mask(unit) for unit in range(layout.units)]
    whole = [right & unit == unit for unit in units if unit]
    found[f"{SHARE}all"] = sum(whole) / len(whole) if whole else None
    return found


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
