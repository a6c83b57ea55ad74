"""Asking again, and not too soon: retries and waits, on a clock that tests can turn."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, TypeVar

from core.respondents.base import OnWait
from core.respondents.failures import FailedError, Failure

T = TypeVar("T")

MINUTE: Final = 60.0
_ERROR_WAITS: Final = (1.0, 30.0)
_BUSY_WAITS: Final = (5.0, 60.0)
_JITTER: Final = 0.25


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as this room sees it: that of the running event loop, whose ``sleep`` and time-outs go by it too."""

    now: Callable[[], float] = field(default=lambda: asyncio.get_running_loop().time())
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    today: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


class Persistence:
    """Repeats an attempt until it succeeds, or fails for good.

    Errors are asked ``attempts`` times in all, with growing waits. A busy server is waited for as long as it asks,
    and until ``patience_s`` have been waited in all: a limit of so many a minute renews itself, however few attempts
    there are.
    """

    def __init__(self, attempts: int, patience_s: float, clock: Clock, chances: random.Random) -> None:
        self._attempts = attempts
        self._patience_s = patience_s
        self._clock = clock
        self._chances = chances

    async def run(self, attempt: Callable[[], Awaitable[T]], on_wait: OnWait | None = None) -> tuple[T, int]:
        """(result, requests made). Raises FailedError with the last failure."""
        requests = errors = busy = 0
        waited = 0.0
        while True:
            requests += 1
            try:
                return await attempt(), requests
            except FailedError as error:
                failure = error.failure
            if failure.free:
                continue
            if failure.busy:
                busy += 1
                wait = self._busy_wait(failure, busy)
                if waited + wait > self._patience_s and waited >= min(MINUTE, self._patience_s):
                    raise FailedError(_busy_for_good(failure, waited, requests), requests)
                if wait > self._patience_s:
                    raise FailedError(_asks_too_long(failure, wait), requests)
                waited += wait
            else:
                errors += 1
                if not failure.retry or errors >= self._attempts:
                    raise FailedError(failure, requests)
                wait = max(self._backoff(*_ERROR_WAITS, errors), failure.wait or 0.0)
                if wait > self._patience_s:
                    raise FailedError(_asks_too_long(failure, wait), requests)
            if on_wait is not None:
                on_wait(failure.what, wait, requests)
            await self._clock.sleep(wait)

    def _busy_wait(self, failure: Failure, count: int) -> float:
        if failure.wait is None:
            return self._backoff(*_BUSY_WAITS, count)
        return max(failure.wait, self._backoff(1.0, 30.0, count) if failure.wait < 1 else failure.wait)

    def _backoff(self, first: float, most: float, count: int) -> float:
        return min(most, first * 2.0 ** min(count - 1, 30)) * (1 + self._chances.random() * _JITTER)


def _busy_for_good(failure: Failure, waited: float, requests: int) -> Failure:
    what = f"the server is still busy after {requests} requests and {waited:.0f} s of waiting ({failure.what})"
    return replace(failure, what=what, remedy="Lower concurrency or set requests_per_minute")


def _asks_too_long(failure: Failure, wait: float) -> Failure:
    what = f"the server asks to wait {wait:.0f} s ({failure.what})"
    return replace(failure, what=what, fatal=True, remedy="Run the same command again then, or raise patience_s")
