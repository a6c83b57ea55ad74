"""Respondents that answer from a function, and plans that ask them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PIL import Image

from core.benchmarks import registry
from core.engine import Engine
from core.events import Event
from core.pictures import encoded
from core.plan import Plan
from core.prompts import prompts_for
from core.records import Answer, Trajectory
from core.respondents.base import OnDelta, Request
from core.scoring import scorers_of
from tests.core.questions import change_of_all
from tests.memory_journal import MemoryJournal

VOILA = registry.get("voila")


class Scripted:
    """A respondent that answers from a function and remembers what it was asked."""

    name = "scripted"
    kind = "model"
    looks = False
    draws = False
    in_flight = 4
    identity = {"scripted": 1}  # noqa: RUF012

    def __init__(self, say: Callable[[Request], str]) -> None:
        self.say = say
        self.asked: list[Request] = []

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        self.asked.append(request)
        await asyncio.sleep(0)
        text = self.say(request)
        if on_delta is not None:
            on_delta(text)
        return Answer(text, reasoning="private thoughts")

    async def preview(self, request: Request) -> None:
        pass

    async def close(self) -> None:
        pass


def plan_of(respondent: object, protocol: str = "l2m", **options: object) -> Plan:
    settings = {key: str(value) for key, value in options.pop("options", {}).items()}  # type: ignore[union-attr]
    made = VOILA.protocols[protocol]("ND", settings, prompts_for("voila"))
    return Plan(VOILA, made, respondent, scorers_of(VOILA), **options)  # type: ignore[arg-type]


def gold(request: Request) -> str:
    return request.turn.gold_text


async def done(plan: Plan, journal: MemoryJournal, listener: Callable[[Event], None] | None = None) -> Trajectory:
    engine = Engine(plan, journal, listener)
    await engine.run([change_of_all()])
    return next(t for t in journal.trajectories.values() if t.parent is None)


class Maker(Scripted):
    """Makes a picture of one colour and nothing else."""

    name = "maker"
    draws = True
    draws_alone = True

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        self.asked.append(request)
        return Answer("", picture=encoded(Image.new("RGB", (4, 4), "teal"), "made"))
