"""What a run has cost, in the ledger of its calls, and the budget that goes on from there."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from core.prices import Prices
from core.records import JUDGING
from core.respondents.budget import Budget, Charged
from sessions.runs import Run
from sessions.store import Store


def budget_of(store: Store, run: Run, limit: float, respondents: Sequence[object], *, judged: bool = False) -> Budget:
    """A budget of USD for this run, what it has cost so far counted, to which these respondents are charged.

    ``judged``: a judge is among them, so that what judging the run has cost before counts too. Calls that were made
    when no price was known are counted at the dearest of the respondents' prices. Raises RespondentError for a
    respondent whose calls have no bound.
    """
    charged = [respondent for respondent in respondents if isinstance(respondent, Charged)]
    spent, uncertain = spent_by(store, run, [respondent.prices for respondent in charged], judged=judged)

    async def keep(amount: float) -> None:
        await store.writer.submit(lambda db: _keep(db, run.id, amount))

    budget = Budget(limit, spent=spent, uncertain=uncertain, keep=keep)
    for respondent in charged:
        respondent.charge(budget)
    return budget


def spent_by(store: Store, run: Run, prices: Sequence[Prices] = (), *, judged: bool = False) -> tuple[float, float]:
    """USD that its calls came to (a judge's only where it is ``judged`` from the same purse), and that requests may
    have cost besides which ended without a count."""
    db = store.reader()
    known, prompt, completion = db.execute(
        "SELECT total(cost), ifnull(sum(iif(cost IS NULL, prompt_tokens, 0)), 0),"
        " ifnull(sum(iif(cost IS NULL, completion_tokens, 0)), 0) FROM calls WHERE run = ? AND (? OR purpose <> ?)",
        (run.id, judged, JUDGING),
    ).fetchone()
    unpriced = max((each.cost(prompt, completion) or 0.0 for each in prices), default=0.0)
    row = db.execute("SELECT uncertain FROM spending WHERE run = ?", (run.id,)).fetchone()
    return known + unpriced, row[0] if row is not None else 0.0


def add_uncertain(db: sqlite3.Connection, run: int, amount: float) -> None:
    """So much more may have been spent, nobody knows. Inside the writing transaction only."""
    if amount:
        db.execute(
            "INSERT INTO spending (run, uncertain) VALUES (?, ?)"
            " ON CONFLICT (run) DO UPDATE SET uncertain = uncertain + excluded.uncertain",
            (run, amount),
        )


def _keep(db: sqlite3.Connection, run: int, amount: float) -> None:
    db.execute(
        "INSERT INTO spending (run, uncertain) VALUES (?, ?)"
        " ON CONFLICT (run) DO UPDATE SET uncertain = excluded.uncertain",
        (run, amount),
    )
