"""A batch's progress on stderr: a bar in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from types import TracebackType
from typing import TYPE_CHECKING, Self

from core.events import Event, Failed, Judged, Loading, StepDone, TrajectoryDone, Waiting, WaitOver, Waits
from core.prices import usd
from sessions.pace import Pace
from tui.cli.output import say
from tui.counting import counted, duration
from tui.inert import one_line

if TYPE_CHECKING:
    from core.totals import Totals

REDRAW_S = 0.1
LINE_EVERY_S = 30.0
KINDS_KEPT = 100


class _Waits:
    """What is waited for, in words; and which of it is worth a line of its own, now and then."""

    def __init__(self) -> None:
        self._waits = Waits()
        self._told: dict[str, float] = {}

    def hear(self, event: Event) -> bool:
        """Take it in; True where it is a wait of a kind that no line has told of for a while."""
        self._waits.hear(event)
        if not isinstance(event, Waiting):
            return False
        now, kind = time.monotonic(), f"{event.whose} {event.kind}"
        if now - self._told.get(kind, -LINE_EVERY_S) < LINE_EVERY_S:
            return False
        if len(self._told) >= KINDS_KEPT:
            self._told.clear()
        self._told[kind] = now
        return True

    def words(self, *, brief: bool = False) -> str:
        """Of the call told of last; "" where none is waited for."""
        latest = self._waits.latest
        return "" if latest is None else one_line(latest.brief if brief else latest.words)


class _Progress(ABC):
    """Counts up to ``total``, from the ``done`` that there are already; the bar stands as long as the context."""

    def __init__(self, name: str, total: int, done: int = 0) -> None:
        self._name = name
        self._total = total
        self._done = done
        self._waits = _Waits()
        self._bar: _Bar | None = None
        self._last = time.monotonic()
        self._pace = Pace(time.monotonic)
        self._pace.go()

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._bar = _Bar(one_line(self._name), self._done, self._total)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.show(self._done, self._words())
            self._bar.stop()

    def waits(self, *, brief: bool = False) -> str:
        """What the call told of last is waited for; "" where none is."""
        return self._waits.words(brief=brief)

    @abstractmethod
    def _words(self) -> str:
        """What is told beside the count."""


class BatchProgress(_Progress):
    """Listens to an engine's events. ``before`` of ``total`` trajectories were done when it started: they count as
    done, and neither in the rate nor in the time left, which are of this work alone."""

    def __init__(self, name: str, before: int, total: int) -> None:
        super().__init__(name, total, before)
        self._failed = 0
        self._judged = 0
        self._loading: dict[str, str] = {}
        self.totals: Totals | None = None

    def __call__(self, event: Event) -> None:
        news = self._waits.hear(event)
        match event:
            case Waiting() | WaitOver():
                if self._bar is not None:
                    self._bar.show(self._done, self._words())
                elif news:
                    say(f"{self._name}: {self.waits()}")
                return
            case Loading(step=step, what=what, whose=whose):
                self._loads(whose or step, what)
                return
            case StepDone():
                self._pace.count(steps=1)
            case TrajectoryDone():
                self._done += 1
                self._pace.count(settled=1)
            case Failed():
                self._failed += 1
                self._pace.count(settled=1)
            case Judged():
                self._judged += 1
            case _:
                return
        now = time.monotonic()
        if self._bar is not None:
            if now - self._last >= REDRAW_S:
                self._last = now
                self._bar.show(self._done, self._words())
        elif now - self._last >= LINE_EVERY_S:
            self._last = now
            say(f"{self._name}: {self._done}/{self._total}, {self._words()}")

    def _loads(self, whose: str, what: str) -> None:
        """A bar stands in the way of the model's own lines: it says how far the loading is."""
        before = self._loading.pop(whose, "")
        if what:
            self._loading[whose] = what
        if self._bar is not None and what != before:
            self._bar.show(self._done, self._words())

    def _words(self) -> str:
        parts = [waits] if (waits := self.waits(brief=True)) else []
        parts += [one_line(stage) for stage in list(self._loading.values())[-1:]]
        parts.append(f"{_rate(self._pace.steps_per_second())} steps/s")
        left = self._total - self._done - self._failed
        if left > 0 and (seconds := self._pace.seconds_for(left)) is not None:
            parts.append(f"{duration(seconds)} left")
        if self._failed:
            parts.append(f"{self._failed} failed")
        if self._judged:
            parts.append(f"{self._judged} judged")
        totals = self.totals
        if totals is not None and totals.prompt_tokens + totals.completion_tokens:
            parts.append(counted(totals.prompt_tokens + totals.completion_tokens, "token"))
        if totals is not None and totals.cost is not None:
            parts.append(usd(totals.cost))
        return ", ".join(parts)


def _rate(each_second: float) -> str:
    """A slow model makes less than one a second, and that is told too."""
    return f"{each_second:,.0f}" if each_second >= 10 else f"{each_second:.2g}"


class JudgingProgress(_Progress):
    """Listens to a judge's work on stored answers, ``total`` of which wait."""

    def __init__(self, name: str, total: int) -> None:
        super().__init__(name, total)
        self._errors = 0

    def __call__(self, event: Event) -> None:
        news = self._waits.hear(event)
        if isinstance(event, Waiting | WaitOver):
            if self._bar is not None:
                self._bar.show(self._done, self._words())
            elif news:
                say(f"{self._name}: {self.waits()}")
        if not isinstance(event, Judged):
            return
        self._done += 1
        self._pace.count(settled=1)
        self._errors += event.score is None
        now = time.monotonic()
        if now - self._last < (LINE_EVERY_S if self._bar is None else REDRAW_S):
            return
        self._last = now
        if self._bar is not None:
            self._bar.show(self._done, self._words())
        else:
            say(f"{self._name}: judged {self._done}/{self._total}{self._words()}")

    def _words(self) -> str:
        waits = self.waits(brief=True)
        said = [f"{self._errors} judge_error"] if self._errors else []
        left = self._total - self._done
        if left > 0 and (seconds := self._pace.seconds_for(left)) is not None:
            said.append(f"{duration(seconds)} left")
        return "".join(f", {part}" for part in (*said, waits) if part)


class WorkProgress(_Progress):
    """Counts pieces of work that come up one after the other; how many there are may be found out on the way."""

    def __init__(self, name: str) -> None:
        super().__init__(name, 0)
        self._what = ""

    def expect(self, count: int) -> None:
        """So many more are to come; fewer where it is negative."""
        self._total += count
        self._tell()

    def begin(self, what: str) -> None:
        """What is worked on now."""
        self._what = one_line(what)
        self._tell()

    def did(self) -> None:
        """One more is done."""
        self._done += 1
        self._pace.count(settled=1)
        self._tell()

    def _tell(self) -> None:
        now = time.monotonic()
        if self._bar is not None:
            self._bar.show(self._done, self._words(), self._total)
        elif now - self._last >= LINE_EVERY_S:
            self._last = now
            say(f"{self._name}: {self._done}/{self._total}, {self._words()}")

    def _words(self) -> str:
        left = self._total - self._done
        seconds = self._pace.seconds_for(left) if left > 0 else None
        return ", ".join([self._what, *([f"{duration(seconds)} left"] if seconds is not None else [])])


class _Bar:
    """rich's progress bar; rich is imported only where there is a terminal to draw on."""

    def __init__(self, name: str, done: int, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[words]}", markup=False),
            console=Console(stderr=True, markup=False, highlight=False),
            refresh_per_second=10,
        )
        self._task = self._progress.add_task(name, total=total, completed=done, words="")
        self._progress.start()

    def show(self, done: int, words: str, total: int | None = None) -> None:
        """``total``: where it is another than before."""
        self._progress.update(self._task, completed=done, words=words, total=total)

    def stop(self) -> None:
        self._progress.stop()
