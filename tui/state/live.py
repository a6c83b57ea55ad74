"""News of the store while the app is open: what a batch, here or in another process, stored on the run looked at.

Looked for at most once a second and only while somebody looks; nothing is asked of the store while nothing changed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from core.tally import Tally
from sessions import browsing
from sessions.cells import run_tally
from sessions.runs import Run
from sessions.store import Store
from tui.state.accuracy import Lane
from tui.state.standing import Standing, stored_standing
from tui.state.stepping import Stepping

MARGIN_MS = 5000
"""Changes are stamped before they can be seen: so far back is looked again."""
SHARE = 10
"""Counting a whole run anew may take one part in so many of the time."""


async def at_once() -> None:
    """Waits for nothing."""


class Live:
    """Keeps ``stepping`` up to date with the store. All methods belong to the event loop's thread."""

    def __init__(
        self, store: Store, run: Run, stepping: Stepping, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._run = run
        self._stepping = stepping
        self._clock = clock
        self._version = browsing.version(store)
        self._since = 0
        self._seen: dict[int, int] = {}
        self._recount_at = 0.0
        self._busy = False

    def begin(self, since: int) -> None:
        """What was stored before that time (in milliseconds since 1970) is known."""
        self._since = since

    def stirred(self) -> bool:
        """Whether there is anything to do. Costs microseconds."""
        if self._busy:
            return False  # and what changes meanwhile is found afterwards
        now = browsing.version(self._store)
        changed, self._version = now != self._version, now
        due = self._stepping.to_recount and self._clock() >= self._recount_at
        return changed or due

    async def refresh(self, between: Callable[[], Awaitable[None]] = at_once) -> None:
        """Read what changed, in threads, and take it over. Before each part ``between`` is waited for."""
        if self._busy:
            return
        self._busy = True
        try:
            await between()
            changed = await self._changes(between)
            await between()
            changed |= await self._remarked()
            await between()
            if self._stepping.to_recount and self._clock() >= self._recount_at:
                changed |= await self._recount()
            if changed:  # once for all of it: drawing holds up what is typed
                self._stepping.on_change()
        finally:
            self._busy = False

    async def _changes(self, between: Callable[[], Awaitable[None]]) -> bool:
        since = max(self._since - MARGIN_MS, 0)
        found = await asyncio.to_thread(browsing.touched, self._store, self._run, since)
        news = [(row, key) for row, key, updated in found if self._seen.get(row) != updated]
        self._seen = {row: updated for row, _, updated in found}
        self._since = max([self._since, *self._seen.values()])
        if not news:
            return False
        stepping = self._stepping
        foreign = {row for row, _ in news} - stepping.touched
        stepping.touched.clear()
        await between()
        standings = await asyncio.to_thread(self._standings, [row for row, _ in news])
        stepping.roster.take_standings(standings)
        if foreign:
            stepping.to_recount = True
            if any(key == stepping.item.id for row, key in news if row in foreign):
                await stepping.stored_elsewhere()
        return True

    async def _remarked(self) -> bool:
        config, roster = self._run.config, self._stepping.roster
        found = await asyncio.to_thread(browsing.remarks, self._store, config.benchmark, config.subset)
        if found == roster.all_remarks:
            return False
        roster.take_remarks(found)
        return True

    async def learn_difficulty(self) -> None:
        """How hard each item is, over all runs of the store as it is now."""
        config, scorer = self._run.config, self._stepping.scorer
        found = await asyncio.to_thread(browsing.difficulty, self._store, config.benchmark, config.subset, scorer)
        self._stepping.roster.take_difficulty(found)

    def _standings(self, trajectories: list[int]) -> dict[str, Standing]:
        found = browsing.outcomes_among(self._store, self._run, self._stepping.scorer, trajectories)
        return {outcome.key: stored_standing(outcome) for outcome in found}

    async def _recount(self) -> bool:
        """All answers of the run; later once more where one came meanwhile, missing or counted twice."""
        stepping, began = self._stepping, self._clock()
        before = stepping.counted

        def counted() -> tuple[Tally, tuple[Lane, ...]]:
            tally = run_tally(self._store, self._run)
            return tally, stepping.lanes_of(tally)

        tally, lanes = await asyncio.to_thread(counted)
        self._recount_at = self._clock() + (self._clock() - began) * SHARE
        if stepping.counted != before:
            return False
        stepping.take_tally(tally, lanes)
        return True
