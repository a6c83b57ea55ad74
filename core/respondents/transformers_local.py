"""A model run here by transformers. Requests of many trajectories are answered in one batch."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

from core.errors import CallError, RespondentError
from core.pictures import Pictures
from core.records import Answer, Call, Json, RespondentKind, Status, Usage
from core.respondents.base import OnDelta, Request
from core.respondents.local.asking import Asked, prepare, sampling
from core.respondents.local.batching import Model, Worker
from core.respondents.local.jobs import Generated, GenerationError, Job
from core.respondents.local.weights import fingerprint, folder_of
from core.respondents.replies import split_reasoning
from core.respondents.settings import LocalSettings
from core.respondents.streaming import Shown

Tell: TypeAlias = Callable[[str], None]
"""Called from another thread with a line about loading, or about memory."""

_PACKAGES = ("torch", "transformers")


class LocalModel:
    """A model in this process. Make one with ``make_local``; it is loaded by the first request."""

    def __init__(
        self,
        name: str,
        settings: LocalSettings,
        pictures: Pictures,
        tell: Tell | None = None,
        *,
        purpose: str = "answer",
    ) -> None:
        self._name = name
        self._purpose = purpose
        self._settings = settings
        self._pictures = pictures
        self._tell = tell or self._say
        self._worker: Worker[Asked, Generated] = Worker(self._load, settings.batch_size, self._tell)
        self._weights: str | None = None

    def __repr__(self) -> str:
        return f"LocalModel({self._name!r}, model={self._settings.model!r})"

    @property
    def name(self) -> str:
        return self._name

    @property
    def kind(self) -> RespondentKind:
        return "model"

    @property
    def looks(self) -> bool:
        return self._settings.looks

    @property
    def draws(self) -> bool:
        return False

    @property
    def in_flight(self) -> int:
        """Two batches: the next one's pictures are read, and the last one's steps stored, while the model works."""
        return 2 * self._settings.batch_size

    @property
    def settings(self) -> LocalSettings:
        return self._settings

    @property
    def identity(self) -> Mapping[str, Json]:
        """The model and how it is asked; where it runs and how many turns at once is left out."""
        settings = self._settings
        return {
            "kind": settings.kind,
            "model": settings.model,
            "revision": settings.revision,
            "dtype": settings.dtype,
            "system": settings.system,
            "looks": settings.looks,
            "max_pixels": settings.max_pixels,
            "several": settings.several,
            "constrain": settings.constrain,
            "seed": settings.seed,
            **sampling(settings),
        }

    async def preview(self, request: Request) -> Json:
        """What would be asked, pictures named by hash. Loads no model."""
        return (await self._prepared(request)).recorded

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        """The answer with its status; with ``on_delta`` it is streamed, and asked alone.

        Cancelling stops the model at its next token. Raises RespondentError where the model cannot be loaded or
        cannot be asked such turns at all, CallError where this one failed, PictureError.
        """
        if request.turn.makes != "text":
            raise RespondentError(f"{self._name} makes no pictures", where=request.turn.step)
        with self._worker.coming():
            asked = await self._prepared(request)
        if (known := await request.recalled(asked.hash, asked.sent)) is not None:
            return known
        shown = Shown(on_delta) if on_delta is not None and not asked.letters else None
        said = await self._ask(Job(asked, shown.feed if shown is not None else None))
        text, thought = split_reasoning(said.text)
        if shown is not None:
            shown.finish(text)
        elif on_delta is not None:
            on_delta(text)
        return Answer(
            text, _status(said, text), said.reasoning or thought, sent=asked.sent, call=self._call(asked, said)
        )

    async def letters(self, request: Request, letters: tuple[str, ...]) -> Mapping[str, float]:
        """The log-probability of each letter as the answer's first token; says nothing and stores nothing."""
        return (await self._ask(Job(await self._prepared(request, letters)))).letters

    async def close(self) -> None:
        """Stop the model and give its memory back."""
        await asyncio.to_thread(self._worker.close)

    # -- parts

    async def _prepared(self, request: Request, letters: tuple[str, ...] = ()) -> Asked:
        def work() -> Asked:
            if self._weights is None:
                folder = folder_of(self._settings.model)
                self._weights = fingerprint(folder) if folder is not None else ""
            return prepare(request, self._settings, self._pictures, self._weights, letters)

        return await asyncio.to_thread(work)

    async def _ask(self, job: Job[Asked, Generated]) -> Generated:
        started = time.perf_counter()
        self._worker.submit(job)
        try:
            return await job.wait()
        except GenerationError as error:
            asked = job.asked
            seconds = time.perf_counter() - started
            call = Call(self._purpose, asked.hash, dict(asked.recorded), None, seconds=seconds, error=error.what)
            raise CallError(error.what, where=self._name, remedy=error.remedy, call=call) from None

    def _call(self, asked: Asked, said: Generated) -> Call:
        reply: dict[str, Json] = {
            "text": said.text,
            "finish_reason": "stop" if said.whole else "length",
            "batch": said.batch,
        }
        if said.letters:
            reply["letters"] = dict(said.letters)
        return Call(
            self._purpose,
            asked.hash,
            {**asked.recorded, "prompt": said.prompt},
            reply,
            said.served,
            seconds=said.seconds,
            usage=Usage(said.prompt_tokens, said.tokens),
        )

    def _load(self, check: Callable[[], None]) -> Model[Asked, Generated]:
        from core.respondents.local.generating import Generator
        from core.respondents.local.loading import load

        return Generator(load(self._name, self._settings, check, self._tell), self._settings)

    def _say(self, line: str) -> None:
        print(f"{self._name}: {line}", file=sys.stderr, flush=True)


def make_local(
    name: str, settings: LocalSettings, pictures: Pictures, tell: Tell | None = None, *, purpose: str = "answer"
) -> LocalModel:
    """The respondent behind these settings. Imports no torch and loads nothing yet.

    ``tell`` takes lines about loading instead of stderr. Raises RespondentError where a package is missing.
    """
    for package in _PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise RespondentError(
                f"local models need the package {package}", where=name, remedy="Install phoropter[local]"
            )
    return LocalModel(name, settings, pictures, tell, purpose=purpose)


def _status(said: Generated, text: str) -> Status:
    if not said.whole:
        return Status.TRUNCATED
    return Status.OK if text.strip() else Status.EMPTY
