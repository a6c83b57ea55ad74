"""A seeded store of random trajectories of all benchmarks, as runs leave it: repeats, forks, what-ifs, failures."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.benchmarks import registry
from core.benchmarks.mmra.question import SUBTASKS, Question
from core.benchmarks.voila.rules import RULES
from core.benchmarks.vrex.question import TAXONOMY
from core.prompts import prompts_for
from core.records import Answer, Field, Item, Parse, Picture, Progress, Score, Step, Text, Trajectory, Turn
from sessions.identity import RunConfig
from sessions.journal import StoreJournal
from sessions.runs import open_run
from sessions.store import Store

SKILL = {"able": 0.8, "weak": 0.4, "middling": 0.6}
FAILS = 0.05
ITEMS = 24
PUT_IN = {"step": "describe", "kind": "gold", "property": "", "text": ""}
NOTHING = "there are no entities of the same material in fig1 and fig2"


def voila_items(subset: str) -> list[Item]:
    rules = [rule for rule in RULES if subset == "WD" or "D" not in RULES[rule]]
    return [
        an_item("voila", subset, n, {"rule": str(rules[n % len(rules)]), "structure": RULES[rules[n % len(rules)]]})
        for n in range(ITEMS)
    ]


def vrex_items() -> list[Item]:
    scenarios = [(category, name) for category, names in TAXONOMY.items() for name in names]
    return [
        an_item(
            "vrex", "", n, dict(zip(("category", "scenario"), scenarios[n % 15], strict=True)), {"steps": 1 + n % 4}
        )
        for n in range(ITEMS)
    ]


def mmra_items() -> list[Item]:
    made = []
    for n in range(2 * ITEMS):
        short = list(SUBTASKS)[n % 11]
        options = {"A": "cups", "B": "trees", "C": "lamps", "D": NOTHING}
        marks = {"A": "absent"} if n % 2 else {}
        view = Question(short, "choice", f"How do they relate ({n})?", "ABC"[n % 3], options, marks=marks)
        made.append(an_item("mmra", "", n, view.groups(), view.to_facts()))
    return made


def an_item(benchmark: str, subset: str, n: int, groups: Mapping[str, str], facts: object = None) -> Item:
    found = dict(facts) if isinstance(facts, Mapping) else {"number": n}
    return Item(benchmark, subset, f"{benchmark}-{n}", (Picture(f"{n}.png", f"{n}.png"),), dict(groups), found)


def a_score(step: str, benchmark: str, skill: float, chances: random.Random, only: str = "") -> Score:
    """Each property right by chance; one answer in eight says nothing, of which one in three refuses."""
    layout = registry.get(benchmark).layout(step)
    scored = layout.bit(only) if only else layout.mask
    if chances.random() < 1 / 8:
        status = chances.choice([Parse.NO_ANSWER, Parse.AMBIGUOUS, Parse.REFUSAL])
        return Score("rule", "1", status, 0, scored)
    right = sum(1 << bit for bit in range(scored.bit_length()) if scored >> bit & 1 and chances.random() < skill)
    return Score("rule", "1", Parse.OK, right, scored)


def a_step(item: Item, name: str, score: Score, lane: str, repeat: int) -> Step:
    """With a turn of that name; choices of MMRA say a letter, the wrong ones any of the others."""
    properties = registry.get(item.benchmark).layout(name).properties
    letters = ("A", "B", "C", "D")
    form = tuple(Field(each, letters) for each in properties)
    gold = dict.fromkeys(properties, item.facts.get("answer", "A"))
    if item.benchmark == "mmra" and score.status is Parse.OK:
        others = [letter for letter in letters if letter != gold["answer"]]
        said = gold["answer"] if score.correct else others[hash_of(item, repeat) % 3]
        score = replace(score, parsed={"answer": said})
    return Step(Turn(name, (Text(f"{name}?"),), form, gold), Answer("said"), (score,), lane=lane, repeat=repeat)


def hash_of(item: Item, repeat: int) -> int:
    return int(item.hash[:6], 16) + repeat


async def walk(
    journal: StoreJournal,
    item: Item,
    names: Sequence[str],
    skill: float,
    chances: random.Random,
    repeat: int,
    lane: str,
) -> Trajectory:
    trajectory = await journal.take_up(item, repeat)
    for name in names:
        if chances.random() < FAILS:
            return await journal.finish(replace(trajectory, lane=lane), Progress.FAILED, "no answer", step=name)
        only = name.partition(".")[2] if item.benchmark == "voila" else ""
        score = a_score(name, item.benchmark, skill, chances, only)
        trajectory = await journal.add_step(trajectory, a_step(item, name, score, lane, repeat))
    return await journal.finish(trajectory, Progress.DONE)


def names_of(item: Item, run: RunConfig) -> list[str]:
    """The steps of a trajectory on this item."""
    if item.benchmark != "vrex":
        benchmark = registry.get(run.benchmark)
        asked = benchmark.protocols[run.protocol](run.subset, run.options, prompts_for(run.benchmark))
        return list(asked.steps)
    kind = {"planning": "plan", "following": "follow"}.get(run.protocol)
    return [*(f"{kind}.{n + 1}" for n in range(item.facts["steps"] if kind else 0)), "final"]


async def a_run(
    store: Store,
    items: Iterable[Item],
    config: RunConfig,
    chances: random.Random,
    *,
    name: str,
    repeats: int = 1,
    lane: str = "",
    forks: float = 0.0,
) -> None:
    """One run over all items."""
    run, _ = open_run(store, config, name)
    journal, skill = StoreJournal(store, run), SKILL[config.respondent.partition("-")[0]]
    for item in items:
        for repeat in range(repeats):
            steps = names_of(item, config)
            made = await walk(journal, item, steps, skill, chances, repeat, lane)
            if made.steps and chances.random() < forks:
                fork = await journal.fork(made, len(made.steps) - 1)
                last = made.steps[-1].turn.step
                score = a_score(last, item.benchmark, 1.0, chances)
                await journal.add_step(fork, a_step(item, last, score, "", repeat + 5))


async def fill(store: Store, seed: int) -> None:
    """All runs: VOILA under each condition that is contrasted, V-REX under three protocols, MMRA with and without."""
    chances = random.Random(seed)
    voila = RunConfig("voila", "WD", "l2m", "able-7B", "model")
    plain = {"images": "sequence", "input": "images", "subprompts": "no", "cot": "no", "generate": "no"}
    direct = {"images": "sequence", "input": "images", "examples": "no", "generate": "no"}
    wd, nd = voila_items("WD"), voila_items("ND")
    conditions = {
        "l2m": plain, "collage": plain | {"images": "collage"}, "parts": plain | {"subprompts": "yes"},
        "cot": plain | {"cot": "yes"},
    }  # fmt: skip
    for name, options in conditions.items():
        await a_run(store, wd, replace(voila, options=options), chances, name=name, forks=0.3)
    for name, options in {"direct": direct, "examples": direct | {"examples": "yes"}}.items():
        await a_run(store, wd, replace(voila, protocol="direct", options=options), chances, name=name)
    await a_run(store, nd, replace(voila, subset="ND", options=plain), chances, name="nd")
    often = replace(voila, respondent="weak-2B", options=plain)
    await a_run(store, wd, often, chances, name="repeated", repeats=3)
    gold = replace(voila, options=plain, interventions=[PUT_IN])
    await a_run(store, wd, gold, chances, name="gold", lane="describe=gold")
    for respondent in ("able-8B", "weak-2B", "middling-3B"):
        for protocol in ("planning", "following", "direct"):
            config = RunConfig("vrex", "", protocol, respondent, "model")
            await a_run(store, vrex_items(), config, chances, name=f"{protocol} {respondent}", forks=0.2)
    for protocol in ("iq", "qo"):
        config = RunConfig("mmra", "", protocol, "middling-3B", "model")
        await a_run(store, mmra_items(), config, chances, name=protocol)
