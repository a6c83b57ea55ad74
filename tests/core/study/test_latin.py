from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.study.latin import square


@given(st.integers(1, 9), st.integers(0, 40))
def test_however_many_rows_are_taken_counts_by_place_differ_by_one_at_most(n: int, taken: int) -> None:
    rows = square(n)
    counts = Counter((place, rows[row % len(rows)][place]) for row in range(taken) for place in range(n))
    by_place = [counts[place, treatment] for place in range(n) for treatment in range(n)]
    assert max(by_place) - min(by_place) <= 1


@pytest.mark.parametrize("n", range(1, 10))
def test_every_row_is_a_permutation_and_followers_are_balanced(n: int) -> None:
    rows = square(n)
    assert all(sorted(row) == list(range(n)) for row in rows)
    pairs = Counter((before, after) for row in rows for before, after in pairwise(row))
    assert len(set(pairs.values())) <= 1
    assert len(pairs) == n * (n - 1)
