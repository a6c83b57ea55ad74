"""Which rows of each table belong to chosen runs: what hangs on them, and what they refer to."""

# ruff: noqa: S608  (only identifiers from the schema are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sessions import encoding
from sessions.exchange.tables import Table

_SHARED: Final = ("step_names", "lanes", "scorers", "prompts", "golds", "picture_sets", "texts", "pictures")
"""Tables whose rows belong to whoever refers to them."""

_CHOSEN: Final[Mapping[str, str]] = {
    "runs": "SELECT id FROM temp.asked_for",
    "trajectories": "SELECT id FROM trajectories WHERE run IN (SELECT id FROM temp.chosen_runs)",
    "sessions": "SELECT id FROM sessions WHERE run IN (SELECT id FROM temp.chosen_runs)",
    "trials": "SELECT id FROM trials WHERE session IN (SELECT id FROM temp.chosen_sessions)",
    "steps": """
        WITH RECURSIVE way (id) AS (
            SELECT id FROM steps WHERE trajectory IN (SELECT id FROM temp.chosen_trajectories)
            UNION SELECT head FROM trajectories WHERE run IN (SELECT id FROM temp.chosen_runs) AND head IS NOT NULL
            UNION SELECT steps.parent FROM way JOIN steps ON steps.id = way.id WHERE steps.parent IS NOT NULL)
        SELECT id FROM way""",
    "calls": "SELECT id FROM calls WHERE run IN (SELECT id FROM temp.chosen_runs)"
    " UNION SELECT call FROM steps WHERE id IN (SELECT id FROM temp.chosen_steps) AND call IS NOT NULL",
    "items": "SELECT item FROM trajectories WHERE run IN (SELECT id FROM temp.chosen_runs)"
    " UNION SELECT item FROM trials WHERE session IN (SELECT id FROM temp.chosen_sessions)"
    " UNION SELECT item FROM scores WHERE run IS NULL AND step IN (SELECT id FROM temp.chosen_steps)",
    "participants": "SELECT participant FROM sessions WHERE id IN (SELECT id FROM temp.chosen_sessions)",
    "studies": """
        WITH RECURSIVE amended (id) AS (
            SELECT study FROM sessions WHERE id IN (SELECT id FROM temp.chosen_sessions)
            UNION SELECT studies.amends FROM amended JOIN studies ON studies.id = amended.id
            WHERE studies.amends IS NOT NULL)
        SELECT id FROM amended""",
    "assignments": "SELECT id FROM assignments WHERE session IN (SELECT id FROM temp.chosen_sessions)",
    "exports": "SELECT id FROM exports WHERE 0",
}
"""In this order, each from those before it."""


class Selection:
    """The rows of some runs, noted down in temporary tables of a reading connection; of all runs, every row."""

    def __init__(self, db: sqlite3.Connection, tables: Mapping[str, Table], runs: Sequence[int] | None) -> None:
        self._db = db
        self._tables = tables
        self._some = runs is not None
        if runs is not None:
            ((forbidden,),) = db.execute("PRAGMA query_only").fetchall()
            db.execute("PRAGMA query_only = OFF")  # it forbids writing temporary tables too
            try:
                self._choose(runs)
            finally:
                db.execute(f"PRAGMA query_only = {forbidden:d}")

    def _choose(self, runs: Sequence[int]) -> None:
        self._note("temp.asked_for", "SELECT value FROM json_each(?)", (encoding.to_json(list(runs)),))
        for name in ("runs", "trajectories", "sessions", "trials", "steps", "calls", "items", "participants",
                     "studies", "assignments", "exports"):  # fmt: skip
            self._note(f"temp.chosen_{name}", _CHOSEN[name])
        self._others()
        self._shared()

    def query(self, table: Table) -> str:
        """Its chosen rows, all columns in order; a loose reference to what is not chosen is empty."""
        if not self._some:
            return table.select()
        loose = {*table.rule.loose, *(("trajectory",) if table.name == "steps" else ())}
        columns = ", ".join(
            f'CASE WHEN "{column}" IN (SELECT id FROM temp.chosen_{table.references[column]}) THEN "{column}" END'
            if column in loose
            else f'"{column}"'
            for column in table.columns
        )
        order = table.id or ", ".join(f'"{column}"' for column in table.key)
        return f"SELECT {columns} FROM main.{table.name} WHERE {self._where(table)} ORDER BY {order}"

    def _where(self, table: Table) -> str:
        if table.id:
            return f"id IN (SELECT id FROM temp.chosen_{table.name})"
        if table.name == "pictures":
            return "hash IN (SELECT id FROM temp.chosen_pictures)"
        return self._belongs(table)

    def _belongs(self, table: Table) -> str:
        """Rows that refer to something chosen, and to nothing that is not."""
        strict = [
            (column, of)
            for column, of in table.references.items()
            if of not in (*_SHARED, table.name) and column not in table.rule.loose
        ]
        if not strict:
            return "0"
        all_chosen = " AND ".join(
            f'("{column}" IS NULL OR "{column}" IN (SELECT id FROM temp.chosen_{of}))' for column, of in strict
        )
        return (
            all_chosen + " AND coalesce(" + ", ".join(f'"{column}"' for column, _ in strict) + ", NULL) IS NOT NULL"
        )

    def _others(self) -> None:
        for name, table in self._tables.items():
            if table.id and name not in _CHOSEN and name not in _SHARED:
                self._note(f"temp.chosen_{name}", f"SELECT id FROM main.{name} WHERE {self._belongs(table)}")

    def _shared(self) -> None:
        """Those that chosen rows refer to, what refers to others of them first."""
        shared = [name for name in reversed(list(self._tables)) if name in _SHARED and self._tables[name].id]
        for name in shared:
            if name == "texts":
                continue
            used = [
                f'SELECT "{column}" FROM main.{table.name} WHERE {self._where(table)} AND "{column}" IS NOT NULL'
                for table in self._tables.values()
                for column, of in table.references.items()
                if of == name
            ]
            always = ["SELECT 1"] if name == "lanes" else []  # the empty one is in every store
            self._note(f"temp.chosen_{name}", " UNION ".join([*used, *always]))
        self._note(
            "temp.chosen_texts",
            "SELECT DISTINCT value FROM calls, json_each(calls.texts) WHERE calls.texts IS NOT NULL"
            " AND calls.id IN (SELECT id FROM temp.chosen_calls)",
        )
        self._pictures()

    def _pictures(self) -> None:
        from sessions import sweep

        self._db.execute("DROP TABLE IF EXISTS temp.chosen_pictures")
        self._db.execute("CREATE TEMP TABLE chosen_pictures (id PRIMARY KEY)")
        for table, find in (("picture_sets", sweep.in_set), ("items", sweep.embedded)):
            rows = self._db.execute(
                f"SELECT content FROM main.{table} WHERE id IN (SELECT id FROM temp.chosen_{table})"
            )
            for (content,) in rows:
                self._put_pictures(find(content))

    def _put_pictures(self, hashes: Iterable[str]) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO temp.chosen_pictures VALUES (?)", ((encoding.to_text(each),) for each in hashes)
        )

    def _note(self, table: str, query: str, values: Sequence[str | bytes] = ()) -> None:
        self._db.execute(f"DROP TABLE IF EXISTS {table}")
        self._db.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY)")
        self._db.execute(f"INSERT OR IGNORE INTO {table} {query}", values)


def with_what_belongs(db: sqlite3.Connection, runs: Sequence[int]) -> list[int]:
    """These runs, those whose steps they stand on, and the other runs of the same sittings."""
    found = list(dict.fromkeys(runs))
    for run in found:  # grows while it is gone through
        (stored,) = db.execute("SELECT configuration FROM runs WHERE id = ?", (run,)).fetchone()
        configuration = encoding.from_json(stored)
        more = db.execute(
            "SELECT id FROM runs WHERE uid = ?1 UNION SELECT id FROM runs WHERE ?2 <> ''"
            " AND json_extract(configuration, '$.identity_of_respondent.session') = ?2 ORDER BY id",
            (configuration.get("base_run", ""), _sitting(configuration)),
        )
        found += [row for (row,) in more if row not in found]
    return found


def _sitting(configuration: Mapping[str, Any]) -> str:
    """The uid of the sitting that a run belongs to, "" for none."""
    session = configuration.get("identity_of_respondent", {}).get("session", "")
    return session if isinstance(session, str) else ""
