"""Intervals for people: how many nominal 95% intervals of 500 made-up studies hold the truth, Wilson beside it."""

from __future__ import annotations

import time

from core.study.effects import Effects, expected

STUDIES = 500
DESIGNS = (  # people, items, raters an item
    (8, 20, 8),
    (12, 60, 3),
    (40, 440, 3),
    (5, 40, 5),
    (24, 48, 3),
)
EFFECTS = (Effects(0.7, 0.8, 1.2), Effects(0.7, 0.4, 0.8), Effects(0.85, 0.8, 1.2))


def main() -> None:
    """Print a line for each design and size of effects; 93-99% is what is wanted."""
    worst, best = 1.0, 0.0
    for effects in EFFECTS:
        print(f"  truth {effects.accuracy:.2f}, persons {effects.person_sd:g}, items {effects.item_sd:g} logits")
        for people, items, raters in DESIGNS:
            began = time.perf_counter()
            found = expected(effects, people, items, raters, studies=STUDIES, resamples=1000, seed=2026)
            each = (time.perf_counter() - began) / STUDIES
            worst, best = min(worst, found.covered), max(best, found.covered)
            print(
                f"    {people:>2} people x {items:>3} items, {raters} an item: {100 * found.covered:.1f}% hold it,"
                f" width {100 * found.width:.1f} points; Wilson on pooled answers {100 * found.pooled_covered:.1f}%,"
                f" width {100 * found.pooled_width:.1f}; {1000 * each:.0f} ms a study"
            )
    print(f"  from {100 * worst:.1f}% to {100 * best:.1f}% over all of them")


if __name__ == "__main__":
    main()
