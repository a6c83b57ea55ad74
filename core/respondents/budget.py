"""A sum of money that a run may cost and never passes: every request reserves the most it can cost before it goes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Protocol, TypeAlias, runtime_checkable

from core.errors import BudgetError, RespondentError
from core.prices import Prices, usd

Keep: TypeAlias = Callable[[float], Awaitable[None]]
"""Keeps on disk how much may have been charged without having been counted."""

_AGAIN: Final = "The same command with a higher --budget goes on from here"
_MEND: Final = "Set picture_tokens higher, or a max_tokens that the server keeps to"
_ROOM: Final = 1.25
_EXACT: Final = 1e-9


@runtime_checkable
class Charged(Protocol):
    """A respondent whose calls cost money."""

    @property
    def name(self) -> str: ...
    @property
    def prices(self) -> Prices: ...
    def charge(self, budget: Budget | None) -> None:
        """From now on every request reserves its cost there first. RespondentError where that has no bound."""
        ...


def may_charge(respondents: Iterable[object]) -> bool:
    """Whether calls of any of them may cost money: those of models here and of baselines never do."""
    return any(isinstance(each, Charged) and not each.prices.free for each in respondents)


def refuse_unpriced(respondents: tuple[object, ...]) -> None:
    """Raises RespondentError for one whose calls cost nobody knows what, or have no bound."""
    for respondent in (each for each in respondents if isinstance(each, Charged)):
        respondent.charge(None)
        if not respondent.prices.known:
            raise RespondentError(
                "a budget needs to know its prices",
                where=respondent.name,
                remedy="Set price_in and price_out (USD for a million tokens, 0 where it is free) in its "
                '[respondents.NAME] of phoropter.toml, or input and output in [prices."MODEL"]',
            )


class Budget:
    """The ledger of one run. ``spent`` is what replies came to; ``uncertain`` is what requests may have cost that
    ended without a count (cut off, timed out, garbled), each at its worst.

    Never do ``spent``, ``uncertain`` and what is reserved together pass ``limit``. What is reserved and uncertain is
    kept on disk ahead of the requests, so that it counts after the process was killed.
    """

    def __init__(self, limit: float, *, spent: float = 0.0, uncertain: float = 0.0, keep: Keep | None = None) -> None:
        self.limit = limit
        self.spent = spent
        self.uncertain = uncertain
        self.overrun = ""
        self._keep = keep
        self._kept = uncertain
        self._reserved = 0.0
        self._outstanding = 0
        self._turn = asyncio.Lock()
        self._settled: asyncio.Future[None] | None = None

    async def reserve(self, amount: float) -> None:
        """Set so much aside, first come, first served. What does not fit waits for requests in flight to be counted.

        Raises BudgetError once nothing is in flight and it still does not fit: a smaller one may. After a request
        that cost more than was reserved nothing fits.
        """
        async with self._turn:
            while self.overrun or not self._fits(amount):
                if not self._outstanding:
                    raise BudgetError(self.overrun or self._reached(amount), remedy=_MEND if self.overrun else _AGAIN)
                self._settled = asyncio.get_running_loop().create_future()
                await self._settled
            self._outstanding += 1
            self._reserved += amount
            try:
                await self._keep_ahead()
            except BaseException:
                self.release(amount)
                raise

    def release(self, amount: float) -> None:
        """The request was not charged: it never went, or the server refused it."""
        self._outstanding -= 1
        self._reserved = self._reserved - amount if self._outstanding else 0.0
        if self._settled is not None and not self._settled.done():
            self._settled.set_result(None)

    def settle(self, amount: float, cost: float | None, counted: str = "") -> None:
        """The request came to ``cost``; None: it may have been charged, nobody knows how much.

        A cost above what was reserved ends the run: the bounds do not hold for this server. ``counted`` says what the
        server counted.
        """
        if cost is None:
            self.uncertain += amount
        else:
            self.spent += cost
            self._look_out(amount, cost, counted)
        self.release(amount)

    async def commit(self, amount: float) -> None:
        """For a request that goes out in a batch: counted at its worst until :meth:`recount` says what it came to.

        Raises BudgetError as :meth:`reserve` does. Whoever commits keeps it on disk.
        """
        await self.reserve(amount)
        self.settle(amount, amount)

    def recount(self, amount: float, cost: float, counted: str = "") -> None:
        """What was counted at its worst came to this."""
        self.spent += cost - amount
        self._look_out(amount, cost, counted)

    async def close(self) -> None:
        """Keep what is uncertain in the end."""
        if self._keep is not None and self._kept != self.uncertain:
            self._kept = self.uncertain
            await self._keep(self.uncertain)

    def told(self) -> str:
        """What was spent, for a message."""
        maybe = f", and {usd(self.uncertain)} at most by requests that broke off" if self.uncertain else ""
        return f"{usd(self.spent)} spent{maybe}"

    # -- parts

    def _look_out(self, amount: float, cost: float, counted: str) -> None:
        if cost > amount * (1 + _EXACT) + _EXACT and not self.overrun:
            self.overrun = (
                f"a request cost {usd(cost)} where {usd(amount)} was to be the most ({counted}), so that no "
                f"budget can be kept; {self.told()}"
            )

    def _fits(self, amount: float) -> bool:
        return self.spent + self.uncertain + self._reserved + amount <= self.limit

    def _reached(self, amount: float) -> str:
        return (
            f"the budget of {usd(self.limit)} is reached: {self.told()}, and the next request may cost {usd(amount)}"
        )

    async def _keep_ahead(self) -> None:
        """With some room, so that few requests wait for the disk."""
        needed = self.uncertain + self._reserved
        if self._keep is not None and needed > self._kept:
            self._kept = min(self.uncertain + self._reserved * _ROOM, self.limit - self.spent)
            await self._keep(self._kept)
