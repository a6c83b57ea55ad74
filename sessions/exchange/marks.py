"""What was exported, when and to where (a withdrawal names those), and what was imported from where."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final

from core.errors import StoreError
from core.foreign.replies import IMPORTED
from core.records import EMPTY, Json
from sessions import encoding
from sessions.runs import Run
from sessions.store import Store

STDOUT: Final = "stdout"


def mark_export(store: Store, kind: str, target: str, digest: str, runs: Sequence[int]) -> bool:
    """Note an export of these runs. False where the store takes no writing: then nothing is noted.

    ``kind`` is jsonl, csv, ...; ``target`` a path, or stdout; ``digest`` the SHA-256 of what was written, "" where
    that is not known.

    Nobody's pseudonym is in it: the note outlives a withdrawal.
    """
    if store.read_only:
        return False

    def change(db: sqlite3.Connection) -> None:
        chosen = encoding.to_json(list(runs))
        uids = db.execute("SELECT uid FROM runs WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", (chosen,))
        details = {"runs": [encoding.from_text(uid) for (uid,) in uids]}
        db.execute(
            "INSERT INTO exports (kind, target, digest, details, created) VALUES (?, ?, ?, ?, ?)",
            (kind, encoding.to_text(target), digest, encoding.to_json(details), encoding.now_ms()),
        )

    try:
        store.write(change)
    except StoreError:
        return False
    return True


def source_of(run: Run) -> Mapping[str, Json]:
    """Where an imported run's replies come from: tool, file and its SHA-256; empty for any other run."""
    identity = run.config.identity_of_respondent
    if IMPORTED not in identity:
        return EMPTY
    return {"tool": identity[IMPORTED], "file": identity.get("file", ""), "sha256": identity.get("sha256", "")}
