"""Row ids of what is said often: names, lanes, scorers, prompts, golds, texts, pictures, items.

Used inside the writing transaction only. What it remembers is void after a rollback: ``forget`` then.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, Final

from core.records import Call, Item, SentPicture, Turn
from sessions import encoding

REMEMBERED: Final = 20_000  # entries a kind; beyond that, all are looked up again


class Vocabulary:
    """Finds the row of a content, or makes it."""

    def __init__(self) -> None:
        self._known: dict[Hashable, int] = {}
        self._pictures: set[str] = set()

    def forget(self) -> None:
        self._known.clear()
        self._pictures.clear()

    def _remember(self, key: Hashable, row: int) -> int:
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[key] = row
        return row

    def name(self, db: sqlite3.Connection, name: str) -> int:
        key = ("name", name)
        return self._known.get(key) or self._remember(
            key,
            _row(
                db,
                "SELECT id FROM step_names WHERE name = ?",
                "INSERT INTO step_names (name) VALUES (?)",
                (encoding.to_text(name),),
            ),
        )

    def lane(self, db: sqlite3.Connection, label: str) -> int:
        if not label:
            return encoding.PLAIN_LANE
        key = ("lane", label)
        return self._known.get(key) or self._remember(
            key,
            _row(
                db,
                "SELECT id FROM lanes WHERE label = ?",
                "INSERT INTO lanes (label) VALUES (?)",
                (encoding.to_text(label),),
            ),
        )

    def scorer(self, db: sqlite3.Connection, name: str, version: str) -> int:
        key = ("scorer", name, version)
        known = self._known.get(key)
        if known:
            return known
        values = (encoding.to_text(name), encoding.to_text(version))
        found = db.execute("SELECT id FROM scorers WHERE name = ? AND version = ?", values).fetchone()
        if found is None:
            cursor = db.execute(
                "INSERT INTO scorers (name, version, created) VALUES (?, ?, ?)", (*values, encoding.now_ms())
            )
            return self._remember(key, _id(cursor))
        return self._remember(key, found[0])

    def prompt(self, db: sqlite3.Connection, turn: Turn) -> int:
        """The turn without gold; most steps of a run share a handful, found by value without encoding them."""
        key = (turn.step, turn.content, turn.form, turn.answer_format, turn.afresh, turn.shared, turn.makes)
        known = self._known.get(key)
        if known:
            return known
        content = encoding.prompt_to_json(turn)
        name = self.name(db, turn.step)
        digest = encoding.prompt_hash(turn.step, content)
        return self._remember(
            key,
            _row(
                db,
                "SELECT id FROM prompts WHERE hash = ?",
                "INSERT INTO prompts (hash, step, content) VALUES (?, ?, ?)",
                (digest, name, content),
            ),
        )

    def gold(self, db: sqlite3.Connection, content: str | bytes) -> int:
        """A gold as ``encoding.gold_to_json`` writes it: of one item and step, shared by all runs."""
        values = (encoding.short_hash(content), content)
        cursor = db.execute("INSERT INTO golds (hash, content) VALUES (?, ?) ON CONFLICT DO NOTHING", values)
        if cursor.rowcount:  # as for every step of a first run
            return _id(cursor)
        return int(db.execute("SELECT id FROM golds WHERE hash = ?", values[:1]).fetchone()[0])

    def text(self, db: sqlite3.Connection, text: str) -> int:
        """A long text of a request."""
        key = ("text", text)
        known = self._known.get(key)
        if known:
            return known
        content = encoding.to_text(text)
        return self._remember(
            key,
            _row(
                db,
                "SELECT id FROM texts WHERE hash = ?",
                "INSERT INTO texts (hash, content) VALUES (?, ?)",
                (encoding.short_hash(content), content),
            ),
        )

    def picture_set(self, db: sqlite3.Connection, pictures: tuple[SentPicture, ...]) -> int | None:
        """The set as it was sent, its pictures' bytes kept where they are at hand."""
        if not pictures:
            return None
        for picture in pictures:
            if picture.data and picture.hash not in self._pictures:
                self._keep(db, picture)
        known = self._known.get(pictures)
        if known:
            return known
        content = encoding.pictures_to_json(pictures)
        return self._remember(
            tuple(replace(picture, data=b"") for picture in pictures),  # the key of the same, without their bytes
            _row(
                db,
                "SELECT id FROM picture_sets WHERE hash = ?",
                "INSERT INTO picture_sets (hash, content) VALUES (?, ?)",
                (encoding.short_hash(content), content),
            ),
        )

    def _keep(self, db: sqlite3.Connection, picture: SentPicture) -> None:
        db.execute(
            "INSERT INTO pictures (hash, mime, width, height, original_width, original_height, name, bytes)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                encoding.to_text(picture.hash),
                encoding.to_text(picture.mime),
                *picture.size,
                *picture.original_size,
                encoding.to_text(picture.name),
                picture.data,
            ),
        )
        self._pictures.add(picture.hash)

    def served(self, db: sqlite3.Connection, run: int, call: Call) -> None:
        """Note who answered, where that is the first time in this run."""
        version = call.reply.get("system_fingerprint") if isinstance(call.reply, Mapping) else None
        asked = call.request.get("model") if isinstance(call.request, Mapping) else None
        told = (asked, call.served_model, version)
        values = (run, *(encoding.to_text(word) if isinstance(word, str) else "" for word in told))
        key = ("served", values)
        if key not in self._known:
            db.execute(
                "INSERT INTO served (run, asked, model, version, created) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (*values, encoding.now_ms()),
            )
            self._remember(key, 1)

    def item(self, db: sqlite3.Connection, item: Item, digest: bytes) -> int:
        """The item's row; its groups are derived by the program and follow it when they change."""
        found = db.execute("SELECT id, groups FROM items WHERE hash = ?", (digest,)).fetchone()
        groups = encoding.to_json(dict(item.groups))
        if found is not None:
            row: int = found[0]
            if found[1] != groups:
                db.execute("UPDATE items SET groups = ? WHERE id = ?", (groups, row))
            return row
        for picture in item.pictures:
            if picture.data is not None:
                db.execute(
                    "INSERT INTO pictures (hash, mime, name, bytes) VALUES (?, '', ?, ?) ON CONFLICT DO NOTHING",
                    (picture.to_json()["sha256"], encoding.to_text(picture.name), picture.data),
                )
        cursor = db.execute(
            "INSERT INTO items (benchmark, subset, key, hash, groups, content) VALUES (?, ?, ?, ?, ?, ?)",
            (
                encoding.to_text(item.benchmark),
                encoding.to_text(item.subset),
                encoding.to_text(item.id),
                digest,
                groups,
                encoding.item_to_json(item),
            ),
        )
        return _id(cursor)


def _row(db: sqlite3.Connection, find: str, make: str, values: tuple[Any, ...]) -> int:
    """The row whose first value is the key, made where there is none."""
    found = db.execute(find, values[:1]).fetchone()
    return int(found[0]) if found is not None else _id(db.execute(make, values))


def _id(cursor: sqlite3.Cursor) -> int:
    assert cursor.lastrowid is not None
    return cursor.lastrowid
