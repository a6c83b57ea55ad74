"""A letter is right where it is the one that the turn shows the gold option under; nothing is guessed."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from core.records import Item, Parse, Turn
from tests.vrex_data import VREX, items, protocol, row


@pytest.fixture(scope="module")
def item(tmp_path_factory: pytest.TempPathFactory) -> Item:
    return items([row(3, 2, random.Random(6))], tmp_path_factory.mktemp("data"))[0]


def first(item: Item, name: str = "planning", **options: str) -> Turn:
    turn = protocol(name, **options).next_turn(item, ())
    assert turn is not None
    return turn


@pytest.mark.parametrize("name", list(VREX.protocols))
@pytest.mark.parametrize("options", ["kept", "rotate"])
def test_the_gold_is_right_and_every_other_letter_wrong(item: Item, name: str, options: str) -> None:
    turn = first(item, name, options=options)
    assert VREX.score(item, turn, turn.gold_text).correct
    for letter in turn.form[0].options:
        score = VREX.score(item, turn, f"({letter})\n\nIt tells most.")
        assert score.correct is (letter == turn.gold["answer"])
        assert (score.status, score.scored) == (Parse.OK, 1)
        assert score.parsed == {"answer": letter}
        start, end = score.spans["answer"]
        assert letter in f"({letter})\n\nIt tells most."[start:end]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", Parse.NO_ANSWER),
        ("I am not sure what to ask first.", Parse.NO_ANSWER),
        ("(Z)", Parse.NO_ANSWER),
        ("The answer is (A). The answer is (B).", Parse.AMBIGUOUS),
        ("I'm sorry, but I can't help with that.", Parse.REFUSAL),
    ],
)
def test_what_gives_no_letter_is_wrong_and_told_apart(item: Item, text: str, status: Parse) -> None:
    score = VREX.score(item, first(item), text)
    assert (score.status, score.right, score.scored, score.parsed) == (status, 0, 1, {})


@pytest.mark.parametrize("options", ["kept", "rotate"])
def test_the_words_of_an_option_are_its_letter_as_shown(item: Item, options: str) -> None:
    turn = first(item, options=options)
    gold = item.facts["steps"][0]["planning"]
    question = gold["options"][gold["answer"]]["question"]
    assert VREX.score(item, turn, question).correct


def test_values_are_put_into_words_that_read_back(item: Item) -> None:
    turn = first(item)
    for letter in turn.form[0].options:
        assert VREX.score(item, turn, VREX.write(item, turn, {"answer": letter})).parsed == {"answer": letter}
    assert VREX.write(item, turn, {}) == ""


def test_every_step_is_one_choice() -> None:
    for step in ("plan.1", "plan.3.again", "follow.2", "final", "plan"):
        assert VREX.layout(step).properties == ("answer",)
        assert VREX.layout(step).units == 1


def test_an_item_without_numbered_steps_can_be_asked_directly(tmp_path: Path) -> None:
    (found,) = items([row(0, 0, random.Random(1))], tmp_path)
    turn = first(found, "direct")
    assert turn.step == "final"
    assert VREX.score(found, turn, turn.gold_text).correct


def test_knowing_the_benchmark_does_not_load_the_reader_of_letters() -> None:
    code = "import sys, core.benchmarks.registry; sys.exit(any(m.startswith('core.letters') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[4], check=False).returncode == 0
