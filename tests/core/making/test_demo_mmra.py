"""The demo pack of MMRA: its form, its counts, and that its text alone gives nothing away."""

from __future__ import annotations

import ast
import json
from collections import Counter
from typing import Any

import pytest
from PIL import Image

from core.making.pairs import SHORT
from core.packs import pack

Item = dict[str, Any]

FILE = pack("mmra", "metadata")
ITEMS: list[Item] = json.loads(FILE.read_text(encoding="utf-8"))
CHOICES = [item for item in ITEMS if item["QA_type"] == "Choice QA"]
FIELDS = {
    "id", "subtask", "QA_type", "question", "options", "answer", "image1", "image2", "description1", "description2",
}  # fmt: skip


def options_of(item: Item) -> dict[str, str]:
    options = ast.literal_eval(item["options"])
    assert isinstance(options, dict)
    return options


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_an_item_has_the_hubs_fields(item: Item) -> None:
    assert set(item) == FIELDS
    assert item["id"].startswith(SHORT[item["subtask"]] + "-")
    assert (item["description1"] is None) == (item["description2"] is None)
    if item["QA_type"] == "Choice QA":
        options = options_of(item)
        assert list(options) == list("ABCD"[: len(options)])
        assert len(options) in (3, 4)
        assert item["answer"] in options
        assert len(set(options.values())) == len(options)
    else:
        assert item["QA_type"] == "True or false QA"
        assert item["options"] is None
        assert item["answer"] in ("Yes", "No")


def test_each_subtask_has_two_choices_one_yes_and_one_no() -> None:
    for subtask in SHORT:
        own = [item for item in ITEMS if item["subtask"] == subtask]
        assert [item["id"] for item in own] == [f"{SHORT[subtask]}-{k:03d}" for k in range(1, 5)]
        assert sorted(item["answer"] for item in own if item["options"] is None) == ["No", "Yes"]


def test_some_choices_have_three_options_and_letters_are_balanced() -> None:
    sizes = Counter(len(options_of(item)) for item in CHOICES)
    assert sizes == {3: 5, 4: 17}
    for size in sizes:
        often = Counter(item["answer"] for item in CHOICES if len(options_of(item)) == size)
        counts = [often[letter] for letter in "ABCD"[:size]]
        assert max(counts) - min(counts) <= 1


def test_yes_and_no_ask_the_same_words_of_other_pictures() -> None:
    for subtask in SHORT:
        asked = {item["question"] for item in ITEMS if item["subtask"] == subtask and item["options"] is None}
        assert len(asked) == 1


def test_descriptions_do_not_tell_yes_from_no() -> None:
    told = Counter(item["answer"] for item in ITEMS if item["options"] is None and item["description1"])
    assert sum(told.values()) == 11
    assert abs(told["Yes"] - told["No"]) <= 1
    assert sum(item["description1"] is not None for item in CHOICES) == 11


@pytest.mark.parametrize("subtask", ["RelativePosition", "SimilarMaterial", "NearSameEntity", "ObservationAngle"])
def test_no_option_turns_right_when_the_pictures_change_places(subtask: str) -> None:
    for item in (item for item in CHOICES if item["subtask"] == subtask):
        options = options_of(item)
        right = options[item["answer"]]
        turned = right.replace("image 1", "\0").replace("image 2", "image 1").replace("\0", "image 2")
        assert "image 1" in right.casefold()
        for option in options.values():
            halves = {half.strip().casefold() for half in option.replace(" and ", ", ").split(", ")}
            assert halves != {half.strip().casefold() for half in turned.replace(" and ", ", ").split(", ")}


def test_every_picture_exists_opens_and_belongs_to_an_item() -> None:
    named = {FILE.parent / item[field] for item in ITEMS for field in ("image1", "image2")}
    assert len(named) == 88
    assert named == set((FILE.parent / "images").iterdir())
    for file in named:
        with Image.open(file) as image:
            image.load()
            assert 384 <= image.width <= 640


def test_the_two_pictures_of_an_item_differ() -> None:
    for item in ITEMS:
        assert (FILE.parent / item["image1"]).read_bytes() != (FILE.parent / item["image2"]).read_bytes()


def test_the_card_counts_the_pack_and_calls_it_a_demonstration() -> None:
    card = json.loads((FILE.parent / "card.json").read_text(encoding="utf-8"))
    assert card["packs"]["metadata"]["items"] == len(ITEMS) == 44
    assert "demonstration" in card["demonstration"]
    assert "MIT" in card["licence"]
