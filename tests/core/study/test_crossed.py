from __future__ import annotations

import numpy
import pytest

from core.statistics import wilson
from core.study.crossed import CROSSED, _draws, _resampled, crossed_bootstrap, of_difference, of_table, table
from core.study.effects import Effects, expected


def test_the_tables_hold_what_was_answered_and_zeros_elsewhere() -> None:
    right, n = table({("P1", "a"): (1.0, 1.0), ("P1", "b"): (2.0, 3.0), ("P2", "a"): (0.0, 1.0)})

    assert right.tolist() == [[1.0, 2.0], [0.0, 0.0]]
    assert n.tolist() == [[1.0, 3.0], [1.0, 0.0]]


def test_it_is_wider_than_if_all_answers_were_independent() -> None:
    """Two people who are right on everything, two who never are: four people, not forty answers."""
    answers = {(person, item): (float(person < 2), 1.0) for person in range(4) for item in range(10)}

    found, pooled = crossed_bootstrap(answers), wilson(20, 40)

    assert found.name == CROSSED
    assert found.low == pytest.approx(0.0)
    assert found.high == pytest.approx(1.0)
    assert pooled.high - pooled.low < 0.32


def test_items_that_differ_count_as_items() -> None:
    answers = {(person, item): (float(item < 2), 1.0) for person in range(10) for item in range(4)}

    found = crossed_bootstrap(answers)

    assert (found.low, found.high) == (pytest.approx(0.0), pytest.approx(1.0))


@pytest.mark.parametrize(("value", "low", "high"), [(1.0, 0.51, 1.0), (0.0, 0.0, 0.49)])
def test_without_any_spread_wilson_over_the_fewer_stands_in(value: float, low: float, high: float) -> None:
    answers = {(person, item): (value, 1.0) for person in range(4) for item in range(50)}

    found = crossed_bootstrap(answers)

    assert found.name == "wilson over participants"
    assert (found.low, found.high) == (pytest.approx(low, abs=0.005), pytest.approx(high, abs=0.005))


def test_one_person_alone_is_a_sample_of_items() -> None:
    found = crossed_bootstrap({("P1", item): (float(item % 2), 1.0) for item in range(40)})

    assert found.name == "bootstrap over items (one participant)"
    assert found.low == pytest.approx(0.35, abs=0.05)
    assert found.high == pytest.approx(0.65, abs=0.05)


def test_one_item_alone_is_a_sample_of_people() -> None:
    found = crossed_bootstrap({(person, "a"): (float(person % 2), 1.0) for person in range(40)})

    assert found.name == "bootstrap over participants (one item)"
    assert 0.3 < found.low < 0.4 < 0.6 < found.high < 0.7


def test_nothing_answered_says_nothing() -> None:
    assert crossed_bootstrap({})[:2] == (0.0, 1.0)


def test_the_same_answers_give_the_same_interval_wherever_they_stand() -> None:
    random = numpy.random.default_rng(1)
    right = (random.random((6, 12)) < 0.6).astype(float)

    assert of_table(right, numpy.ones_like(right)) == of_table(right.copy(), numpy.ones_like(right))


def test_people_who_answered_nothing_change_nothing() -> None:
    random = numpy.random.default_rng(1)
    right = (random.random((6, 12)) < 0.6).astype(float)
    padded = numpy.vstack([right, numpy.zeros((3, 12))])
    asked = numpy.vstack([numpy.ones_like(right), numpy.zeros((3, 12))])

    assert of_table(padded, asked) == of_table(right, numpy.ones_like(right))


@pytest.mark.parametrize(
    ("people", "items", "raters"), [(8, 20, 8), (12, 60, 3), (30, 90, 3)], ids=["all-by-all", "k-of-m", "sparse"]
)
def test_nineteen_of_twenty_intervals_hold_the_truth(people: int, items: int, raters: int) -> None:
    """A small part of ``bench_intervals``: 93-99% here, while Wilson's on pooled answers holds it far less often."""
    found = expected(Effects(0.7, 0.8, 1.2), people, items, raters, studies=200, resamples=400, seed=11)

    assert 0.93 <= found.covered <= 0.99
    assert found.pooled_covered < 0.87
    assert found.width > found.pooled_width


def test_the_tables_are_resampled_as_if_row_by_row() -> None:
    """The same draws, answer by answer, without a matrix: the percentiles before they are drawn in."""
    random = numpy.random.default_rng(4)
    n = (random.random((5, 8)) < 0.7).astype(float)
    right = (random.random((5, 8)) < 0.6) * n
    people, items = _draws(5, 0, 0, 200), _draws(8, 0, 1, 200)
    wanted = []
    for by_person, by_item in zip(people, items, strict=True):
        top = size = 0.0
        for person, times in enumerate(by_person):
            for item, also in enumerate(by_item):
                top += times * also * right[person, item]
                size += times * also * n[person, item]
        wanted.append(top / size)

    assert _resampled(right, n, 0, 200) == pytest.approx(numpy.array(wanted))


def test_a_difference_of_the_same_tables_is_nothing() -> None:
    random = numpy.random.default_rng(4)
    right, n = (random.random((5, 8)) < 0.6).astype(float), numpy.ones((5, 8))

    assert of_difference((right, n), (right, n)) is None
    found = of_difference((right, n), (numpy.zeros((5, 8)), n))
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(of_table(right, n))[:2])
