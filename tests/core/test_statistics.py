"""Intervals with known answers: textbook values, and bootstraps against every resample there is."""

from __future__ import annotations

from collections import Counter

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics import (
    Interval,
    cluster_bootstrap,
    paired_difference,
    paired_ratio,
    sign_test,
    unpaired_difference,
    wilson,
)


def test_wilson_to_the_last_digit() -> None:
    assert wilson(8, 10)[:2] == pytest.approx((0.4901624715366417, 0.9433178485456247), abs=1e-15)
    assert wilson(0, 10)[:2] == pytest.approx((0.0, 0.2775327998628892), abs=1e-15)
    assert wilson(10, 10)[:2] == pytest.approx((0.7224672001371107, 1.0), abs=1e-15)
    assert wilson(263, 300)[:2] == pytest.approx((0.8346262759711766, 0.9091826857063321), abs=1e-15)
    assert wilson(0, 0) == Interval(0.0, 1.0, "wilson")


def every_resample(clusters: list[int], size: int) -> tuple[float, float]:
    """All n^n resamples in order of their sums: the first ones that 2.5% and 97.5% of them do not pass. They are
    counted by their sums, a draw at a time."""
    sums, kinds = Counter({0: 1}), Counter(clusters)
    for _ in clusters:
        longer: Counter[int] = Counter()
        for before, ways in sums.items():
            for drawn, alike in kinds.items():
                longer[before + drawn] += ways * alike
        sums = longer
    count, passed, limits = sums.total(), 0, list[float]()
    for total in sorted(sums):
        passed += sums[total]
        while len(limits) < 2 and passed * 1000 >= count * (25, 975)[len(limits)]:
            limits.append(total / (size * len(clusters)))
    return limits[0], limits[1]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=5).filter(lambda found: len(set(found)) > 1))
def test_a_bootstrap_of_clusters_of_one_size_is_every_resample(clusters: list[int]) -> None:
    found = cluster_bootstrap(Counter((float(right), 3) for right in clusters))
    assert found[:2] == pytest.approx(every_resample(clusters, 3), abs=1e-12)
    assert found.name == "bootstrap over clusters"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-2, 2), min_size=2, max_size=5).filter(lambda found: len(set(found)) > 1))
def test_a_bootstrap_of_differences_is_every_resample(gains: list[int]) -> None:
    found = paired_difference(Counter((float(gain), 2) for gain in gains))
    assert found[:2] == pytest.approx(every_resample(gains, 2), abs=1e-12)


def test_three_pictures_of_four_questions_by_hand() -> None:
    """Sums 3, 3, 0, 0: the sum of four draws is 3 times a binomial of 4 and 1/2, so the limits are 0 and 1."""
    assert cluster_bootstrap({(3, 3): 2, (0, 3): 2})[:2] == (0.0, 1.0)
    # of ten: the binomial of 10 and 1/2 passes 2.5% at 2 (5.5%) and 97.5% at 8 (98.9%)
    assert cluster_bootstrap({(3, 3): 5, (0, 3): 5})[:2] == pytest.approx((0.2, 0.8), abs=1e-15)


def test_clusters_of_many_sizes_are_drawn_and_hold_the_share() -> None:
    found = cluster_bootstrap({(1, 1): 30, (1, 2): 30, (0, 3): 20})
    assert found == cluster_bootstrap({(0, 3): 20, (1, 2): 30, (1, 1): 30})
    assert found.low < 60 / 150 < found.high


def test_shares_are_worked_out_as_whole_sums_of_their_parts() -> None:
    """The share of a chain's steps: of two, of three and of six, so that a sixth is what all are counted in."""
    shares = {(0.0, 1): 4, (1 / 2, 1): 5, (2 / 3, 1): 6, (5 / 6, 1): 3, (1.0, 1): 2}
    sixths = [0] * 4 + [3] * 5 + [4] * 6 + [5] * 3 + [6] * 2
    assert cluster_bootstrap(shares)[:2] == pytest.approx(every_resample(sixths, 6), abs=1e-12)


@pytest.mark.parametrize(
    "kinds", [{0: 20, 90: 19, 91: 1}, {0: 3, 40: 27}, {0: 8, 1: 8, 40: 7, 41: 7}, {0: 39, 97: 1}]
)
def test_sums_that_come_in_heaps_far_apart(kinds: dict[int, int]) -> None:
    clusters = [drawn for drawn, count in kinds.items() for _ in range(count)]
    found = cluster_bootstrap({(float(drawn), 100): count for drawn, count in kinds.items()})
    assert found[:2] == pytest.approx(every_resample(clusters, 100), abs=1e-12)


def test_many_clusters_of_many_sizes_come_to_what_endless_drawing_does() -> None:
    clusters = {(1, 1): 110, (0, 1): 90, (2, 2): 60, (1, 2): 80, (3, 5): 70, (0, 5): 10, (5, 5): 40}
    kinds = numpy.array([(*pair, count) for pair, count in clusters.items()], dtype=float)
    total = int(kinds[:, 2].sum())
    draws = numpy.random.default_rng(5).multinomial(total, kinds[:, 2] / total, size=100_000)
    expected = numpy.percentile((draws @ kinds[:, 0]) / (draws @ kinds[:, 1]), [2.5, 97.5])
    found = cluster_bootstrap(clusters)
    assert found[:2] == pytest.approx(tuple(expected), abs=5e-4)
    assert found == cluster_bootstrap(dict(reversed(clusters.items())))


def test_without_spread_wilson_over_the_clusters() -> None:
    assert cluster_bootstrap({(3, 3): 10}) == (*wilson(10, 10)[:2], "wilson over clusters")
    low, high, name = paired_difference({(0, 1): 20})
    assert (-low, name) == (high, "wilson of both over clusters")
    assert high == pytest.approx(wilson(0, 20).high, abs=1e-15)


def test_a_difference_of_independent_shares_is_newcombes() -> None:
    """Newcombe (1998), method 10, his example (a): 56/70 and 48/80 differ by 0.2, between 0.0524 and 0.3339."""
    found = unpaired_difference((56 / 70, wilson(56, 70)), (48 / 80, wilson(48, 80)))
    assert [round(limit, 4) for limit in found[:2]] == [0.0524, 0.3339]
    assert found.name == "wilson of both"


def test_a_ratio_over_paired_items() -> None:
    assert paired_ratio({(1, 1): 5, (0, 0): 3}) is None
    assert paired_ratio({(0, 1): 5}) is None
    found = paired_ratio({(1, 0): 40, (1, 1): 60, (0, 0): 100})
    assert found is not None
    assert found.low < -0.4 < found.high
    assert found[:2] == pytest.approx((-0.5, -0.3), abs=0.03)  # the binomial of 40 of 100


def test_the_sign_test_is_exact() -> None:
    assert sign_test(5, 5) == 1.0
    assert sign_test(0, 6) == pytest.approx(2 / 64, abs=1e-15)
    assert sign_test(8, 2) == pytest.approx(2 * 56 / 1024, abs=1e-15)
