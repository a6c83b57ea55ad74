"""The workers of one run: who has room, who is gone and replaced, and when it is no use."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Callable
from typing import Final

from core.errors import RespondentError
from core.events import Failed
from core.executors import Home
from core.records import Json, Progress, Trajectory
from core.respondents.budget import Budget
from core.workers.errand import Outcome
from core.workers.hand import Hand, NoPlanError
from core.workers.links import Hiring, LinkLostError
from core.workers.terms import Terms
from core.workers.words import pack

AHEAD: Final = 64
"""So many trajectories lie ready at a worker at most, beside those under way."""

STRIKES: Final = 5
"""So many workers may die over one trajectory before it fails, and so many in a row that answered nothing."""

PAUSE_S: Final = 0.25
LONGEST_PAUSE_S: Final = 30.0
LAST_WORDS_S: Final = 1.0


class Crew:
    """Implements ``core.executors.Elsewhere``. Enter it in the event loop of the run.

    ``terms`` are those of the worker of a number. ``tell`` takes lines for the user. ``budget`` pays for what workers
    ask. ``restarts`` and ``again`` count workers that were replaced and trajectories that were sent out again.
    """

    def __init__(
        self,
        hiring: Hiring,
        terms: Callable[[int], Terms],
        tell: Callable[[str], None],
        *,
        budget: Budget | None = None,
        pause_s: float = PAUSE_S,
    ) -> None:
        self._hiring = hiring
        self.terms = [terms(number) for number in range(hiring.count)]
        self._tell = tell
        self._budget = budget
        self._pause_s = pause_s
        self.hands: dict[int, Hand] = {}
        self.restarts = 0
        self.again = 0
        self._jobs = itertools.count(1)
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._employing: list[asyncio.Future[None]] = []
        self._watching: asyncio.Future[None] | None = None
        self._deaths = 0
        self._error: Exception | None = None
        self._closing = False

    @property
    def in_flight(self) -> int:
        """Room at all workers together."""
        return sum(self._room(terms) for terms in self.terms)

    def to_json(self) -> dict[str, Json]:
        """What became of it."""
        return {"where": self._hiring.words, "replaced": self.restarts, "asked_again": self.again}

    async def __aenter__(self) -> Crew:
        self._employing = [asyncio.ensure_future(self._employ(number)) for number in range(self._hiring.count)]
        self._watching = asyncio.ensure_future(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let the workers say what they owe, then end them."""
        self._closing = True
        if self._watching is not None:
            self._watching.cancel()
        for hand in self.hands.values():
            hand.stop()
        await asyncio.wait(self._employing, timeout=LAST_WORDS_S)
        for employing in self._employing:
            employing.cancel()
        await asyncio.gather(*self._employing, return_exceptions=True)
        await self._hiring.close()

    async def to_end(self, trajectory: Trajectory, home: Home) -> None:
        """Raises what stopped it, or all of it. A trajectory over which worker after worker dies fails."""
        deaths = 0
        while trajectory.progress is Progress.OPEN:
            hand = await self._seat()
            errand = hand.errand(next(self._jobs), trajectory, home)
            hand.begin(errand)
            outcome: Outcome | None = None
            try:
                outcome = await errand.done
            finally:
                hand.leave(errand, drop=outcome in (None, Outcome.AGAIN))
                await errand.closed()
                self._wake(1)
                self._deaths = 0 if errand.kept else self._deaths
            if outcome is Outcome.OVER:
                return
            trajectory = errand.trajectory
            if outcome is Outcome.LOST:
                self.again += 1
                deaths = 0 if errand.kept else deaths + bool(errand.asked)
                if deaths == STRIKES:
                    await _give_up(trajectory, errand.asked, home)
                    return

    # -- who has room

    async def _seat(self) -> Hand:
        while True:
            if self._error is not None:
                raise self._error
            hand = max(self.hands.values(), key=lambda hand: hand.free, default=None)
            if hand is not None and hand.free > 0:
                return hand
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                if waiter.done() and not waiter.cancelled():
                    self._wake(1)
                raise

    def _wake(self, count: int) -> None:
        while count > 0 and self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                count -= 1

    @staticmethod
    def _room(terms: Terms) -> int:
        return terms.at_once + min(terms.at_once, AHEAD)

    # -- workers come and go

    async def _employ(self, number: int) -> None:
        """Keep that place filled."""
        terms = pack(self.terms[number])
        while not self._closing and self._error is None:
            try:
                link = await self._hiring.hire(number, terms)
                hand = Hand(number, link, self._room(self.terms[number]), self._budget, self._teller(number))
                self.hands[number] = hand
                try:
                    await hand.listen(lambda hand: self._wake(hand.room))
                finally:
                    self.hands.pop(number)
                    await hand.lost()
            except LinkLostError as lost:
                if not self._closing:
                    await self._replace(number, str(lost))
            except asyncio.CancelledError:
                raise
            except NoPlanError as broken:  # it would be the same everywhere
                self._fail(self._hiring.explained(broken.error, number, broken.host))
            except Exception as error:  # noqa: BLE001  (a fault, too)
                self._fail(error)

    async def _watch(self) -> None:
        try:
            await self._hiring.watch()
        except Exception as error:  # noqa: BLE001  (whatever it is ends the run)
            self._fail(error)

    async def _replace(self, number: int, why: str) -> None:
        self.restarts += 1
        self._deaths += 1
        if self._deaths > STRIKES * self._hiring.count:
            self._fail(
                RespondentError(
                    f"{self._deaths} workers died one after the other and answered nothing: {why}",
                    remedy="Run it without --on to see what happens; all that was answered before is kept",
                )
            )
            return
        self._tell(f"worker {number + 1} is gone ({why}); another takes its place")
        if self._deaths > 1:
            await asyncio.sleep(min(self._pause_s * 2.0 ** (self._deaths - 2), LONGEST_PAUSE_S))

    def _teller(self, number: int) -> Callable[[str], None]:
        return lambda line: self._tell(f"worker {number + 1}: {line}")

    def _fail(self, error: Exception) -> None:
        self._error = self._error or error
        for hand in self.hands.values():
            for errand in hand.errands.values():
                errand.fail(self._error)
        self._wake(len(self._waiting))


async def _give_up(trajectory: Trajectory, step: str, home: Home) -> None:
    reason = f"{STRIKES} workers died while it was asked"
    failed = await home.journal.finish(trajectory, Progress.FAILED, reason, step=step)
    home.tell(Failed(failed, step, reason))
