"""A worker: goes the steps of trajectories with an engine of its own, as many at once as it was told."""

from __future__ import annotations

import asyncio
import gc
import io
import os
import socket
import sys
import traceback
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

from core.engine import Engine
from core.errors import PhoropterError
from core.journal import Journal
from core.plan import Plan
from core.records import Trajectory
from core.respondents.base import PostponedError, Readied
from core.respondents.budget import Charged
from core.workers.relay import Questions, RelayBudget, RelayJournal, RelayRecalling
from core.workers.terms import Terms
from core.workers.words import (
    Ask,
    Begin,
    Broken,
    Drop,
    Over,
    Ready,
    Reply,
    Said,
    Stop,
    Word,
    pack,
    unpack,
)

GATHERED_S: Final = 0.05
"""So long words are gathered before they go, unless one asks: a step is kept within a tenth of a second."""

MANY: Final = 64
COLLECTING: Final = (20_000, 20, 20)


class Worker:
    """``send`` takes bytes for the driver, in the event loop; feed what comes from it to :meth:`hear`.

    ``ended`` is set when it has said its last.
    """

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._out: list[Word] = []
        self._flush: asyncio.TimerHandle | asyncio.Handle | None = None
        self._soon = False
        self._questions = Questions(self._say)
        self._waiting: deque[Begin] = deque()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._plan: Plan | None = None
        self._at_once, self._ahead = 1, 0
        self._places: asyncio.Semaphore | None = None
        self._based = False
        self._stopping: asyncio.Future[None] | None = None
        self.ended = asyncio.Event()

    def begin(self, terms: bytes) -> None:
        """Make the plan, and say whether there is one."""
        self._loop = asyncio.get_running_loop()
        try:
            told: Terms = unpack(terms)
            if Path(told.folder).is_dir():
                os.chdir(told.folder)
            self._plan = told.make()
            self._at_once, self._based = told.at_once, told.based
            if isinstance(self._plan.respondent, Readied) and self._plan.respondent.ahead:
                self._ahead = self._plan.respondent.ahead
                self._places = asyncio.Semaphore(self._at_once)
            if told.charged:
                self._charge(self._plan)
        except Exception as error:  # noqa: BLE001  (whatever it is, the driver must hear of it)
            self._say(Broken(_as_told(error), socket.gethostname()), soon=True)
            return
        gpus = os.environ.get("CUDA_VISIBLE_DEVICES", "")
        self._say(Ready(socket.gethostname(), os.getpid(), gpus), soon=True)

    def settle_in(self) -> None:
        """Have the whole process for its own: what is printed on stderr goes to the driver."""
        gc.set_threshold(*COLLECTING)
        sys.stderr = _Lines(self._say_from_anywhere)

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stopping is not None

    def hear(self, data: bytes) -> None:
        """Words of the driver."""
        for word in unpack(data):
            match word:
                case Begin():
                    self._waiting.append(word)
                case Reply():
                    self._questions.hear(word)
                case Drop(job=job):
                    self._drop(job)
                case Stop():
                    self._waiting.clear()
                    self._stopping = asyncio.ensure_future(self._stop())
        self._go_on()

    # -- trajectories

    def _go_on(self) -> None:
        while self._waiting and len(self._tasks) < self._at_once + self._ahead:
            begin = self._waiting.popleft()
            self._tasks[begin.job] = asyncio.ensure_future(self._carry(begin.job, begin.trajectory))

    async def _carry(self, job: int, trajectory: Trajectory) -> None:
        assert self._plan is not None
        error: Exception | None = None
        journal = RelayJournal(self._questions, job, len(trajectory.steps))
        engine = Engine(
            self._plan,
            cast("Journal", journal),  # as much of one as a trajectory on its way to the end needs
            journal.tell,
            base=journal.base if self._based else None,
            recalling=RelayRecalling(self._questions, job, self._places),
        )
        try:
            await engine.to_end(trajectory)
        except Exception as failure:  # noqa: BLE001  (a fault of the program too is told where it can be seen)
            error = _as_told(failure)
        finally:
            self._tasks.pop(job, None)
        self._say(Over(job, error))
        self._go_on()

    def _drop(self, job: int) -> None:
        self._waiting = deque(begin for begin in self._waiting if begin.job != job)
        task = self._tasks.get(job)
        if task is not None:
            task.cancel()

    async def _stop(self) -> None:
        """Cancel what is under way, so that what it owes is told; then the last words."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._send_all()
        self.ended.set()

    def _charge(self, plan: Plan) -> None:
        budget = RelayBudget(self._questions)
        for respondent in plan.respondents:
            if isinstance(respondent, Charged):
                respondent.charge(budget)

    # -- words

    def _say(self, word: Word, *, soon: bool = False) -> None:
        self._out.append(word)
        if soon or isinstance(word, Ask) or len(self._out) == MANY:
            if not self._soon:
                if self._flush is not None:
                    self._flush.cancel()
                self._soon, self._flush = True, self._loop.call_soon(self._send_all)
        elif self._flush is None:
            self._flush = self._loop.call_later(GATHERED_S, self._send_all)

    def _say_from_anywhere(self, line: str) -> None:
        try:
            self._loop.call_soon_threadsafe(self._say, Said(line))
        except RuntimeError:  # the loop has ended: by an error that somebody should see
            print(line, file=sys.__stderr__)

    def _send_all(self) -> None:
        if self._flush is not None:
            self._flush.cancel()
        self._flush, self._soon = None, False
        words, self._out = self._out, []
        if words:
            self._send(pack(words))


class _Lines(io.TextIOBase):
    """What is printed here on stderr, line by line to the driver."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._begun = ""

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in (line.rpartition("\r")[2] for line in lines):  # of a bar that is drawn over, the last
            if line.strip():
                self._tell(line)
        return len(text)

    def isatty(self) -> bool:
        return False


def _as_told(error: Exception) -> Exception:
    """As it can travel: our own errors as they are, a fault of the program with where it happened."""
    if isinstance(error, PhoropterError | PostponedError):
        return error.with_traceback(None)
    fault = RuntimeError(f"{type(error).__name__}: {error}")
    fault.add_note("in a worker:\n" + "".join(traceback.format_exception(error)))
    return fault
