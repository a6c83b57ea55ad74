"""What MMRA asks, setting by setting, under every option."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks import registry
from core.benchmarks.base import Partial, ProtocolLike
from core.benchmarks.mmra.question import question
from core.errors import UsageError
from core.prompts import prompts_for
from core.records import Answer, Item, Show, Step, Text, Turn
from tests.mmra_data import items_of, made_rows

MMRA = registry.get("mmra")

ROWS: list[dict[str, Any]] = [
    {
        "id": "four", "subtask": "SM", "QA_type": "Choice QA", "question": "What is alike?", "answer": "C",
        "options": {"A": "a cup", "B": "a {C} dog", "C": "a car", "D": "a tree"},
        "image1": "1.png", "image2": "2.png", "description1": "A bench.", "description2": "A tree.",
    },
    {
        "id": "three", "subtask": "OA", "QA_type": "Chooice QA", "question": "Which angle?", "answer": "A",
        "options": {"A": "above", "B": "below", "C": "beside"}, "image1": "1.png", "image2": "3.png",
    },
    {
        "id": "yes-no", "subtask": "SubE", "QA_type": "True or false QA", "question": "Did one follow the other?",
        "answer": "No", "options": None, "image1": "4.png", "image2": "5.png", "description2": "A dog.",
    },
]  # fmt: skip

TRUE_FALSE = (
    "You will be giving one question and two images. Please only answer the question with Yes or No. "
    "Questions: Did one follow the other?. Please give me your answer."
)
FOUR = (
    "You will be giving one question, two images, and four options, one of them is correct. Please choose one of the "
    "four options. The question is: What is alike?. The options are: [A: a cup, B: a {C} dog, C: a car, D: a tree] "
    "Please tell me the answer in the format if [A], [B], [C] or [D]."
)
THREE = (
    "You will be giving one question, two images, and three options, one of them is correct. Please choose one of "
    "the three options. The question is: Which angle?. The options are: [A: above, B: below, C: beside] "
    "Please tell me the answer in the format if [A], [B] or [C]."
)
FIVE = (
    "You will be giving one question, two images, and five options, one of them is correct. Please choose one of the "
    "five options. The question is: What is alike?. The options are: [A: a cup, B: a {C} dog, C: a car, D: a tree, "
    "E: All of the above options are incorrect] Please tell me the answer in the format if [A], [B], [C], [D] or [E]."
)


@pytest.fixture
def items(tmp_path: Path) -> dict[str, Item]:
    return {item.id: item for item in items_of(ROWS, tmp_path)}


def made(name: str, **options: str) -> ProtocolLike:
    return MMRA.protocols[name]("", options, prompts_for("mmra"))


def turns(protocol: ProtocolLike, item: Item, answers: Sequence[str] = ()) -> list[Turn]:
    said = iter(answers)
    steps: list[Step] = []
    while (turn := protocol.next_turn(item, steps)) is not None:
        steps.append(Step(turn, Answer(next(said, "whatever was said"))))
    return [step.turn for step in steps]


def kinds(turn: Turn) -> list[object]:
    return [part.text if isinstance(part, Text) else part for part in turn.content]


# -- the printed prompts


def test_the_prompts_are_those_of_table_5_word_for_word() -> None:
    """Table 5 of the paper, with its placeholders."""
    prompts = prompts_for("mmra")
    assert prompts["true_false"] == (
        "You will be giving one question and two images. Please only answer the question with Yes or No. "
        "Questions: {question}. Please give me your answer."
    )
    assert prompts["choice"] == (
        "You will be giving one question, two images, and four options, one of them is correct. Please choose one of "
        "the four options. The question is: {Question}. The options are: [A: {A}, B: {B}, C: {C}, D: {D}] Please "
        "tell me the answer in the format if [A], [B], [C] or [D]."
    )


@pytest.mark.parametrize(("item", "words"), [("four", FOUR), ("three", THREE), ("yes-no", TRUE_FALSE)])
def test_what_a_model_reads_is_the_template_filled(items: dict[str, Item], item: str, words: str) -> None:
    (turn,) = turns(made("qo"), items[item])
    assert kinds(turn) == [words]
    assert turn.text == words


# -- the four settings


def test_iq_shows_both_images_before_the_question(items: dict[str, Item]) -> None:
    (turn,) = turns(made("iq"), items["four"])
    assert kinds(turn) == [Show((0,)), Show((1,)), FOUR]
    assert (turn.step, dict(turn.gold), turn.gold_text) == ("answer", {"answer": "C"}, "[C]")
    assert turn.form[0].options == ("A", "B", "C", "D")


def test_dq_tells_the_given_descriptions_in_their_place(items: dict[str, Item]) -> None:
    (turn,) = turns(made("dq"), items["four"])
    told, question_ = kinds(turn)
    assert told == "The first image, described: A bench.\n\nThe second image, described: A tree."
    assert question_ == FOUR


def test_idq_shows_and_tells(items: dict[str, Item]) -> None:
    (turn,) = turns(made("idq"), items["four"])
    assert kinds(turn)[:2] == [Show((0,)), Show((1,))]
    assert "A bench." in turn.text
    assert turn.text.endswith(FOUR)


def test_what_is_not_described_is_asked_for_picture_by_picture(items: dict[str, Item]) -> None:
    first, second, answer = turns(made("dq"), items["three"], [" A street. ", "A square."])
    assert [first.step, second.step, answer.step] == ["describe.1", "describe.2", "answer"]
    assert (first.shows, second.shows) == ((Show((0,)),), (Show((1,)),))
    assert all(turn.afresh and turn.shared and not turn.form for turn in (first, second))
    assert kinds(first)[1] == kinds(second)[1]
    assert "first image, described: A street.\n" in answer.text
    assert "second image, described: A square.\n" in answer.text
    assert answer.afresh
    assert not answer.shared


def test_only_the_missing_description_is_asked_for(items: dict[str, Item]) -> None:
    first, answer = turns(made("idq"), items["yes-no"], ["A cat."])
    assert (first.step, first.shows) == ("describe.1", (Show((0,)),))
    assert "first image, described: A cat.\n" in answer.text
    assert "second image, described: A dog.\n" in answer.text


def test_descriptions_can_be_asked_for_though_they_are_given(items: dict[str, Item]) -> None:
    asked = turns(made("dq", descriptions="asked"), items["four"], ["One.", "Two."])
    assert [turn.step for turn in asked] == ["describe.1", "describe.2", "answer"]
    assert asked[0].gold_text == "A bench."
    assert "A bench." not in asked[2].text
    assert "One." in asked[2].text


def test_an_empty_description_says_so(items: dict[str, Item]) -> None:
    answer = turns(made("dq"), items["three"], ["", " "])[-1]
    assert answer.text.count("(no description)") == 2


# -- sequence perception and controls


def test_swapping_adds_the_fifth_option_which_is_right(items: dict[str, Item]) -> None:
    (turn,) = turns(made("iq", swap="yes"), items["four"])
    assert kinds(turn) == [Show((1,)), Show((0,)), FIVE]
    assert (dict(turn.gold), turn.gold_text) == ({"answer": "E"}, "[E]")
    assert turn.form[0].options == ("A", "B", "C", "D", "E")
    (three,) = turns(made("iq", swap="yes"), items["three"])
    assert dict(three.gold) == {"answer": "D"}
    assert "D: All of the above options are incorrect]" in three.text


def test_swapped_descriptions_go_with_their_images(items: dict[str, Item]) -> None:
    for protocol in (made("dq", swap="yes"), made("idq", swap="yes"), made("idq", pictures="swapped")):
        turn = turns(protocol, items["four"])[-1]
        assert "first image, described: A tree." in turn.text
        assert "second image, described: A bench." in turn.text
    asked = turns(made("dq", swap="yes"), items["three"], ["One.", "Two."])
    assert asked[0].shows == (Show((0,)),)
    assert "first image, described: Two." in asked[-1].text


def test_swapping_covers_choices_of_the_four_subtasks_that_hang_on_order(tmp_path: Path) -> None:
    from core.benchmarks.mmra.question import SUBTASKS

    protocol, plain = made("iq", swap="yes"), made("iq")
    assert isinstance(protocol, Partial)
    assert isinstance(plain, Partial)
    assert (protocol.partial, plain.partial) == (True, False)
    for item in items_of(made_rows(dict.fromkeys(SUBTASKS, 5)), tmp_path):
        wanted = item.groups["subtask"] in ("RP", "SM", "NSE", "OA") and item.groups["qa"] == "choice"
        assert protocol.covers(item) is wanted
        assert (protocol.next_turn(item, ()) is not None) is wanted
        assert plain.covers(item)


@pytest.mark.parametrize(
    ("how", "shows"),
    [
        ("shown", (Show((0,)), Show((1,)))),
        ("none", ()),
        ("blank", (Show((0,), blank=True), Show((1,), blank=True))),
        ("swapped", (Show((1,)), Show((0,)))),
    ],
)
def test_controls_change_the_pictures_and_nothing_else(
    items: dict[str, Item], how: str, shows: tuple[Show, ...]
) -> None:
    (turn,) = turns(made("iq", pictures=how), items["four"])
    assert turn.shows == shows
    assert turn.text == FOUR
    assert dict(turn.gold) == {"answer": "C"}


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("iq", {"swapp": "yes"}, "Did you mean swap"),
        ("iq", {"pictures": "hidden"}, "shown, none, blank, swapped"),
        ("iq", {"swap": "yes", "pictures": "swapped"}, "exchanges the images already"),
        ("iq", {"descriptions": "asked"}, "no option descriptions"),
        ("qo", {"swap": "yes"}, "no option swap"),
    ],
)
def test_what_cannot_be_set_is_refused(name: str, options: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError) as refused:
        made(name, **options)
    assert says in str(refused.value)


OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "iq": {"swap": ("no", "yes"), "pictures": ("shown", "none", "blank")},
    "dq": {"swap": ("no", "yes"), "descriptions": ("given", "asked")},
    "idq": {"swap": ("no", "yes"), "pictures": ("shown", "none", "blank"), "descriptions": ("given", "asked")},
    "qo": {},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_under_every_option_a_turn_is_a_pure_function_and_its_gold_scores_right(
    items: dict[str, Item], name: str
) -> None:
    for values in product(*OPTIONS[name].values()):
        protocol = made(name, **dict(zip(OPTIONS[name], values, strict=True)))
        for item in items.values():
            asked = turns(protocol, item)
            assert asked == turns(protocol, item)
            for turn in asked:
                assert turn.step in protocol.steps
                scores = [scorer(item, turn, turn.gold_text) for scorer in (MMRA.score, *MMRA.scorers.values())]
                if turn.step == "answer":
                    assert all(score.correct for score in scores)
                else:
                    assert all(score.scored == 0 for score in scores)
            assert not [turn for turn in asked if "{description" in turn.text or "{options}" in turn.text]


def test_an_item_says_what_it_asks_in_one_line(items: dict[str, Item]) -> None:
    assert MMRA.title(items["four"]) == "SM: What is alike?"
    assert question(items["three"]).descriptions == ("", "")
