"""Disputes of items' golds in the store. Rows are appended; of an author, item and step the newest counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

from core.disputes import Corrected, Dispute
from core.errors import UsageError
from core.records import EMPTY, Item
from sessions import encoding
from sessions.grading import LONGEST
from sessions.store import Store

_STANDING: Final = (
    "SELECT d.item, d.author, d.reason, n.name, d.corrected, d.created FROM disputes AS d"
    " LEFT JOIN step_names AS n ON n.id = d.step"
    " WHERE d.withdrawn = 0 AND (?1 IS NULL OR d.item = ?1) AND NOT EXISTS (SELECT 1 FROM disputes AS o"
    " WHERE o.item = d.item AND o.step IS d.step AND o.author = d.author AND o.id > d.id) ORDER BY d.id"
)


def dispute(
    store: Store, item: Item, author: str, reason: str, step: str = "", corrected: Mapping[str, Corrected] = EMPTY
) -> None:
    """Hold something against an item's gold at a step ("": against the item as a whole); what this author held there
    before stays stored. The item is stored where it is not yet. Raises UsageError without a reason."""
    if not reason.strip():
        raise UsageError("a dispute needs a reason", where=item.id)
    if len(reason) > LONGEST:
        raise UsageError(f"a reason can have {LONGEST:,} characters, not {len(reason):,}", where="reason")
    _append(store, item, Dispute(author, reason.strip(), step, corrected), withdrawn=False)


def withdraw(store: Store, item: Item, author: str, step: str = "") -> bool:
    """Hold nothing against it any more; False where nothing was held."""
    standing = None
    row = store.reader().execute("SELECT id FROM items WHERE hash = ?", (bytes.fromhex(item.hash),)).fetchone()
    if row is not None:
        mine = (one for one in standing_disputes(store, row[0]) if (one.author, one.step) == (author, step))
        standing = next(mine, None)
    if standing is None:
        return False
    _append(store, item, standing, withdrawn=True)
    return True


def _append(store: Store, item: Item, held: Dispute, *, withdrawn: bool) -> None:
    values = {name: [one.value, one.text] for name, one in held.corrected.items()}

    def change(db: sqlite3.Connection) -> None:
        row = store.vocabulary.item(db, item, bytes.fromhex(item.hash))
        db.execute(
            "INSERT INTO disputes (item, step, author, reason, corrected, withdrawn, created)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                row,
                store.vocabulary.name(db, held.step) if held.step else None,
                encoding.to_text(held.author),
                encoding.to_text(held.reason),
                encoding.to_json(values),
                int(withdrawn),
                encoding.now_ms(),
            ),
        )

    store.write(change)


def standing_disputes(store: Store, item: int) -> list[Dispute]:
    """What is held against the item of that row, the oldest first."""
    return [held for _, held in _standing(store.reader(), item)]


def all_disputes(store: Store) -> dict[int, list[Dispute]]:
    """The same for all items that anything is held against, by their rows."""
    out: dict[int, list[Dispute]] = {}
    for row, held in _standing(store.reader(), None):
        out.setdefault(row, []).append(held)
    return out


def _standing(db: sqlite3.Connection, item: int | None) -> list[tuple[int, Dispute]]:
    return [
        (
            row,
            Dispute(
                encoding.from_text(author),
                encoding.from_text(reason),
                encoding.from_text(step),
                {name: Corrected(*words) for name, words in encoding.from_json(corrected).items()},
                created,
            ),
        )
        for row, author, reason, step, corrected, created in db.execute(_STANDING, (item,))
    ]
