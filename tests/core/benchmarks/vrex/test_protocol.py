"""What is asked: the printed prompts, what is told, what happens without a letter, and letters that move."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from core.errors import UsageError
from core.interventions import Intervention, changed_answer
from core.records import Answer, Item, Origin, Show, Status, Step
from core.scoring import RULE, RuleScorer
from tests import vrex_data
from tests.vrex_data import VREX, gold_path, items, protocol, row, rows, walked

PLANNING = (
    "Choose the single most helpful intermediate question from the options below. On the FIRST line, output ONLY the"
    " option letter in parentheses (e.g., (A)). That first line must match exactly: ^\\([A-F]\\)$ After a blank line,"
    " you MAY add brief reasoning."
)
FOLLOWING = (
    "You need to choose the most likely answer from the following options, make sure the option letter is in the"
    " parentheses like (X).:"
)
UNREADABLE = "I would rather look at the whole picture first."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Item]:
    return items(rows(30), tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def item(tmp_path_factory: pytest.TempPathFactory) -> Item:
    """Three steps before the final question."""
    return items([row(11, 3, random.Random(1))], tmp_path_factory.mktemp("data"))[0]


def names(steps: list[Step]) -> list[str]:
    return [step.turn.step for step in steps]


# -- words


def test_the_two_printed_prompts_are_asked_word_for_word(item: Item) -> None:
    for step in gold_path(protocol("planning"), item):
        prompt = FOLLOWING if step.turn.step == "final" else PLANNING
        assert step.turn.text.count(prompt + "\n(A) ") == 1
    for step in gold_path(protocol("following"), item):
        assert step.turn.text.count(FOLLOWING + "\n(A) ") == 1
        assert PLANNING not in step.turn.text


def test_the_final_question_is_asked_in_the_same_words_with_and_without_a_chain(item: Item) -> None:
    (direct,) = gold_path(protocol("direct"), item)
    assert direct.turn.text == gold_path(protocol("following"), item)[-1].turn.text
    assert item.facts["question"] in direct.turn.text
    for letter, text in item.facts["options"].items():
        assert f"({letter}) {text}" in direct.turn.text


def test_planning_tells_the_final_question_first_and_following_does_not(item: Item) -> None:
    planning, following = protocol("planning").next_turn(item, ()), protocol("following").next_turn(item, ())
    assert planning is not None
    assert following is not None
    assert item.facts["question"] in planning.text
    assert item.facts["question"] not in following.text
    assert item.facts["steps"][0]["question"] in following.text


def test_the_picture_is_shown_once_at_the_beginning(item: Item) -> None:
    for name in VREX.protocols:
        steps = gold_path(protocol(name), item)
        assert [step.turn.shows for step in steps] == [(Show((0,)),), *[()] * (len(steps) - 1)]


def test_every_option_is_listed_and_the_form_offers_its_letters(item: Item) -> None:
    for step, facts in zip(gold_path(protocol("planning"), item), item.facts["steps"], strict=False):
        options = facts["planning"]["options"]
        assert step.turn.form[0].options == tuple(options)
        assert all(f"({letter}) {option['question']}" in step.turn.text for letter, option in options.items())
        assert not any(option["answer"] in step.turn.text.partition("(A) ")[2] for option in options.values())
        assert step.turn.gold == {"answer": facts["planning"]["answer"]}


# -- what is told


@pytest.mark.parametrize("right", [True, False])
def test_the_answer_of_the_question_that_was_picked_is_told_next(item: Item, *, right: bool) -> None:
    asked = protocol("planning")
    turn = asked.next_turn(item, ())
    assert turn is not None
    letter = next(o for o in turn.form[0].options if (o == turn.gold["answer"]) is right)
    picked = item.facts["steps"][0]["planning"]["options"][letter]
    others = [o for key, o in item.facts["steps"][0]["planning"]["options"].items() if key != letter]
    steps = walked(asked, item, [f"({letter})", *["(A)"] * 3])
    text = steps[1].turn.text
    assert picked["question"] in text
    assert picked["answer"] in text
    assert not any(other["answer"] in text for other in others)


def test_following_asks_the_gold_questions_whatever_was_answered(item: Item) -> None:
    asked = protocol("following")
    one, other = walked(asked, item, ["(A)"] * 4), walked(asked, item, ["(B)", UNREADABLE, "(C)", "(D)"])
    assert [step.turn for step in one] == [step.turn for step in other]
    assert names(one) == ["follow.1", "follow.2", "follow.3", "final"]


def test_an_intervention_is_acted_on_like_an_answer(item: Item) -> None:
    asked = protocol("planning")
    turn = asked.next_turn(item, ())
    assert turn is not None
    wrong = changed_answer(VREX, item, turn, Intervention("plan.1", "wrong", "answer"), None, seed=3)
    for text, origin in ((turn.gold_text, Origin.GOLD), (wrong, Origin.WRONG)):
        steps = walked(asked, item, [text, "(A)", "(A)", "(A)"], origin)
        options = item.facts["steps"][0]["planning"]["options"]
        assert steps[0].choice is not None
        assert options[steps[0].choice]["answer"] in steps[1].turn.text
    assert turn.gold_text == f"({turn.gold['answer']})"
    assert wrong != turn.gold_text


# -- without a letter


def test_on_unparsed_continue_tells_nothing_and_goes_on(item: Item) -> None:
    steps = walked(protocol("planning"), item, [UNREADABLE, "(A)", "(A)", "(A)"])
    assert names(steps) == ["plan.1", "plan.2", "plan.3", "final"]
    assert steps[0].choice is None
    assert not steps[0].scores[0].correct
    assert "You chose" not in steps[1].turn.text
    assert "You chose" in steps[2].turn.text


@pytest.mark.parametrize("name", ["planning", "following"])
def test_on_unparsed_reask_asks_the_step_once_more_and_only_once(item: Item, name: str) -> None:
    kind = "plan" if name == "planning" else "follow"
    asked = protocol(name, on_unparsed="reask")
    steps = walked(asked, item, [UNREADABLE, UNREADABLE, "(A)", UNREADABLE, "(B)", UNREADABLE])
    assert names(steps) == [
        f"{kind}.1", f"{kind}.1.again", f"{kind}.2", f"{kind}.3", f"{kind}.3.again", "final",
    ]  # fmt: skip
    first, again = steps[3].turn, steps[4].turn
    assert (again.gold, again.form) == (first.gold, first.form)
    assert again.content[-1] == first.content[-1]
    assert "Choose once more" in again.text
    if name == "planning":
        assert item.facts["steps"][2]["planning"]["options"]["B"]["answer"] in steps[5].turn.text


@pytest.mark.parametrize("name", ["planning", "following"])
def test_on_unparsed_stop_ends_the_trajectory_there(item: Item, name: str) -> None:
    asked = protocol(name, on_unparsed="stop")
    assert len(walked(asked, item, ["(A)", UNREADABLE])) == 2
    assert names(walked(asked, item, ["(A)", "(B)", "(C)", UNREADABLE]))[-1] == "final"


# -- letters that move


def test_rotation_keeps_every_option_and_the_gold_one(made: list[Item]) -> None:
    for name in VREX.protocols:
        for item in made:
            kept, moved = gold_path(protocol(name), item), gold_path(protocol(name, options="rotate", seed="4"), item)
            assert names(kept) == names(moved)
            for one, other in zip(kept, moved, strict=True):
                before, after = listed(one), listed(other)
                assert sorted(before) == sorted(after)
                assert sorted(before.values()) == sorted(after.values())
                assert before[one.turn.gold["answer"]] == after[other.turn.gold["answer"]]
                assert other.scores[0].correct


def listed(step: Step) -> dict[str, str]:
    lines = [line for line in step.turn.text.splitlines() if line[:1] == "(" and line[2:4] == ") "]
    return {line[1]: line[4:] for line in lines}


def test_rotation_spreads_a_gold_letter_that_is_always_the_same(tmp_path: Path) -> None:
    made = rows(300)
    for each in made:
        for step in each["steps"]:
            planning = step["planning"]
            options = sorted(planning["options"].values(), key=lambda option: option["kind"] != "gold")
            planning["options"], planning["answer"] = dict(zip("ABCDEF", options, strict=True)), "A"
    found = items(made, tmp_path)
    steps = [step for item in found for step in gold_path(protocol("planning", options="rotate"), item)[:-1]]
    counts = Counter(step.turn.gold["answer"] for step in steps)
    assert set(counts) == set("ABCDEF")
    expected = len(steps) / 6
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 20.5  # chi square, 5 df, p = 0.001


def test_rotation_is_the_same_each_time_and_another_with_another_seed(made: list[Item]) -> None:
    def letters(seed: str) -> list[str]:
        return [
            s.turn.gold["answer"]
            for item in made
            for s in gold_path(protocol("planning", options="rotate", seed=seed), item)
        ]

    assert letters("1") == letters("1")
    assert letters("1") != letters("2")
    assert protocol("planning", options="rotate").options["seed"] == "0"


def test_the_final_question_is_lettered_alike_under_every_protocol(made: list[Item]) -> None:
    for item in made:
        finals = [gold_path(protocol(name, options="rotate"), item)[-1] for name in VREX.protocols]
        assert len({str(listed(step)) for step in finals}) == 1


def test_what_is_told_after_a_rotated_pick_is_what_that_letter_showed(made: list[Item]) -> None:
    asked = protocol("planning", options="rotate", seed="9")
    for item in made:
        steps = walked(asked, item, ["(B)"] * 9)
        for index, (step, then) in enumerate(pairwise(steps)):
            options = item.facts["steps"][index]["planning"]["options"].values()
            (picked,) = [option for option in options if option["question"] == listed(step)["B"]]
            assert picked["answer"] in then.turn.text


# -- purity


def test_the_next_turn_is_built_from_the_choice_acted_on_and_not_from_a_score(item: Item) -> None:
    asked = protocol("planning")
    steps = walked(asked, item, ["(A)", "(B)", "(C)", "(D)"])
    other = VREX.score(item, steps[0].turn, "(F)")
    rescored = [replace(step, scores=(replace(other, version="2"),), answer=Answer("(F)")) for step in steps]
    for count in range(1, 4):
        assert asked.next_turn(item, rescored[:count]) == steps[count].turn


def test_the_same_history_gives_the_same_turn_at_any_time_in_any_order(made: list[Item]) -> None:
    for name, options in (("planning", {"options": "rotate"}), ("following", {"on_unparsed": "reask"})):
        paths = {item.id: walked(protocol(name, **options), item, ["(B)", UNREADABLE] * 8) for item in made}
        fresh = protocol(name, **options)
        for item in reversed(made):
            for count in reversed(range(len(paths[item.id]))):
                assert fresh.next_turn(item, paths[item.id][:count]) == paths[item.id][count].turn
            assert fresh.next_turn(item, paths[item.id]) is None


def test_a_refused_call_is_no_choice(item: Item) -> None:
    asked = protocol("planning")
    turn = asked.next_turn(item, ())
    assert turn is not None
    score = RuleScorer(RULE, VREX.score).score(item, turn, Answer("(A)", Status.REFUSAL))
    assert asked.choice(item, turn, score) is None


# -- options


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("planning", {"on_unparsed": "retry"}, "on_unparsed cannot be 'retry'"),
        ("planning", {"option": "rotate"}, "no option option"),
        ("direct", {"on_unparsed": "stop"}, "no option on_unparsed"),
        ("planning", {"seed": "3"}, "nothing to draw"),
        ("planning", {"options": "rotate", "seed": "three"}, "seed cannot be 'three'"),
        ("planning", {"options": "rotate", "seed": "-1"}, "seed cannot be '-1'"),
    ],
)
def test_an_option_that_cannot_be_used_is_refused(name: str, options: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("(", r"\(")):
        protocol(name, **options)


def test_only_the_prompts_that_a_protocol_may_use_identify_it() -> None:
    assert set(protocol("direct").prompts) == {"direct", "question"}
    used = {name for each in VREX.protocols for name in protocol(each).prompts}
    assert used == set(vrex_data.prompts_for("vrex"))
