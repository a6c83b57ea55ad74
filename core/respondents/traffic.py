"""What stands between a call and the wire: the budget, a place at one of the replicas, the pace. In that order."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

from core.prices import Load
from core.respondents.budget import Budget
from core.respondents.endpoint import Endpoint
from core.respondents.failures import FailedError, Failure
from core.respondents.pace import Pace
from core.respondents.patience import Clock
from core.respondents.replicas import Errand, Replica, Replicas
from core.respondents.replies import Reply
from core.respondents.settings import Connection

_FAILURES: Final = 10
"""At least so many failures in a row before a server is left alone."""
_REFUSALS: Final = 10
_OF_ONE_ITEM: Final = (400, 403, 422)
"""What a server that has answered others may refuse of one item alone."""

Post: TypeAlias = Callable[[Endpoint], Awaitable[Reply]]


class Tariff(Protocol):
    """What calls of one respondent cost, and the budget that pays them at this moment."""

    @property
    def budget(self) -> Budget | None: ...
    def most(self, load: Load) -> float: ...
    def cost(self, reply: Reply, load: Load) -> float | None: ...


class Traffic:
    """Everything that the calls of one respondent share while one event loop runs."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        settings: Connection,
        tariff: Tariff,
        clock: Clock,
        chances: random.Random,
    ) -> None:
        self._tariff = tariff
        self._weighed = settings.tokens_per_minute is not None
        self._pace = Pace(settings.requests_per_minute, settings.tokens_per_minute, clock)
        self._replicas = Replicas(
            endpoints,
            settings.concurrency,
            max(_FAILURES, 2 * settings.attempts),
            settings.patience_s,
            clock,
            chances,
        )
        self._answered = False
        self._refusals = 0

    @property
    def weighs(self) -> bool:
        """Whether it matters now how many tokens a request may come to."""
        return self._weighed or self._tariff.budget is not None

    @property
    def reached(self) -> bool:
        """Whether any server has ever replied, if only with an error."""
        return self._replicas.reached

    @property
    def replicas(self) -> Sequence[Replica]:
        return self._replicas.all

    async def carry(self, errand: Errand, post: Post) -> Reply:
        """One attempt. Raises FailedError, and BudgetError where the budget does not allow it."""
        budget = self._tariff.budget
        if budget is None:
            return await self._at_a_replica(errand, post, None)
        amount = self._tariff.most(errand.load)
        await budget.reserve(amount)
        payment = _Payment(budget, self._tariff, errand.load, amount)
        try:
            return await self._at_a_replica(errand, post, payment)
        finally:
            payment.close()

    async def close(self) -> None:
        """Close the connections."""
        for replica in self._replicas.all:
            await replica.endpoint.close()

    # -- parts

    async def _at_a_replica(self, errand: Errand, post: Post, payment: _Payment | None) -> Reply:
        async with self._replicas.slot(errand) as slot:
            taken = await self._pace.turn(errand.load.guess)
            if payment is not None:
                payment.owed = True
            try:
                reply = await post(slot.replica.endpoint)
            except FailedError as error:
                failure = slot.failure = error.failure
                errand.failures, errand.failed_at = errand.failures + 1, slot.replica
                if payment is not None:
                    payment.owed = failure.charged
                if not failure.charged:
                    self._pace.counted(taken, 0)
            else:
                slot.answered = True
                if payment is not None:
                    payment.reply = reply
                if tokens := reply.usage.prompt_tokens + reply.usage.completion_tokens:
                    self._pace.counted(taken, tokens)
                    slot.replica.usual_tokens = tokens
                self._answered, self._refusals = True, 0
                return reply
        raise FailedError(self._judged(failure))  # now that the slot's failure has been counted

    def _judged(self, failure: Failure) -> Failure:
        """The failure in the light of the others: one item's own trouble, or everybody's."""
        if failure.free:
            return failure
        if failure.fatal and self._answered and failure.status in _OF_ONE_ITEM:
            self._refusals += 1
            return replace(failure, fatal=self._refusals >= _REFUSALS)
        seconds = self._replicas.given_up
        if seconds is not None and failure.retry:
            what = f"nothing has succeeded for {seconds:.0f} s ({failure.what})"
            remedy = "Run the same command again when the server is well: nothing is asked twice"
            return replace(failure, what=what, fatal=True, retry=False, busy=False, remedy=remedy)
        return failure


class _Payment:
    """What one attempt owes the budget. ``owed``: it has gone out, and may be charged."""

    def __init__(self, budget: Budget, tariff: Tariff, load: Load, amount: float) -> None:
        self._budget = budget
        self._tariff = tariff
        self._load = load
        self._amount = amount
        self.owed = False
        self.reply: Reply | None = None

    def close(self) -> None:
        """Count it: by the reply, at its worst where nobody knows, or not at all."""
        if not self.owed:
            self._budget.release(self._amount)
        elif self.reply is None:
            self._budget.settle(self._amount, None)
        else:
            usage, load = self.reply.usage, self._load
            counted = (
                f"{usage.prompt_tokens:,} tokens of prompt where {load.prompt:,} were to be the most, "
                f"{usage.completion_tokens:,} of answer where {load.output:,}"
            )
            self._budget.settle(self._amount, self._tariff.cost(self.reply, load), counted)
