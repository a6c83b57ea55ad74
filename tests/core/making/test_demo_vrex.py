"""The demo pack of V-REX: its form, its counts, and that its letters and lengths give nothing away."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from PIL import Image

from core.making.chains import CATEGORIES
from core.making.demo_vrex import CHAINS
from core.packs import pack

Item = dict[str, Any]

FILE = pack("vrex", "demo")
ITEMS: list[Item] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
STEPS: list[tuple[Item, Item]] = [(item, step) for item in ITEMS for step in item["steps"]]
LETTERS = "ABCDEF"


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def problems(item: Item) -> list[str]:
    """What in ``item`` is not as the documented format says."""
    found = []
    if set(item) != {"id", "image", "category", "scenario", "question", "options", "answer", "steps"}:
        found.append(f"fields {sorted(item)}")
    asked = [("final", item["options"], item["answer"])]
    for number, step in enumerate(item["steps"], start=1):
        if set(step) != {"question", "answer", "following", "planning"}:
            found.append(f"step {number}: fields {sorted(step)}")
        asked.append((f"following {number}", step["following"]["options"], step["following"]["answer"]))
        planning = step["planning"]["options"]
        asked.append(
            (f"planning {number}", {k: v["question"] for k, v in planning.items()}, step["planning"]["answer"])
        )
        found.extend(
            f"planning {number}: {key}"
            for key, option in planning.items()
            if set(option) != {"question", "answer", "kind"} or option["kind"] not in ("gold", "step", "chain")
        )
    for place, options, answer in asked:
        if list(options) != list(LETTERS[: len(options)]) or not 2 <= len(options) <= 6:
            found.append(f"{place}: letters {list(options)}")
        if answer not in options:
            found.append(f"{place}: answer {answer}")
        if len({plain(text) for text in options.values()}) != len(options) or not all(options.values()):
            found.append(f"{place}: options alike or empty")
    return found


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_an_item_has_the_documented_form(item: Item) -> None:
    assert problems(item) == []


def test_each_scenario_has_two_items_under_its_category() -> None:
    counted = Counter((item["category"], item["scenario"]) for item in ITEMS)
    assert counted == {(category, name): 2 for category, names in CATEGORIES.items() for name in names}
    assert len({item["id"] for item in ITEMS}) == 30


def test_chains_are_two_to_six_questions_long_and_of_every_length() -> None:
    lengths = Counter(len(item["steps"]) + 1 for item in ITEMS)
    assert set(lengths) == {2, 3, 4, 5, 6}
    assert 3 <= sum(length * often for length, often in lengths.items()) / 30 <= 4


@pytest.mark.parametrize("kind", ["final", "following", "planning"])
def test_no_letter_is_right_more_often_than_its_share(kind: str) -> None:
    asked = [(item["options"], item["answer"]) for item in ITEMS]
    if kind != "final":
        asked = [(step[kind]["options"], step[kind]["answer"]) for _, step in STEPS]
    for size in {len(options) for options, _ in asked}:
        often = Counter(answer for options, answer in asked if len(options) == size)
        counts = [often[letter] for letter in LETTERS[:size]]
        assert max(counts) - min(counts) <= 1


def test_the_gold_option_is_the_steps_own_question_and_answer() -> None:
    for _, step in STEPS:
        following = step["following"]
        assert following["options"][following["answer"]] == step["answer"]
        gold = step["planning"]["options"][step["planning"]["answer"]]
        assert gold == {"question": step["question"], "answer": step["answer"], "kind": "gold"}
        kinds = Counter(option["kind"] for option in step["planning"]["options"].values())
        assert kinds["gold"] == 1
        assert kinds["step"] >= 1
        assert kinds["chain"] >= 1


def test_no_distractor_is_a_gold_question_of_its_chain() -> None:
    for item in ITEMS:
        gold = {plain(step["question"]) for step in item["steps"]} | {plain(item["question"])}
        assert len(gold) == len(item["steps"]) + 1
        for step in item["steps"]:
            options = step["planning"]["options"].values()
            assert not gold & {plain(option["question"]) for option in options if option["kind"] != "gold"}


def test_no_answer_stands_in_its_question() -> None:
    for item in ITEMS:
        asked = [(item["question"], item["options"][item["answer"]])]
        for step in item["steps"]:
            asked.extend((option["question"], option["answer"]) for option in step["planning"]["options"].values())
        for question, answer in asked:
            assert f" {plain(answer)} " not in f" {plain(question)} ", question


def test_the_longest_option_is_not_the_right_one_more_often_than_chance_allows() -> None:
    def share(asked: list[tuple[dict[str, str], str]]) -> float:
        hits = 0.0
        for options, answer in asked:
            most = max(len(text) for text in options.values())
            longest = [letter for letter, text in options.items() if len(text) == most]
            hits += (answer in longest) / len(longest)
        return hits / len(asked)

    assert share([(item["options"], item["answer"]) for item in ITEMS]) <= 0.35
    assert share([(step["following"]["options"], step["following"]["answer"]) for _, step in STEPS]) <= 0.45
    questions = [
        ({key: option["question"] for key, option in step["planning"]["options"].items()}, step["planning"]["answer"])
        for _, step in STEPS
    ]
    assert share(questions) <= 0.3


def test_every_picture_exists_opens_and_belongs_to_an_item() -> None:
    named = {FILE.parent / item["image"] for item in ITEMS}
    assert named == set((FILE.parent / "images").iterdir())
    for file in named:
        with Image.open(file) as image:
            image.load()
            assert 384 <= image.width <= 640


def test_the_card_counts_the_pack_and_calls_it_a_demonstration() -> None:
    card = json.loads((FILE.parent / "card.json").read_text(encoding="utf-8"))
    assert card["packs"]["demo"]["items"] == len(ITEMS) == len(CHAINS)
    assert card["packs"]["demo"]["questions"] == len(STEPS) + len(ITEMS)
    assert "demonstration" in card["demonstration"]
    assert "MIT" in card["licence"]
