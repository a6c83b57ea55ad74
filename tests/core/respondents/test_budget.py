"""A budget is never passed, whatever requests come to, and nothing in flight is lost when it ends."""

from __future__ import annotations

import asyncio
import random

import pytest

from core.errors import BudgetError, RespondentError
from core.pictures import Pictures
from core.prices import Load, Prices
from core.records import Item, Turn
from core.respondents.base import Request
from core.respondents.baselines import make_baseline
from core.respondents.budget import Budget, refuse_unpriced
from core.respondents.failures import FailedError, Failure
from core.respondents.images.server import make_images_server
from core.respondents.replies import Reply
from core.respondents.settings import ImagesSettings
from tests.core.respondents.conftest import Talk
from tests.core.respondents.traffic import BROKEN, Clients, Simulated, reply
from tests.servers import Received, fails, says
from tests.servers import Reply as Reply_
from tests.virtual_time import virtual_time

CUT = Failure("the connection failed", retry=True, charged=True)


class Charging:
    """Charges 1 USD a token, at random up to the load of 20; it may break off and charge all the same."""

    def __init__(self, breaks: float = 0.0, refuses: float = 0.0) -> None:
        self.charged = 0.0
        self.highest = 0.0
        self.breaks = breaks
        self.refuses = refuses
        self.chances = random.Random(4)

    async def __call__(self, server: Simulated) -> Reply:
        await asyncio.sleep(self.chances.random())
        if self.chances.random() < self.refuses:
            raise FailedError(BROKEN)
        prompt, said = self.chances.randrange(1, 11), self.chances.randrange(1, 11)
        self.charged += prompt + said
        if self.chances.random() < self.breaks:
            raise FailedError(CUT)
        return reply(prompt, said)


def spend(limit: float, serve: Charging, spent: float = 0.0) -> tuple[Budget, Clients, BudgetError | None]:
    """Calls until the budget ends: no call is begun after that, and none in flight is cut off."""
    with virtual_time() as loop:
        budget = Budget(limit, spent=spent)
        clients = Clients(loop, [Simulated(loop, serve)], budget, concurrency=16)
        stopped: list[BudgetError] = []

        async def work() -> None:
            while not stopped:
                try:
                    await clients.call()
                except BudgetError as error:
                    stopped.append(error)

        async def all_of_them() -> None:
            await asyncio.gather(*(work() for _ in range(16)))

        loop.run_until_complete(asyncio.wait_for(all_of_them(), 1e6))
        return budget, clients, stopped[0] if stopped else None


@pytest.mark.parametrize(("breaks", "refuses"), [(0.0, 0.0), (0.2, 0.0), (0.2, 0.2)])
@pytest.mark.parametrize("limit", [5.0, 20.0, 21.0, 333.0, 5000.0])
def test_it_is_never_passed_and_used_up_to_one_request(limit: float, breaks: float, refuses: float) -> None:
    serve = Charging(breaks, refuses)
    budget, clients, stopped = spend(limit, serve)
    assert serve.charged <= limit
    assert budget.spent + budget.uncertain <= limit
    assert budget.spent + budget.uncertain > limit - 20
    assert serve.charged <= budget.spent + budget.uncertain
    assert not breaks or limit < 100 or budget.uncertain > 0
    assert stopped is not None
    assert stopped.exit_status == 1
    assert f"the budget of ${limit:,.2f} is reached" in stopped.what
    assert "may cost $20.00" in stopped.what
    assert "higher --budget goes on" in stopped.remedy
    assert sum(clients.requests) >= clients.done


def test_what_was_spent_before_counts() -> None:
    serve = Charging()
    budget, clients, _ = spend(100.0, serve, spent=75.0)
    assert serve.charged <= 25
    assert clients.done >= 1
    assert budget.spent == pytest.approx(75 + serve.charged)
    assert spend(100.0, Charging(), spent=90.0)[1].done == 0


def test_what_does_not_fit_waits_for_what_is_in_flight() -> None:
    """Room for one request at a time: all the same a budget serves many that come to little."""

    class Cheap(Charging):
        async def __call__(self, server: Simulated) -> Reply:
            await asyncio.sleep(1)
            self.charged += 2
            return reply(1, 1)

    serve = Cheap()
    budget, clients, _ = spend(59.0, serve)
    assert clients.done == 20  # 2 each while 20 more would still fit
    assert budget.spent == 40


def test_a_request_that_comes_to_more_than_the_most_ends_the_run_and_says_so() -> None:
    class Over(Charging):
        async def __call__(self, server: Simulated) -> Reply:
            number = len(server.asked)
            await asyncio.sleep(1)
            return reply(500, 1) if number == 20 else reply(1, 1)

    budget, clients, stopped = spend(1e6, Over())
    assert stopped is not None
    assert "a request cost $501.00 where $20.00 was to be the most (500 tokens of prompt where 10" in stopped.what
    assert "picture_tokens" in stopped.remedy
    assert clients.done in range(20, 49)  # those in flight finish, and no more
    assert budget.spent == pytest.approx(501 + 2 * (clients.done - 1))


def test_a_cancelled_request_may_have_been_charged() -> None:
    with virtual_time() as loop:
        budget = Budget(100.0)

        async def never(server: Simulated) -> Reply:
            await asyncio.sleep(1e9)
            return reply()

        clients = Clients(loop, [Simulated(loop, never)], budget, concurrency=1)

        async def work() -> None:
            sent, waiting = (asyncio.create_task(clients.call()) for _ in range(2))
            await asyncio.sleep(1)
            sent.cancel()
            waiting.cancel()
            await asyncio.gather(sent, waiting, return_exceptions=True)

        loop.run_until_complete(work())
        assert (budget.spent, budget.uncertain) == (0.0, 20.0)


async def test_what_is_in_flight_is_kept_ahead_of_it() -> None:
    """At any moment the disk knows of at least what may be charged: a killed process hides nothing."""
    kept: list[float] = [3.0]

    async def keep(amount: float) -> None:
        await asyncio.sleep(0)
        kept.append(amount)

    budget = Budget(100.0, spent=10.0, uncertain=3.0, keep=keep)
    for count in range(1, 5):
        await budget.reserve(7.0)
        assert kept[-1] >= 3.0 + 7.0 * count
    writes = len(kept)
    for _ in range(100):
        budget.settle(7.0, 0.01)
        await budget.reserve(7.0)
        assert kept[-1] >= 3.0 + 28.0
    assert len(kept) == writes
    budget.settle(7.0, None)
    for _ in range(3):
        budget.release(7.0)
    await budget.close()
    assert kept[-1] == 10.0


async def test_a_caller_that_gives_up_waiting_leaves_no_mark() -> None:
    budget = Budget(10.0)
    await budget.reserve(8.0)
    waiting = asyncio.create_task(budget.reserve(8.0))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    budget.settle(8.0, 1.0)
    await budget.reserve(8.0)
    budget.release(8.0)
    with pytest.raises(BudgetError):
        await budget.reserve(10.0)


def test_a_respondent_without_a_price_is_named_with_what_to_set() -> None:
    class Far:
        name = "far"
        prices = Prices(input=1.0)

        def charge(self, budget: Budget | None) -> None: ...

    with pytest.raises(RespondentError, match=r"far: a budget needs.*price_in and price_out.*\[prices"):
        refuse_unpriced((make_baseline("oracle"), Far()))
    refuse_unpriced((make_baseline("oracle"),))


async def test_a_servers_answer_without_an_end_has_no_budget(talk: Talk) -> None:
    for endless in ({"extra_body": {"max_tokens": None}}, {"unsent": ("max_tokens",)}):
        _, model = await talk(lambda _: says("B"), price_in=1.0, price_out=1.0, **endless)
        with pytest.raises(RespondentError, match="max_tokens must bound the answer"):
            refuse_unpriced((model,))
    _, model = await talk(lambda _: says("B"), price_in=1.0, price_out=1.0)
    refuse_unpriced((model,))


async def test_a_budget_may_come_and_go_between_two_calls(talk: Talk, item: Item, turn: Turn) -> None:
    server, model = await talk(lambda _: says("B"), price_in=1.0, price_out=1.0)
    await model.answer(Request(item, turn))
    budget = Budget(1e-9)
    model.charge(budget)
    with pytest.raises(BudgetError):
        await model.answer(Request(item, turn))
    assert len(server.received) == 1
    model.charge(None)
    await model.answer(Request(item, turn))
    model.charge(wide := Budget(1.0))
    await model.answer(Request(item, turn))
    assert len(server.received) == 3
    assert (budget.spent, wide.spent) == (0.0, pytest.approx(18e-6))


async def test_a_budget_that_comes_between_two_attempts_holds_the_next_one_at_its_whole_weight(
    talk: Talk, item: Item, turn: Turn
) -> None:
    def script(received: Received) -> Reply_:
        if received.number == 1:
            model.charge(Budget(1e-5))  # more than the unweighed load would come to
            return fails(500)
        return says("B")

    server, model = await talk(script, price_in=1.0, price_out=1.0)
    with pytest.raises(BudgetError):
        await model.answer(Request(item, turn))
    assert len(server.received) == 1


def test_loads_differ() -> None:
    """A small request still fits where a large one did not, and the budget is never passed."""
    with virtual_time() as loop:
        budget = Budget(45.0)
        serve = Charging()
        clients = Clients(loop, [Simulated(loop, serve)], budget)

        async def work() -> None:
            await clients.call()
            with pytest.raises(BudgetError):
                await clients.call(Load(50, 5, 0, 1))
            await clients.call()
            with pytest.raises(BudgetError):
                await clients.call(Load(50, 5, 0, 1))

        loop.run_until_complete(work())
        assert clients.done == 2
        assert serve.charged == budget.spent <= 45


async def test_makers_of_pictures_are_held_by_the_price_of_a_picture_alone() -> None:
    place = {"model": "m", "base_url": ("http://127.0.0.1:9/v1",)}
    by_piece = ImagesSettings(**place, price_picture=0.04, extra_body={"n": 2})  # type: ignore[arg-type]
    maker = make_images_server("maker", by_piece, Pictures(), environment={})
    refuse_unpriced((maker,))
    assert maker.most(Load(0, 2, 0, 0)) == pytest.approx(0.08)
    for settings, what in (
        (ImagesSettings(**place), "needs to know its prices"),  # type: ignore[arg-type]
        (ImagesSettings(**place, price_picture=0.04, price_out=30.0), "have no bound"),  # type: ignore[arg-type]
    ):
        with pytest.raises(RespondentError, match=what):
            refuse_unpriced((make_images_server("maker", settings, Pictures(), environment={}),))
