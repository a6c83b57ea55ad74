"""What a screen can do without at first, read in a thread behind it: all items, how they came out, accuracy, checks.

The thread may be left alone at any moment: it only reads, and hands what it found to the event loop.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, TypeAlias

from core.errors import PhoropterError, UsageError
from core.records import Item
from core.tally import Tally
from sessions import browsing, encoding
from sessions.background import refuse_while_out
from sessions.cells import run_tally
from sessions.reopening import Reopened, Source, difference, source
from tui.state.accuracy import Lane
from tui.state.gate import Gate
from tui.state.live import Live
from tui.state.own_ways import on_screen
from tui.state.standing import stored_standing
from tui.state.stepping import Stepping

BATCH: Final = 25
"""Items read between two breaths: some milliseconds of work."""
BREATH_S: Final = 0.001
BETWEEN_NEWS_S: Final = 0.25

Tell: TypeAlias = Callable[[Callable[[], None]], object]
"""Has a function called in the event loop's thread."""


class Backstage:
    """Fills the shelf of ``stepping`` and everything beside it. ``rest`` are items that were begun to be read from
    the source ``found``, where that was done already."""

    def __init__(
        self,
        opened: Reopened,
        stepping: Stepping,
        live: Live,
        found: Source | None = None,
        rest: Iterator[Item] | None = None,
    ) -> None:
        self._opened = opened
        self._stepping = stepping
        self._live = live
        self._found = found
        self._rest = rest
        self._ended = threading.Event()
        self._stop = threading.Event()
        self._begun = False

    def start(self, tell: Tell, settled: Callable[[], None] = lambda: None) -> None:
        """Begin, in a thread of its own that keeps nobody from leaving; ``settled`` is told when all is read."""
        self._begun = True
        threading.Thread(target=self._guarded, args=(tell, settled), name="backstage", daemon=True).start()

    def stop(self, patience: float = 2.0) -> None:
        """End it; waits until it lets go of the store."""
        self._stop.set()
        if self._begun:
            self._ended.wait(patience)

    def stopped(self) -> None:
        """Wait until everything has been read."""
        self._ended.wait()

    def _guarded(self, tell: Tell, settled: Callable[[], None]) -> None:
        try:
            self._work(tell)
            tell(settled)
        except PhoropterError as error:
            words = str(error)
            tell(lambda: self._broken(words))
        except Exception as error:
            if not self._stop.is_set():  # a store that is closed under a reader is no fault
                words = f"{type(error).__name__}: {error}"
                tell(lambda: self._broken(words))
                raise
        finally:
            self._ended.set()

    def _work(self, tell: Tell) -> None:
        opened, stepping = self._opened, self._stepping
        found = self._found or source(opened)
        rest = self._rest if self._rest is not None else iter(found.items)
        if found.missing:
            tell(lambda: self._missing(found.missing))
        quick = found.stored or not opened.plan.looks or opened.pictures.drawn
        if quick:
            self._open_gate(tell, found)
        before, started = stepping.counted, encoding.now_ms()
        tally = run_tally(opened.store, opened.run)
        lanes = stepping.lanes_of(tally)
        tell(lambda: self._counted(tally, lanes, before))
        for page in browsing.outcomes(opened.store, opened.run, stepping.scorer):
            standings = {outcome.key: stored_standing(outcome) for outcome in page}
            tell(lambda standings=standings: stepping.roster.take_standings(standings))  # type: ignore[misc]
            if self._breathe():
                return
        tell(lambda: stepping.roster.take_standings({}, all_known=True))
        tell(lambda: self._live.begin(started))
        if not self._fill(tell, rest):
            return
        config = opened.run.config
        remarks = browsing.remarks(opened.store, config.benchmark, config.subset)
        tell(lambda: stepping.roster.take_remarks(remarks))
        if not quick:
            self._open_gate(tell, found)

    def _fill(self, tell: Tell, rest: Iterator[Item]) -> bool:
        stepping, told_at = self._stepping, 0.0
        while batch := list(islice(rest, BATCH)):
            stepping.items.add(batch)
            if time.monotonic() - told_at >= BETWEEN_NEWS_S:
                told_at = time.monotonic()
                tell(lambda: stepping.found_more(complete=False))
            if self._breathe():
                return False
        tell(lambda: stepping.found_more(complete=True))
        return True

    def _breathe(self) -> bool:
        """Let the event loop have the interpreter. True where it is time to end."""
        return self._stop.wait(BREATH_S)

    def _counted(self, tally: Tally, lanes: tuple[Lane, ...], before: int) -> None:
        if self._stepping.counted == before:
            self._stepping.take_tally(tally, lanes)
            self._stepping.on_change()
        else:
            self._stepping.to_recount = True

    def _missing(self, words: str) -> None:
        self._stepping.gate.missing = words
        self._stepping.on_change()

    def _broken(self, words: str) -> None:
        """Whoever waits to ask must not wait for ever."""
        if self._stepping.gate.shut:
            self._stepping.gate.open(lambda item: f"nobody can be asked: {words}")
        self._missing(words)

    def _open_gate(self, tell: Tell, found: Source) -> None:
        opened, gate = self._opened, self._stepping.gate
        why = opened.hindrance or difference(opened, found)

        def asking(item: Item) -> str:
            if why:
                return f"nobody can be asked in this run: {why}"
            if found.stored and opened.plan.looks and not opened.pictures.holds(item):
                return "nobody can be asked: the pictures of this item are not in the store"
            try:
                refuse_while_out(opened.store, opened.run)  # now: another process may send or collect them
            except UsageError as error:
                return on_screen(error)
            return ""

        def done() -> None:
            gate.open(asking)
            said = [found.missing, f"nothing new can be asked ({why})" if why else ""]
            gate.missing = "; ".join(filter(None, said))
            self._stepping.on_change()

        tell(done)


def closed_gate(opened: Reopened) -> Gate:
    """As long as nothing is known of the data: looking is free, asking waits."""
    read_only = "the store is read-only: nothing can be stored" if opened.store.read_only else ""
    return Gate(read_only, read_only, shut=True)
