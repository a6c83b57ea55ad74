"""A store of as many simulated steps as wanted, written with plain executemany: for the performance figures."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from itertools import islice
from typing import Any

from core.benchmarks.mmra.question import SUBTASKS, Question
from core.benchmarks.voila.rules import RULES as STRUCTURES
from core.benchmarks.vrex.question import TAXONOMY
from core.records import Field, Item, Picture, Show, Text, Turn
from sessions import encoding
from sessions.identity import RunConfig
from sessions.runs import open_run
from sessions.store import Store
from sessions.vocabulary import Vocabulary

ITEMS = 3689
OF_PAPERS = {"voila": ITEMS, "vrex": 526, "mmra": 977}
"""Items that each benchmark has in its paper."""
RULES = 19
STEPS = ("describe", "relate", "apply")
NUMBERS = ("one", "two", "three", "four")
SUBJECTS = (
    "cat",
    "dog",
    "hamster",
    "man",
    "woman",
    "girl",
    "boy",
    "fox",
    "bear",
    "duck",
    "cow",
    "pig",
    "frog",
    "lion",
)
ACTIONS = ("running", "sitting", "reading", "driving", "swimming", "jumping", "dancing", "eating", "sleeping")
PROPERTIES = {"number": NUMBERS, "subject": SUBJECTS, "action": ACTIONS}


def simulated_item(number: int) -> Item:
    chances = random.Random(number)
    contents = [[chances.choice(values) for values in PROPERTIES.values()] for _ in range(4)]
    return Item(
        "voila",
        "nd",
        f"voila-{number}",
        tuple(Picture(f"{number}_{which}.png", f"images/{number}_{which}.png") for which in range(3)),
        {"rule": str(1 + number % RULES), "structure": STRUCTURES[1 + number % RULES]},
        {"contents": contents[:3], "answer": contents[3], "rule": 1 + number % RULES},
    )


def simulated_turn(item: Item, step: str) -> Turn:
    """A turn as long as a real one; everything is built anew each time, as a protocol does."""
    if step == "describe":
        form = tuple(Field(f"{unit}.{name}", values) for unit in (1, 2, 3) for name, values in PROPERTIES.items())
        content: tuple[Any, ...] = (
            Show((0,)),
            Show((1,)),
            Show((2,)),
            Text("Describe each of the three pictures. " * 20),
        )
        golds = [value for one in item.facts["contents"] for value in one]
        words = " ".join(
            f"Picture {unit + 1}: {one[0]} {one[1]} {one[2]}." for unit, one in enumerate(item.facts["contents"])
        )
    else:
        form = tuple(Field(name, values) for name, values in PROPERTIES.items())
        content = (Text(f"Now say how to {step} what you described, property by property. " * 14),)
        golds = list(item.facts["answer"])
        words = f"The number is {golds[0]}, the subject is {golds[1]} and the action is {golds[2]}."
    gold = {field.name: value for field, value in zip(form, golds, strict=True)}
    return Turn(step, content, form, gold, words, "Answer in one line for each picture, in the order shown.")


def chain_item(number: int) -> Item:
    """One of V-REX, two to six steps with the final question: 3.57 on average as in the paper."""
    scenarios = [(category, name) for category, names in TAXONOMY.items() for name in names]
    category, scenario = scenarios[number % len(scenarios)]
    asked = (1, 2, 2, 3, 3, 2, 5)[number % 7]
    return Item("vrex", "", f"vrex-{number}", (Picture("a.png", f"{number}.png"),),
                {"category": category, "scenario": scenario}, {"number": number, "steps": asked})  # fmt: skip


def relation_item(number: int) -> Item:
    """One of MMRA."""
    short = list(SUBTASKS)[number % len(SUBTASKS)]
    options = {"A": "cups", "B": "trees", "C": "lamps", "D": "there are no entities of the same material"}
    view = Question(short, "choice", f"How do they relate ({number})?", "ABC"[number % 3], options)
    return Item("mmra", "", f"mmra-{number}", (Picture("a.png", f"{number}.png"),), view.groups(), view.to_facts())


def letter_turn(item: Item, step: str) -> Turn:
    """A choice of four letters."""
    gold = item.facts.get("answer", "ABC"[item.facts.get("number", 0) % 3])
    return Turn(step, (Text(f"Which one is it? {step}"),), (Field("answer", ("A", "B", "C", "D")),), {"answer": gold})


PROTOCOLS = {"voila": ("l2m",), "vrex": ("planning", "following", "direct"), "mmra": ("iq", "qo")}
"""In turn, those of one model after the other."""
MAKERS = {"voila": simulated_item, "vrex": chain_item, "mmra": relation_item}


def steps_of(item: Item, protocol: str) -> list[str]:
    if item.benchmark == "voila":
        return list(STEPS)
    if item.benchmark == "mmra":
        return ["answer"]
    kind = {"planning": "plan", "following": "follow"}.get(protocol)
    return [*(f"{kind}.{n + 1}" for n in range(item.facts["steps"] if kind else 0)), "final"]


def fill(store: Store, steps: int, *, seed: int = 0, benchmark: str = "voila", items: int = ITEMS) -> list[int]:
    """Fill an empty store with that many steps, a run for each time through the items. The runs' rows."""
    made = [MAKERS[benchmark](number) for number in range(items)]
    protocols, runs, room = PROTOCOLS[benchmark], list[tuple[int, str]](), steps
    subset = made[0].subset
    while room > 0:
        number, which = divmod(len(runs), len(protocols))
        config = RunConfig(benchmark, subset, protocols[which], f"model-{number}", "model")
        runs.append((open_run(store, config)[0].id, protocols[which]))
        room -= sum(len(steps_of(item, protocols[which])) for item in made)
    store.write(lambda db: _fill(db, made, runs, steps, random.Random(seed)))
    store.vocabulary.forget()
    return [row for row, _ in runs]


def _fill(
    db: sqlite3.Connection, items: Sequence[Item], runs: list[tuple[int, str]], steps: int, chances: random.Random
) -> None:
    words = Vocabulary()
    rows = [words.item(db, item, bytes.fromhex(item.hash)) for item in items]
    scorer = words.scorer(db, "rule", "1")
    turns: dict[str, list[list[tuple[Turn, int, int, int]]]] = {}
    for protocol in dict.fromkeys(protocol for _, protocol in runs):
        turns[protocol] = [
            [
                (turn, words.name(db, step), words.prompt(db, turn), words.gold(db, encoding.gold_to_json(turn)))
                for step in steps_of(item, protocol)
                for turn in (simulated_turn(item, step) if item.benchmark == "voila" else letter_turn(item, step),)
            ]
            for item in items
        ]
    paths = ((run, turns[protocol], number) for run, protocol in runs for number in range(len(items)))
    now, trajectory, step_row = encoding.now_ms(), 0, 0
    while step_row < steps:
        batch = list(islice(paths, 10_000))
        trajectories, made, scores, readings = [], [], [], []
        for run, asked, number in batch:
            if step_row >= steps:
                break
            trajectory += 1
            parent = None
            for turn, name, prompt, gold in asked[number][: steps - step_row]:
                step_row += 1
                text, parsed, right, spans = _answer(turn, chances)
                scored = (1 << len(turn.form)) - 1
                made.append((step_row, parent, trajectory, name, prompt, gold, text, now))
                scores.append((step_row, scorer, run, rows[number], name, 0 if parsed else 1, right, scored))
                if parsed:
                    readings.append(
                        (step_row, scorer, encoding.to_json(parsed), encoding.spans_to_json(parsed, spans))
                    )
                parent = step_row
            trajectories.append((trajectory, run, rows[number], parent, now, now))
        db.executemany(
            "INSERT INTO trajectories (id, run, item, head, progress, created, updated) VALUES (?, ?, ?, ?, 1, ?, ?)",
            trajectories,
        )
        db.executemany(
            "INSERT INTO steps (id, parent, trajectory, name, prompt, gold, text, created)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            made,
        )
        db.executemany(
            "INSERT INTO scores (step, scorer, run, item, name, lane, counted, status, right, scored)"
            " VALUES (?, ?, ?, ?, ?, 1, 1, ?, ?, ?)",
            scores,
        )
        db.executemany("INSERT INTO readings (step, scorer, parsed, spans) VALUES (?, ?, ?, ?)", readings)


def _answer(turn: Turn, chances: random.Random) -> tuple[str, dict[str, str], int, dict[str, tuple[int, int]]]:
    """An answer in words, what was read in it, its bits, and where it stands; one in thirty says nothing."""
    if chances.random() < 1 / 30:
        return "I am sorry, I cannot make out what these pictures show, could you describe them?", {}, 0, {}
    parsed, spans, right, text = {}, {}, 0, ""
    for bit, field in enumerate(turn.form):
        value = turn.gold[field.name] if chances.random() < 0.7 else chances.choice(field.options)
        text += "Picture: " if bit % 3 == 0 else ", "
        spans[field.name] = (len(text), len(text) + len(value))
        text += value
        parsed[field.name] = value
        right |= (value == turn.gold[field.name]) << bit
    return text + ".", parsed, right, spans
