from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy
import pytest
from scipy.stats import binomtest, permutation_test, spearmanr

from core.comparing import Given, Side, bca, cohen_h, correlations, differences, holm, permutation
from core.conditions import Asked, differing, refuse_unmatched
from core.errors import UsageError

PLACE = ("apply", "all")


def side(name: str, right: list[float], **more: object) -> Side:
    return Side(name, {PLACE: {item: [Given(0, (value, 1))] for item, value in enumerate(right)}}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [6, 12, 200])
def test_the_permutation_test_is_scipys(n: int) -> None:
    random = numpy.random.default_rng(n)
    changes = random.choice([-1.0, 0.0, 1 / 3, 1.0], n, p=[0.15, 0.4, 0.15, 0.3])

    wanted = permutation_test(
        (changes,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", vectorized=True, n_resamples=9999
    )

    assert permutation(list(changes)) == pytest.approx(wanted.pvalue, abs=0.02 if n > 13 else 1e-12)


def test_without_any_difference_p_is_one() -> None:
    assert permutation([0.0] * 30) == 1.0


@pytest.mark.parametrize(
    "changes", [[1.0] * 37, [1 / 3] * 30 + [-1.0] * 4 + [2 / 3] * 11, [0.25, 0.6] * 25 + [-1 / 7]]
)
def test_small_p_are_as_small_as_they_are(changes: list[float]) -> None:
    """Holm multiplies them by hundreds. Counted here in whole numbers, way by way of each item."""
    parts = 420
    ways = Counter({0: 1})
    for change in changes:
        more: Counter[int] = Counter()
        for so_far, count in ways.items():
            for turned in (1, -1):
                more[so_far + turned * round(abs(change) * parts)] += count
        ways = more
    seen = abs(sum(round(change * parts) for change in changes))
    wanted = Fraction(sum(count for found, count in ways.items() if abs(found) >= seen), 2 ** len(changes))

    assert permutation(changes) == pytest.approx(float(wanted), rel=1e-9, abs=0)
    assert wanted < 1e-4, "less than any of 9,999 draws could tell"


def test_eight_respondents_with_repeats_can_be_told_apart() -> None:
    """As many tests as 28 pairs with 24 of each have: the difference of 37 items in 38 is still significant."""
    p = permutation([1.0] * 37 + [0.0])
    assert holm([p, *[1.0] * 671])[0] < 1e-8


def test_what_has_no_common_whole_is_drawn_and_bounded() -> None:
    """Two in 2**40 in truth; a bound is given that holds, and that survives Holm's correction."""
    changes = [1 / (997 + place) for place in range(40)]
    assert 2 / 2**40 < permutation(changes) < 1e-8
    assert permutation([change * (-1) ** place for place, change in enumerate(changes)]) > 0.5


def test_p_is_never_nothing() -> None:
    assert 0 < permutation([1.0] * 3000) < 1e-300


def test_bca_is_not_symmetric_where_the_differences_are_not() -> None:
    found = bca([0.0] * 18 + [1.0] * 2)

    assert found.name == "BCa bootstrap over items"
    assert 0.0 <= found.low < 0.1 < found.high < 0.4
    assert found.high - 0.1 > 0.1 - found.low


def test_where_nothing_differs_the_interval_still_has_a_width() -> None:
    found = bca([0.0] * 20)

    assert found.low < 0 < found.high
    assert found.name == "wilson of both over clusters"


def test_holm_steps_down() -> None:
    """The example of Holm's procedure: smallest p times 4, the next times 3, never falling."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_cohens_h() -> None:
    assert cohen_h(0.5, 0.5) == 0
    assert cohen_h(1.0, 0.0) == pytest.approx(numpy.pi)
    assert cohen_h(0.25, 0.5) == pytest.approx(-0.5236, abs=1e-4)


def test_two_models_on_shared_items() -> None:
    """13 items that both answered, 8 that only the first has right, 1 only the second: McNemar's exact p 0.0391."""
    a = side("A", [1.0] * 8 + [0.0] + [1.0] * 4 + [1.0] * 5)
    b = side("B", [0.0] * 8 + [1.0] + [1.0] * 4)

    (found,) = differences([a, b])

    assert (found.n, found.a_only, found.b_only) == (13, 8, 1)
    assert found.difference == pytest.approx(7 / 13)
    assert found.accuracy_a == pytest.approx(12 / 13)
    assert found.mcnemar == pytest.approx(binomtest(1, 9).pvalue)
    assert found.mcnemar == pytest.approx(0.0390625)
    assert found.p == pytest.approx(0.0390625)
    assert found.p_holm == found.p
    assert found.low < 7 / 13 < found.high
    assert found.crossed_low is None


def test_the_other_way_round_is_the_same_with_the_other_sign() -> None:
    a, b = side("A", [1.0, 1.0, 0.0, 1.0, 1.0, 0.0]), side("B", [0.0, 1.0, 1.0, 0.0, 0.0, 0.0])

    (there,), (back,) = differences([a, b]), differences([b, a])

    assert there.difference == -back.difference
    assert there.p == back.p
    assert there.effect == pytest.approx(-back.effect)
    assert there.detectable == pytest.approx(back.detectable)


def test_the_power_note_is_the_difference_found_four_times_in_five() -> None:
    """A difference of that size, on as many items that vary as much, is found at 5% in 80% of made-up comparisons."""
    random = numpy.random.default_rng(0)
    n, changes = 60, [1.0] * 12 + [-1.0] * 12 + [0.0] * 36
    a, b = side("A", [float(c > 0) for c in changes]), side("B", [float(c < 0) for c in changes])
    (found,) = differences([a, b])
    assert found.detectable is not None

    spread = numpy.std(changes, ddof=1)
    samples = random.normal(found.detectable, spread, (4000, n))
    detected = numpy.abs(samples.mean(axis=1)) / (samples.std(axis=1, ddof=1) / numpy.sqrt(n)) > 1.96

    assert detected.mean() == pytest.approx(0.8, abs=0.03)


def test_a_majority_is_set_against_a_majority_only() -> None:
    majority = {PLACE: {item: [Given("majority", (1.0, 1))] for item in range(5)}}
    people = Side(
        "people",
        {PLACE: {i: [Given(p, (float(p != i % 3), 1)) for p in range(3)] for i in range(5)}},
        majority,
        3,
        people=True,
    )
    once, often = side("once", [0.0] * 5), side("often", [0.0] * 5, majority=majority, times=3)

    single = differences([people, once])
    both = differences([people, often])

    assert [row.rule for row in single] == ["single answers"]
    assert [row.rule for row in both] == ["single answers", "majority"]
    assert single[0].mcnemar is None
    assert both[1].accuracy_a == 1.0


def test_people_are_a_sample_too() -> None:
    """The interval over participants and items is the wider one where people differ."""
    people = Side(
        "people",
        {PLACE: {item: [Given(person, (float(person < 2), 1)) for person in range(4)] for item in range(20)}},
        people=True,
    )
    model = side("model", [float(item % 2) for item in range(20)])

    (found,) = differences([people, model])

    assert found.crossed_low is not None
    assert found.crossed_high is not None
    assert found.crossed_low < found.low
    assert found.crossed_high > found.high


def test_holm_counts_every_test_that_is_told() -> None:
    found = differences([side("A", [1.0] * 12), side("B", [0.0] * 12), side("C", [0.0] * 12)])

    assert [row.p for row in found] == [2 / 4096, 2 / 4096, 1.0]
    assert [row.p_holm for row in found] == pytest.approx([6 / 4096, 6 / 4096, 1.0])


def test_difficulty_is_scipys_rank_correlation() -> None:
    random = numpy.random.default_rng(3)
    ours = random.random(40)
    theirs = ours + random.random(40)

    (found,) = correlations([side("A", list(ours)), side("B", list(theirs))])

    assert found.rho == pytest.approx(spearmanr(ours, theirs).statistic)
    assert found.low is not None
    assert found.high is not None
    assert found.low < (found.rho or 0) < found.high


def test_the_interval_of_difficulty_holds_nothing_where_most_is_right() -> None:
    """Independent sides of which one is right nearly everywhere: 0 is outside of about one interval in twenty."""
    random = numpy.random.default_rng(5)
    outside = 0
    for _ in range(400):
        ours, theirs = (random.random(34) < 0.92).astype(float), random.random(34)
        (found,) = correlations([side("A", list(ours)), side("B", list(theirs))])
        outside += found.low is not None and found.high is not None and not found.low <= 0 <= found.high
    assert 4 <= outside <= 40


def test_the_same_order_has_no_interval() -> None:
    (found,) = correlations([side("A", [0.1, 0.2, 0.3, 0.9]), side("B", [0.1, 0.4, 0.5, 1.0])])
    assert (found.rho, found.low, found.high) == (pytest.approx(1.0), None, None)


def test_difficulty_is_undefined_where_all_items_are_as_hard() -> None:
    (found,) = correlations([side("A", [1.0] * 6), side("B", [0.0, 1.0] * 3)])

    assert (found.rho, found.low) == (None, None)


def test_what_differs_is_named_and_refused_where_it_matters() -> None:
    sides = [
        Asked("people", {"protocol": "direct", "worked examples": "two", "prompt x": "1"}, {"language": "de"}),
        Asked("run", {"protocol": "direct", "worked examples": "none"}, {"language": "en"}),
    ]
    rows = differing(sides)

    assert [(row.what, row.values, row.matters) for row in rows] == [
        ("worked examples", ("two", "none"), True),
        ("language", ("de", "en"), False),
    ]
    with pytest.raises(UsageError, match=r"worked examples \(two / none\)"):
        refuse_unmatched(sides, rows)
    refuse_unmatched(sides, rows[1:])


def test_the_same_people_in_two_conditions_are_drawn_for_both() -> None:
    """Who is good in one condition is good in the other: that part of people's spread cancels."""
    random = numpy.random.default_rng(0)
    good = random.random(12) < 0.5

    def people(name: str, first: int, same: bool) -> Side:
        ids = range(12) if same else range(first, first + 12)
        given = {
            item: [Given(person, (float(good[person % 12]), 1)) for person in ids if (person + item + first) % 2]
            for item in range(10)
        }
        return Side(name, {PLACE: given}, people=True)  # type: ignore[dict-item]

    (same,) = differences([people("a", 0, same=True), people("b", 1, same=True)])
    (others,) = differences([people("a", 0, same=False), people("b", 13, same=False)])

    assert same.crossed_low is not None
    assert others.crossed_low is not None
    assert (same.crossed_high or 0) - same.crossed_low < (others.crossed_high or 0) - others.crossed_low
