"""The accuracy drawer's state: what is wanted, and the sheet of it, kept up to date while something runs.

The store is looked at for changes, and read again only where there is one: at most four times a second, and for no
more than a quarter of the time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from core.errors import PhoropterError
from core.records import named
from sessions.browsing import version
from sessions.runs import Run, find_run, runs
from sessions.store import Store
from tui.state import panel
from tui.state.panel import VIEWS, Found, View, Wanted
from tui.state.sheet import Sheet

T = TypeVar("T", bound=str)
Chosen = Callable[[], frozenset[str] | None]
"""The ids of the items in the filter; None where there is no filter."""

BETWEEN_S: Final = 0.25
SHARE: Final = 4
PAGES: Final = 8
"""Pages that are kept to be turned back to at once."""


class Watching:
    """Watches one run's accuracy, and what stands beside it. All methods belong to the event loop's thread."""

    def __init__(
        self, store: Store, run: Run, scorer: str, chosen: Chosen, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.wanted = Wanted((run,), scorer=scorer, only=chosen())
        self.found = Found()
        self.sheet = Sheet("", notes=("reading",))
        self.note = ""
        self._store = store
        self._chosen = chosen
        self._clock = clock
        self._version = -1
        self._due = 0.0
        self._read: Wanted | None = None
        self._pages: list[tuple[Wanted, Found, Sheet]] = []
        self._busy = False
        self._pending: list[Callable[[], None]] = []

    @property
    def busy(self) -> bool:
        return self._busy

    def stirred(self) -> bool:
        """Whether it is time to read, and there is something new to read. Costs microseconds."""
        if self._busy:
            return False
        self.wanted = replace(self.wanted, only=self._chosen())
        if self.wanted != self._read:
            return True
        return self._clock() >= self._due and version(self._store) != self._version

    async def refresh(self) -> None:
        """Read what is wanted, in a thread, and make the sheet of it."""
        wanted, began = self.wanted, self._clock()
        self._busy, self._version = True, version(self._store)
        try:
            found = await asyncio.to_thread(panel.read, self._store, wanted)
            sheet = await asyncio.to_thread(panel.sheet, found, wanted)
        except PhoropterError as error:
            found, sheet = self.found, Sheet("", notes=(str(error),))
        finally:
            self._busy = False
            now = self._clock()
            self._due = now + max(BETWEEN_S, (now - began) * (SHARE - 1))
        first, self._read = self._read is None, wanted
        others = [page for page in self._pages if page[0] != wanted]
        self._pages = [*others[1 - PAGES :], (wanted, found, sheet)]
        if wanted == self.wanted:  # else another page was turned to meanwhile, which may be there already
            self.found, self.sheet = found, sheet
        elif first:
            self.found = found
        pending, self._pending = self._pending, []
        for command in pending:
            command()

    def recall(self) -> bool:
        """Turn to what is wanted as it was when it was read last; False where it never was. What is new follows."""
        for wanted, found, sheet in self._pages:
            if wanted == self.wanted:
                self.found, self.sheet = found, sheet
                return True
        return False

    def _waits(self, command: Callable[[], None]) -> bool:
        """Whether nothing has been read yet: a command that turns to something that was found is done once it has."""
        if self._read is None:
            self._pending.append(command)
        return self._read is None

    # -- what is wanted

    def look_at(self, view: View) -> None:
        self.wanted = replace(self.wanted, view=view, step="")

    def next_view(self, by: int) -> None:
        self.look_at(_next(VIEWS, self.wanted.view, by))

    def next_group(self, by: int = 1) -> None:
        """Broken down by the next of the benchmark's groups; first by the one shown."""
        groups = self.wanted.groups
        if self.wanted.view != "groups":
            self.wanted = replace(self.wanted, view="groups", step="", group_by=self.wanted.group_by or groups[0])
        else:
            self.wanted = replace(self.wanted, group_by=_next(groups, self.wanted.group_by or groups[0], by))

    def next_step(self, by: int) -> None:
        """The step that groups and runs are told of."""
        if self._waits(lambda: self.next_step(by)):
            return
        names = panel.steps(self.found, self.wanted)
        if self.wanted.view in ("groups", "runs") and names:
            self.wanted = replace(self.wanted, step=_next(names, self.wanted.step or names[-1], by))
        else:
            self.note = "this page shows every step"

    def next_lane(self) -> None:
        """The plain answers, and every what-if."""
        if self._waits(self.next_lane):
            return
        lanes = panel.lanes(self.found, self.wanted.scorer)
        if len(lanes) < 2:
            self.note = "there is no what-if in this run"
        else:
            self.wanted = replace(self.wanted, lane=_next(lanes, self.wanted.lane, 1))

    def next_scorer(self) -> None:
        """The rule, and every judge."""
        if self._waits(self.next_scorer):
            return
        scorers = panel.scorers(self.found)
        if len(scorers) < 2:
            self.note = f"{self.wanted.scorer} alone has scored this run"
        else:
            self.wanted = replace(self.wanted, scorer=_next(scorers, self.wanted.scorer, 1))

    def switch_published(self) -> None:
        self.wanted = replace(self.wanted, published=not self.wanted.published)

    def others(self) -> list[Run]:
        """Runs of the same benchmark and subset, the newest first, without the one looked at."""
        first = self.wanted.runs[0]
        mine = named(first.config.benchmark, first.config.subset)
        found = (summary.run for summary in runs(self._store))
        return [
            run for run in found if run.uid != first.uid and named(run.config.benchmark, run.config.subset) == mine
        ]

    def take_runs(self, chosen: Sequence[str]) -> None:
        """These runs, by uid, beside the one looked at."""
        beside = tuple(find_run(self._store, uid, exact=True) for uid in chosen)
        view: View = self.wanted.view if self.wanted.view == "survival" else "runs"
        self.wanted = replace(self.wanted, runs=(self.wanted.runs[0], *beside), view=view)


def _next(values: Sequence[T], now: T, by: int) -> T:
    at = values.index(now) if now in values else 0
    return values[(at + by) % len(values)]
