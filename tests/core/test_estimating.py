"""What many trajectories will take, from a few: ratio estimates and their ranges."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.estimating import OWN, OWN_S, Guess, Pace, StepClock, Took, bill, scaled
from core.events import Asked, StepDone, TrajectoryDone
from core.records import Answer, Item, Origin, Step, Trajectory, Turn


@dataclass(frozen=True)
class Limits:
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


def test_alike_trajectories_leave_no_doubt() -> None:
    assert scaled([3, 3, 3], [300, 300, 300], 3000) == Guess(300_000, 300_000, 300_000)


def test_what_is_proportional_to_the_size_leaves_no_doubt_either() -> None:
    """Chains of two to five steps, each step costs the same: a mean would be off, the ratio is not."""
    assert scaled([2, 5, 3], [20, 50, 30], 70) == Guess(700, 700, 700)


def test_a_range_is_two_standard_errors() -> None:
    found = scaled([1, 1, 1, 1], [8, 12, 8, 12], 100)
    # the mean 10 has a standard error of sqrt(16 / 12) = 1.1547
    assert found.value == 1000
    assert (found.low, found.high) == (pytest.approx(1000 - 230.94, abs=0.01), pytest.approx(1000 + 230.94, abs=0.01))


def test_a_range_never_falls_below_nothing_and_one_alone_has_none() -> None:
    assert scaled([1, 1], [0, 10], 1).low == 0
    assert scaled([2], [10], 4) == Guess(20, None, None)


TOOK = [Took(3, 3, 900, 60, 0.003, 6.0), Took(3, 3, 900, 60, 0.003, 6.0)]


def test_time_is_shared_out_over_what_runs_at_once() -> None:
    found = bill(TOOK, 3000, 16)
    assert (found.calls.value, found.prompt.value, found.completion.value) == (3000, 900_000, 60_000)
    assert found.cost is not None
    assert found.cost.value == pytest.approx(3.0)
    assert found.seconds is not None
    assert found.seconds.value == pytest.approx(6000 / 16)
    assert found.limited == ""


def test_the_slowest_of_its_own_limits_counts() -> None:
    slow = bill(TOOK, 3000, 16, Limits(requests_per_minute=100))
    assert (slow.seconds, slow.limited) == (Guess(1800.0), "100 requests a minute")
    slower = bill(TOOK, 3000, 16, Limits(100, 16_000))
    assert (slower.seconds, slower.limited) == (Guess(3600.0), "16,000 tokens a minute")
    fast = bill(TOOK, 3000, 16, Limits(100_000, 100_000_000))
    assert fast.limited == ""


def test_one_unknown_price_makes_the_sum_unknown_and_no_call_no_time() -> None:
    assert bill([*TOOK, Took(3, 3, 900, 60, None, 6.0)], 3000, 16).cost is None
    assert bill([Took(3)], 3000, 16).seconds is None


def test_it_takes_no_less_than_the_probe_took_and_than_this_program_computes() -> None:
    plain = bill(TOOK, 3000, 16, None, Pace(0.1, 0.001))
    assert plain == bill(TOOK, 3000, 16)
    assert plain.seconds is not None
    paced = bill(TOOK, 3000, 16, None, Pace(4.0, 0.001)).seconds
    assert paced is not None
    assert paced.value == pytest.approx(3000 * 4.0 / 16)
    assert paced.low is not None
    assert plain.seconds.low is not None
    assert paced.low / paced.value == pytest.approx(plain.seconds.low / plain.seconds.value)
    busy = bill(TOOK, 3000, 16, None, Pace(0.1, 0.3))
    assert busy.seconds is not None
    assert (busy.seconds.value, busy.limited) == (pytest.approx(900.0), OWN)
    untimed = bill([Took(3, 3, 900, 60, None, 0.003)] * 2, 3000, 16)
    assert untimed.seconds is not None
    assert (untimed.seconds.value, untimed.limited) == (pytest.approx(3000 * OWN_S), OWN)
    assert bill([Took(3, seconds=0.03)] * 2, 3000, 1).limited == "", "nobody is called: all of it was its own"


def test_the_clock_times_what_comes_once_all_is_loaded() -> None:
    """Two at a time, two steps each; the first two have all to load, and a picture takes 0.5 s of computing."""

    def of(number: int) -> Trajectory:
        return Trajectory(Item("voila", "ND", f"voila-{number}", (), {}, {}))

    step = Step(Turn("describe", ()), Answer("two"), (), Origin.RESPONDENT)
    clock, now, own = StepClock(2), 100.0, 7.0
    for pair in ((0, 1), (2, 3)):
        own += 0.5 * len(pair) + (0 if pair[0] else 3.0)
        now += 1.0 + (0 if pair[0] else 9.0)
        for _ in range(2):
            for number in pair:
                clock.note(Asked(of(number), "describe"), now, own)
            now += 2.0
            for number in pair:
                own += 0.01
                clock.note(StepDone(of(number), step), now, own)
        assert (clock.pace() is None) == (pair == (0, 1))
        for number in pair:
            clock.note(TrajectoryDone(of(number)), now, own)
    pace = clock.pace()
    assert pace is not None
    assert pace.each_s == pytest.approx(2.0)
    assert pace.own_s == pytest.approx((2 * 0.5 + 4 * 0.01) / 4)
