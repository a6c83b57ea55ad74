"""Do rows still say what they said? What is named by its hash is hashed again, packed calls are unpacked, and what
stands in two places is compared."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from core.records import Json, Progress, digest
from core.respondents.batch_book import Standing
from sessions import encoding


class Wrong(NamedTuple):
    """Rows of a kind that are not as they should be: which table they are in, and what is wrong with them."""

    table: str
    what: str
    rows: tuple[int | str, ...]


_ORIGINS, _STATUSES = len(encoding.ORIGINS), len(encoding.STATUSES)
_FAILED: Final = encoding.PROGRESS_CODE[Progress.FAILED]
_PARSES, _PROGRESSES = len(encoding.PARSES), len(encoding.PROGRESSES)

# table, sentence after the count, query for the rows
_COMPARED: Final = (
    # whoever walks back from such a step would never arrive
    ("steps", "steps stand before the step that they follow", "SELECT id FROM steps WHERE parent >= id"),
    (
        "steps",
        "steps have a code that means nothing",
        f"SELECT id FROM steps WHERE origin NOT BETWEEN 0 AND {_ORIGINS - 1}"
        f" OR status NOT BETWEEN 0 AND {_STATUSES - 1} OR made_by NOT IN (0, 1)",
    ),
    (
        "trajectories",
        "trajectories have a code that means nothing",
        f"SELECT id FROM trajectories WHERE progress NOT BETWEEN 0 AND {_PROGRESSES - 1}",
    ),
    (
        "trajectories",
        "trajectories failed and do not say where or why, or say so and did not fail",
        f"SELECT id FROM trajectories WHERE (progress = {_FAILED})"
        " <> (reason IS NOT NULL OR failed_step IS NOT NULL)",
    ),
    (
        "trajectories",
        "trajectories stand in another lane than the step that they are at",
        "SELECT t.id FROM trajectories AS t JOIN steps AS s ON s.id = t.head"
        " WHERE t.progress = 1 AND t.lane <> s.lane",
    ),
    (
        "scores",
        "scores hold something right that they do not score, or have a code that means nothing",
        f"SELECT step FROM scores WHERE right & ~scored <> 0 OR status NOT BETWEEN 0 AND {_PARSES - 1}"
        " OR counted NOT BETWEEN 0 AND 2",
    ),
    # reports count scores by what is copied into them
    (
        "scores",
        "scores name another step or lane than the step they are of",
        "SELECT c.step FROM scores AS c JOIN steps AS s ON s.id = c.step WHERE c.name <> s.name OR c.lane <> s.lane",
    ),
    (
        "scores",
        "scores name another run or item than the trajectory they are of",
        "SELECT c.step FROM scores AS c JOIN steps AS s ON s.id = c.step JOIN trajectories AS t"
        " ON t.id = s.trajectory WHERE c.item <> t.item OR c.run <> t.run",
    ),
    (
        "trials",
        "trials show another item than the trajectory they are of",
        "SELECT r.id FROM trials AS r JOIN trajectories AS t ON t.id = r.trajectory WHERE r.item <> t.item",
    ),
    (
        "batches",
        "batches count other requests than are out in them",
        "SELECT b.id FROM batches AS b WHERE b.ended = 0 AND b.requests <>"
        f" (SELECT count(*) FROM calls AS c WHERE c.batch_id = b.token AND c.pending = {Standing.OUT:d})",
    ),
)


def compared(db: sqlite3.Connection) -> Iterator[Wrong]:
    """What contradicts itself within the store."""
    for table, what, query in _COMPARED:
        if rows := tuple(row for (row,) in db.execute(query)):
            yield Wrong(table, what, rows)
    for table, last in db.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
        quoted = table.replace('"', '""')
        (largest,) = db.execute(f'SELECT ifnull(max(rowid), 0) FROM "{quoted}"').fetchone()
        if largest > last:
            yield Wrong(table, f"rows have a number above {last}, the last that was given out", (largest,))


def altered(db: sqlite3.Connection) -> Iterator[Wrong]:
    """What its hash, or its form, says is not as it was written."""
    rows = db.execute(
        "SELECT p.id, p.hash, p.content, n.name FROM prompts AS p JOIN step_names AS n ON n.id = p.step"
    )
    yield from _altered(
        "prompts", (row for row, hash_, content, name in rows if hash_ != encoding.prompt_hash(_text(name), content))
    )
    for table in ("texts", "golds", "picture_sets"):
        rows = db.execute(f"SELECT id, hash, content FROM {table}")
        yield from _altered(table, (row for row, hash_, content in rows if hash_ != encoding.short_hash(content)))
    rows = db.execute("SELECT id, hash, benchmark, subset, key, content FROM items")
    yield from _altered("items", (row for row, hash_, *rest in rows if hash_ != _item_hash(*rest)))
    known = {row for (row,) in db.execute("SELECT id FROM texts")}
    rows = db.execute("SELECT id, request, reply, texts FROM calls")
    torn = tuple(row for row, request, reply, texts in rows if not unpacks(request, reply, texts, known))
    if torn:
        yield Wrong("calls", "requests or replies cannot be read any more", torn)


def unpacks(request: bytes | None, reply: bytes | None, texts: str | None, known: set[int] | None = None) -> bool:
    """Whether a packed request and its reply can be read, with the long texts that it names (of those ``known``)."""
    try:
        rows = encoding.from_json(texts) if texts else []
        encoding.put_texts(encoding.unpack(request), [""] * len(rows))
        encoding.unpack(reply)
    except Exception:  # noqa: BLE001  (damaged bytes inflate to anything)
        return False
    return known is None or known.issuperset(rows)


# -- parts


def _altered(table: str, rows: Iterable[int]) -> Iterator[Wrong]:
    if found := tuple(rows):
        yield Wrong(table, "rows are not what they were when they were written: their hash is another", found)


def _item_hash(benchmark: str, subset: str, key: str, content: str) -> bytes:
    try:
        held = encoding.from_json(content)
        pictures: Json = [picture | {"path": ""} for picture in held["pictures"]]
        facts = held["facts"]
    except (ValueError, TypeError, KeyError):
        return b""
    words = {"benchmark": _text(benchmark), "subset": _text(subset), "id": _text(key)}
    return bytes.fromhex(digest(words | {"pictures": pictures, "facts": facts}))


_text = encoding.from_text
