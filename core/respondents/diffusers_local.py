"""A text-to-image pipeline run here by diffusers. Requests of many trajectories are painted in one batch."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from core.errors import CallError, PictureError, RespondentError
from core.pictures import encoded
from core.records import Answer, Call, Json, RespondentKind, SentPicture, Status, Usage
from core.respondents.base import OnDelta, Request
from core.respondents.diffusing.asking import Sketch, describe, prepare
from core.respondents.diffusing.painting import Easel, Painted
from core.respondents.local.batching import Model, Worker
from core.respondents.local.jobs import GenerationError, Job
from core.respondents.local.weights import fingerprint, folder_of
from core.respondents.settings import DiffusersSettings

Tell: TypeAlias = Callable[[str], None]
"""Called from another thread with a line about loading, or about memory."""

_PACKAGES: Final = ("torch", "diffusers")
_REMEDY: Final = "Lower width and height, take a smaller dtype, or name another device"


class DiffusersModel:
    """A pipeline in this process. Make one with ``make_diffusers``; it is loaded by the first request."""

    draws_alone: Literal[True] = True

    def __init__(self, name: str, settings: DiffusersSettings, tell: Tell | None = None) -> None:
        self._name = name
        self._settings = settings
        self._tell = tell or self._say
        self._worker: Worker[Sketch, Painted] = Worker(
            self._load, settings.batch_size, self._tell, things="pictures", remedy=_REMEDY
        )
        self._weights: str | None = None

    def __repr__(self) -> str:
        return f"DiffusersModel({self._name!r}, model={self._settings.model!r})"

    @property
    def name(self) -> str:
        return self._name

    @property
    def kind(self) -> RespondentKind:
        return "model"

    @property
    def looks(self) -> bool:
        return False

    @property
    def draws(self) -> bool:
        return True

    @property
    def in_flight(self) -> int:
        """Two batches: the last one's pictures are stored while the pipeline works."""
        return 2 * self._settings.batch_size

    @property
    def settings(self) -> DiffusersSettings:
        return self._settings

    @property
    def identity(self) -> Mapping[str, Json]:
        """The pipeline and how it draws; where it runs and how many pictures at once is left out."""
        return describe(self._settings)

    async def preview(self, request: Request) -> Json:
        """What would be asked. Loads no pipeline."""
        return (await self._prepared(request)).recorded

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        """The picture; with ``on_delta`` it says how far it is, and is painted alone.

        Cancelling stops the pipeline at its next step. Raises RespondentError where the pipeline cannot be loaded or
        the turn asks for words, CallError where this picture could not be made.
        """
        if request.turn.makes != "picture":
            raise RespondentError(f"{self._name} makes pictures and nothing else", where=request.turn.step)
        with self._worker.coming():
            sketch = await self._prepared(request)
        if (known := await request.recalled(sketch.hash, ())) is not None:
            return known
        painted = await self._paint(Job(sketch, on_delta))
        call = self._call(sketch, painted)
        if painted.image is None:
            return Answer("", Status.REFUSAL, call=call)
        try:
            picture = await asyncio.to_thread(self._picture, painted)
        except PictureError as error:
            raise CallError(error.what, where=self._name, call=call) from None
        return Answer("", picture=picture, call=call)

    async def close(self) -> None:
        """Stop the pipeline and give its memory back."""
        await asyncio.to_thread(self._worker.close)

    # -- parts

    async def _prepared(self, request: Request) -> Sketch:
        def work() -> Sketch:
            if self._weights is None:
                folder = folder_of(self._settings.model)
                self._weights = fingerprint(folder, parts=True) if folder is not None else ""
            return prepare(request, self._settings, self._weights)

        return await asyncio.to_thread(work)

    async def _paint(self, job: Easel) -> Painted:
        started = time.perf_counter()
        self._worker.submit(job)
        try:
            return await job.wait()
        except GenerationError as error:
            sketch, seconds = job.asked, time.perf_counter() - started
            call = Call("answer", sketch.hash, dict(sketch.recorded), None, seconds=seconds, error=error.what)
            raise CallError(error.what, where=self._name, remedy=error.remedy, call=call) from None

    def _picture(self, painted: Painted) -> SentPicture:
        assert painted.image is not None
        return encoded(painted.image.convert("RGB"), f"made by {self._name}")

    def _call(self, sketch: Sketch, painted: Painted) -> Call:
        reply: dict[str, Json] = {
            "held_back": painted.image is None,
            "batch": painted.batch,
            "tokens_read": painted.tokens_read,
        }
        usage = Usage(painted.tokens)
        return Call(
            "answer", sketch.hash, dict(sketch.recorded), reply, painted.served, seconds=painted.seconds, usage=usage
        )

    def _load(self, check: Callable[[], None]) -> Model[Sketch, Painted]:
        from core.respondents.diffusing.loading import load
        from core.respondents.diffusing.painting import Painter

        return Painter(load(self._name, self._settings, check, self._tell), self._settings)

    def _say(self, line: str) -> None:
        print(f"{self._name}: {line}", file=sys.stderr, flush=True)


def make_diffusers(name: str, settings: DiffusersSettings, tell: Tell | None = None) -> DiffusersModel:
    """The respondent behind these settings. Imports no torch and loads nothing yet.

    ``tell`` takes lines about loading instead of stderr. Raises RespondentError where a package is missing.
    """
    for package in _PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise RespondentError(
                f"making pictures here needs the package {package}", where=name, remedy="Install phoropter[images]"
            )
    return DiffusersModel(name, settings, tell)
