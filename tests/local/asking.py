"""Items and turns to ask tiny models, and runs of whole protocols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from PIL import Image

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.benchmarks.mmra.question import question as mmra_question
from core.benchmarks.voila.drawn import draw_depicted
from core.engine import Engine
from core.packs import pack
from core.pictures import Pictures
from core.plan import Plan
from core.planning import Request as Asking
from core.planning import load
from core.prompts import prompts_for
from core.records import Field, Item, Step, Text, Turn
from core.respondents.base import Request, Respondent
from core.scoring import scorers_of
from core.totals import Totals
from tests.memory_journal import MemoryJournal

VOILA: Final = registry.get("voila")

PROTOCOLS: Final[list[tuple[str, str, dict[str, str]]]] = [
    ("voila", "l2m", {}),
    ("voila", "l2m", {"images": "collage"}),
    ("voila", "l2m", {"input": "text"}),
    ("voila", "l2m", {"subprompts": "yes"}),
    ("voila", "l2m", {"cot": "yes"}),
    ("voila", "direct", {}),
    ("voila", "direct", {"images": "collage"}),
    ("voila", "direct", {"input": "text"}),
    ("voila", "direct", {"examples": "yes"}),
    ("vrex", "planning", {}),
    ("vrex", "following", {}),
    ("vrex", "direct", {"options": "rotate"}),
    ("mmra", "iq", {}),
    ("mmra", "dq", {"descriptions": "asked"}),
    ("mmra", "idq", {}),
    ("mmra", "qo", {}),
]
"""All that the three benchmarks ask in words."""

TEXT_ALONE: Final = [
    ("voila", "l2m", {"input": "text"}),
    ("voila", "direct", {"input": "text"}),
    ("mmra", "dq", {}),
    ("mmra", "qo", {}),
]


def small_pictures(benchmark: str = "voila") -> Pictures:
    """Pictures of at most 96 x 96, VOILA's drawn: tiny models see no more."""

    def draw(words: str, name: str) -> Image.Image | None:
        image = draw_depicted(words, name)
        return image.resize((96, 96)) if image is not None else None

    return Pictures(drawer=draw) if benchmark == "voila" else Pictures(max_pixels=96 * 96)


def items(count: int, subset: str = "ND", benchmark: str = "voila") -> list[Item]:
    """The first items of the built-in pack."""
    if benchmark == "voila":
        return list(islice(VOILA.load(pack("voila", subset), subset, LoadOptions()), count))
    _, _, dataset = load(Asking(benchmark))
    return list(islice(dataset, count))


def worded(count: int, benchmark: str) -> list[Item]:
    """The first items that can be asked without pictures: MMRA's with both descriptions in the data."""
    known = items(999, benchmark=benchmark)
    return [item for item in known if benchmark != "mmra" or all(mmra_question(item).descriptions)][:count]


async def run(
    respondent: Respondent,
    asked: Sequence[Item],
    protocol: str = "l2m",
    options: dict[str, str] | None = None,
    *,
    subset: str = "ND",
    in_flight: int = 0,
) -> tuple[dict[tuple[str, str], Step], Totals]:
    """A whole run: by item and step name what came of it."""
    benchmark = registry.get(asked[0].benchmark)
    made = benchmark.protocols[protocol](subset, options or {}, prompts_for(benchmark.name))
    journal = MemoryJournal()
    plan = Plan(benchmark, made, respondent, scorers_of(benchmark))
    totals = await Engine(plan, journal).run(asked, in_flight=in_flight)
    steps = {(t.item.id, step.turn.step): step for t in journal.trajectories.values() for step in t.steps}
    return steps, totals


def texts(steps: dict[tuple[str, str], Step]) -> dict[tuple[str, str], str]:
    """The answers' words alone."""
    return {key: step.answer.text for key, step in steps.items()}


def first_turn(item: Item, **options: str) -> Turn:
    """The turn that a least-to-most run begins with."""
    turn = VOILA.protocols["l2m"]("ND", options, prompts_for("voila")).next_turn(item, ())
    assert turn is not None
    return turn


def requests(count: int) -> list[Request]:
    """The same question about the pictures of different items, of different length each."""
    out = []
    for number, item in enumerate(items(count)):
        turn = first_turn(item)
        out.append(Request(item, replace(turn, content=(*turn.content, Text("Look well. " * number)))))
    return out


def lettered(item: Item) -> Request:
    """A turn that offers four letters."""
    turn = first_turn(item)
    return Request(item, replace(turn, step="final", form=(Field("answer", ("A", "B", "C", "D")),)))
