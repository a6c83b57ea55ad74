"""Rows whose company is gone: what they belong to, or what they are for."""

from __future__ import annotations

import sqlite3
from typing import Final

# check, sentence after the count, query for the rows, whether anything is lost with it
KINDS: Final = (
    (
        "steps",
        "steps belong to no trajectory and nothing stands on them",
        "SELECT s.id FROM steps AS s WHERE s.trajectory IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM steps AS c WHERE c.parent = s.id)"
        " AND s.id NOT IN (SELECT head FROM trajectories WHERE head IS NOT NULL)",
        False,
    ),
    (
        "steps",
        "steps name a trajectory that is gone",
        "SELECT id FROM steps WHERE trajectory IS NOT NULL AND trajectory NOT IN (SELECT id FROM trajectories)",
        True,
    ),
    (
        "steps",
        "steps follow a step that is gone",
        "SELECT id FROM steps WHERE parent IS NOT NULL AND parent NOT IN (SELECT id FROM steps)",
        True,
    ),
    (
        "scores",
        "scores belong to no step",
        "SELECT step FROM scores WHERE step NOT IN (SELECT id FROM steps)",
        True,
    ),
    (
        "readings",
        "readings belong to no score",
        "SELECT r.step FROM readings AS r WHERE NOT EXISTS"
        " (SELECT 1 FROM scores AS s WHERE s.step = r.step AND s.scorer = r.scorer)",
        True,
    ),
    (
        "heads",
        "trajectories point at a step that is gone",
        "SELECT id FROM trajectories WHERE head IS NOT NULL AND head NOT IN (SELECT id FROM steps)",
        True,
    ),
    (
        "heads",
        "trajectories are done without a step",
        "SELECT id FROM trajectories WHERE progress = 1 AND head IS NULL",
        True,
    ),
    (
        "heads",
        "trajectories point at a step of another item",
        "SELECT t.id FROM trajectories AS t JOIN steps AS s ON s.id = t.head"
        " JOIN trajectories AS o ON o.id = s.trajectory WHERE o.item <> t.item",
        True,
    ),
    (
        "prompts",
        "prompts are asked by no step",
        "SELECT id FROM prompts WHERE id NOT IN (SELECT prompt FROM steps)",
        False,
    ),
    (
        "texts",
        "texts are in no request",
        "SELECT id FROM texts WHERE id NOT IN"
        " (SELECT value FROM calls, json_each(calls.texts) WHERE calls.texts IS NOT NULL)",
        False,
    ),
    (
        "texts",
        "requests name a text that is gone",
        "SELECT calls.id FROM calls, json_each(calls.texts) WHERE calls.texts IS NOT NULL"
        " AND value NOT IN (SELECT id FROM texts)",
        True,
    ),
    (
        "golds",
        "golds are used by no step",
        "SELECT id FROM golds WHERE id NOT IN (SELECT gold FROM steps WHERE gold IS NOT NULL)",
        False,
    ),
    (
        "pictures",
        "sets of pictures were sent by no step",
        "SELECT id FROM picture_sets WHERE id NOT IN (SELECT sent FROM steps WHERE sent IS NOT NULL)"
        " AND id NOT IN (SELECT picture FROM steps WHERE picture IS NOT NULL)",
        False,
    ),
)


def broken(db: sqlite3.Connection) -> str:
    """What is first found wrong with a current store's rows, in words; "" where each has what it belongs to."""
    for _, text, query, harm in KINDS:
        if harm and db.execute(f"SELECT 1 FROM ({query}) LIMIT 1").fetchone():  # noqa: S608  (from above)
            return text
    return ""
