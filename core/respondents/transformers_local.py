"""A model run here by transformers. Requests of many trajectories are answered in one batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.errors import RespondentError
from core.pictures import Pictures
from core.records import Answer, Call, Json, Status, Usage
from core.respondents.base import OnDelta, Request
from core.respondents.local.asking import Asked, prepare, sampling
from core.respondents.local.batching import Model
from core.respondents.local.jobs import Generated, Job
from core.respondents.local.model import ModelHere, Tell, need
from core.respondents.replies import split_reasoning
from core.respondents.settings import LocalSettings
from core.respondents.streaming import Shown


class LocalModel(ModelHere[LocalSettings, Asked, Generated]):
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
        super().__init__(name, settings, tell, purpose=purpose)
        self._pictures = pictures

    @property
    def looks(self) -> bool:
        return self._settings.looks

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
        said = await self._done(Job(asked, shown.feed if shown is not None else None, request.on_loading))
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
        asked = await self._prepared(request, letters)
        return (await self._done(Job(asked, None, request.on_loading))).letters

    # -- parts

    def _asked(self, request: Request, weights: str, letters: tuple[str, ...]) -> Asked:
        return prepare(request, self._settings, self._pictures, weights, letters)

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

        return Generator(load(self._name, self._settings, check, self._stage), self._settings)


def make_local(
    name: str, settings: LocalSettings, pictures: Pictures, tell: Tell | None = None, *, purpose: str = "answer"
) -> LocalModel:
    """The respondent behind these settings. Imports no torch and loads nothing yet.

    ``tell`` takes lines about loading instead of stderr. Raises RespondentError where a package is missing.
    """
    need(("torch", "transformers"), "local models need", name, "Install phoropter[local]")
    return LocalModel(name, settings, pictures, tell, purpose=purpose)


def _status(said: Generated, text: str) -> Status:
    if not said.whole:
        return Status.TRUNCATED
    return Status.OK if text.strip() else Status.EMPTY
