"""What is said of a judge's work: its counts and costs stand apart from the respondent's."""

from __future__ import annotations

from collections import Counter
from typing import Any

from core.judging.judge import JUDGE_ERROR
from core.prices import usd
from sessions.judging import Judging
from tui.cli.output import say
from tui.counting import counted, more_than
from tui.inert import one_line

NAMED = 10


def judge_document(judging: Judging) -> dict[str, Any]:
    """A judge's pass in ``--json``. ``failed`` names the answers that got no score."""
    totals = judging.totals
    return {
        "name": judging.judge.name,
        "version": judging.version,
        "judged": totals.judged,
        "unasked": totals.unasked,
        "errors": totals.errors,
        "failed": [
            {"item": item, "step": step, "status": JUDGE_ERROR, "reason": reason}
            for item, step, reason in totals.failed
        ],
        "left": totals.left,
        "stopped": str(totals.stopped_by) if totals.stopped_by is not None else "",
        "seconds": round(totals.seconds, 3),
        "tokens": {"prompt": totals.prompt_tokens, "completion": totals.completion_tokens},
        "cost": totals.cost,
    }


def tell_judged(run: str, judging: Judging) -> None:
    """The same for a person."""
    totals, name = judging.totals, judging.judge.name
    if totals.stopped_by is not None:
        say(f"phoropter: judging {run} by {name} stopped: {totals.stopped_by}")
    parts = [f"{counted(totals.judged, 'answer')} judged by {name}"]
    if totals.unasked:
        parts.append(f"{totals.unasked} of them refused or empty, so that nobody was asked")
    if totals.errors:
        parts.append(f"{totals.errors} {JUDGE_ERROR}")
    if totals.left:
        parts.append(f"{totals.left} not asked about")
    tokens = totals.prompt_tokens + totals.completion_tokens
    if tokens:
        parts.append(f"{counted(tokens, 'token')} of the judge's")
    if totals.cost is not None:
        parts.append(f"{usd(totals.cost)} for it")
    say(f"{run}: {', '.join(parts)}")
    reasons = Counter(reason for _, _, reason in totals.failed)
    for reason, count in reasons.most_common(NAMED):
        places = [f"{item} {step}" for item, step, why in totals.failed if why == reason]
        told = ", ".join(map(one_line, places[:NAMED])) + (", ..." if len(places) > NAMED else "")
        say(f"  {count} x {one_line(reason)}: {told}")
    if more := more_than(NAMED, len(reasons), "reason"):
        say(f"  {more}")
    if totals.errors or totals.left:
        say(f"  phoropter score {run} --judge NAME asks about just those again")
