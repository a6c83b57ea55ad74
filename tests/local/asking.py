"""Items and turns to ask tiny models, and runs of whole protocols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from PIL import Image

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.drawn import draw_depicted
from core.engine import Engine, Plan, Totals
from core.packs import pack
from core.pictures import Pictures
from core.prompts import prompts_for
from core.records import Field, Item, Step, Text, Turn
from core.respondents.base import Request, Respondent
from tests.memory_journal import MemoryJournal

VOILA: Final = registry.get("voila")

PROTOCOLS: Final = [
    ("l2m", {}),
    ("l2m", {"images": "collage"}),
    ("l2m", {"input": "text"}),
    ("l2m", {"subprompts": "yes"}),
    ("l2m", {"cot": "yes"}),
    ("direct", {}),
    ("direct", {"images": "collage"}),
    ("direct", {"input": "text"}),
    ("direct", {"examples": "yes"}),
]
"""All that VOILA can ask in words."""

TEXT_ALONE: Final = [(name, options) for name, options in PROTOCOLS if options.get("input") == "text"]


def small_pictures() -> Pictures:
    """Drawn pictures of 96 x 96: tiny models see no more."""

    def draw(words: str, name: str) -> Image.Image | None:
        image = draw_depicted(words, name)
        return image.resize((96, 96)) if image is not None else None

    return Pictures(drawer=draw)


def items(count: int, subset: str = "ND") -> list[Item]:
    """The first items of the built-in pack."""
    return list(islice(VOILA.load(pack("voila", subset), subset, LoadOptions()), count))


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
    made = VOILA.protocols[protocol](subset, options or {}, prompts_for("voila"))
    journal = MemoryJournal()
    totals = await Engine(Plan(VOILA, made, respondent, ()), journal).run(asked, in_flight=in_flight)
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
