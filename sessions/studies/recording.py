"""A reply as rows: one response, and an event for each change of mind and each burst of early keys."""

from __future__ import annotations

import sqlite3

from core.records import Json
from sessions import encoding
from sessions.studies.assigning import note_event
from sessions.studies.clock import Clock
from sessions.studies.said import Reply, Trial


def keep_response(
    db: sqlite3.Connection,
    session: int,
    trial: Trial,
    form: Json,
    reply: Reply,
    step: int | None,
    clock: Clock,
    now: int,
    ms: float,
) -> None:
    """Within the transaction that keeps the step. ``form`` is what was said; ``now`` and ``ms`` are when, by
    both clocks.

    The time to the first answer, to the final one and the time paused before that are three fields, in milliseconds;
    the last never exceeds the second, nor any of them the time since onset.
    """
    wall = max(0, round(ms - reply.onset_ms))
    first, final = (_within(reply.after_onset(each), wall) for each in (reply.first_ms, reply.final_ms))
    paused = min(max(0, round(reply.paused_ms)), final if final is not None else wall)
    details = {
        "onset_ms": round(reply.onset_ms),
        "onset_utc": clock.utc(reply.onset_ms),
        "wall_ms": wall,
        "paused_first_ms": min(max(0, round(reply.paused_first_ms)), paused, first or 0),
        "zoom_ms": min(max(0, round(reply.zoom_ms)), wall),
        "fields": {name: [round(first), round(last)] for name, (first, last) in reply.fields().items()},
        "anticipations": len(reply.anticipations),
    }
    if reply.why:
        details["why"] = reply.why
    db.execute(
        "INSERT INTO responses (trial, step, form, first_ms, final_ms, paused_ms, revisions, confidence, timed_out,"
        " created, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            trial.id,
            step,
            encoding.to_json(form),
            first,
            final,
            paused,
            len(reply.revisions),
            reply.confidence,
            int(reply.timed_out),
            now,
            encoding.to_json(details),
        ),
    )
    if reply.timed_out:
        db.execute("UPDATE trials SET timed_out = 1 WHERE id = ?", (trial.id,))
    for at, name, value in reply.revisions:
        told = {"field": name, "value": value, "ms": round(at - reply.onset_ms)}
        note_event(db, session, "changed", clock.utc(at), told, trial.id)
    if reply.anticipations:
        keys = [[round(at - reply.onset_ms), key] for at, key in reply.anticipations]
        note_event(db, session, "anticipations", clock.utc(reply.anticipations[0][0]), {"keys": keys}, trial.id)


def _within(value: int | None, most: int) -> int | None:
    return None if value is None else min(value, most)
