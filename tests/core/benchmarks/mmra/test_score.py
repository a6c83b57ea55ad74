"""The authors' rule with its known faults, beside ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.benchmarks import registry
from core.benchmarks.mmra.published import match_choice, match_yes_no
from core.prompts import prompts_for
from core.records import Answer, Item, Parse, Status, Turn
from core.scoring import scorers_of
from tests.mmra_data import items_of

MMRA = registry.get("mmra")

FOUR = {"A": "a wooden bench", "B": "a red car", "C": "the lamp", "D": "a boat"}
THREE = {"A": "above", "B": "below", "C": "beside"}
FIVE = FOUR | {"E": "All of the above options are incorrect"}

CHOICES = [
    # reply, published, ours ("" no answer, "?" ambiguous)
    ("[B]", "B", "B"),
    ("(B)", "B", "B"),
    ("B", "B", "B"),
    ("The answer is (C).", "C", "C"),
    ("The answer is B because the wood is alike.", "B", "B"),
    ("**D**", "D", "D"),
    ("A cat and a dog are shown, nothing else.", "A", ""),  # its known fault: a bare A that is an article
    ("A tree stands in both images. The answer is [C].", "C", "C"),  # a tie, broken in favour of what came last
    ("A tree. A bench. The answer is [C].", "A", "C"),  # two articles outvote the answer
    ("(A) is wrong. The answer is (B).", "B", "B"),
    ("a red car", "B", "B"),
    ("the lamp", "C", "C"),
    ("", None, ""),
    ("I cannot see any images.", None, ""),
    ("ABBA", None, ""),
]


@pytest.mark.parametrize(("reply", "published", "ours"), CHOICES)
def test_the_published_rule_on_choices(reply: str, published: str | None, ours: str) -> None:
    found = match_choice(reply, FOUR)
    assert (found.answer if found else None) == published
    if found is not None:
        start, end = found.span
        assert reply[start:end] in (published, FOUR[found.answer])


@pytest.mark.parametrize(("reply", "published", "ours"), CHOICES)
def test_ours_beside_it(reply: str, published: str | None, ours: str, tmp_path: Path) -> None:
    item, turn = asked(FOUR, tmp_path)
    score = MMRA.score(item, turn, reply)
    assert score.parsed.get("answer", "") == ours, score
    assert (score.status is Parse.OK) == bool(ours)


def test_letters_reach_as_far_as_the_options() -> None:
    assert match_choice("D", THREE) is None
    assert match_choice("E", FOUR) is None
    found = match_choice("E", FIVE)
    assert found is not None
    assert found.answer == "E"
    none = match_choice("All of the above options are incorrect", FIVE)
    assert none is not None
    assert none.answer == "E"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("(A) (B) (A)", "A"),  # the most frequent
        ("B A", "A"),  # a tie: the one that came up last
        ("B A A B", "A"),  # by where each first stands
        ("(D) A A A", "D"),  # parentheses come first
        ("a b c", None),  # capitals alone
        ("a red car and the lamp", "C"),  # two texts occur once each
    ],
)
def test_ties_and_frequencies(reply: str, answer: str | None) -> None:
    found = match_choice(reply, FOUR)
    assert (found.answer if found else None) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Yes", "Yes"), ("no.", "No"), ("YES, and no, but yes", "Yes"), ("Yes or no", "No"), ("nowhere", None),
        ("There is no doubt: Yes", "Yes"), ("There is no cat and no dog, so Yes", "No"), ("", None),
    ],
)  # fmt: skip
def test_the_published_rule_on_yes_and_no(reply: str, answer: str | None) -> None:
    found = match_yes_no(reply)
    assert (found.answer if found else None) == answer


def asked(options: dict[str, str] | None, tmp: Path, gold: str = "B") -> tuple[Item, Turn]:
    kind = "Choice QA" if options else "True or false QA"
    row = {"id": "x", "subtask": "SM", "QA_type": kind, "question": "Which?", "options": options, "answer": gold}
    (item,) = items_of([row | {"image1": "1.png", "image2": "2.png"}], tmp)
    turn = MMRA.protocols["iq"]("", {}, prompts_for("mmra")).next_turn(item, ())
    assert turn is not None
    return item, turn


def test_the_two_scorers_stand_side_by_side_under_their_names(tmp_path: Path) -> None:
    item, turn = asked(FOUR, tmp_path, gold="A")
    rule, published = (scorer.score(item, turn, Answer("A cat.")) for scorer in scorers_of(MMRA))
    assert (rule.scorer, rule.status, rule.correct) == ("rule", Parse.NO_ANSWER, False)
    assert (published.scorer, published.status, published.correct) == ("published", Parse.OK, True)
    assert published.spans["answer"] == (0, 1)


def test_a_refused_call_is_never_read(tmp_path: Path) -> None:
    item, turn = asked(None, tmp_path, gold="No")
    for scorer in scorers_of(MMRA):
        score = scorer.score(item, turn, Answer("No, I will not.", Status.REFUSAL))
        assert (score.status, score.right, score.scored) == (Parse.REFUSAL, 0, 1)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    for options in (FOUR, THREE, None):
        item, turn = asked(options, tmp_path, gold="B" if options else "Yes")
        for answer in turn.form[0].options:
            text = MMRA.write(item, turn, {"answer": answer})
            for scorer in scorers_of(MMRA):
                score = scorer.score(item, turn, Answer(text))
                assert score.parsed["answer"] == answer
                assert score.correct == (answer == turn.gold["answer"])
    assert MMRA.write(item, turn, {}) == ""
