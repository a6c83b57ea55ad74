"""How an item came out, by its plain path: what the item list shows and what "next failing" looks for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.records import Progress, Trajectory, first_wrong
from sessions.reading import ItemStatus


@dataclass(frozen=True, slots=True)
class Standing:
    """A sign and a word for an item; ``failing`` where a step is wrong or a call failed."""

    sign: str
    word: str
    failing: bool = False


UNKNOWN = Standing(" ", "")
NOT_RUN = Standing("·", "not run")
OPEN = Standing("…", "open")
RIGHT = Standing("✓", "all right")


def standing(trajectories: Iterable[Trajectory], scorer: str) -> Standing:
    """The standing of an item by the first of its trajectories that no intervention lies behind."""
    main = next((t for t in trajectories if t.parent is None and t.repeat == 0), None)
    if main is None or not (main.steps or main.progress is Progress.FAILED):
        return NOT_RUN
    wrong = first_wrong(main.steps, scorer)
    if wrong is not None:
        return Standing("✗", f"wrong at {main.steps[wrong].turn.step}", failing=True)
    if main.progress is Progress.FAILED:
        return Standing("!", "failed", failing=True)
    return RIGHT if main.progress is Progress.DONE else OPEN


def stored_standing(status: ItemStatus) -> Standing:
    """The same as the store knows it, without reading any trajectory."""
    if status.progress is None:
        return NOT_RUN
    if status.first_wrong:
        return Standing("✗", f"wrong at {status.first_wrong}", failing=True)
    if status.progress is Progress.FAILED:
        return Standing("!", "failed", failing=True)
    return RIGHT if status.progress is Progress.DONE else OPEN
