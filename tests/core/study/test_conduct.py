from __future__ import annotations

from dataclasses import replace

import pytest

from core.study.conduct import Conduct, broken
from core.study.definition import Exclusion

GOOD = Conduct((True, True, False), (5.0, 6.0, 7.0), (False, False, False), ("a", "b", "c"))


@pytest.mark.parametrize(
    ("rules", "conduct", "names"),
    [
        (Exclusion(), Conduct((False,), (0.1,), (True,), ("",)), []),
        (Exclusion(catch_right=0.7), GOOD, ["catch_right"]),
        (Exclusion(catch_right=2 / 3), GOOD, []),
        (Exclusion(catch_right=0.7), replace(GOOD, catch=()), []),
        (Exclusion(fastest_s=6.0), GOOD, []),
        (Exclusion(fastest_s=6.01), GOOD, ["fastest_s"]),
        (Exclusion(timed_out=0.3), replace(GOOD, timed_out=(True, False, False)), ["timed_out"]),
        (Exclusion(timed_out=1 / 3), replace(GOOD, timed_out=(True, False, False)), []),
        (Exclusion(missing=0.3), replace(GOOD, answers=("a", "", "b")), ["missing"]),
        (Exclusion(missing=0.5), replace(GOOD, answers=("a", "", "b")), []),
        (Exclusion(same_answer=0.6), replace(GOOD, answers=("a", "a", "b", "")), ["same_answer"]),
        (Exclusion(same_answer=0.7), replace(GOOD, answers=("a", "a", "b")), []),
        (Exclusion(same_answer=0.5), Conduct(), []),
    ],
)
def test_each_rule_at_its_edge(rules: Exclusion, conduct: Conduct, names: list[str]) -> None:
    assert [each.rule for each in broken(rules, conduct)] == names


def test_the_reason_says_what_was_found_and_what_was_asked() -> None:
    (found,) = broken(Exclusion(catch_right=0.8), GOOD)

    assert found.reason == "2 of 3 catch trials right (66.67% < 80%)"
