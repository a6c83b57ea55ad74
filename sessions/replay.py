"""Rows back into records: steps with their turns, answers and scores; trajectories; items."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from core.records import EMPTY, Answer, Call, Item, Origin, Recalled, Score, SentPicture, Step, Trajectory
from core.scoring import RULE
from sessions import encoding
from sessions.paths import paths_from

_STEP: Final = """
    SELECT s.id, s.parent, s.trajectory, s.prompt, golds.content, lanes.label, s.repeat, s.origin,
           s.status, s.made_by, s.text, s.reasoning, s.choice, sent.content, drawn.content, s.call,
           s.call IS NOT NULL AND (NOT EXISTS (SELECT 1 FROM calls WHERE id = s.call AND trajectory IS s.trajectory)
                                   OR EXISTS (SELECT 1 FROM steps AS o WHERE o.call = s.call AND o.id < s.id))
    FROM path JOIN steps AS s ON s.id = path.step
    JOIN lanes ON lanes.id = s.lane
    LEFT JOIN golds ON golds.id = s.gold
    LEFT JOIN picture_sets AS sent ON sent.id = s.sent
    LEFT JOIN picture_sets AS drawn ON drawn.id = s.picture
    ORDER BY path.depth DESC, s.id"""

_SCORES: Final = """
    SELECT scores.step, scorers.name, scorers.version, scores.status, scores.right, scores.scored,
           readings.parsed, readings.spans
    FROM path JOIN scores ON scores.step = path.step
    JOIN scorers ON scorers.id = scores.scorer
    LEFT JOIN readings ON readings.step = scores.step AND readings.scorer = scores.scorer
    ORDER BY scores.step, scorers.created DESC, scorers.id DESC"""

_PATH: Final = paths_from("SELECT 0, ?")

_LISTED: Final = "WITH path (trajectory, step, depth) AS (SELECT 0, value, 0 FROM json_each(?))"


class Replay:
    """Reads records through one connection; prompts read once are shared by the steps asked with them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self._prompts: dict[int, encoding.Prompt] = {}

    def path(self, head: int | None, *, calls: bool = False) -> tuple[Step, ...]:
        """The steps from the root to ``head``. ``calls`` reads the raw requests and replies too."""
        if not head:
            return ()
        return tuple(step for step, _, _ in self._steps(_PATH, head, calls=calls))

    def steps(self, ids: Iterable[int], *, calls: bool = False) -> list[tuple[Step, int, int | None]]:
        """The steps of these ids in the order of their making, each with its parent's id (0: none) and the
        trajectory that made it."""
        return self._steps(_LISTED, "[" + ",".join(str(int(row)) for row in ids) + "]", calls=calls)

    def trajectory(self, row: int, item: Item | None = None, *, calls: bool = False) -> Trajectory:
        """A stored trajectory whole, its item read from the store where none is given. KeyError: no such one."""
        found = self.db.execute(
            "SELECT item, repeat, head, lanes.label, progress, reason, parent, fork FROM trajectories"
            " JOIN lanes ON lanes.id = trajectories.lane WHERE trajectories.id = ?",
            (row,),
        ).fetchone()
        if found is None:
            raise KeyError(row)
        its_item, repeat, head, lane, progress, reason, parent, fork = found
        return Trajectory(
            self.item(its_item) if item is None else item,
            repeat,
            self.path(head, calls=calls),
            encoding.from_text(lane),
            encoding.PROGRESSES[progress],
            encoding.from_text(reason),
            parent,
            fork,
            row,
        )

    def item(self, row: int) -> Item:
        """A stored item with the bytes of embedded pictures. KeyError: no such one."""
        found = self.db.execute(
            "SELECT benchmark, subset, key, groups, content FROM items WHERE id = ?", (row,)
        ).fetchone()
        if found is None:
            raise KeyError(row)
        benchmark, subset, key, groups, content = found
        data = {}
        for picture in encoding.from_json(content)["pictures"]:
            if "sha256" in picture:
                held = self.picture(picture["sha256"])
                if held is not None:
                    data[picture["sha256"]] = held
        return encoding.item_of(encoding.from_text(benchmark), encoding.from_text(subset), key, groups, content, data)

    def picture(self, digest: str) -> bytes | None:
        """The bytes of a picture by its hash: sent, answered or embedded in the data."""
        found = self.db.execute("SELECT bytes FROM pictures WHERE hash = ?", (encoding.to_text(digest),)).fetchone()
        return None if found is None else bytes(found[0])

    def pictures(self, hashes: Iterable[str]) -> dict[str, SentPicture]:
        """Stored pictures with their bytes, by hash; one that is not there is left out.

        One that came embedded in a data file was never measured: its size is (0, 0).
        """
        return {
            encoding.from_text(digest): SentPicture(
                encoding.from_text(digest),
                mime or _kind(data),
                (width or 0, height or 0),
                (original_width or 0, original_height or 0),
                encoding.from_text(name),
                bytes(data),
            )
            for digest, mime, width, height, original_width, original_height, name, data in self.db.execute(
                "SELECT hash, mime, width, height, original_width, original_height, name, bytes FROM pictures"
                " WHERE hash IN (SELECT value FROM json_each(?))",
                (encoding.to_json(list(hashes)),),
            )
        }

    # -- inside

    def _prompt(self, row: int) -> encoding.Prompt:
        prompt = self._prompts.get(row)
        if prompt is None:
            step, content = self.db.execute(
                "SELECT step_names.name, content FROM prompts JOIN step_names ON step_names.id = prompts.step"
                " WHERE prompts.id = ?",
                (row,),
            ).fetchone()
            if len(self._prompts) >= 5000:
                self._prompts.clear()
            prompt = self._prompts[row] = encoding.Prompt(encoding.from_text(step), content)
        return prompt

    def _steps(self, wanted: str, argument: Any, *, calls: bool) -> list[tuple[Step, int, int | None]]:
        rows = self.db.execute(wanted + _STEP, (argument,)).fetchall()
        scores: dict[int, dict[str, Score]] = {}
        for row in self.db.execute(wanted + _SCORES, (argument,)):
            score = _score(row)
            scores.setdefault(row[0], {}).setdefault(score.scorer, score)  # the newest version comes first
        return [(self._step(row, scores.get(row[0], {}), calls=calls), row[1] or 0, row[2]) for row in rows]

    def _step(self, row: Sequence[Any], scores: Mapping[str, Score], *, calls: bool) -> Step:
        (step, _, _, prompt, gold, lane, repeat, origin, status, made_by, text, reasoning, choice, sent,
         drawn, call, recalled) = row  # fmt: skip
        values, gold_text = encoding.from_json(gold) if gold is not None else (EMPTY, "")
        answer = answer_of(status, text, reasoning, sent, drawn)
        if recalled:
            answer = replace(answer, recalled=self.recalled(call))
        if calls and call is not None:
            answer = replace(answer, call=self.call(call))
        return Step(
            self._prompt(prompt).turn(values, gold_text, made_by),
            answer,
            tuple(scores[scorer] for scorer in sorted(scores, key=_rule_first)),
            Origin(encoding.ORIGINS[origin]),
            None if choice is None else encoding.from_text(choice),
            encoding.from_text(lane),
            repeat,
            step,
        )

    def recalled(self, call: int) -> Recalled:
        """Where and when a call was made that a later step refers to."""
        asked, run = self.db.execute(
            "SELECT calls.created, runs.name FROM calls LEFT JOIN runs ON runs.id = calls.run WHERE calls.id = ?",
            (call,),
        ).fetchone()
        return Recalled(call, asked, encoding.from_text(run))

    def call(self, row: int, *, raw: bool = True) -> Call | None:
        """A line of the ledger; its request and reply only where they are wanted ``raw``."""
        found = self.db.execute(f"SELECT {encoding.CALL_COLUMNS} FROM calls WHERE id = ?", (row,)).fetchone()
        return None if found is None else replace(encoding.call_of(found, self._text if raw else None), id=row)

    def _text(self, row: int) -> str:
        return encoding.from_text(self.db.execute("SELECT content FROM texts WHERE id = ?", (row,)).fetchone()[0])


def answer_of(
    status: int, text: str | bytes, reasoning: str | bytes | None, sent: str | None, drawn: str | None
) -> Answer:
    """An answer without its call, from what its step's row holds."""
    return Answer(
        encoding.from_text(text),
        encoding.STATUSES[status],
        encoding.from_text(reasoning),
        encoding.pictures_from_json(drawn)[0] if drawn is not None else None,
        encoding.pictures_from_json(sent) if sent is not None else (),
    )


def _rule_first(scorer: str) -> tuple[bool, str]:
    """As the engine orders them: the rule before whoever else has scored."""
    return scorer != RULE, scorer


def _score(row: Sequence[Any]) -> Score:
    _, name, version, status, right, scored, parsed, spans = row
    values = encoding.from_json(parsed) if parsed is not None else EMPTY
    return Score(
        encoding.from_text(name),
        encoding.from_text(version),
        encoding.PARSES[status],
        right,
        scored,
        values,
        encoding.spans_from_json(values, spans) or EMPTY,
    )


def _kind(data: bytes) -> str:
    from core.pictures.sniffing import HEAD, sniff  # its room loads the imaging library

    return sniff(bytes(data[:HEAD]))
