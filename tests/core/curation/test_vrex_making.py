"""What must hold of every V-REX item that is made, whatever generators, pickers and reviewers say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.benchmarks.base import LoadOptions
from core.benchmarks.vrex.load import load
from core.benchmarks.vrex.question import question
from core.curation.cards import Making
from core.curation.review import Verdict
from core.curation.vrex.export import write
from core.curation.vrex.merging import as_text
from core.curation.vrex.protocol import Distract
from core.curation.wording import normal, tells_itself
from core.errors import DataError, UsageError
from core.records import Item, Step, Turn
from tests.making import answered, chain, chain_reply, chains_file, items, protocol, step_reply, walked

MAKING = Making("run", 5, {}, {}, {}, {}, "2026-11-30")

GOLD = ["Where is house 1 of map 1?", "where is the HOUSE 2 of map 1", "Which street of map 1 leads home?"]
QUESTIONS = st.sampled_from(
    [*GOLD, "Tell me of 0", "What colour is the sky, blue?", *(f"What is at place {k}?" for k in range(8))]
)
ANSWERS = st.sampled_from(["blue", "Grass", "place 3", "An oak", ""])
ENTRIES = st.lists(st.tuples(QUESTIONS, ANSWERS, st.sampled_from([1, 2, 3, 0, "2", None])), max_size=7)
PAIRS = st.lists(st.tuples(QUESTIONS, ANSWERS), min_size=2, max_size=2)


@pytest.fixture(scope="module")
def made_items(tmp_path_factory: pytest.TempPathFactory) -> list[Item]:
    return items("make-vrex", chains_file(tmp_path_factory.mktemp("chains"), [chain(1), chain(2, 3)]))


def distract(**options: str) -> Distract:
    made = protocol("make-vrex", **options)
    assert isinstance(made, Distract)
    return made


def accepting(turn: Turn) -> str:
    return Verdict(f"R{turn.step[-1]}", "accept").text() if turn.step.startswith("review") else answered(turn.text)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), size=st.sampled_from(["6", "5", "4", "3"]), seed=st.integers(0, 9))
def test_whatever_is_said_the_gold_stays_and_no_distractor_is_gold_or_tells_itself(
    made_items: list[Item], data: st.DataObject, size: str, seed: int
) -> None:
    item, asked = made_items[0], distract(options=size, rounds="0", seed=str(seed))
    view = question(item)

    def say(turn: Turn) -> str:
        name = turn.step.partition(".")[0]
        if name == "step":
            return step_reply(data.draw(ENTRIES), data.draw(QUESTIONS))
        if name == "chains":
            golds = [f"Tell me of {k}" for k in range(2)]
            return chain_reply(data.draw(PAIRS), data.draw(PAIRS), golds)
        if name == "select":
            return json.dumps({"selected": data.draw(st.lists(st.integers(-1, 9), max_size=6))})
        return data.draw(st.sampled_from(["(A)", "(B)", "no idea", '{"helpful_1": 1}', ""]))

    steps = walked(asked, item, say)
    merged = asked.merged(item, steps)
    assert list(merged.questions) == [step.question for step in view.steps]
    gold = {normal(text) for text in (*merged.questions, view.question)}
    for beside in merged.distractors:
        assert len(beside) < int(size)
        asked_so = [normal(one.asked.question) for one in beside]
        assert len(set(asked_so)) == len(asked_so)
        assert not gold & set(asked_so)
        assert not any(tells_itself(one.asked.question, one.asked.answer) for one in beside)
        assert sum(one.kind == "chain" for one in beside) <= 1


def test_letters_are_right_equally_often_and_the_product_is_what_vrex_reads(tmp_path: Path) -> None:
    file = chains_file(tmp_path / "in", [chain(number, 1 + number % 3) for number in range(1, 25)])
    asked = distract()
    made = [(item, asked.merged(item, walked(asked, item, accepting))) for item in items("make-vrex", file)]
    written = write(tmp_path / "out", made, MAKING, {"accepted": len(made)})
    letters: dict[str, Counter[str]] = {"planning": Counter(), "following": Counter(), "final": Counter()}
    read = list(load(written, "", LoadOptions(protocol="planning")))
    for item, (source, _) in zip(read, made, strict=True):
        view, before = question(item), question(source)
        assert [(step.question, step.answer) for step in view.steps] == [
            (step.question, step.answer) for step in before.steps
        ]
        letters["final"][view.final.answer] += 1
        assert view.final.options[view.final.answer] == before.final.options[before.final.answer]
        for step in view.steps:
            assert step.planning is not None
            assert step.following is not None
            gold = step.planning.options[step.planning.answer]
            assert (gold.question, gold.answer, gold.kind) == (step.question, step.answer, "gold")
            assert sorted(step.planning.options) == list("ABCDEF")
            assert Counter(one.kind for one in step.planning.options.values()) == {"gold": 1, "chain": 1, "step": 4}
            letters["planning"][step.planning.answer] += 1
            letters["following"][step.following.answer] += 1
    for kind, size in (("planning", 6), ("following", 2), ("final", 3)):
        counts = letters[kind]
        assert len(counts) == size
        assert max(counts.values()) - min(counts.values()) <= 1, (kind, counts)


def test_the_chain_that_was_taken_for_the_gold_one_is_retained(made_items: list[Item]) -> None:
    asked = distract(rounds="0")
    for wanted in ("1", "2"):

        def say(turn: Turn, wanted: str = wanted) -> str:
            if not turn.step.startswith("confuse"):
                return answered(turn.text)
            lines = [line for line in turn.text.splitlines() if line.startswith("(")]
            return next(line for line in lines if f"Which tree {wanted}" in line)[:3]

        steps = walked(asked, made_items[1], say)
        merged = asked.merged(made_items[1], steps)
        chosen = {one.asked.question[:12] for beside in merged.distractors for one in beside if one.kind == "chain"}
        assert chosen == {f"Which tree {wanted}"}
        told = [step.turn.text for step in steps if step.turn.step == "confuse.3"]
        assert f"You chose: Which tree {wanted} is at 2?" in told[0]


def test_a_reply_that_cannot_be_used_is_asked_for_once_more_and_then_left(made_items: list[Item]) -> None:
    asked = distract(rounds="0")
    names = [step.turn.step for step in walked(asked, made_items[0], lambda turn: "nonsense")]
    assert names == [
        "step.1",
        "step.1.again",
        "step.2",
        "step.2.again",
        "chains",
        "chains.again",
        "helpful",
        "ordered",
    ]
    steps = walked(asked, made_items[0], lambda turn: "nonsense")
    assert asked.faults(made_items[0], steps) == ["step 1 has no distractor", "step 2 has no distractor"]
    assert "could not be used: 0 of its questions can be used" in steps[1].turn.text
    assert any("could not be read" in note for note in asked.draft(made_items[0], steps).notes)


def test_what_a_judge_doubts_is_told_to_reviewers(made_items: list[Item]) -> None:
    asked = distract()

    def say(turn: Turn) -> str | None:
        if turn.step == "ordered":
            return '{"ordered_1": 1, "ordered_2": 0}'
        return None if turn.step.startswith("review") else answered(turn.text)

    steps = walked(asked, made_items[0], say)
    turn = asked.next_turn(made_items[0], steps)
    assert turn is not None
    assert turn.step == "review.1"
    doubt = "The judge doubts that question 2 would come before what needs its answer."
    assert doubt in turn.text
    assert asked.draft(made_items[0], steps).notes == (doubt,)


def reviewed(made_items: list[Item], *verdicts: Verdict) -> tuple[Distract, list[Step]]:
    asked, left = distract(), list(verdicts)

    def say(turn: Turn) -> str | None:
        if turn.step.startswith("review"):
            return left.pop(0).text() if left else None
        return answered(turn.text)

    return asked, walked(asked, made_items[0], say)


def test_an_edit_is_what_the_next_round_sees_and_what_is_written(made_items: list[Item], tmp_path: Path) -> None:
    asked, steps = reviewed(made_items)
    text = asked.draft(made_items[0], steps).text.replace("What lies in corner 0 at 1?", "Who left the gate open?")
    text = text.replace("gold: Where is house 1 of map 1?", "gold: Where does house 1 of map 1 stand?")
    edit = asked.edited(made_items[0], steps, text)
    asked, steps = reviewed(made_items, Verdict("R1", "edit", edit=edit))
    turn = asked.next_turn(made_items[0], steps)
    assert turn is not None
    assert turn.step == "review.2"
    assert "Who left the gate open?" in turn.text
    assert "corner 0 at 1" not in turn.text
    merged = asked.merged(made_items[0], steps)
    assert merged.questions[0] == "Where does house 1 of map 1 stand?"
    file = write(tmp_path / "out", [(made_items[0], merged)], MAKING, {})
    assert "Who left the gate open?" in file.read_text(encoding="utf-8")


def test_a_rejected_item_is_asked_of_nobody_else(made_items: list[Item]) -> None:
    asked, steps = reviewed(made_items, Verdict("R1", "reject", "dull"))
    assert asked.next_turn(made_items[0], steps) is None
    assert [step.turn.step for step in steps][-1] == "review.1"


def test_a_review_that_cannot_be_read_accepts_nothing(made_items: list[Item]) -> None:
    from core.curation.review import rejected

    asked = distract(rounds="1")
    steps = walked(asked, made_items[0], lambda turn: "yes" if turn.step == "review.1" else answered(turn.text))
    assert rejected(steps) == "a review that cannot be read"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("step: ", "stop: ", 1), "line 4: a line is"),
        (lambda text: text.replace("= By the river 1", "= Elsewhere"), "line 2: a gold answer cannot be changed"),
        (lambda text: text[: text.index("step 2")], "the chain has 2 steps"),
        (lambda text: text.replace("step 1\n", "", 1), "line 1: the first line names its step"),
        (
            lambda text: text.replace("What lies in corner 0 at 1?", "where is HOUSE 1 of the map 1"),
            "is a gold question",
        ),
        (
            lambda text: text.replace("What lies in corner 0 at 1? = Grass", "Is grass green? = Green"),
            "its own answer",
        ),
        (lambda text: text.replace("What lies in corner 0 at 1?", "What lies in corner 1 at 1?"), "stands twice"),
        (lambda text: text.replace("step 2", "step: One more? = Yes\nstep 2"), "6 distractors; 5 is the most"),
    ],
)
def test_an_edit_that_breaks_an_item_is_refused(made_items: list[Item], change: Any, says: str) -> None:
    asked, steps = reviewed(made_items)
    text = asked.draft(made_items[0], steps).text
    assert text == as_text(question(made_items[0]), asked.merged(made_items[0], steps))
    with pytest.raises(UsageError) as refused:
        asked.edited(made_items[0], steps, change(text))
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"steps": []}, "nothing to plan"),
        ({"steps": [{"question": "Is it By the Hill?", "answer": "the hill"}]}, "holds its own answer 'the hill'"),
        ({"steps": [{"question": "Where?", "answer": ""}]}, "is missing, and it is told"),
        (
            {"steps": [{"question": "which street of the map 1 leads home", "answer": "x"}]},
            "the final question again",
        ),
    ],
)
def test_chains_that_no_distractor_could_mend_are_refused_before_anything_is_asked(
    tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(DataError) as refused:
        items("make-vrex", chains_file(tmp_path, [{**chain(), **changes}]))
    assert says in str(refused.value)


def test_an_unknown_option_and_a_seed_that_is_none_are_refused() -> None:
    with pytest.raises(UsageError, match="options cannot be '7'"):
        distract(options="7")
    with pytest.raises(UsageError, match="seed cannot be"):
        distract(seed="one")
