"""A stage for the app's tests: real items, baselines, drawn pictures, and respondents that can be held or fail."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import dropwhile

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.drawn import draw_depicted
from core.errors import CallError
from core.journal import Journal
from core.packs import pack
from core.pictures import Pictures
from core.plan import Plan
from core.prompts import prompts_for
from core.records import Answer, Item
from core.respondents.base import OnDelta, Request, Respondent
from core.respondents.baselines import make_baseline
from core.scoring import scorers_of
from tests.memory_journal import MemoryJournal
from tui.state.ready import Ready
from tui.state.stepping import Stepping


def items(count: int = 4) -> tuple[Item, ...]:
    """The first items of the built-in pack."""
    dataset = registry.get("voila").load(pack("voila", "ND"), "ND", LoadOptions())
    return tuple(dataset)[:count]


def plan(respondent: Respondent | str = "oracle", options: Mapping[str, str] | None = None) -> Plan:
    """A plan of VOILA's least-to-most protocol."""
    benchmark = registry.get("voila")
    if isinstance(respondent, str):
        made = make_baseline(respondent)
        assert made is not None
        respondent = made
    protocol = benchmark.protocols["l2m"]("ND", options or {}, prompts_for("voila"))
    return Plan(benchmark, protocol, respondent, scorers_of(benchmark))


def stepping(
    respondent: Respondent | str = "oracle",
    *,
    journal: Journal | None = None,
    count: int = 4,
    options: Mapping[str, str] | None = None,
) -> Stepping:
    """A stepping state with a clock that stands still."""
    return Stepping(plan(respondent, options), journal or MemoryJournal(), items(count), clock=lambda: 0.0)


def choosing(
    name: str, respondent: Respondent | str = "oracle", *, first: str = "", options: Mapping[str, str] | None = None
) -> Stepping:
    """On the built-in pack of a benchmark of choices, such as ``vrex:planning``, from the item ``first`` on."""
    benchmark_name, _, protocol_name = name.partition(":")
    benchmark = registry.get(benchmark_name)
    dataset = benchmark.load(pack(benchmark_name, ""), "", LoadOptions(protocol=protocol_name))
    found = tuple(dropwhile(lambda item: first not in ("", item.id), dataset))
    if isinstance(respondent, str):
        made = make_baseline(respondent)
        assert made is not None
        respondent = made
    protocol = benchmark.protocols[protocol_name]("", options or {}, prompts_for(benchmark_name))
    made_plan = Plan(benchmark, protocol, respondent, scorers_of(benchmark))
    return Stepping(made_plan, MemoryJournal(), found, clock=lambda: 0.0)


def drawn() -> Pictures:
    """Drawn stand-ins."""
    return Pictures(drawer=draw_depicted)


class Told:
    """Answers what it is told, in order, and the gold after that; counts how often it was asked."""

    name = "told"
    kind = "model"
    looks = False
    draws = False
    in_flight = 1
    identity: Mapping[str, object] = {}

    def __init__(self, *answers: str | Exception) -> None:
        self._answers = list(answers)
        self.asked = 0

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        self.asked += 1
        answer = self._answers.pop(0) if self._answers else request.turn.gold_text
        if isinstance(answer, Exception):
            raise answer
        if on_delta is not None:
            on_delta(answer)
        return Answer(answer)

    async def preview(self, request: Request) -> None:
        """Nothing is sent."""

    async def close(self) -> None:
        """Nothing to give back."""


class Held(Told):
    """Says its first words and then waits to be let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = asyncio.Event()
        self.begun = asyncio.Event()

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        if on_delta is not None:
            on_delta("the first words")
        self.begun.set()
        await self.let_go.wait()
        return await super().answer(request, None)


def refused() -> CallError:
    """A call that failed for good."""
    return CallError("the server is gone", where="told", remedy="Start it")


class Nothing:
    """An opener that finds an empty store."""

    def stored(self) -> None:
        """There is no run."""

    def demo(self) -> Ready:
        raise NotImplementedError
