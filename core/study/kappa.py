"""Cohen's kappa: how far two people agree beyond what their own habits would give by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """(observed - expected) / (1 - expected), expected from each one's own shares of values (Cohen 1960).

    None where it is undefined: no pair, or both gave one and the same value throughout.
    """
    if not pairs:
        return None
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum(count * second[value] for value, count in first.items())  # of n * n
    if expected == n * n:
        return None
    observed = sum(a == b for a, b in pairs)
    return (observed * n - expected) / (n * n - expected)
