"""What the rest of a run will take, from a few of its trajectories: those of the probe, which are asked and kept, so
that they are asked once, and what was stored of the run before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from core.estimating import Bill, StepClock, Took, bill
from core.planning import count_steps
from core.records import Item
from core.respondents.base import Respondent
from core.selection import Handful
from sessions import encoding
from sessions.opening import OpenRun

PROBE: Final = 8
LOOKED_AT: Final = 200
"""Of so many items, spread over all of them, what is stored is taken into account."""

_TOOK: Final = (
    "SELECT s.trajectory, sum(c.attempts), total(c.prompt_tokens), total(c.completion_tokens), total(c.cost),"
    " count(c.cost), count(c.id), total(c.seconds) FROM steps AS s LEFT JOIN calls AS c ON c.id = s.call"
    " WHERE s.trajectory IN (SELECT value FROM json_each(?1)) AND ?2 IS NULL GROUP BY s.trajectory"
)
_JUDGED: Final = (
    "SELECT s.trajectory, sum(c.attempts), total(c.prompt_tokens), total(c.completion_tokens), total(c.cost),"
    " count(c.cost), count(c.id), total(c.seconds) FROM judgements AS j JOIN steps AS s ON s.id = j.step"
    " JOIN scorers AS w ON w.id = j.scorer LEFT JOIN calls AS c ON c.id = j.call"
    " WHERE s.trajectory IN (SELECT value FROM json_each(?1)) AND w.name = ?2 GROUP BY s.trajectory"
)


@dataclass(frozen=True, slots=True)
class Spent:
    """What the probe came to, failed calls and a judge's with it."""

    trajectories: int
    calls: int
    tokens: int
    cost: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of the trajectories ``asked_for``, ``left`` are still to be asked, judging by ``seen`` of them; ``judge`` is
    what judging them takes besides. Both are None where nothing was seen that came to its end."""

    asked_for: int
    left: int
    seen: int
    answers: Bill | None
    judge: Bill | None

    @property
    def cost(self) -> float | None:
        """USD of all of it, None where a price is not known."""
        bills = [each for each in (self.answers, self.judge) if each is not None]
        costs = [each.cost.value for each in bills if each.cost is not None]
        return sum(costs) if bills and len(costs) == len(bills) else None


class Probe:
    """A few trajectories of a run that are asked first: as many as are missing of what is looked at."""

    def __init__(self, opened: OpenRun) -> None:
        self._whole = opened.prepared
        self._looked_at = _spread(opened.prepared.selection, len(opened.prepared.selection), LOOKED_AT)
        open_ones = [item for item in self._looked_at if not opened.journal.done_among((item,), 1)]
        missing = max(0, PROBE - (len(self._looked_at) - len(open_ones)))
        asked = Handful(opened.prepared.selection, _spread(open_ones, len(open_ones), missing))
        plan = replace(opened.prepared.plan, repeats=1)
        self.opened = replace(opened, prepared=replace(opened.prepared, selection=asked, plan=plan))
        self._last_call = self._largest()
        self.in_flight = (len(asked) + 1) // 2
        """So many are asked at once at most: the others are timed."""
        self.clock = StepClock(self.in_flight)

    def spent(self, seconds: float) -> Spent:
        """What it came to. ``seconds``: how long it took."""
        calls, tokens, cost, priced = self._db.execute(
            "SELECT ifnull(sum(attempts), 0), ifnull(sum(prompt_tokens + completion_tokens), 0), total(cost),"
            " count(cost) FROM calls WHERE run = ? AND id > ?",
            (self.opened.run.id, self._last_call),
        ).fetchone()
        asked = len(self.opened.prepared.selection)
        return Spent(asked, calls, tokens, cost if priced or not calls else None, seconds)

    def estimate(self, seconds: float, concurrency: int, judge: tuple[str, Respondent] | None) -> Estimate:
        """What is left. ``seconds`` that the probe took tell how long it takes where nobody is called; ``judge``:
        name and respondent."""
        whole, plan = self._whole, self._whole.plan
        rows = self._done()
        asked_for = len(whole.selection) * plan.repeats
        left = asked_for - self.opened.journal.done_among(whole.selection, plan.repeats)
        sizes = {row: max(1, whole.steps_of(item)) for row, item in rows.items()}
        took = self._took(_TOOK, sizes, None)
        if not took:
            return Estimate(asked_for, left, 0, None, None)
        at_once, asked, pace = (
            concurrency or plan.respondent.in_flight,
            self.opened.prepared.selection,
            self.clock.pace(),
        )
        if not any(each.calls for each in took) and len(asked):
            # nobody is called: what it takes is this process's own time, whatever is done at once
            step_s = pace.each_s / self.in_flight if pace is not None else seconds / sum(each.size for each in took)
            took, at_once = [replace(each, seconds=step_s * each.size) for each in took], 1
        to_come = count_steps(whole) * left / asked_for
        answers = bill(took, to_come, at_once, _limits(plan.respondent), pace)
        judged = None
        if judge is not None and (looked := self._took(_JUDGED, sizes, judge[0])):
            judged = bill(looked, to_come, judge[1].in_flight, _limits(judge[1]))
        return Estimate(asked_for, left, len(took), answers, judged)

    # -- parts

    @property
    def _db(self) -> sqlite3.Connection:
        return self.opened.store.reader()

    def _largest(self) -> int:
        largest: int = self._db.execute("SELECT ifnull(max(id), 0) FROM calls").fetchone()[0]
        return largest

    def _done(self) -> dict[int, Item]:
        """The rows of the done trajectories that are looked at."""
        query = (
            "SELECT t.id FROM items AS i JOIN trajectories AS t ON t.item = i.id"
            " WHERE i.hash = ? AND t.run = ? AND t.repeat = 0 AND t.parent IS NULL AND t.progress = 1"
        )
        found: dict[int, Item] = {}
        for item in self._looked_at:
            row = self._db.execute(query, (bytes.fromhex(item.hash), self.opened.run.id)).fetchone()
            if row is not None:
                found[row[0]] = item
        return found

    def _took(self, query: str, sizes: dict[int, int], scorer: str | None) -> list[Took]:
        name = None if scorer is None else encoding.to_text(scorer)
        rows: Iterable[tuple[Any, ...]] = self._db.execute(query, (encoding.to_json(list(sizes)), name))
        return [
            Took(sizes[row], calls or 0, int(prompt), int(said), cost if priced == made else None, seconds)
            for row, calls, prompt, said, cost, priced, made, seconds in rows
        ]


def _limits(respondent: Respondent) -> Any:
    """Its settings, where they hold limits a minute."""
    settings = getattr(respondent, "settings", None)
    return settings if hasattr(settings, "requests_per_minute") else None


def _spread(items: Iterable[Item], count: int, most: int) -> Sequence[Item]:
    """So many at most, evenly over all of them: what lies first in a file is often of one kind."""
    if count <= most:
        return list(islice(items, count))
    wanted = {index * count // most for index in range(most)}
    return [item for index, item in enumerate(items) if index in wanted]
