"""``python -m core.eyes.recording``: asks ``eyes`` about all built-in packs and writes down what it says.

Each pack under the protocols named here: as asked, and for VOILA also with the gold put in at one step. The lines are
a replay's (``eyes-recorded``).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.config import Config
from core.packs import pack
from core.pictures import Pictures
from core.prompts import built_in
from core.records import Answer, Item, Json, Step
from core.respondents import eyes
from core.respondents.base import Exchange, Request, Respondent
from core.respondents.baselines import asked_of
from core.respondents.registry import make


@dataclass(frozen=True, slots=True)
class Sitting:
    """A pack under a protocol, and the steps at each of which once the gold is put in."""

    benchmark: str
    subset: str
    protocol: str
    golds: tuple[str, ...] = ()


SITTINGS: Final = (
    Sitting("voila", "WD", "l2m", ("describe", "relate")),
    Sitting("voila", "ND", "l2m", ("describe", "relate")),
    Sitting("voila", "WD", "direct"),
    Sitting("voila", "ND", "direct"),
    Sitting("mmra", "", "iq"),
    Sitting("vrex", "", "planning"),
    Sitting("vrex", "", "following"),
    Sitting("vrex", "", "direct"),
)


async def recorded(respondent: Respondent, sittings: Sequence[Sitting] = SITTINGS, limit: int = 0) -> list[Json]:
    """The lines, each conversation once; ``limit`` items of each pack, 0 for all."""
    lines: dict[str, Json] = {}
    for sitting in sittings:
        benchmark = registry.get(sitting.benchmark)
        file = pack(sitting.benchmark, sitting.subset)
        items = list(benchmark.load(file, sitting.subset, LoadOptions()))[: limit or None]
        told = [_asked(respondent, sitting, item, gold) for gold in ("", *sitting.golds) for item in items]
        for found in await asyncio.gather(*told):
            lines.update(found)
    return list(lines.values())


async def _asked(respondent: Respondent, sitting: Sitting, item: Item, gold: str) -> dict[str, Json]:
    """One trajectory, the gold standing in for the answer at that step."""
    benchmark = registry.get(sitting.benchmark)
    protocol = benchmark.protocols[sitting.protocol](sitting.subset, {}, built_in(sitting.benchmark))
    steps: list[Step] = []
    out: dict[str, Json] = {}
    while (turn := protocol.next_turn(item, steps)) is not None:
        request = Request(item, turn, tuple(Exchange(step.turn, step.answer.text) for step in steps))
        if turn.step == gold:
            answer = Answer(turn.gold_text)
        else:
            answer = await respondent.answer(request)
            asked = asked_of(request)
            out[asked] = {"item": item.id, "step": turn.step, "asked": asked, "text": answer.text}
        score = benchmark.score(item, turn, answer.text)
        steps.append(Step(turn, answer, (score,), choice=protocol.choice(item, turn, score)))
    return out


def written(lines: Iterable[Json]) -> str:
    """The lines as a file's text."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def pictures_of(benchmark: str) -> Pictures:
    """As the packs are shown: VOILA's drawn."""
    return Pictures(drawer=registry.get(benchmark).drawer)


async def _record() -> None:
    lines: list[Json] = []
    for name in registry.BENCHMARKS:
        respondent = make(eyes.NAME, Config(), pictures_of(name))
        lines += await recorded(respondent, [sitting for sitting in SITTINGS if sitting.benchmark == name])
        await respondent.close()
    (eyes.folder() / eyes.ANSWERS).write_text(written(lines), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(_record())
