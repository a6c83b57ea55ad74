"""A respondent that sends, costs and recalls, put into the plans of workers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from core.plan import Plan
from core.prices import Prices
from core.records import Answer, Call, Usage, digest
from core.respondents.base import OnDelta, Request
from core.respondents.budget import Budget
from core.workers.terms import Terms

COST = 0.1


class Sender:
    """Costs a tenth of a dollar a call, under the budget that it is charged to."""

    name = "sender"
    kind = "model"
    looks = False
    draws = False
    in_flight = 4
    identity = {"sender": 1}  # noqa: RUF012
    prices = Prices(input=1.0, output=1.0)

    def __init__(self, asked: list[str]) -> None:
        self._asked = asked
        self._budget: Budget | None = None

    def charge(self, budget: Budget | None) -> None:
        self._budget = budget

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        sent = digest([[exchange.answer for exchange in request.history], request.turn.text, request.turn.gold_text])
        if (known := await request.recalled(sent, ())) is not None:
            return known
        if self._budget is not None:
            await self._budget.reserve(COST)
        try:
            await asyncio.sleep(0.002)
        except BaseException:
            if self._budget is not None:
                self._budget.settle(COST, None)
            raise
        self._asked.append(sent)
        if self._budget is not None:
            self._budget.settle(COST, COST)
        return Answer(request.turn.gold_text, call=Call("answer", sent, {}, {}, usage=Usage(10, 1, COST)))

    async def preview(self, request: Request) -> None:
        pass

    async def close(self) -> None:
        pass


@contextmanager
def sender_plans() -> Iterator[list[str]]:
    """Workers ask a sender meanwhile; the list is what was asked."""
    asked: list[str] = []
    made = Terms.make

    def make(terms: Terms) -> Plan:
        return replace(made(terms), respondent=Sender(asked))

    with patch.object(Terms, "make", make):
        yield asked
