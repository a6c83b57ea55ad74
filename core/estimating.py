"""From what a few trajectories took to what many will: sums in proportion to the steps to be asked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Protocol

from core.events import Asked, Event, Failed, StepDone, TrajectoryDone
from core.records import Json

_ERRORS: Final = 2.0
"""A range is so many standard errors to either side."""
_MINUTE: Final = 60.0

OWN: Final = "this program's own pace"


@dataclass(frozen=True, slots=True)
class Guess:
    """A sum that is to come; ``low`` and ``high`` are two standard errors away, None where one trajectory alone was
    seen."""

    value: float
    low: float | None = None
    high: float | None = None

    def over(self, divisor: float) -> Guess:
        """The same shared out."""
        low, high = self.low, self.high
        return Guess(
            self.value / divisor, None if low is None else low / divisor, None if high is None else high / divisor
        )

    def to_json(self) -> Json:
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Took:
    """What one trajectory took: ``size`` steps were to be asked, in ``calls`` requests. ``cost`` in USD is None where
    a price is not known; ``seconds`` of waiting for answers, one after the other."""

    size: int
    calls: int = 0
    prompt: int = 0
    completion: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast steps came: ``each_s`` seconds for a step of one trajectory, waits between attempts and the making of
    pictures included, and of every step ``own_s`` of this process's own computing."""

    each_s: float
    own_s: float


OWN_S: Final = 0.001
"""What this program computes at least for a step that a server is asked, where none was timed."""


class StepClock:
    """Times the steps that come once ``warm`` trajectories have ended: until then libraries are loaded and
    connections made. Those that begin afterwards are timed whole, with the pictures that are made for them."""

    def __init__(self, warm: int) -> None:
        self._warm = warm
        self._open: set[str] = set()
        self._steps = 0
        self._last: tuple[float, float] | None = None
        self._waited_s = self._own_s = 0.0

    def heard(self, event: Event) -> None:
        """Listens to an engine."""
        if isinstance(event, Asked | StepDone | TrajectoryDone | Failed):
            self.note(event, time.monotonic(), time.process_time())

    def note(self, event: Asked | StepDone | TrajectoryDone | Failed, now: float, computed: float) -> None:
        """What happened ``now``, when this process had ``computed`` for so long."""
        if self._last is not None:
            self._waited_s += (now - self._last[0]) * len(self._open)
            self._own_s += computed - self._last[1]
            self._last = now, computed
            self._steps += isinstance(event, StepDone)
        item = event.trajectory.item.id
        if isinstance(event, TrajectoryDone | Failed):
            self._open.discard(item)
            self._warm -= 1
            if not self._warm:
                self._last = now, computed
        else:
            self._open.add(item)

    def pace(self) -> Pace | None:
        """Of the steps that were timed; None where there was none."""
        return Pace(self._waited_s / self._steps, self._own_s / self._steps) if self._steps else None


class _Limited(Protocol):
    @property
    def requests_per_minute(self) -> float | None: ...
    @property
    def tokens_per_minute(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Bill:
    """What is still to come. ``seconds`` is None where nothing says how long an answer takes; ``limited``: what the
    respondent's own limits a minute allow, or this program itself, is slower than it could be, and counts."""

    calls: Guess
    prompt: Guess
    completion: Guess
    cost: Guess | None
    seconds: Guess | None
    at_once: int
    limited: str = ""

    def to_json(self) -> Json:
        return {
            "calls": self.calls.to_json(),
            "tokens": {"prompt": self.prompt.to_json(), "completion": self.completion.to_json()},
            "cost": self.cost.to_json() if self.cost is not None else None,
            "seconds": self.seconds.to_json() if self.seconds is not None else None,
            "at_once": self.at_once,
            "limited": self.limited,
        }


def scaled(sizes: Sequence[int], amounts: Sequence[float], size: float) -> Guess:
    """A ratio estimate: how much ``size`` takes where ``sizes`` took these ``amounts``. Needs at least one."""
    count, ratio = len(sizes), sum(amounts) / sum(sizes)
    if count < 2:
        return Guess(ratio * size)
    left_over = sum((amount - ratio * each) ** 2 for each, amount in zip(sizes, amounts, strict=True))
    error = sqrt(left_over / (count * (count - 1))) * count / sum(sizes) * size
    return Guess(ratio * size, max(0.0, ratio * size - _ERRORS * error), ratio * size + _ERRORS * error)


def bill(
    took: Sequence[Took], size: float, at_once: int, limits: _Limited | None = None, pace: Pace | None = None
) -> Bill:
    """What ``size`` further steps come to, so many trajectories ``at_once``. They take no less time than they
    would at the ``pace`` of those that were timed, nor than this process computes for them, one after the other."""
    sizes = [each.size for each in took]

    def of(amounts: Sequence[float]) -> Guess:
        return scaled(sizes, amounts, size)

    costs = [each.cost for each in took if each.cost is not None]
    calls, prompt = of([each.calls for each in took]), of([each.prompt for each in took])
    completion = of([each.completion for each in took])
    seconds: Guess | None = of([each.seconds for each in took]).over(at_once)
    limited = ""
    if not any(each.seconds for each in took):
        seconds = None
    elif seconds is not None and calls.value:
        own = size * (pace.own_s if pace is not None else OWN_S)
        seconds = _no_less(seconds, size * pace.each_s / at_once if pace is not None else 0.0)
        if own > seconds.value:
            seconds, limited = _no_less(seconds, own), OWN
    for named, limit, amount in (
        ("requests", limits.requests_per_minute if limits is not None else None, calls.value),
        ("tokens", limits.tokens_per_minute if limits is not None else None, prompt.value + completion.value),
    ):
        if limit and (seconds is None or amount / limit * _MINUTE > seconds.value):
            seconds, limited = Guess(amount / limit * _MINUTE), f"{limit:,.0f} {named} a minute"
    cost = of(costs) if len(costs) == len(took) else None
    return Bill(calls, prompt, completion, cost, seconds, at_once, limited)


def _no_less(guess: Guess, least: float) -> Guess:
    """The same, as wide for its size, where it is not less."""
    return guess.over(guess.value / least) if 0 < guess.value < least else guess
