"""MMRA pairs: annotations that can be used, letters by chance, rounds that end, and what leaks goes back."""

from __future__ import annotations

import builtins
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from core.benchmarks.mmra.question import SUBTASKS, Question, question
from core.curation.cards import Making
from core.curation.mmra import annotation
from core.curation.mmra.annotation import Annotation
from core.curation.mmra.cues import CUES, guess
from core.curation.mmra.export import question_of, write
from core.curation.mmra.leakage import LEVEL, check, checked, sent_back
from core.curation.mmra.pairs import choose, known_subtasks, similar
from core.curation.mmra.protocol import MOST_ROUNDS, Annotate, leak_text
from core.curation.mmra.similarity import WordLlama
from core.curation.review import Verdict
from core.errors import UsageError
from core.records import Item, Picture, Step, Turn
from tests.making import protocol, walked
from tests.mmra_data import loaded

FITTING = Annotation("What do both images show?", "A bench", ("A tree", "A lamp", "A boat"))
MAKING = Making("run", 5, {}, {}, {}, {}, "2026-11-30")


def pair(number: int = 1, subtask: str = "US") -> Item:
    pictures = (Picture("a.png", data=b"\x89PNG\r\n\x1a\na"), Picture("b.png", data=b"\x89PNG\r\n\x1a\nb"))
    facts = {"subtask": subtask, "captions": ["one", "two"], "similarity": 0.7}
    return Item("make-mmra", "", f"{subtask.lower()}-{number:03}", pictures, {"subtask": subtask}, facts)


def annotate(**options: str) -> Annotate:
    made = protocol("make-mmra", **options)
    assert isinstance(made, Annotate)
    return made


def said(found: Annotation) -> str:
    return json.dumps(found.to_json())


def names(steps: Sequence[Step]) -> list[str]:
    return [step.turn.step for step in steps]


# -- rounds


def test_what_leaks_comes_back_with_the_reason_until_it_does_not() -> None:
    asked, leaks = annotate(), iter(["the longest option is right in 9 of 9", ""])

    def say(turn: Turn) -> str:
        name = turn.step.partition(".")[0]
        if name == "annotate":
            return said(FITTING)
        return Verdict("R1", "accept").text() if name == "review" else leak_text(next(leaks))

    steps = walked(asked, pair(), say)
    assert names(steps) == ["annotate.1", "review.1", "leak.1", "annotate.2", "review.2", "leak.2"]
    assert "the longest option is right in 9 of 9" in steps[3].turn.text
    assert "right: A bench" in steps[3].turn.text
    assert asked.thrown_out(pair(), steps) is None
    assert asked.annotated(steps) == FITTING


def test_what_leaks_again_and_again_is_thrown_out() -> None:
    asked = annotate(reviews="0")
    steps = walked(
        asked, pair(), lambda turn: said(FITTING) if turn.step.startswith("annotate") else leak_text("it echoes")
    )
    assert len(steps) == 2 * MOST_ROUNDS
    assert asked.thrown_out(pair(), steps) == "still leaks: it echoes"


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('{"fits": false}', "no question of this subtask fits the pair"),
        ("no JSON here", "the annotation cannot be used: it holds no question with its right answer"),
    ],
)
def test_pairs_that_nothing_can_be_asked_of_end(reply: str, why: str) -> None:
    asked = annotate()
    steps = walked(asked, pair(), lambda turn: reply)
    assert asked.thrown_out(pair(), steps) == why
    assert names(steps) == (["annotate.1"] if "fits" in reply else ["annotate.1", "annotate.1.again"])


def test_a_reviewers_no_ends_it_and_an_edit_stands() -> None:
    asked = annotate()
    better = Annotation("What do both images hold?", "Yes")
    verdict = Verdict("R1", "edit", edit=better.to_json())

    def say(turn: Turn) -> str | None:
        name = turn.step.partition(".")[0]
        return {"annotate": said(FITTING), "review": verdict.text(), "leak": None}[name]

    steps = walked(asked, pair(), say)
    assert asked.annotated(steps) == better
    no = Verdict("R1", "reject", "not both").text()
    steps = walked(asked, pair(), lambda turn: said(FITTING) if turn.step.startswith("annotate") else no)
    assert (asked.thrown_out(pair(), steps), names(steps)) == ("not both", ["annotate.1", "review.1"])


def test_the_definition_stands_before_annotator_and_reviewer() -> None:
    for short, (full, _) in SUBTASKS.items():
        asked = annotate()
        steps = walked(asked, pair(1, short), lambda turn: said(FITTING) if turn.step == "annotate.1" else None)
        review = asked.next_turn(pair(1, short), steps)
        assert review is not None
        for turn in (steps[0].turn, review):
            assert full in turn.text
            assert asked.prompts[f"define_{short}"] in turn.text


def test_whoever_wrote_it_does_not_review_it() -> None:
    asked = annotate()
    own = asked.written("P1", FITTING.to_json(), "")
    steps = walked(asked, pair(), lambda turn: own if turn.step == "annotate.1" else None)
    assert asked.forbidden(steps) == {"P1"}


# -- annotations


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("question: What?\nright: A\nwrong: B", "a choice has 2 or 3 wrong options, not 1"),
        ("question: What?\nright: A\nwrong: B\nwrong: b!", "two options are the same"),
        ("question: Is it a bench?\nright: the bench\nwrong: B\nwrong: C", "holds its own answer"),
        ("question: What?\nright: Maybe", "without wrong options the answer is Yes or No"),
        ("question: What?\nwhat: A", "line 2: a line begins with"),
        ("question: What?", "question: and right: are needed"),
        ("right: A\nright: B", "line 2: there are two lines right:"),
    ],
)
def test_an_annotation_that_cannot_be_used_is_refused(text: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        annotation.read_text(text)
    assert says in str(refused.value)


def test_the_form_reads_back_what_it_shows() -> None:
    for found in (FITTING, Annotation("Do both show a dog?", "No")):
        assert annotation.read_text(found.text()) == found
        assert annotation.read(said(found)).annotation == found


def test_letters_are_right_equally_often_and_stay_whatever_else_is_in_the_set(tmp_path: Path) -> None:
    found = [(pair(number), FITTING) for number in range(2000)]
    views = [question_of(item, one, 5) for item, one in found]
    counts = Counter(view.answer for view in views)
    expected = len(views) / 4
    assert sum((counts[letter] - expected) ** 2 / expected for letter in "ABCD") < 16.3  # chi-squared, p = 0.001
    assert all(view.options[view.answer] == FITTING.right for view in views)
    made = [(item, question_of(item, one, 5)) for item, one in found[1::2][:6]]
    read = list(loaded(write(tmp_path / "out", made, MAKING, {})))
    assert [question(item).answer for item in read] == [view.answer for view in views[1::2][:6]]


# -- leakage


def sets(seed: int, per_subtask: int, *, leaks: bool) -> list[tuple[str, Question]]:
    """Eleven subtasks of four options of unequal length; where it ``leaks`` the right one is the longest."""
    chances, out = random.Random(seed), list[tuple[str, Question]]()
    words = "tree bench lamp boat cup door wall knife dog car".split()
    for short in SUBTASKS:
        for number in range(per_subtask):
            texts = [" ".join(chances.choices(words, k=chances.randint(1, 6))) + f" {k}" for k in range(4)]
            options = dict(zip("ABCD", texts, strict=True))
            answer = chances.choice("ABCD")
            if leaks:
                options[answer] += f", and that is {max(texts, key=len)}"
            asked = f"What do both images of {short} {number} show, a {chances.choice(words)}?"
            out.append((f"{short}-{number}", Question(short, "choice", asked, answer, options)))
    return out


def test_a_set_whose_right_option_is_always_the_longest_is_sent_back() -> None:
    items = checked(sets(1, 12, leaks=True), {})
    leaks = check(items)
    assert {leak.subtask for leak in leaks if leak.flagged and leak.guesser == "the longest option"} == set(SUBTASKS)
    back = sent_back(items, leaks)
    assert len(back) == len(items)
    assert back["US-3"].endswith(" is right in 12 of 12 (US; chance is 25%)")


def test_sets_without_a_leak_are_flagged_in_at_most_five_of_a_hundred() -> None:
    """40 sets whose right options were drawn: with 5% false alarms 8 or more have a probability below 0.001."""
    alarms = sum(any(leak.flagged for leak in check(checked(sets(seed, 12, leaks=False), {}))) for seed in range(40))
    assert alarms < 8, alarms


def test_a_respondent_that_sees_nothing_and_knows_is_flagged_in_that_subtask_alone() -> None:
    found = sets(3, 12, leaks=False)
    knows = {id_: view.subtask == "Env" or random.Random(id_).random() < 0.25 for id_, view in found}
    leaks = check(checked(found, {"gpt": knows}))
    assert [(leak.subtask, leak.guesser) for leak in leaks if leak.flagged] == [("Env", "gpt")]
    assert {leak.p < LEVEL for leak in leaks if leak.flagged} == {True}


def test_a_cue_that_tells_no_options_apart_says_nothing() -> None:
    options = {letter: f"{letter.lower()}1 {letter.lower()}2" for letter in "ABCD"}
    alike = [(f"us-{n}", Question("US", "choice", "Which?", "B", options)) for n in range(30)]
    assert {leak.guesser for leak in check(checked(alike, {})) if leak.flagged} == {"always B"}


def test_yes_and_no_have_cues_of_their_own() -> None:
    views = [(f"oa-{n}", Question("OA", "true-false", "Is it?", "Yes")) for n in range(30)]
    assert [leak.guesser for leak in check(checked(views, {})) if leak.flagged] == ["always Yes"]
    assert {guess(cue, views[0][1], "x") for cue in CUES} == {"Yes", "No", None}


# -- pairs


class Flat:
    """Captions by their first letter: the same one is similar."""

    name = "flat"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[1.0 if text[:1] == letter else 0.0 for letter in "abc"] for text in texts]
        return np.asarray(rows, dtype=np.float32)


def test_only_similar_pairs_are_taken_no_pair_twice_in_a_subtask_and_the_same_for_a_seed() -> None:
    captions = ["a1", "a2", "b1", "a3", "b2", ""]
    found = similar(captions, Flat(), 0.5)
    assert [(first, second) for first, second, _ in found] == [(0, 1), (0, 3), (1, 3), (2, 4)]
    chosen = list(choose(found, ["US", "Env"], 3, 7))
    assert chosen == list(choose(found, ["US", "Env"], 3, 7))
    assert chosen != list(choose(found, ["US", "Env"], 3, 8))
    for short in ("US", "Env"):
        taken = [frozenset((one.first, one.second)) for one in chosen if one.subtask == short]
        assert len(set(taken)) == len(taken) == 3
    with pytest.raises(UsageError, match="no two captions are similar enough"):
        similar(["a", "b", "c"], Flat(), 0.5)
    with pytest.raises(UsageError, match="there is no subtask"):
        known_subtasks(["Colour"])


def test_the_real_embeddings_know_what_captions_are_about() -> None:
    captions = [
        "A red car parked on a street in the city",
        "A blue car driving down a city road",
        "A cat asleep on a sofa",
        "",
    ]
    vectors = WordLlama().embed(captions)
    cosines = vectors @ vectors.T
    assert cosines[0, 1] >= 0.5
    assert cosines[0, 2] < 0.2
    assert not vectors[3].any()


def test_without_the_package_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **how: Any) -> Any:
        if name.partition(".")[0] == "wordllama":
            raise ImportError("No module named 'wordllama'")
        return real(name, *more, **how)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UsageError, match=r"pip install 'phoropter\[embeddings\]'"):
        WordLlama()
