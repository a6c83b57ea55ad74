"""The one thread that owns a model: it takes waiting requests together, and fewer where they do not fit."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Generic, Protocol

from core.errors import PhoropterError
from core.respondents.local.jobs import A, G, GenerationError, Job

QUIET_S: Final = 0.01
"""A batch that is not full waits as long as requests are being prepared or have come within this time ..."""
LINGER_S: Final = 0.5
"""... but no longer than this."""

CLOSING_S: Final = 2.0
"""Closing waits this long for a token or a stage of loading to end; the thread keeps no process alive."""

REMEDY: Final = "Lower max_pixels or max_tokens, take a smaller dtype, or name another device"

_NO_ROOM: Final = ("out of memory", "can't allocate memory", "cublas_status_alloc_failed")


class LoadingCancelledError(Exception):
    """Nobody waits for the model any more."""


class Model(Protocol[A, G]):
    """What answers a batch."""

    def answer(self, jobs: Sequence[Job[A, G]]) -> list[G]:
        """One answer for each job, in their order."""
        ...

    def free(self, *, wholly: bool = False) -> None:
        """Give back memory that is held for work that is over; ``wholly``: let the model itself go."""
        ...


class Worker(Generic[A, G]):
    """Answers jobs in batches of up to ``size``, each with its own answer, in the order they came.

    ``load`` makes the model at the first job, in the worker's thread; it is given a function that raises
    LoadingCancelledError once nobody waits. A batch that runs out of memory is halved, and so is ``size`` from then
    on; ``notice`` is told. A batch that fails otherwise is answered one by one, so that only the culprit fails, and
    ``remedy`` says what to do where one alone runs out of memory. ``things`` is what is answered.
    """

    def __init__(
        self,
        load: Callable[[Callable[[], None]], Model[A, G]],
        size: int,
        notice: Callable[[str], None],
        *,
        things: str = "turns",
        remedy: str = REMEDY,
    ) -> None:
        self._load = load
        self._things = things
        self._remedy = remedy
        self.size = size
        self._notice = notice
        self._waiting: deque[Job[A, G]] = deque()
        self._coming = 0
        self._at_hand: Sequence[Job[A, G]] = ()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._stage = ""

    @contextmanager
    def coming(self) -> Iterator[None]:
        """Around the making of a request that is to be submitted: a batch that is not full waits for it."""
        self._coming += 1  # from one event loop alone, and a number read too early costs a few milliseconds
        try:
            yield
        finally:
            self._coming -= 1

    def submit(self, job: Job[A, G]) -> None:
        """Take a job in; the first one starts the thread."""
        with self._changed:
            self._waiting.append(job)
            if self._stage:
                job.loading(self._stage)
            if self._thread is None:
                self._closing = threading.Event()
                self._thread = threading.Thread(
                    target=self._run, args=(self._closing,), name="local-model", daemon=True
                )
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Stop at the next token and let the model go; who still waits is told. A later job starts anew.

        Waits a moment for that, so call it in a thread.
        """
        with self._changed:
            thread, self._thread = self._thread, None
            self._closing.set()
            stage, self._stage = self._stage, ""
            for job in (*self._at_hand, *self._waiting):
                if stage:
                    job.loading("")
                job.cancel()
                job.done(GenerationError("the model was closed"))
            self._waiting.clear()
            self._changed.notify_all()
        if thread is not None:
            thread.join(CLOSING_S)

    # -- in the thread

    def _run(self, closing: threading.Event) -> None:
        model: Model[A, G] | None = None
        while batch := self._take(closing):
            try:
                model = model or self._loaded(closing)
            except LoadingCancelledError:
                continue
            except Exception as error:  # noqa: BLE001  whatever it is, those who wait must hear of it
                if not closing.is_set():
                    self._refuse(batch, error)
                continue
            self._answer(model, batch)
        if model is not None:
            model.free(wholly=True)

    def _loaded(self, closing: threading.Event) -> Model[A, G]:
        try:
            return self._load(lambda: self._still_wanted(closing))
        finally:
            self.loading("")

    def loading(self, what: str) -> None:
        """Tell those who wait for the model how far it is; to be called by its ``load``, in the same thread. One that
        was closed tells nobody: who comes later waits for another."""
        with self._changed:
            if threading.current_thread() is not self._thread:
                return
            self._stage = what
            for job in (*self._at_hand, *self._waiting):
                job.loading(what)

    def _take(self, closing: threading.Event) -> list[Job[A, G]]:
        """The next batch; none when closing."""
        with self._changed:
            while True:
                if not closing.is_set():
                    self._at_hand = ()
                    self._changed.wait_for(lambda: self._waiting or closing.is_set())
                if closing.is_set():
                    return []
                if not self._waiting[0].streamed:
                    self._linger(closing)
                batch = self._first()
                if batch:
                    self._at_hand = batch
                    return batch

    def _linger(self, closing: threading.Event) -> None:
        until = time.monotonic() + LINGER_S
        while len(self._waiting) < self.size and not closing.is_set() and time.monotonic() < until:
            before = len(self._waiting)
            self._changed.wait(QUIET_S)
            if len(self._waiting) == before and not self._coming:
                return

    def _first(self) -> list[Job[A, G]]:
        """The oldest job and those that go with it."""
        batch: list[Job[A, G]] = []
        others: deque[Job[A, G]] = deque()
        while self._waiting:
            job = self._waiting.popleft()
            if job.cancelled:
                continue
            fits = not batch or (
                len(batch) < self.size and not job.streamed and not batch[0].streamed and job.group == batch[0].group
            )
            (batch if fits else others).append(job)
        self._waiting = others
        return batch

    def _still_wanted(self, closing: threading.Event) -> None:
        with self._changed:
            if closing.is_set() or all(job.cancelled for job in (*self._at_hand, *self._waiting)):
                raise LoadingCancelledError

    def _refuse(self, batch: Sequence[Job[A, G]], error: Exception) -> None:
        """Everybody who waits for a model that cannot be loaded hears of it."""
        with self._changed:
            waiting, self._waiting = [*batch, *self._waiting], deque()
        for job in waiting:
            job.done(error)

    def _answer(self, model: Model[A, G], batch: list[Job[A, G]]) -> None:
        parts = deque([batch])
        while parts:
            part = [job for job in parts.popleft() if not job.cancelled]
            if not part:
                continue
            if len(part) > self.size:
                parts.extendleft((part[self.size :], part[: self.size]))
                continue
            failure = _attempt(model, part)
            if failure is None:
                continue
            full = no_room(failure)
            if full:
                model.free()
            if len(part) == 1:
                part[0].done(self._told(failure))
            elif full:
                half = len(part) // 2
                self._shrink(half)
                parts.extendleft((part[half:], part[:half]))
            else:
                parts.extendleft([job] for job in reversed(part))

    def _shrink(self, size: int) -> None:
        if size < self.size:
            self._notice(f"out of memory with {self.size} {self._things} at once; going on with {size}")
            self.size = size

    def _told(self, failure: Exception) -> Exception:
        if isinstance(failure, GenerationError | PhoropterError):
            return failure
        if no_room(failure):
            return GenerationError(f"out of memory with one {self._things.removesuffix('s')} alone", self._remedy)
        return GenerationError(f"the model failed ({type(failure).__name__}: {failure})")


def _attempt(model: Model[A, G], jobs: Sequence[Job[A, G]]) -> Exception | None:
    """Answer the jobs, or say why not. The failure's traceback is dropped: it holds on to memory."""
    try:
        answers = model.answer(jobs)
    except Exception as error:  # noqa: BLE001  a model can raise anything
        return error.with_traceback(None)
    for job, answer in zip(jobs, answers, strict=True):
        job.done(answer)
    return None


def no_room(error: BaseException) -> bool:
    """Whether memory ran out, as torch, CUDA, Apple's and the processor's own allocators say it."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    return isinstance(error, RuntimeError) and any(words in str(error).lower() for words in _NO_ROOM)
