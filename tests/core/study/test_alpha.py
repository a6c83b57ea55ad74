from __future__ import annotations

import pytest

from core.study.alpha import alpha

BINARY = ("0100000010", "1110010000")
NOMINAL = ("aabbdcccedda", "babbbcccEddd".lower())
MISSING = ("123321412***", "1233224125*3", "*333234225" + "1*", "1233244125" + "1*")


def units(rows: tuple[str, ...]) -> list[list[str]]:
    return [[value for value in values if value != "*"] for values in zip(*rows, strict=True)]


@pytest.mark.parametrize(
    ("rows", "value", "pairable"), [(BINARY, 0.095, 20), (NOMINAL, 0.692, 24), (MISSING, 0.743, 40)]
)
def test_krippendorffs_own_examples(rows: tuple[str, ...], value: float, pairable: int) -> None:
    """Computing Krippendorff's alpha-reliability (2011), A to C: binary, nominal, nominal with missing values."""
    found = alpha(units(rows))

    assert found.value == pytest.approx(value, abs=0.0005)
    assert found.values == pairable
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.value <= found.high


def test_two_raters_who_always_disagree_are_no_better_than_chance() -> None:
    for pairs in ([("a", "b")], [("a", "b"), ("b", "a")], [("a", "b")] * 9, [("a", "b"), ("c", "a"), ("b", "c")]):
        value = alpha(pairs).value
        assert value is not None
        assert value <= 0


def test_everybody_the_same_answer_is_undefined() -> None:
    found = alpha([("a", "a", "a")] * 5)

    assert found.value is None
    assert found.why == "all answers are the same"


def test_perfect_agreement_on_different_items_is_one() -> None:
    assert alpha([("a", "a"), ("b", "b"), ("c", "c")]).value == pytest.approx(1.0)


@pytest.mark.parametrize("pairs", [[], [("a",)], [(), ("b",)]])
def test_without_two_answers_to_anything_it_is_undefined(pairs: list[tuple[str, ...]]) -> None:
    found = alpha(pairs)

    assert (found.value, found.units, found.why) == (None, 0, "no item has two answers")


def test_whoever_answered_alone_changes_nothing() -> None:
    assert alpha([("a", "b"), ("a", "a"), ("b",)]).value == alpha([("a", "b"), ("a", "a")]).value


def test_the_order_of_people_changes_nothing() -> None:
    one, other = [("a", "b", "b"), ("c", "c", "a")], [("b", "b", "a"), ("a", "c", "c")]

    assert alpha(one).value == alpha(other).value
