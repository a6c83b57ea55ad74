"""The addresses of one model: who is asked next, how many at once, and who is left alone because nothing succeeds."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from core.prices import Load
from core.respondents.endpoint import Endpoint
from core.respondents.failures import Failure, span
from core.respondents.patience import MINUTE, Clock
from core.respondents.restraint import Breaker, Window

_JITTER: Final = 0.1
_BUSY_HOLD_S: Final = 5.0
_INSTANT: Final = 1e-6


@dataclass(slots=True)
class Replica:
    """One address. ``held_until`` is when it wants to be asked again, ``usual_tokens`` what its last call came to."""

    endpoint: Endpoint
    window: Window
    breaker: Breaker
    in_flight: int = 0
    held_until: float = 0.0
    usual_tokens: int = 1

    def free(self, now: float) -> bool:
        return self.in_time(now) and self.in_flight < int(self.window.size)

    def in_time(self, now: float) -> bool:
        return now >= self.held_until and self.breaker.ready(now)

    def next_time(self, now: float) -> float | None:
        """When it may be asked again as far as time goes; None where that is up to a call in flight."""
        if self.breaker.opened is not None and self.breaker.trying:
            return None
        until = max(self.held_until, self.breaker.until if self.breaker.opened is not None else 0.0)
        return until if until > now else None


@dataclass(slots=True)
class Errand:
    """One call on its way: ``failures`` are the attempts that failed, the last of them at ``failed_at``."""

    load: Load
    failures: int = 0
    failed_at: Replica | None = None


@dataclass(slots=True)
class _Waiting:
    """Somebody without a slot; ``woken`` is set when it is worth while to look again."""

    failures: int
    woken: asyncio.Future[None]


@dataclass(slots=True)
class Slot:
    """One attempt's place at a replica. Whoever has it says how the attempt ended: ``answered``, or the ``failure``;
    neither where it was cancelled or never sent."""

    replica: Replica
    round: int
    trying: bool
    answered: bool = False
    failure: Failure | None = None


class Replicas:
    """Hands out slots: the replica with the fewest calls, in turn; never more than ``concurrency`` in all."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        concurrency: int,
        breaks_after: int,
        patience_s: float,
        clock: Clock,
        chances: random.Random,
    ) -> None:
        self.all = [Replica(endpoint, Window(concurrency), Breaker(breaks_after)) for endpoint in endpoints]
        for replica in self.all:
            replica.endpoint.on_headers = partial(self.hear, replica)
        self._concurrency = concurrency
        self._patience_s = patience_s
        self._clock = clock
        self._chances = chances
        self._next = 0
        self._in_flight = 0
        self._waiting: list[_Waiting] = []
        self.reached = False

    @asynccontextmanager
    async def slot(self, errand: Errand) -> AsyncIterator[Slot]:
        """A place for one attempt; where the call failed last only if no other is free."""
        slot = await self._take(errand)
        try:
            yield slot
        finally:
            self._give_back(slot)

    def hear(self, replica: Replica, headers: Mapping[str, str]) -> None:
        """Limits that a reply's headers tell: where nothing is left, the replica is asked again when there is."""
        low = {
            name.lower(): value.strip() for name, value in headers.items() if name.lower().startswith("x-ratelimit")
        }
        waits = [_until_left(low, "requests", 1), _until_left(low, "tokens", replica.usual_tokens)] if low else []
        if wait := max(waits, default=0.0):
            self.hold(replica, min(wait, MINUTE))

    def hold(self, replica: Replica, seconds: float) -> None:
        """Nobody asks this replica for that long."""
        wait = seconds * (1 + self._chances.random() * _JITTER)
        replica.held_until = max(replica.held_until, self._clock.now() + wait)
        self._wake(len(self._waiting))  # they wait for the end of it from now on

    @property
    def given_up(self) -> float | None:
        """For how many seconds nothing has succeeded anywhere, once that is longer than the patience."""
        since = [replica.breaker.opened for replica in self.all]
        opened = [moment for moment in since if moment is not None]
        if len(opened) < len(since):
            return None
        seconds = self._clock.now() - max(opened)
        return seconds if seconds >= self._patience_s - _INSTANT else None

    # -- parts

    async def _take(self, errand: Errand) -> Slot:
        while True:
            now = self._clock.now()
            replica = self._choose(now, errand.failed_at)
            if replica is not None and not (replica.breaker.opened is not None and self._defers(errand)):
                break
            await self._wait(now, errand)
        trying = replica.breaker.opened is not None
        replica.breaker.trying = trying
        replica.in_flight += 1
        self._in_flight += 1
        return Slot(replica, replica.window.round, trying)

    def _choose(self, now: float, avoid: Replica | None) -> Replica | None:
        if self._in_flight >= self._concurrency:
            return None
        count = len(self.all)
        order = [(self._next + offset) % count for offset in range(count)]
        free = [number for number in order if self.all[number].free(now)]
        if not free:
            return None
        chosen = min(free, key=lambda number: (self.all[number] is avoid, self.all[number].in_flight))
        self._next = chosen + 1
        return self.all[chosen]

    def _defers(self, errand: Errand) -> bool:
        """Let somebody who has failed less often try a server that may be down, so that no call uses itself up."""
        fresher = any(waiting.failures < errand.failures for waiting in self._waiting if not waiting.woken.done())
        if fresher:
            self._wake(1)
        return fresher

    async def _wait(self, now: float, errand: Errand) -> None:
        """Until a slot is given back, or a pause ends."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(errand.failures, waiter)
        self._waiting.append(waiting)
        ends = [end for replica in self.all if (end := replica.next_time(now)) is not None]
        try:
            if not ends:
                await waiter
                return
            pause = asyncio.ensure_future(self._clock.sleep(min(ends) - now))
            try:
                await asyncio.wait((waiter, pause), return_when=asyncio.FIRST_COMPLETED)
            finally:
                pause.cancel()
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self._wake(1)
            raise
        finally:
            self._waiting = [other for other in self._waiting if other is not waiting]

    def _give_back(self, slot: Slot) -> None:
        replica, now = slot.replica, self._clock.now()
        replica.in_flight -= 1
        self._in_flight -= 1
        failure = slot.failure
        if slot.answered or (failure is not None and not (failure.retry or failure.busy)):
            self.reached = True
            replica.window.succeeded()
            replica.breaker.succeeded()
        elif failure is not None:
            self._failed(slot, failure, now)
        if slot.trying and replica.breaker.opened is not None:
            replica.breaker.trying = False
        self._wake(self._room(now))

    def _failed(self, slot: Slot, failure: Failure, now: float) -> None:
        replica = slot.replica
        self.reached = self.reached or failure.reply is not None
        if failure.overload:
            replica.window.overloaded(slot.round)
        if failure.busy:
            self._hold_back(replica, failure)
        elif self.reached:  # what never was there is told at once, not waited for
            opened = replica.breaker.opened
            replica.breaker.failed(now, tried=slot.trying, patience_s=self._patience_s)
            if opened is None and replica.breaker.opened is not None:
                self._wake(len(self._waiting))  # they wait for the end of the pause from now on

    def _hold_back(self, replica: Replica, failure: Failure) -> None:
        if failure.wait is not None:
            self.hold(replica, failure.wait)
        elif replica.window.size <= 1:  # one at a time is too many still: the limit is one of time
            self.hold(replica, _BUSY_HOLD_S)

    def _room(self, now: float) -> int:
        """How many could be asked now."""
        room = 0
        for replica in self.all:
            if replica.in_time(now):
                free = int(replica.window.size) - replica.in_flight
                room += min(free, 1) if replica.breaker.opened is not None else free
        return min(room, self._concurrency - self._in_flight)

    def _wake(self, count: int) -> None:
        """Those first who have failed least often, then those who came first."""
        if count > 0 and self._waiting:
            asleep = [waiting for waiting in self._waiting if not waiting.woken.done()]
            for waiting in sorted(asleep, key=lambda waiting: waiting.failures)[:count]:
                waiting.woken.set_result(None)


def _until_left(headers: Mapping[str, str], what: str, wanted: int) -> float:
    """Seconds until so much is left of a limit that refills evenly until its reset."""
    reset = span(headers.get(f"x-ratelimit-reset-{what}", ""))
    try:
        left = float(headers[f"x-ratelimit-remaining-{what}"])
    except (KeyError, ValueError):
        return 0.0
    if reset is None or left >= wanted:
        return 0.0
    try:
        limit = float(headers[f"x-ratelimit-limit-{what}"])
    except (KeyError, ValueError):
        return reset
    return reset if limit <= left else min(reset, reset * (wanted - left) / (limit - left))
