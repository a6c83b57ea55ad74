"""The batch book: which batches of a run are out, and which requests of the ledger are in them."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.records import Call
from core.respondents.batch_book import Batch, Key, Outgoing, Settled, Standing, Waiting
from sessions import encoding
from sessions.replay import Replay
from sessions.runs import Run
from sessions.spending import add_uncertain
from sessions.store import Store

_BATCH: Final = "token, respondent, address, requests, tokens_field, remote, file, state, created"


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """A batch that is out, for lists: ``remote`` is the server's id ("" while it is not known to have been made)."""

    run: str
    respondent: str
    remote: str
    address: str
    state: str
    requests: int
    created: int


def anything_out(store: Store, run: Run) -> bool:
    """Whether requests of this run are in batches, or came back and are in no step yet."""
    query = "SELECT 1 FROM calls WHERE run = ? AND pending <> 0 AND pending IN (?, ?) LIMIT 1"
    return store.reader().execute(query, (run.id, Standing.OUT, Standing.ANSWERED)).fetchone() is not None


def batches_out(db: sqlite3.Connection, run: int | None = None) -> list[BatchSummary]:
    """The batches that are out, of one run or of all, the oldest first."""
    rows = db.execute(
        "SELECT runs.name, b.respondent, b.remote, b.address, b.state, b.requests, b.created FROM batches AS b"
        " JOIN runs ON runs.id = b.run WHERE b.ended = 0 AND b.run = ifnull(?, b.run) ORDER BY b.id",
        (run,),
    )
    return [
        BatchSummary(
            encoding.from_text(name),
            encoding.from_text(respondent),
            encoding.from_text(remote),
            encoding.from_text(address),
            encoding.from_text(state),
            requests,
            created,
        )
        for name, respondent, remote, address, state, requests, created in rows
    ]


def release_batches(store: Store, run: Run) -> list[BatchSummary]:
    """Forget what is out: the next run of it asks all that again. What came back and waits to be put in stays.
    Returns the batches that were given up."""

    def change(db: sqlite3.Connection) -> list[BatchSummary]:
        given_up = batches_out(db, run.id)
        (most,) = db.execute(
            "SELECT total(cost) FROM calls WHERE run = ? AND pending = ?", (run.id, Standing.OUT)
        ).fetchone()
        add_uncertain(db, run.id, most)  # the server may well have answered them
        db.execute(
            "UPDATE calls SET pending = ?, cost = NULL WHERE run = ? AND pending = ?",
            (Standing.AGAIN, run.id, Standing.OUT),
        )
        db.execute(
            "UPDATE batches SET ended = 1, state = 'given up', updated = ? WHERE run = ? AND ended = 0",
            (encoding.now_ms(), run.id),
        )
        return given_up

    return store.write(change)


class StoreBook:
    """Implements ``core.respondents.batch_book.Book`` for one run.

    How each request stands is read once when the book is opened; the run's lock keeps other batches from changing it.
    """

    def __init__(self, store: Store, run: Run) -> None:
        self._store = store
        self._run = run
        self._writer = store.writer
        self._standing: dict[tuple[str, Key], tuple[int, Standing]] = {}
        self._read()

    # -- Book

    def batches(self, respondent: str) -> Sequence[Batch]:
        """Those not collected yet, the oldest first."""
        rows = self._store.reader().execute(
            f"SELECT {_BATCH} FROM batches WHERE run = ? AND respondent = ? AND ended = 0 ORDER BY id",
            (self._run.id, encoding.to_text(respondent)),
        )
        return [_batch(row) for row in rows]

    def fields(self, respondent: str) -> frozenset[str]:
        """Every ``tokens_field`` that batches of this respondent were sent with, collected ones too."""
        rows = self._store.reader().execute(
            "SELECT DISTINCT tokens_field FROM batches WHERE run = ? AND respondent = ?",
            (self._run.id, encoding.to_text(respondent)),
        )
        return frozenset(name for (name,) in rows)

    def standing(self, respondent: str, key: Key) -> Standing:
        """How that request stands; SETTLED where it is not out."""
        return self._standing.get((respondent, key), (0, Standing.SETTLED))[1]

    def call(self, respondent: str, key: Key) -> Call:
        """The ledger entry of an ANSWERED one."""
        call = Replay(self._store.reader()).call(self._standing[respondent, key][0])
        assert call is not None
        return call

    def waiting(self, token: str, *, pictures: bool) -> Sequence[Waiting]:
        """The requests of a batch that are OUT; their ``pictures`` are counted where that matters."""
        db = self._store.reader()
        rows = db.execute(
            "SELECT id, request_hash, repeat, attempts, cost FROM calls WHERE batch_id = ? AND pending = ?"
            " ORDER BY id",
            (token, Standing.OUT),
        ).fetchall()
        replay = Replay(db)
        return [
            Waiting(row, encoding.from_hash(digest), repeat, tried, most, _pictures(replay, row) if pictures else 0)
            for row, digest, repeat, tried, most in rows
        ]

    async def intend(self, batch: Batch, requests: Sequence[Outgoing]) -> None:
        """A batch is about to be submitted: it and its requests, which are OUT from now on, survive any crash."""
        words = self._store.vocabulary
        again = {
            request.key: found[0]
            for request in requests
            if (found := self._standing.get((batch.respondent, request.key))) is not None
        }

        def change(db: sqlite3.Connection) -> None:
            now = encoding.now_ms()
            db.execute(
                f"INSERT INTO batches (run, updated, {_BATCH}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self._run.id,
                    now,
                    batch.token,
                    encoding.to_text(batch.respondent),
                    encoding.to_text(batch.address),
                    batch.requests,
                    batch.tokens_field,
                    "",
                    "",
                    "meant",
                    batch.created,
                ),
            )
            for request in requests:
                call = request.call
                if (row := again.get(request.key)) is not None:
                    db.execute(
                        "UPDATE calls SET batch_id = ?, pending = ?, cost = ? WHERE id = ?",
                        (batch.token, Standing.OUT, call.usage.cost, row),
                    )
                    continue
                db.execute(
                    f"INSERT INTO calls (run, repeat, batch_id, pending, created, {encoding.CALL_COLUMNS})"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        self._run.id,
                        request.repeat,
                        batch.token,
                        Standing.OUT,
                        now,
                        *encoding.call_values(call, lambda text: words.text(db, text)),
                    ),
                )

        await self._writer.submit(change, full=True)  # before a cent is spent, on the disk itself
        self._read()

    async def uploaded(self, token: str, file: str) -> None:
        """Its file has this id."""
        await self._update(token, "file = ?", (file,))

    async def made(self, token: str, remote: str, state: str) -> None:
        """The server has it, under this id."""
        await self._update(token, "remote = ?, state = ?", (remote, state))

    async def unmade(self, token: str, state: str) -> None:
        """The server never had it or refused it whole: its requests are free to go out again."""

        def change(db: sqlite3.Connection) -> None:
            values = (Standing.AGAIN, token, Standing.OUT)
            db.execute("UPDATE calls SET pending = ?, cost = NULL WHERE batch_id = ? AND pending = ?", values)
            _end(db, token, state)

        await self._writer.submit(change)
        self._read()

    async def collected(self, token: str, state: str, results: Sequence[Settled]) -> None:
        """It has ended, and this came of its requests."""

        def change(db: sqlite3.Connection) -> None:
            for one in results:
                usage = one.usage
                db.execute(
                    "UPDATE calls SET pending = ?, attempts = ?, reply = ?, served_model = ?, prompt_tokens = ?,"
                    " completion_tokens = ?, cost = ?, error = ? WHERE id = ? AND pending = ?",
                    (
                        one.standing,
                        one.attempts,
                        encoding.pack(one.reply),
                        encoding.to_text(one.served_model),
                        usage.prompt_tokens,
                        usage.completion_tokens,
                        usage.cost,
                        encoding.to_text(one.error),
                        one.row,
                        Standing.OUT,
                    ),
                )
            _end(db, token, state)

        await self._writer.submit(change)
        self._read()

    # -- inside

    def _read(self) -> None:
        rows = self._store.reader().execute(
            "SELECT batches.respondent, c.request_hash, c.repeat, c.id, c.pending FROM calls AS c"
            " JOIN batches ON batches.token = c.batch_id WHERE c.run = ? AND c.pending <> 0",
            (self._run.id,),
        )
        self._standing = {
            (encoding.from_text(respondent), (encoding.from_hash(digest), repeat)): (row, Standing(pending))
            for respondent, digest, repeat, row, pending in rows
        }

    async def _update(self, token: str, what: str, values: Iterable[str]) -> None:
        texts = [encoding.to_text(value) for value in values]
        await self._writer.submit(
            lambda db: db.execute(
                f"UPDATE batches SET {what}, updated = ? WHERE token = ?", (*texts, encoding.now_ms(), token)
            ),
            full=True,
        )


def _batch(row: tuple[str, str | bytes, str, int, str, str, str, str, int]) -> Batch:
    token, respondent, address, requests, field, remote, file, state, created = row
    return Batch(token, encoding.from_text(respondent), address, requests, field, remote, file, state, created)


def _pictures(replay: Replay, row: int) -> int:
    call = replay.call(row)
    contents = [message["content"] for message in call.request["messages"]] if call is not None else []
    parts = [part for content in contents if isinstance(content, list) for part in content]
    return sum(part["type"] == "image_url" for part in parts)


def _end(db: sqlite3.Connection, token: str, state: str) -> None:
    values = (encoding.to_text(state), encoding.now_ms(), token)
    db.execute("UPDATE batches SET ended = 1, state = ?, updated = ? WHERE token = ?", values)
