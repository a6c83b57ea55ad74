"""Flips: pairs of answers before and after an intervention, counted and set against chance."""

from __future__ import annotations

import random
from math import comb, isclose
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.flips import Change, Pairs
from core.records import Layout
from core.statistics import paired_difference, sign_test

LAYOUT = Layout(("number", "subject"))
DESCRIBED = Layout(("number", "subject"), units=2)


def layout(step: str) -> Layout:
    return DESCRIBED if step == "describe" else LAYOUT


def counted(pairs: Pairs, step: str, name: str) -> Change:
    (change,) = [change for at, of, change in pairs.rows() if (at, of) == (step, name)]
    return change


def test_each_pair_is_of_one_of_four_kinds() -> None:
    pairs = Pairs(layout)
    for item, (before, after) in enumerate([(3, 3), (3, 1), (1, 3), (0, 0), (0, 3), (2, 1)]):
        pairs.add("apply", item, (before, 3), (after, 3))
    whole = counted(pairs, "apply", "all")
    assert (whole.right_right, whole.right_wrong, whole.wrong_right, whole.wrong_wrong) == (1, 1, 2, 2)
    assert whole.change == pytest.approx(1 / 6)
    number = counted(pairs, "apply", "number")
    assert (number.right_right, number.right_wrong, number.wrong_right, number.wrong_wrong) == (3, 0, 2, 1)


def test_what_is_not_scored_on_both_sides_is_in_no_pair() -> None:
    pairs = Pairs(layout)
    pairs.add("apply", 0, (0, 1), (1, 3))
    pairs.add("apply", 1, (1, 1), (0, 1))
    assert [(name, change.n) for _, name, change in pairs.rows()] == [("number", 2)]


def test_pictures_are_pairs_of_their_own_and_hang_together_by_item() -> None:
    """Two pictures that flip together are one item that changed, not two."""
    pairs = Pairs(layout)
    for item in range(5):
        pairs.add("describe", item, (0, 15), (15, 15))
    change = counted(pairs, "describe", "all")
    assert (change.n, change.items, change.wrong_right) == (10, 5, 10)
    assert change.p == pytest.approx(2 / 2**5)


def test_numbered_steps_count_together_under_their_common_name() -> None:
    pairs = Pairs(lambda step: Layout(("answer",)), ("plan",))
    pairs.add("plan.1", "a", (0, 1), (1, 1))
    pairs.add("plan.2", "a", (1, 1), (0, 1))
    change = counted(pairs, "plan", "answer")
    assert (change.n, change.items, change.wrong_right, change.right_wrong, change.p) == (2, 1, 1, 1, 1.0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_the_four_kinds_make_up_both_accuracies(found: list[tuple[int, int, int]]) -> None:
    pairs = Pairs(layout)
    for item, before, after in found:
        pairs.add("apply", item, (before, 3), (after, 3))
    change = counted(pairs, "apply", "all")
    assert change.n == len(found)
    assert change.right_right + change.right_wrong == sum(before == 3 for _, before, _ in found)
    assert change.right_right + change.wrong_right == sum(after == 3 for _, _, after in found)
    assert change.low - 1e-9 <= change.change <= change.high + 1e-9


@pytest.mark.parametrize(("gained", "lost"), [(10, 2), (2, 10), (5, 5), (0, 0), (1, 0), (300, 240)])
def test_the_sign_test_is_the_exact_binomial(gained: int, lost: int) -> None:
    n, least = gained + lost, min(gained, lost)
    exact = min(1.0, 2 * sum(comb(n, k) for k in range(least + 1)) / 2**n)
    assert isclose(sign_test(gained, lost), exact, rel_tol=1e-9)


def test_the_interval_of_a_difference_covers_what_it_says() -> None:
    """400 simulated pairs of runs over 80 items, 20% came right and 8% went wrong: 95% intervals hold it 90-98%."""
    chances = random.Random(3)
    held = 0
    for trial in range(400):
        draws: Any = chances.choices([1, -1, 0], [0.2, 0.08, 0.72], k=80)
        low, high, _ = paired_difference({(gain, 1): draws.count(gain) for gain in (1, -1, 0)}, seed=trial)
        held += low <= 0.12 <= high
    assert 0.90 <= held / 400 <= 0.98


def test_where_nothing_changed_the_interval_still_has_a_width() -> None:
    low, high, name = paired_difference({(0, 1): 20})
    assert (round(low, 4), round(high, 4), name) == (-0.1611, 0.1611, "wilson of both over clusters")
    low, high, _ = paired_difference({(3, 3): 20})
    assert 0.7 < low < 1.0 == high
    assert paired_difference({})[:2] == (-1.0, 1.0)
