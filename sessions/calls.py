"""The ledger read: an exact answer to a request asked before, and what a run has used."""

from __future__ import annotations

from dataclasses import dataclass

from core.records import Call
from sessions import encoding
from sessions.replay import Replay
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class Spending:
    """Calls of one run, failed ones among them; ``cost`` in USD is None where no call had a price."""

    calls: int
    failed: int
    attempts: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float


def answered(store: Store, request_hash: str, repeat: int = 0) -> Call | None:
    """The newest call that answered exactly this request as this repeat; errors and pending ones are none."""
    db = store.reader()
    row = db.execute(
        "SELECT id FROM calls WHERE request_hash = ? AND repeat = ? AND pending = 0 AND error = ''"
        " ORDER BY id DESC LIMIT 1",
        (encoding.to_hash(request_hash), repeat),
    ).fetchone()
    return None if row is None else Replay(db).call(row[0])


def spending(store: Store, run: int) -> Spending:
    """What the calls of a run have used so far."""
    row = (
        store.reader()
        .execute(
            "SELECT count(*), count(*) FILTER (WHERE error <> ''), ifnull(sum(attempts), 0),"
            " ifnull(sum(prompt_tokens), 0), ifnull(sum(completion_tokens), 0), sum(cost), ifnull(sum(seconds), 0.0)"
            " FROM calls WHERE run = ? AND pending = 0",
            (run,),
        )
        .fetchone()
    )
    return Spending(*row)
