"""What every model in this process is alike in: one thread owns it, and requests of many trajectories go together."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from core.errors import CallError, RespondentError
from core.records import Call, Json
from core.respondents.base import Request
from core.respondents.local.batching import REMEDY, Model, Worker
from core.respondents.local.jobs import G, GenerationError, Groupable, Job
from core.respondents.local.weights import fingerprint, folder_of
from core.respondents.model import Model as Respondent
from core.respondents.model import Named

Tell: TypeAlias = Callable[[str], None]
"""Called from another thread with a line about loading, or about memory."""


class Batched(Named, Protocol):
    """Settings of a model that answers so many requests together."""

    @property
    def batch_size(self) -> int: ...


class Recorded(Groupable, Protocol):
    """A request as it is kept."""

    @property
    def hash(self) -> str: ...
    @property
    def recorded(self) -> Mapping[str, Json]: ...


A = TypeVar("A", bound=Recorded)
S = TypeVar("S", bound=Batched)


class ModelHere(Respondent[S], Generic[S, A, G]):
    """Loaded by the first request. ``things`` is what it answers, ``remedy`` what to do where one alone does not fit.
    ``parts``: its weights lie in folders of its folder."""

    def __init__(
        self,
        name: str,
        settings: S,
        tell: Tell | None,
        *,
        purpose: str = "answer",
        things: str = "turns",
        remedy: str = REMEDY,
        parts: bool = False,
    ) -> None:
        super().__init__(name, settings)
        self._purpose = purpose
        self._tell = tell or self._say
        self._parts = parts
        self._worker: Worker[A, G] = Worker(self._load, settings.batch_size, self._tell, things=things, remedy=remedy)
        self._weights: str | None = None

    @property
    def in_flight(self) -> int:
        """Two batches: the next one's pictures are read, and the last one's steps stored, while the model works."""
        return 2 * self._settings.batch_size

    async def preview(self, request: Request) -> Json:
        """What would be asked, pictures named by hash. Loads no model."""
        return (await self._prepared(request)).recorded

    async def close(self) -> None:
        """Stop the model and give its memory back."""
        await asyncio.to_thread(self._worker.close)

    # -- parts: what each kind does otherwise

    @abstractmethod
    def _load(self, check: Callable[[], None]) -> Model[A, G]:
        """The model; ``check`` raises once nobody waits any more."""

    @abstractmethod
    def _asked(self, request: Request, weights: str, letters: tuple[str, ...]) -> A:
        """The request, made in a thread, of a model with these weights. ``letters``: those to choose from alone."""

    # -- parts

    async def _prepared(self, request: Request, letters: tuple[str, ...] = ()) -> A:
        def work() -> A:
            if self._weights is None:
                folder = folder_of(self._settings.model)
                self._weights = fingerprint(folder, parts=self._parts) if folder is not None else ""
            return self._asked(request, self._weights, letters)

        return await asyncio.to_thread(work)

    def _stage(self, line: str) -> None:
        """A stage of loading, told to whoever waits for the model as well."""
        self._tell(line)
        self._worker.loading(line)

    async def _done(self, job: Job[A, G]) -> G:
        """What came of it. Raises CallError with the failed call, and RespondentError."""
        started = time.perf_counter()
        self._worker.submit(job)
        try:
            return await job.wait()
        except GenerationError as error:
            asked, seconds = job.asked, time.perf_counter() - started
            call = Call(self._purpose, asked.hash, dict(asked.recorded), None, seconds=seconds, error=error.what)
            raise CallError(error.what, where=self._name, remedy=error.remedy, call=call) from None

    def _say(self, line: str) -> None:
        print(f"{self._name}: {line}", file=sys.stderr, flush=True)


def need(packages: Sequence[str], what: str, name: str, remedy: str) -> None:
    """Raises RespondentError where one of the packages is missing; none is imported."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise RespondentError(f"{what} the package {package}", where=name, remedy=remedy)
