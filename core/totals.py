"""What one run of the engine has come to, counted event by event."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from core.events import Event, Failed, Spared, Spent, StepDone, TrajectoryDone
from core.records import Status

_MOST_REASONS = 1000
"""A server that names each request in its errors gives every failure a reason of its own."""
OTHER_REASONS = "other reasons"


@dataclass(slots=True)
class Totals:
    """Counts of one run of the engine. ``before`` were done already, ``recalled`` answers needed no call; tokens and
    cost are of what was asked here alone."""

    before: int = 0
    finished: int = 0
    failed: int = 0
    steps: int = 0
    recalled: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    statuses: Counter[Status] = field(default_factory=Counter)
    """Of answers that are no whole ones."""
    reasons: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    """An item and step for each reason: the first that failed so."""
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def count(self, event: Event) -> None:
        """Add one event."""
        match event:
            case StepDone(step=done):
                self.steps += 1
                if done.answer.status is not Status.OK:
                    self.statuses[done.answer.status] += 1
            case TrajectoryDone():
                self.finished += 1
            case Failed(trajectory=trajectory, step=step, reason=reason):
                self.failed += 1
                if reason not in self.reasons and len(self.reasons) >= _MOST_REASONS:
                    reason = OTHER_REASONS
                self.reasons[reason] += 1
                self.first.setdefault(reason, f"{trajectory.item.id} at {step}")
            case Spared():
                self.recalled += 1
            case Spent(usage=usage):
                self.prompt_tokens += usage.prompt_tokens
                self.completion_tokens += usage.completion_tokens
                if usage.cost is not None:
                    self.cost = (self.cost or 0.0) + usage.cost
