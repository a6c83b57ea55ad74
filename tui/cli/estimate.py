"""``run --estimate``: what the rest of a run will take, and what it cost to find that out."""

from __future__ import annotations

from typing import Any

from core.errors import UsageError
from core.estimating import Bill, Guess
from core.prices import usd
from core.respondents.budget import Budget
from sessions.estimating import Estimate, Spent
from tui.cli.batches import Via
from tui.cli.elsewhere import On
from tui.counting import counted, duration

UNPRICED = "not known: set price_in and price_out, or [prices], in phoropter.toml"


def refuse_others(via: Via, on: On, *, dry_run: bool, as_many: int) -> None:
    """Raises UsageError beside what asks in another way, or not at all."""
    if via.batch:
        raise UsageError(
            "an estimate asks at once, not in a batch",
            where="--estimate --via batch",
            remedy="Leave --via out; most servers take half the price for what comes in a batch",
        )
    if on.kind:
        raise UsageError(
            "an estimate asks its few here",
            where=f"--estimate --on {on.kind}",
            remedy="Leave --on out; workers then divide the hours, unless a server is the limit",
        )
    if dry_run:
        raise UsageError("a dry run asks nothing, and an estimate asks a few", where="--estimate --dry-run")
    if as_many > 1:
        raise UsageError(
            f"an estimate is of one run, not of {as_many}",
            where="--estimate",
            remedy="Name one --respondent at a time",
        )


def refuse_carried(carrier: object, run: str) -> None:
    """Raises UsageError where some of the run is out in batches, whose answers are not here yet."""
    if carrier is not None:
        raise UsageError("some of it is out in batches", where=run, remedy="Collect those first: --via batch --wait")


def document(spent: Spent, found: Estimate) -> dict[str, Any]:
    """The estimate in ``--json``; the document around it is that of the probe."""
    return {
        "asked_for": found.asked_for,
        "left": found.left,
        "seen": found.seen,
        "probe": {
            "trajectories": spent.trajectories,
            "calls": spent.calls,
            "tokens": spent.tokens,
            "cost": spent.cost,
            "seconds": round(spent.seconds, 3),
        },
        "answers": found.answers.to_json() if found.answers is not None else None,
        "judge": found.judge.to_json() if found.judge is not None else None,
        "cost": found.cost,
    }


def lines(run: str, spent: Spent, found: Estimate, ledger: Budget | None) -> list[str]:
    """The same for a person."""
    out = [f"{run}: {counted(found.asked_for, 'trajectory')}, {found.left:,} of them still to be asked"]
    if spent.trajectories:
        cost = f", {usd(spent.cost)}" if spent.cost else ""
        made = f"{counted(spent.calls, 'call')}, {counted(spent.tokens, 'token')}{cost}, {duration(spent.seconds)}"
        out.append(f"  the probe   {counted(spent.trajectories, 'trajectory')} asked now, and kept: {made}")
    else:
        out.append("  the probe   nothing was asked: enough of this run is stored")
    if found.answers is None:
        return [*out, "  no estimate: not one of them came to its end"]
    out.append(f"  judging by  {counted(found.seen, 'trajectory')}; ranges are two standard errors")
    out += _bill(found.answers)
    if found.judge is not None:
        out += ["  and the judge", *_bill(found.judge)]
    if ledger is not None and found.cost is not None:
        after = ledger.spent + ledger.uncertain + found.cost
        fits = "fits into" if after <= ledger.limit else "does not fit into"
        out.append(f"  budget      {usd(after)} in all {fits} {usd(ledger.limit)}")
    return out


def _bill(bill: Bill) -> list[str]:
    out = []
    if bill.calls.value:
        out.append(f"  calls       {_count(bill.calls)}")
        out.append(f"  tokens      {_count(bill.prompt)} asked, {_count(bill.completion)} answered")
        price = UNPRICED if bill.cost is None else _range(bill.cost, usd)
        out.append(f"  price       {price}")
    if bill.seconds is None:
        out.append("  time        not known: nothing was asked now")
    else:
        why = f"at {bill.limited}" if bill.limited else f"with {bill.at_once} at once" if bill.calls.value else "here"
        out.append(f"  time        {_range(bill.seconds, duration)} {why}")
    return out


def _count(guess: Guess) -> str:
    return _range(guess, lambda value: f"{value:,.0f}")


def _range(guess: Guess, words: Any) -> str:
    said: str = words(guess.value)
    if guess.low is None or guess.high is None:
        return said
    low, high = words(guess.low), words(guess.high)
    return said if low == said == high else f"{said} ({low} to {high})"
