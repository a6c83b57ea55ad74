"""Items, turns, steps and small runs for the tests of the store."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from core.outcomes import Outcomes
from core.records import (
    Answer,
    Field,
    Item,
    Origin,
    Parse,
    Picture,
    Progress,
    Score,
    Show,
    Step,
    Text,
    Trajectory,
    Turn,
)
from sessions.golds import PUBLISHED_GOLD
from sessions.identity import RunConfig
from sessions.journal import StoreJournal
from sessions.outcome_arrays import OutcomeReader
from sessions.runs import Run, open_run
from sessions.store import Store

STEPS = ("describe", "relate", "apply")
PROPERTIES = ("number", "subject", "action")
CONFIG = RunConfig(
    "voila",
    "nd",
    "l2m",
    "oracle",
    "baseline",
    data_digest="d1",
    prompts={"voila.describe": "p1", "voila.relate": "p2"},
    identity_of_respondent={"kind": "oracle"},
)


def an_item(number: int = 0, **changes: Any) -> Item:
    pictures = tuple(Picture(f"{number}_{which}.png", f"/somewhere/{number}_{which}.png") for which in range(3))
    item = Item("voila", "nd", f"voila-{number}", pictures, {"rule": str(number % 3)}, {"rule": number % 3})
    return replace(item, **changes)


def a_turn(step: str = "describe") -> Turn:
    form = tuple(Field(name, ("one", "two")) for name in PROPERTIES)
    gold = dict.fromkeys(PROPERTIES, "one")
    return Turn(step, (Show((0, 1)), Text(f"Please {step}.")), form, gold, "one one one", "In one line.")


def a_score(
    right: int = 7, scored: int = 7, status: Parse = Parse.OK, version: str = "1", scorer: str = "rule"
) -> Score:
    parsed = {name: "one" if right >> bit & 1 else "two" for bit, name in enumerate(PROPERTIES)}
    return Score(scorer, version, status, right, scored, parsed, dict.fromkeys(parsed, (0, 3)))


def a_step(step: str = "describe", right: int = 7, text: str = "one one one", **changes: Any) -> Step:
    return replace(Step(a_turn(step), Answer(text), (a_score(right),)), **changes)


def a_run(store: Store, name: str | None = None, **changes: Any) -> Run:
    return open_run(store, replace(CONFIG, **changes), name)[0]


async def walk(
    journal: StoreJournal, item: Item, repeat: int = 0, steps: tuple[str, ...] = STEPS, right: int = 7, **changes: Any
) -> Trajectory:
    """A whole trajectory, from where the journal has it."""
    trajectory = await journal.take_up(item, repeat)
    for name in steps[len(trajectory.steps) :]:
        trajectory = await journal.add_step(trajectory, a_step(name, right, repeat=repeat, **changes))
    return await journal.finish(trajectory, Progress.DONE)


__all__ = ["CONFIG", "PROPERTIES", "STEPS", "Origin", "a_run", "a_score", "a_step", "a_turn", "an_item", "walk"]


def exports_in(store: Store) -> list[tuple[str, str, list[str]]]:
    """Of the exports noted down, the oldest first: what kind, where to, the uids of its runs."""
    rows = store.reader().execute("SELECT kind, target, details FROM exports ORDER BY id")
    return [(kind, target, json.loads(details)["runs"]) for kind, target, details in rows]


def outcomes_of(store: Store, run: Run, scorer: str) -> Outcomes:
    """How the run's trajectories came out."""
    return OutcomeReader(store, PUBLISHED_GOLD).outcomes(run, scorer)
