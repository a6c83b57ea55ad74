"""Which sample sizes printed percentages can stand on: a column order told by the denominators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from core.published.records import fits

Possible = list[set[int]]
"""For each column, the sizes that its value may stand on."""


def possible_sizes(lines: Sequence[Sequence[str]], sizes: Sequence[int]) -> list[Possible]:
    """For each line of printed values what each may stand on.

    Where one size fits a column in every line, the column is taken to be the same in all of them and other sizes
    are left out. A value that fits no size at all may be any.
    """
    every = set(sizes)
    alone = [[{size for size in every if fits(value, size)} or every for value in line] for line in lines]
    shared = [set.intersection(*column) for column in zip(*alone, strict=True)]
    return [[common or own for common, own in zip(shared, line, strict=True)] for line in alone]


def placements(possible: Possible, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to give each column one of its possible sizes, each size used as often as it is there."""
    left = Counter(sizes)
    order = sorted(range(len(possible)), key=lambda index: len(possible[index]))
    chosen = [0] * len(possible)

    def place(depth: int) -> Iterator[tuple[int, ...]]:
        if depth == len(order):
            yield tuple(chosen)
            return
        index = order[depth]
        for size in sorted(possible[index]):
            if left[size]:
                left[size] -= 1
                chosen[index] = size
                yield from place(depth + 1)
                left[size] += 1

    yield from place(0)
