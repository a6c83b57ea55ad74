"""How an item came out, by its plain path: what the item list shows and what "next failing" looks for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from core.records import Progress, Trajectory, first_wrong
from sessions.browsing import Outcome


@dataclass(frozen=True, slots=True)
class Standing:
    """A sign and words for an item. ``status`` is what it is filtered by, ``step`` its first wrong step; ``failing``
    where a step is wrong or a call failed."""

    sign: str
    word: str
    status: str = ""
    failing: bool = False
    step: str = ""


UNKNOWN = Standing(" ", "")
NOT_RUN = Standing("·", "not run", "not-run")
OPEN = Standing("…", "open", "open")
RIGHT = Standing("✓", "all right", "right")
FAILED = Standing("!", "failed", "failed", failing=True)
STATUSES = ("not-run", "open", "right", "wrong", "failed")


@lru_cache(maxsize=4096)
def wrong_at(step: str) -> Standing:
    """Wrong, first at that step."""
    return Standing("✗", f"wrong at {step}", "wrong", failing=True, step=step)


def standing(trajectories: Iterable[Trajectory], scorer: str) -> Standing:
    """The standing of an item by the first of its trajectories that no intervention lies behind."""
    main = next((t for t in trajectories if t.parent is None and t.repeat == 0), None)
    if main is None or not (main.steps or main.progress is Progress.FAILED):
        return NOT_RUN
    wrong = first_wrong(main.steps, scorer)
    return _standing(main.progress, "" if wrong is None else main.steps[wrong].turn.step)


def stored_standing(outcome: Outcome) -> Standing:
    """The same as the store knows it, without reading any trajectory."""
    return _standing(outcome.progress, outcome.first_wrong)


def _standing(progress: Progress, first_wrong_step: str) -> Standing:
    if first_wrong_step:
        return wrong_at(first_wrong_step)
    if progress is Progress.FAILED:
        return FAILED
    return RIGHT if progress is Progress.DONE else OPEN
