"""What the monitor wishes of a session that sits at another terminal: written down here, heard there."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from core.errors import UsageError
from sessions import encoding
from sessions.store import Store

WISHES: Final = ("pause", "go_on", "note", "end")


@dataclass(frozen=True, slots=True)
class Wish:
    """``wish`` is one of WISHES; ``created`` in milliseconds since 1970, UTC."""

    id: int
    wish: str
    text: str
    author: str
    created: int


def ask(store: Store, session: int, wish: str, text: str = "", author: str = "") -> None:
    """Wish something of a session. Raises UsageError for an unknown wish and a session that is over."""
    if wish not in WISHES:
        raise UsageError(f"nobody can wish {wish!r}", remedy=f"Known: {', '.join(WISHES)}")

    def change(db: sqlite3.Connection) -> None:
        row = db.execute("SELECT state FROM sessions WHERE id = ?", (session,)).fetchone()
        if row is None or row[0] not in ("open", "paused"):
            raise UsageError("this session is over", where=f"session {session}")
        db.execute(
            "INSERT INTO wishes (session, wish, text, author, created) VALUES (?, ?, ?, ?, ?)",
            (session, wish, encoding.to_text(text), encoding.to_text(author), encoding.now_ms()),
        )

    store.write(change, full=True)


def waiting(db: sqlite3.Connection, session: int) -> list[Wish]:
    """What was wished of a session and not heard yet, the oldest first."""
    rows = db.execute(
        "SELECT id, wish, text, author, created FROM wishes WHERE session = ? AND done IS NULL ORDER BY id",
        (session,),
    )
    return [
        Wish(number, wish, encoding.from_text(text), encoding.from_text(author), created)
        for number, wish, text, author, created in rows
    ]
