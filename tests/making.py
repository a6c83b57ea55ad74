"""Chains, replies and walks for tests of the pipelines, and a server in a thread that plays everybody they ask."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions, ProtocolLike
from core.prompts import prompts_for
from core.records import Answer, Item, Step, Turn
from core.scoring import RULE, RuleScorer
from tests.servers import FaultServer, Received, Reply, fails, makes, says


def chain(number: int = 1, steps: int = 2) -> dict[str, Any]:
    """A gold chain in V-REX's form, with options to follow it."""
    return {
        "id": f"c-{number:02}",
        "image": f"images/c-{number:02}.png",
        "category": "Navigation",
        "scenario": "Map",
        "question": f"Which street of map {number} leads home?",
        "options": {"A": "Oak Street", "B": "Mill Lane", "C": "High Road"},
        "answer": "B",
        "steps": [
            {
                "question": f"Where is house {at} of map {number}?",
                "answer": f"By the river {at}",
                "following": {"options": {"A": f"By the river {at}", "B": "On the hill"}, "answer": "A"},
            }
            for at in range(1, steps + 1)
        ],
    }


def chains_file(folder: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """The rows as a file, with a small picture for each."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    for number, row in enumerate(rows):
        Image.new("RGB", (24, 16), (10 * number % 256, 90, 200)).save(folder / row["image"])
    file = folder / "chains.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def items(pipeline: str, file: Path) -> list[Item]:
    return list(registry.get(pipeline).load(file, "", LoadOptions()))


def protocol(pipeline: str, name: str = "", **options: str) -> ProtocolLike:
    benchmark = registry.get(pipeline)
    return benchmark.protocols[name or next(iter(benchmark.protocols))]("", options, prompts_for(pipeline))


def walked(asked: ProtocolLike, item: Item, say: Callable[[Turn], str | None]) -> list[Step]:
    """The steps of a trajectory whose turns are answered so, until None is said or nothing more is asked."""
    benchmark = registry.get(item.benchmark)
    scorer, steps = RuleScorer(RULE, benchmark.score), list[Step]()
    while (turn := asked.next_turn(item, steps)) is not None and (text := say(turn)) is not None:
        score = scorer.score(item, turn, Answer(text))
        steps.append(Step(turn, Answer(text), (score,), choice=asked.choice(item, turn, score)))
    return steps


# -- replies of generators and judges


def step_reply(asked: Sequence[tuple[str, str, object]], paraphrase: str = "Say where it is") -> str:
    """The printed form of a step's distractors: question, answer, unhelpfulness each."""
    entries: list[dict[str, object]] = [
        {"paraphrased_intermediate_question": paraphrase, "answer": "a", "unhelpfulness_score": 1}
    ]
    entries += [
        {"unhelpful_question": question, "answer": answer, " unhelpfulness_score": level}
        for question, answer, level in asked
    ]
    return "Here it is:\n```json\n" + json.dumps({"question_1": entries}) + "\n```"


def chain_reply(first: Sequence[tuple[str, str]], second: Sequence[tuple[str, str]], golds: Sequence[str]) -> str:
    """The printed form of two misleading chains and the paraphrases."""

    def numbered(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
        out = {}
        for number, (question, answer) in enumerate(pairs, 1):
            out |= {f"question_{number}": question, f"answer_{number}": answer}
        return out

    return json.dumps(
        {
            "paraphrased_gt_questions": numbered([(gold, "x") for gold in golds]),
            "consistent_confusing_questions1": numbered(first),
            "consistent_confusing_questions2": numbered(second),
        }
    )


def answered(words: str) -> str:
    """What the server's model says to a pipeline's turn, recognised by its words."""
    if "generate 5 confusing or misleading questions" in words:
        number = re.search(r"This is step (\d+)", words)
        assert number is not None
        return step_reply([(f"What lies in corner {k} at {number[1]}?", "Grass", k % 3 + 1) for k in range(5)])
    if "Generate 2 confusing reasoning chains" in words:
        count = len(re.findall(r"^question_\d+: ", words, re.MULTILINE))
        first, second = ([(f"Which tree {c} is at {k}?", "An oak") for k in range(1, count + 1)] for c in (1, 2))
        return chain_reply(first, second, [f"Tell me of {k}" for k in range(count)])
    if "Choose the single most helpful intermediate question" in words:
        return "(A)"
    if count_ := re.search(r"^Choose (\d) of them", words, re.MULTILINE):
        return json.dumps({"selected": list(range(1, int(count_[1]) + 1))})
    if "Here is a chain of questions" in words:
        return json.dumps(dict.fromkeys(re.findall(r'"((?:helpful|ordered)_\d+)"', words), 1))
    if "Say in one or two plain sentences" in words:
        return "A red car stands in a city street."
    if "Decide whether a question of this subtask" in words:
        leaks = "can be answered without looking" not in words
        right = "red paint on the doors of it" if leaks else "red paint"
        wrong = ["tree bark", "wet sand", "old hay"]
        return json.dumps({"fits": True, "question": "What have both?", "right": right, "wrong": wrong})
    if "answer three questions" in words:
        return json.dumps({"number": 1, "subject": 1, "action": 1})
    return "Yes"


def words_of(received: Received) -> str:
    """All words of a request."""
    if "prompt" in received.body:
        return str(received.body["prompt"])
    content = received.messages[-1]["content"]
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def everybody(received: Received) -> Reply:
    """Plays them all, with a fault now and then: a busy server, and a reply that is none."""
    if received.number % 7 == 3:
        return fails(429, "slow down", retry_after="0")
    words = words_of(received)
    if "prompt" in received.body:
        return makes(picture_of(words, received.number))
    if "generate 5 confusing" in words and "could not be used" not in words and "This is step 1." in words:
        return says("I would rather not use JSON.")
    return says(answered(words))


def picture_of(words: str, number: int) -> bytes:
    """A small picture of its own for each request."""
    made = BytesIO()
    colour = (sum(words.encode()) % 256, number % 256, number // 256 % 256)
    Image.new("RGB", (32, 32), colour).save(made, format="PNG")
    return made.getvalue()


@contextmanager
def serving(script: Callable[[Received], Any]) -> Iterator[FaultServer]:
    """A fault server in a thread, so that commands can run in this one."""
    loop = asyncio.new_event_loop()
    server = FaultServer(script)
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
