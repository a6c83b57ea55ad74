"""Latin squares: every treatment equally often at every place, and equally often after every other one."""

from __future__ import annotations


def square(n: int) -> tuple[tuple[int, ...], ...]:
    """The rows of Williams's design for ``n`` treatments 0..n-1: ``n`` rows, or twice as many where ``n`` is odd.

    Taken in order and over again, however many rows were taken, how often a treatment stood at a place differs by
    one at most between treatments and between places.
    """
    first = [0]
    low, high = 1, n - 1
    while len(first) < n:
        first.append(low if len(first) % 2 else high)
        low, high = (low + 1, high) if len(first) % 2 == 0 else (low, high - 1)
    rows = tuple(tuple((value + shift) % n for value in first) for shift in range(n))
    return rows if n % 2 == 0 or n == 1 else rows + tuple(row[::-1] for row in rows)
