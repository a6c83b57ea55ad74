"""``run --log FILE``: what happens to a run, a JSON object a line, for programs that watch it.

A line is written in one piece once what it tells of is stored, so that whatever stands in the file after a kill is in
the store too. It holds no prompt, no answer and no key: those that may be kept are in the store.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from core.benchmarks.base import Benchmark
from core.errors import UsageError
from core.events import (
    Asked,
    Delta,
    Event,
    Failed,
    Judged,
    Loading,
    Spared,
    Spent,
    StepDone,
    TrajectoryDone,
    Waiting,
    WaitOver,
)
from core.moments import utc
from core.records import Score, Step, Trajectory
from sessions.entries import properties
from tui.cli.output import say

_BEGINNING: Final = b'{"at": "'
"""Of every line, so of every log: a store or data named by mistake is never written into."""

_CHUNK: Final = 65_536
_GROWS_S: Final = 0.02


class EventLog:
    """Appends to a file of its owner's alone. One that can take no more is told once and left; the run goes on."""

    def __init__(self, path: Path) -> None:
        """Raises UsageError for a place where no such file can be."""
        self.path = path
        self._run = ""
        self._benchmark: Benchmark | None = None
        self._started = time.monotonic()
        self._file: int | None = None
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            file = os.open(path, flags, 0o600)
        except OSError as error:
            raise _unusable(path, error.strerror or str(error)) from None
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            raise _unusable(path, "it is no regular file")
        if os.pread(file, len(_BEGINNING), 0) not in (b"", _BEGINNING):
            os.close(file)
            raise _unusable(path, "this file holds something else than a log")
        self._file = file
        try:
            self._end_last_line()
        except OSError as error:
            self.close()
            raise _unusable(path, error.strerror or str(error)) from None

    def begin(self, run: str, benchmark: Benchmark, **more: object) -> None:
        """What is told from now on is of that run."""
        self._run, self._benchmark = run, benchmark
        self.tell("run", **more)

    def tell(self, event: str, **more: object) -> None:
        """One line: when by the clock of the wall, and in seconds since the command began, which never go back."""
        now = utc(time.time_ns() // 1_000_000, exact=True)
        line = {"at": now, "seconds": round(time.monotonic() - self._started, 3), "event": event, "run": self._run}
        self._write(json.dumps(line | more, ensure_ascii=True).encode("ascii") + b"\n")

    def __call__(self, event: Event) -> None:
        """Take in what an engine or a judge tells. Pieces of an answer's text are left out."""
        match event:
            case Delta() | Loading():
                pass
            case Asked(trajectory=trajectory, step=step):
                self.tell("asked", **_of(trajectory), step=step)
            case StepDone(trajectory=trajectory, step=done):
                self.tell("step", **_of(trajectory), **self._step(done))
            case TrajectoryDone(trajectory=trajectory):
                self.tell("finished", **_of(trajectory))
            case Failed(trajectory=trajectory, step=step, reason=reason):
                self.tell("failed", **_of(trajectory), step=step, reason=reason)
            case Waiting():
                whose = _of(event.trajectory) if event.trajectory is not None else {"whose": event.whose}
                self.tell(
                    "waiting", **whose, step=event.step, reason=event.what, wait=event.seconds, asked=event.count
                )
            case WaitOver(whose=whose_call):
                self.tell("wait_over", whose=whose_call)
            case Spent(usage=usage, seconds=seconds):
                tokens = {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens}
                self.tell("spent", tokens=tokens, cost=usage.cost, took=round(seconds, 3))
            case Spared(recalled=recalled):
                self.tell("recalled", of_run=recalled.run)
            case Judged(item=item, step=done, trajectory=row, score=score, error=error):
                told = self._score(done, score) if score is not None else {"error": error}
                self.tell("judged", item=item.id, trajectory=row, step=done.turn.step, **told)

    def close(self) -> None:
        """Give the file back; closing twice does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    # -- parts

    def _end_last_line(self) -> None:
        """The last line may be torn, by a lost machine: whole JSON gets its end, anything less goes, for no reader
        could take it. It stays where it grows: another command is writing it."""
        assert self._file is not None
        size = os.fstat(self._file).st_size
        start, tail = size, b""
        while start and b"\n" not in tail:
            step = min(start, _CHUNK)
            start -= step
            tail = os.pread(self._file, step, start) + tail
        last = tail.rpartition(b"\n")[2]
        if not last:
            return
        try:
            json.loads(last)
        except ValueError:
            time.sleep(_GROWS_S)
            if os.fstat(self._file).st_size == size:
                os.ftruncate(self._file, size - len(last))
        else:
            os.write(self._file, b"\n")

    def _step(self, step: Step) -> Mapping[str, Any]:
        return {
            "step": step.turn.step,
            "id": step.id,
            "origin": step.origin.value,
            "status": step.answer.status.value,
            "scores": [self._score(step, score) for score in step.scores],
        }

    def _score(self, step: Step, score: Score) -> dict[str, Any]:
        assert self._benchmark is not None
        layout = self._benchmark.layout(step.turn.step)
        return {
            "scorer": score.scorer,
            "status": score.status.value,
            "properties": properties(layout, score.right, score.scored),
            "correct": score.correct,
        }

    def _write(self, line: bytes) -> None:
        if self._file is None:
            return
        try:
            if (written := os.write(self._file, line)) < len(line):
                self._take_back(written)
                raise OSError(errno.ENOSPC, "no room for the whole line")
        except OSError as error:
            self.close()
            say(f"the log {self.path} can be written no more ({error.strerror}); the run goes on without it")

    def _take_back(self, written: int) -> None:
        """What there was room for of a line goes, unless another process has written after it."""
        assert self._file is not None
        with suppress(OSError):
            end = os.lseek(self._file, 0, os.SEEK_CUR)
            if os.fstat(self._file).st_size == end:
                os.ftruncate(self._file, end - written)


def _of(trajectory: Trajectory) -> dict[str, Any]:
    return {"item": trajectory.item.id, "trajectory": trajectory.id or None, "repeat": trajectory.repeat}


def _unusable(path: Path, why: str) -> UsageError:
    return UsageError(f"no log can be written there: {why}", where=f"--log {path}", remedy="Name another file")
