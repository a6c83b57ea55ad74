"""Cohen's kappa against worked examples."""

from __future__ import annotations

import pytest

from core.study.kappa import cohens_kappa


def test_a_worked_example() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.70, expected 0.50, kappa 0.40."""
    pairs = 20 * [("y", "y")] + 5 * [("y", "n")] + 10 * [("n", "y")] + 15 * [("n", "n")]
    assert cohens_kappa(pairs) == pytest.approx(0.4)


def test_its_ends_and_where_there_is_none() -> None:
    assert cohens_kappa([(True, True), (False, False)]) == 1
    assert cohens_kappa([(True, False), (False, True)]) == -1
    assert cohens_kappa([(True, True), (True, True)]) is None
    assert cohens_kappa([]) is None
