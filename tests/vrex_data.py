"""Made V-REX files for tests, in the documented form: chains of every length, every category and scenario."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from PIL import Image

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions, ProtocolLike
from core.benchmarks.vrex.load import VrexFile, load
from core.benchmarks.vrex.question import TAXONOMY
from core.measures import RunOutcomes
from core.outcomes import Outcome, StepOutcome
from core.prompts import prompts_for
from core.records import Answer, Item, Origin, Parse, RespondentKind, Step
from core.scoring import RULE, RuleScorer

VREX = registry.get("vrex")
SCENARIOS = [(category, scenario) for category, names in TAXONOMY.items() for scenario in names]

Row = dict[str, Any]


def row(number: int, steps: int, rng: random.Random, *, plans: int = 6, answers: int = 4) -> Row:
    """A row with that many steps before the final question, the gold letters drawn."""
    category, scenario = SCENARIOS[number % len(SCENARIOS)]
    options, gold = lettered([f"street {number}-{i}" for i in range(answers)], rng)
    return {
        "id": f"v-{number:03}",
        "image": f"images/v-{number:03}.png",
        "category": category,
        "scenario": scenario,
        "question": f"Which street of town {number} leads home?",
        "options": options,
        "answer": gold,
        "steps": [step(f"{number}.{index}", rng, plans, answers) for index in range(1, steps + 1)],
    }


def lettered(texts: list[Any], rng: random.Random) -> tuple[dict[str, Any], str]:
    """Options by letter, shuffled, and the letter of the first one."""
    order = list(range(len(texts)))
    rng.shuffle(order)
    letters = "ABCDEFGHIJ"[: len(texts)]
    return {letter: texts[at] for letter, at in zip(letters, order, strict=True)}, letters[order.index(0)]


def step(name: str, rng: random.Random, plans: int, answers: int) -> Row:
    following, answer = lettered([f"place {name}-{i}" for i in range(answers)], rng)
    asked = [{"question": f"Where is house {name}?", "answer": f"place {name}-0", "kind": "gold"}]
    asked += [
        {"question": f"Who lives at {name}-{i}?", "answer": f"person {name}-{i}", "kind": ("step", "chain")[i % 2]}
        for i in range(1, plans)
    ]
    planning, plan = lettered(asked, rng)
    return {
        "question": f"Where is house {name}?",
        "answer": f"place {name}-0",
        "following": {"options": following, "answer": answer},
        "planning": {"options": planning, "answer": plan},
    }


def rows(count: int, seed: int = 5, *, plans: int = 6, answers: int = 4) -> list[Row]:
    """Rows of one to five steps, in turn."""
    rng = random.Random(seed)
    return [row(number, 1 + number % 5, rng, plans=plans, answers=answers) for number in range(count)]


def write(folder: Path, made: Iterable[Row], name: str = "vrex.jsonl", *, images: bool = True) -> Path:
    """The rows as JSON lines in a folder, with a small picture for each."""
    made = list(made)
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(each) + "\n" for each in made), encoding="utf-8")
    for each in made if images else ():
        picture = file.parent / each["image"]
        picture.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 8), "white").save(picture)
    return file


def changed(folder: Path, change: Callable[[Row], object], count: int = 3) -> Path:
    """A file of which the second row was changed."""
    made = rows(count)
    change(made[1])
    return write(folder, made, images=False)


def loaded(file: Path, **options: Any) -> VrexFile:
    return load(file, "", LoadOptions(**options))


def items(made: Iterable[Row], folder: Path) -> list[Item]:
    return list(loaded(write(folder, made, images=False)))


def protocol(name: str, **options: str) -> ProtocolLike:
    return VREX.protocols[name]("", options, prompts_for("vrex"))


def walked(asked: ProtocolLike, item: Item, answers: Iterable[str], origin: Origin = Origin.RESPONDENT) -> list[Step]:
    """The steps of a trajectory whose answers are these texts, one after the other, as the engine makes them."""
    scorer, steps, texts = RuleScorer(RULE, VREX.score), list[Step](), iter(answers)
    while (turn := asked.next_turn(item, steps)) is not None:
        answer = Answer(next(texts))
        score = scorer.score(item, turn, answer)
        steps.append(Step(turn, answer, (score,), origin, asked.choice(item, turn, score)))
    return steps


def gold_path(asked: ProtocolLike, item: Item) -> list[Step]:
    """The steps of a trajectory whose answers are all the gold."""
    steps = list[Step]()
    while (turn := asked.next_turn(item, steps)) is not None:
        score = VREX.score(item, turn, turn.gold_text)
        steps.append(Step(turn, Answer(turn.gold_text), (score,), choice=asked.choice(item, turn, score)))
    return steps


def outcome(item: Item, steps: Iterable[Step], repeat: int = 0) -> Outcome:
    """How those steps came out, as the store tells it."""
    scores = [(step.turn.step, step.scores[0]) for step in steps]
    found = tuple(StepOutcome(name, score.correct, score.status is Parse.OK) for name, score in scores)
    return Outcome(item.id, item.groups, repeat, found)


def run_of(
    asked: ProtocolLike, outcomes: Iterable[Outcome], respondent: str = "model", kind: RespondentKind = "model"
) -> RunOutcomes:
    name = f"vrex-{asked.name}-{respondent}"
    return RunOutcomes(name, "", asked.name, asked.options, respondent, kind, RULE, list(outcomes))
