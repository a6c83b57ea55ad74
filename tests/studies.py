"""Studies for tests: definitions that may go live, and items made up so that pictures repeat."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.records import Item, Picture
from core.study.content import content_of
from core.study.definition import Condition, Study, Texts
from core.study.orders import Planned, ordered
from core.study.pool import Pool
from core.study.preparing import Prepared, prepare_study
from core.study.slots import deal
from sessions.store import Store
from sessions.studies.book import StudyRecord, keep_draft
from tests.voila_data import changed, small_voila_file

LIVE: dict[str, Any] = {
    "experimenter_key": "let me",
    "text": {"en": Texts(consent="Do you agree?", instructions="Look, and answer.")},
}


def a_study(**fields: Any) -> Study:
    """VOILA on drawn pictures, one step an item, ready to go live."""
    made = Study(**{"name": "test", "benchmark": "voila:ND", "pictures": "drawn", "seed": 5, **LIVE, **fields})
    return made if made.conditions else replace(made, conditions={"": Condition(protocol="direct")})


def voila_study(tmp: Path, n: int, *, times: int = 1, **fields: Any) -> Study:
    """The same on a made file of ``n`` questions, each standing there ``times`` times: its pictures repeat."""
    return a_study(data=str(changed(small_voila_file(tmp, n, "ND"), lambda rows: _repeat(rows, times))), **fields)


def _repeat(rows: list[dict[str, str]], times: int) -> None:
    rows[:] = [
        {**row, "question": f"image_questions_{turn * len(rows) + number}.png"}
        for turn in range(times)
        for number, row in enumerate(rows, 1)
    ]


def a_pool(n: int, *, shared: float = 0.0, groups: int = 1, seed: int = 0) -> Pool:
    """``n`` items of three pictures each; a picture is one of another item with probability ``shared``."""
    chances = random.Random(seed)
    names: list[str] = []
    items: dict[str, Item] = {}
    for number in range(n):
        own = []
        for index in range(3):
            if names and chances.random() < shared:
                own.append(chances.choice(names))
            else:
                own.append(f"{number}-{index}.png")
        names += own
        pictures = tuple(Picture(name) for name in dict.fromkeys(own))
        items[f"i{number}"] = Item("voila", "ND", f"i{number}", pictures, {"rule": str(number % groups)}, {})
    return Pool(items)


def session_plan(
    study: Study, pool: Pool, slot: int, answered: Collection[tuple[str, str]] = ()
) -> tuple[Planned, ...]:
    """The trials of the session with that slot, but for what others answered of it."""
    return ordered(study, pool, deal(study, pool)[slot], answered)


def kept(store: Store, study: Study) -> tuple[StudyRecord, Prepared]:
    """The study in the store, and ready to be asked."""
    prepared = prepare_study(study)
    return keep_draft(store, study, content_of(prepared)), prepared
