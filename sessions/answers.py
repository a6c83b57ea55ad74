"""Trajectories as comparisons read them: each step's answer with the values read, the gold, and how it came out."""

# ruff: noqa: S608  (only texts of this house are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Final

from core.answered import first_asked
from core.benchmarks.base import Benchmark
from core.records import Layout, Parse
from core.repeats import Said
from core.tally import REASKED
from sessions import encoding
from sessions.paths import paths_from
from sessions.ranking import ranked
from sessions.store import Store

_ANSWERS: Final = (
    paths_from("SELECT id, head FROM trajectories WHERE id IN (SELECT value FROM json_each(?1)) AND head IS NOT NULL")
    + f"""
    SELECT path.trajectory, s.id, step_names.name, c.right, c.scored, c.status, s.prompt, s.gold, r.parsed, s.text
    FROM path JOIN steps AS s ON s.id = path.step JOIN step_names ON step_names.id = s.name
    JOIN trajectories AS t ON t.id = path.trajectory JOIN trajectories AS o ON o.id = s.trajectory AND o.run = t.run
    JOIN scores AS c ON c.step = s.id AND c.scorer IN (SELECT value FROM json_each(?2))
    LEFT JOIN readings AS r ON r.step = c.step AND r.scorer = c.scorer
    WHERE s.origin = 0 AND s.lane = {encoding.PLAIN_LANE:d}
    ORDER BY path.trajectory, path.depth DESC, (SELECT key FROM json_each(?2) WHERE value = c.scorer)"""
)


@dataclass(slots=True)
class Answers:
    """One trajectory's plain answers under one scorer, by step; a step asked in parts stands under its own name too.

    ``golds`` are the right values by bit of the step's layout, ``texts`` the answers in words. A step asked again
    after an answer that could not be read counts with its second answer.
    """

    said: dict[str, Said] = field(default_factory=dict)
    parses: dict[str, Parse] = field(default_factory=dict)
    golds: dict[str, dict[int, str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


def answers_of(store: Store, trajectories: Iterable[int], scorer: str, benchmark: Benchmark) -> dict[int, Answers]:
    """The answers on the paths of these trajectories by their row.

    What was put in, by whomever, and what came after it is left out: what-if trajectories never count. So are steps
    that were taken over from another run.
    """
    db = store.reader()
    golds = _Golds(store)
    out: dict[int, Answers] = {}
    seen = (0, 0)
    for row in db.execute(_ANSWERS, (encoding.to_json(list(trajectories)), encoding.to_json(ranked(db, scorer)))):
        trajectory, step, stored_name, right, scored, status, prompt, gold, parsed, text = row
        if (trajectory, step) == seen:  # an older version of the scorer
            continue
        seen = (trajectory, step)
        stored = encoding.from_text(stored_name)
        name = first_asked(stored)
        answers = out.setdefault(trajectory, Answers())
        before = answers.said.get(name)
        if before is not None and not stored.endswith(REASKED):
            continue
        layout = benchmark.layout(name)
        values = by_bit(layout, encoding.from_json(parsed)) if parsed is not None else {}
        question = before.question if before is not None else (prompt, gold)
        parse = encoding.PARSES[status]
        answers.said[name] = Said(right, scored, values, question, unread=parse is not Parse.OK)
        answers.parses[name] = parse
        answers.golds[name] = by_bit(layout, golds[gold])
        answers.texts[name] = encoding.from_text(text)
    for answers in out.values():
        _join_parts(answers, benchmark)
    return out


def by_bit(layout: Layout, values: Mapping[str, str]) -> dict[int, str]:
    """A form's values by the bits that their scores have; a field without one is left out."""
    found = ((layout.bit_of(name), value) for name, value in values.items())
    return {bit: value for bit, value in found if bit is not None}


def _join_parts(answers: Answers, benchmark: Benchmark) -> None:
    for whole, parts in benchmark.parts.items():
        if set(parts) <= answers.said.keys():
            answers.said[whole] = reduce(Said.joined, (answers.said[part] for part in parts))
            answers.parses[whole] = min((answers.parses[part] for part in parts), key=list(Parse).index)
            answers.golds[whole] = {bit: value for part in parts for bit, value in answers.golds[part].items()}
            answers.texts[whole] = "\n".join(answers.texts[part] for part in parts)


class _Golds(dict[int | None, dict[str, str]]):
    """The gold values of a stored gold by its row, each read once."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._db = store.reader()

    def __missing__(self, row: int | None) -> dict[str, str]:
        found = None
        if row is not None:
            found = self._db.execute("SELECT content FROM golds WHERE id = ?", (row,)).fetchone()
        self[row] = {} if found is None else encoding.from_json(found[0])[0]
        return self[row]
