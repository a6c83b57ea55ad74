from __future__ import annotations

from core.study.times import Taken, times


def test_medians_and_quantiles_by_step() -> None:
    taken = [Taken("P1", "", "apply", 1000.0 * n, 2000.0 * n) for n in range(1, 6)]
    taken += [Taken("P2", "", "apply", None, 20_000.0), Taken("P2", "", "relate", 500.0, None)]

    first, final, other = times(taken)

    assert (first.measure, first.n, first.people, first.median) == ("first", 5, 1, 3.0)
    assert (final.measure, final.n, final.people, final.median) == ("final", 6, 2, 7.0)
    assert (final.person_low, final.person_high) == (6.0, 20.0)
    assert first.q05 < first.q25 < first.median < first.q75 < first.q95
    assert (other.step, other.n, other.median) == ("relate", 1, 0.5)
