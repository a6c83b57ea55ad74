from __future__ import annotations

import numpy
import pytest

from core.errors import UsageError
from core.study.effects import Effects, dealt, expected


@pytest.mark.parametrize("accuracy", [0.2, 0.5, 0.9])
def test_the_mean_over_all_persons_and_items_is_the_accuracy(accuracy: float) -> None:
    right, n = Effects(accuracy, 0.7, 1.0).drawn(numpy.random.default_rng(0), 400, 400, 400)

    assert right.sum() / n.sum() == pytest.approx(accuracy, abs=0.03)


def test_each_item_gets_its_raters_and_each_person_about_as_many() -> None:
    n = dealt(numpy.random.default_rng(0), 7, 20, 3)

    assert (n.sum(axis=0) == 3).all()
    assert n.sum(axis=1).max() - n.sum(axis=1).min() <= 1


def test_without_effects_pooled_answers_are_independent() -> None:
    found = expected(Effects(0.7, 0.0, 0.0), 10, 30, 10, studies=150, resamples=200)

    assert found.pooled_covered > 0.9


def test_more_people_and_items_make_it_narrower() -> None:
    small = expected(Effects(0.7), 6, 20, 3, studies=20, resamples=200)
    large = expected(Effects(0.7), 24, 80, 3, studies=20, resamples=200)

    assert large.width < small.width
    assert (small.answers, large.answers) == (60, 240)
    assert large.per_person == 10


@pytest.mark.parametrize(
    ("effects", "sizes"),
    [
        (lambda: Effects(1.0), (5, 5, 2)),
        (lambda: Effects(0.5, -1.0), (5, 5, 2)),
        (lambda: Effects(0.5), (0, 5, 2)),
        (lambda: Effects(0.5), (2, 5, 3)),
    ],
)
def test_what_cannot_be_is_refused(effects: object, sizes: tuple[int, int, int]) -> None:
    with pytest.raises(UsageError):
        expected(effects(), *sizes, studies=1)  # type: ignore[operator]
