"""So many requests and so many tokens a minute, for all calls of one respondent."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final

from core.respondents.patience import MINUTE, Clock

_LOOK_AGAIN: Final = 1.0
_INSTANT: Final = 1e-6


@dataclass(slots=True)
class Taken:
    """What one request took of a limit, until it is known better."""

    at: float
    amount: float


class Rate:
    """At most so much in any minute, spread evenly over it; a second's worth may go at once.

    What does not fit into a minute at all goes when nothing else went in the last one.
    """

    def __init__(self, per_minute: float, now: float) -> None:
        self._limit = per_minute
        ahead = max(0.0, 1.0 - MINUTE / per_minute)
        self._interval = (MINUTE + ahead) / per_minute
        self._ahead = ahead
        self._next = now
        self._taken: deque[Taken] = deque()
        self._sum = 0.0

    def wait(self, amount: float, now: float) -> float:
        """Seconds until so much may go."""
        while self._taken and self._taken[0].at <= now - MINUTE:
            self._sum -= self._taken.popleft().amount
        wait = max(0.0, self._next - self._ahead - now)
        if self._taken and self._sum + amount > self._limit:
            freed, later = self._sum + amount - self._limit, self._taken[-1].at
            for taken in self._taken:
                freed -= taken.amount
                if freed <= 0:
                    later = taken.at
                    break
            wait = max(wait, later + MINUTE - now)
        return wait

    def take(self, amount: float, now: float) -> Taken:
        """So much goes now."""
        self._next = max(self._next, now) + amount * self._interval
        taken = Taken(now, amount)
        self._taken.append(taken)
        self._sum += amount
        return taken

    def correct(self, taken: Taken, amount: float) -> None:
        """It was another amount."""
        change = amount - taken.amount
        taken.amount = amount
        self._next += change * self._interval
        if self._taken and taken.at >= self._taken[0].at:
            self._sum += change


class Pace:
    """Holds both limits: the tokens of a request are guessed before it goes, and put right when it was counted."""

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None, clock: Clock) -> None:
        now = clock.now()
        self._clock = clock
        self._requests = Rate(requests_per_minute, now) if requests_per_minute else None
        self._tokens = Rate(tokens_per_minute, now) if tokens_per_minute else None
        self._turn = asyncio.Lock()

    async def turn(self, tokens: int) -> Taken | None:
        """Wait until a request of about so many tokens may go, first come, first served."""
        if self._requests is None and self._tokens is None:
            return None
        async with self._turn:
            while (wait := self._wait(tokens)) > _INSTANT:
                await self._clock.sleep(min(wait, _LOOK_AGAIN) if self._tokens else wait)
            now = self._clock.now()
            if self._requests is not None:
                self._requests.take(1, now)
            return self._tokens.take(tokens, now) if self._tokens is not None else None

    def counted(self, taken: Taken | None, tokens: int) -> None:
        """The request came to that many tokens."""
        if self._tokens is not None and taken is not None:
            self._tokens.correct(taken, tokens)

    def _wait(self, tokens: int) -> float:
        now = self._clock.now()
        return max(
            self._requests.wait(1, now) if self._requests is not None else 0.0,
            self._tokens.wait(tokens, now) if self._tokens is not None else 0.0,
        )
