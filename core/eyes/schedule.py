"""How fast is learned at each of a fixed number of steps."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Schedule:
    """``steps`` in all: the rate rises over the first ``warm`` and falls along a cosine to a fiftieth of ``rate``."""

    steps: int
    rate: float
    warm: int = 100

    def at(self, step: int) -> float:
        """The rate of that step, counted from 0."""
        falling = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / self.steps))
        return self.rate * min(1.0, (step + 1) / self.warm) * falling
