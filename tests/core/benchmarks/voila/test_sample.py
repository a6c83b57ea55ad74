"""Which questions are made: distinct, balanced, the same everywhere."""

from __future__ import annotations

import hashlib
import random
import time
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmarks.voila import sample
from core.benchmarks.voila.question import solve
from core.benchmarks.voila.rules import counts, fits, quadruples, rules_of, structure_of
from core.benchmarks.voila.sample import VARIANTS, Planned, plan, shares
from core.benchmarks.voila.vocabulary import ACTIONS, NUMBERS, PROPERTIES, SUBJECTS, Content
from core.errors import UsageError


def uses(planned: Iterable[Planned]) -> Counter[Content]:
    return Counter(content for question, _ in planned for content in question.contents)


def fingerprint(planned: Iterable[Planned]) -> str:
    return hashlib.sha256(repr([(q.to_facts(), v) for q, v in planned]).encode()).hexdigest()[:16]


@pytest.fixture(scope="module")
def wd() -> list[Planned]:
    return list(plan("WD", 10_013, 0))


@pytest.fixture(scope="module")
def nd() -> list[Planned]:
    return list(plan("ND", 3_689, 0))


def test_the_papers_sizes_are_527_questions_of_each_structure(wd: list[Planned], nd: list[Planned]) -> None:
    assert Counter(question.rule for question, _ in wd) == dict.fromkeys(range(1, 20), 527)
    assert Counter(question.rule for question, _ in nd) == dict.fromkeys((1, 5, 9, 13, 15, 17, 19), 527)


def test_no_question_comes_twice(wd: list[Planned], nd: list[Planned]) -> None:
    for planned in (wd, nd):
        assert len({question.contents for question, _ in planned}) == len(planned)


def test_every_made_question_follows_its_rule_and_the_solver(wd: list[Planned]) -> None:
    for question, _ in wd:
        assert fits(question.rule, question.contents, question.answer)
        assert structure_of(question.contents, question.answer) == {question.rule}
        assert solve(question.contents) == question.answer


def test_the_variants_of_a_content_are_used_evenly(wd: list[Planned], nd: list[Planned]) -> None:
    for planned in (wd, nd):
        by_content: dict[Content, Counter[int]] = {}
        for question, variants in planned:
            for content, variant in zip(question.contents, variants, strict=True):
                by_content.setdefault(content, Counter(dict.fromkeys(range(VARIANTS), 0)))[variant] += 1
        assert all(max(used.values()) - min(used.values()) <= 1 for used in by_content.values())


def test_all_728_contents_are_shown_more_evenly_than_in_the_published_file(nd: list[Planned]) -> None:
    used = uses(nd).values()  # there: 3 to 34 times
    assert len(used) == 728
    assert min(used) >= 8
    assert max(used) <= 23


def test_within_a_structure_every_value_is_used_as_often_as_any_other(wd: list[Planned]) -> None:
    for rule in rules_of("WD"):
        for name in PROPERTIES:
            four = Counter(
                (*(content.value(name) for content in q.contents), q.answer.value(name))
                for q, _ in wd
                if q.rule == rule
            )
            often = [four[values] for values in quadruples(rule, name)]
            assert max(often) - min(often) <= 1
            assert sum(often) == 527


def test_subjects_and_actions_are_balanced_over_the_whole(wd: list[Planned]) -> None:
    for name, values in (("subject", SUBJECTS), ("action", ACTIONS), ("number", NUMBERS)):
        used = Counter(content.value(name) for q, _ in wd for content in q.contents)
        even = 3 * len(wd) / len(values)
        assert all(abs(used[value] - even) < 0.15 * even for value in values)


def test_the_same_arguments_give_the_same_questions_and_another_seed_others() -> None:
    assert fingerprint(plan("WD", 100, 5)) == fingerprint(plan("WD", 100, 5))
    assert fingerprint(plan("WD", 100, 5)) != fingerprint(plan("WD", 100, 6))


def test_the_questions_of_a_seed_never_change_from_release_to_release() -> None:
    assert fingerprint(plan("WD", 190, 1)) == "a9e37e6959f35d21"
    assert fingerprint(plan("ND", 70, 1)) == "9714e0f8301badd7"


def test_the_state_of_the_global_generator_plays_no_part() -> None:
    random.seed(1)
    before = fingerprint(plan("ND", 50, 0))
    random.seed(2)
    state = random.getstate()
    assert fingerprint(plan("ND", 50, 0)) == before
    assert random.getstate() == state


@given(st.sampled_from(["WD", "ND"]), st.integers(1, 400), st.integers())
@settings(max_examples=40, deadline=None)
def test_a_remainder_goes_one_each_to_some_structures(subset: str, count: int, seed: int) -> None:
    wanted = shares(subset, count, seed)
    assert sum(wanted.values()) == count
    assert max(wanted.values()) - min(wanted.values()) <= 1
    made = Counter(question.rule for question, _ in plan(subset, count, seed))
    assert made == {rule: n for rule, n in wanted.items() if n}


def test_the_seed_says_who_gets_the_remainder() -> None:
    assert len({tuple(shares("WD", 5, seed).values()) for seed in range(10)}) > 3


def test_more_than_a_structure_has_is_refused_naming_it() -> None:
    most = min(counts("WD").values()) * 19
    with pytest.raises(UsageError, match=r"rule 2 \(CSD\) has 170,352 distinct questions, not 170,353") as caught:
        shares("WD", most + 19, 0)
    assert f"{most:,}" in str(caught.value)
    shares("WD", most, 0)
    with pytest.raises(UsageError, match=r"rule 1 \(CSS\) has 340,704"):
        plan("ND", 7 * 340_705, 0)  # before the first question is drawn


@pytest.mark.parametrize(("subset", "count", "variants"), [("WD", 0, 1), ("WD", -1, 1), ("ND", 7, 0), ("XX", 7, 1)])
def test_what_cannot_be_made_is_refused_at_once(subset: str, count: int, variants: int) -> None:
    with pytest.raises(UsageError):
        plan(subset, count, 0, variants=variants)


@pytest.mark.parametrize("left", [0, 1, 100, 599, 601])
def test_a_structure_can_be_used_up(monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    """With a smaller world: 6 x 12 x 12 = 864 questions of rule 14."""
    whole = {name: quadruples(14, name) for name in PROPERTIES}
    few = {
        "number": whole["number"],
        "subject": [q for q in whole["subject"] if {q[0], q[1]} <= set(SUBJECTS[:4])],
        "action": [q for q in whole["action"] if {q[0], q[1]} <= set(ACTIONS[:4])],
    }
    monkeypatch.setattr(sample, "quadruples", lambda rule, name: few[name])
    made = [question for question, _ in sample._plan({14: 864 - left}, 3, 1)]
    assert len(set(made)) == 864 - left
    often = Counter(question.contents[0].subject + question.contents[1].subject for question in made)
    assert max(often.values()) - min(often.values()) <= 3


def test_ten_thousand_questions_take_less_than_three_seconds() -> None:
    start = time.process_time()
    assert sum(1 for _ in plan("WD", 10_013, 4)) == 10_013
    assert time.process_time() - start < 3
