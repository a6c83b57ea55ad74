"""A text-to-image pipeline run here by diffusers. Requests of many trajectories are painted in one batch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, Literal

from core.errors import CallError, PictureError, RespondentError
from core.pictures import encoded
from core.records import Answer, Call, Json, SentPicture, Status, Usage
from core.respondents.base import OnDelta, Request
from core.respondents.diffusing.asking import Sketch, describe, prepare
from core.respondents.diffusing.painting import Painted
from core.respondents.local.batching import Model
from core.respondents.local.jobs import Job
from core.respondents.local.model import ModelHere, Tell, need
from core.respondents.settings import DiffusersSettings

_REMEDY: Final = "Lower width and height, take a smaller dtype, or name another device"


class DiffusersModel(ModelHere[DiffusersSettings, Sketch, Painted]):
    """A pipeline in this process. Make one with ``make_diffusers``; it is loaded by the first request."""

    draws_alone: Literal[True] = True

    def __init__(
        self, name: str, settings: DiffusersSettings, tell: Tell | None = None, *, purpose: str = "answer"
    ) -> None:
        super().__init__(name, settings, tell, purpose=purpose, things="pictures", remedy=_REMEDY, parts=True)

    @property
    def looks(self) -> bool:
        return False

    @property
    def draws(self) -> bool:
        return True

    @property
    def identity(self) -> Mapping[str, Json]:
        """The pipeline and how it draws; where it runs and how many pictures at once is left out."""
        return describe(self._settings)

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
        painted = await self._done(Job(sketch, on_delta, request.on_loading))
        call = self._call(sketch, painted)
        if painted.image is None:
            return Answer("", Status.REFUSAL, call=call)
        try:
            picture = await asyncio.to_thread(self._picture, painted)
        except PictureError as error:
            raise CallError(error.what, where=self._name, call=call) from None
        return Answer("", picture=picture, call=call)

    # -- parts

    def _asked(self, request: Request, weights: str, letters: tuple[str, ...]) -> Sketch:
        return prepare(request, self._settings, weights)

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
            self._purpose,
            sketch.hash,
            dict(sketch.recorded),
            reply,
            painted.served,
            seconds=painted.seconds,
            usage=usage,
        )

    def _load(self, check: Callable[[], None]) -> Model[Sketch, Painted]:
        from core.respondents.diffusing.loading import load
        from core.respondents.diffusing.painting import Painter

        return Painter(load(self._name, self._settings, check, self._stage), self._settings)


def make_diffusers(
    name: str, settings: DiffusersSettings, tell: Tell | None = None, *, purpose: str = "answer"
) -> DiffusersModel:
    """The respondent behind these settings. Imports no torch and loads nothing yet.

    ``tell`` takes lines about loading instead of stderr. Raises RespondentError where a package is missing.
    """
    need(("torch", "diffusers"), "making pictures here needs", name, "Install phoropter[images]")
    return DiffusersModel(name, settings, tell, purpose=purpose)
