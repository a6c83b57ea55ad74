"""A turn and its conversation as a local model gets them: messages, pictures and how to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from PIL import Image

from core.errors import RespondentError
from core.pictures import Pictures
from core.records import Json, SentPicture, Show, Turn, digest
from core.respondents.base import Request
from core.respondents.request_body import conversation, messages
from core.respondents.settings import DiffusersSettings, LocalSettings

SEED_BITS: Final = 63


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, ready to be answered.

    ``recorded`` is all that can change its answer, with each picture named by its hash; ``hash`` is that of
    ``recorded``. ``sent`` are the pictures of the turn itself, ``images`` all of the conversation in their order.
    ``letters`` are the options where the answer is to be one of them, ``seed`` is there where it is drawn.
    """

    recorded: Mapping[str, Json]
    hash: str
    sent: tuple[SentPicture, ...]
    images: tuple[Image.Image, ...] = field(repr=False)
    letters: tuple[str, ...] = ()
    seed: int | None = None

    @property
    def group(self) -> tuple[bool, bool]:
        """With pictures or without, words or letters: only requests that agree in both are answered together."""
        return bool(self.images), bool(self.letters)

    def chat(self, *, in_parts: bool) -> list[dict[str, Any]]:
        """The messages as chat templates want them: ``in_parts`` where the model sees, else plain text."""
        images = iter(self.images)
        return [_for_template(message, images, in_parts=in_parts) for message in self.recorded["messages"]]


def prepare(
    request: Request, settings: LocalSettings, pictures: Pictures, weights: str, letters: tuple[str, ...] = ()
) -> Asked:
    """The request for a turn after its conversation. Raises PictureError; loads pictures: call it in a thread.

    ``weights`` stands for what is in the model's folder. ``letters`` asks for the odds of these options.
    """
    images: list[Image.Image] = []
    shown: list[SentPicture] = []
    place = _places(request, settings)

    def look(show: Show) -> SentPicture | None:
        seen = place(show)
        if seen is None:
            return None
        images.append(pictures.image(request.item, seen, max_pixels=settings.max_pixels))
        shown.append(pictures.sent(request.item, seen, settings.max_pixels))
        return shown[-1]

    if not letters and settings.constrain == "letters":
        letters = letters_of(request.turn)
    seed = seed_of(request, settings) if settings.temperature > 0 and not letters else None
    recorded = {
        "model": settings.model,
        "messages": messages(request, settings.system, look if settings.looks else None),
        "weights": weights or settings.revision,
        "dtype": settings.dtype,
        **sampling(settings),
    }
    if seed is not None:
        recorded["seed"] = seed
    if request.schema is not None:  # nothing holds the model to it; it says how the reply will be read
        recorded["schema"] = dict(request.schema.schema)
    if letters:
        recorded["letters"] = list(letters)
    of_turn = len(request.turn.shows)
    sent = tuple(shown[-of_turn:]) if of_turn else ()
    return Asked(recorded, digest(recorded), sent, tuple(images), letters, seed)


def sampling(settings: LocalSettings) -> dict[str, Json]:
    """How answers are drawn."""
    out: dict[str, Json] = {"temperature": settings.temperature, "max_tokens": settings.max_tokens}
    if settings.top_p is not None:
        out["top_p"] = settings.top_p
    return out


def seed_of(request: Request, settings: LocalSettings | DiffusersSettings) -> int:
    """The same for the same asking in any batch, on any day; a turn that items share is drawn alike for all."""
    item = "" if request.turn.shared else request.item.id
    drawn = digest([settings.seed, request.seed, item, request.turn.step, request.repeat])
    return int(drawn, 16) >> (256 - SEED_BITS)


def letters_of(turn: Turn) -> tuple[str, ...]:
    """The letters a turn offers, none where it asks for something else."""
    if len(turn.form) != 1:
        return ()
    options = turn.form[0].options
    lettered = len(options) > 1 and all(len(o) == 1 and o.isascii() and o.isupper() for o in options)
    return options if lettered else ()


class _Places:
    """Where the pictures of a conversation stand, as ``several`` has it."""

    def __init__(self, joined: Show | None) -> None:
        self._joined = joined
        self._done = False

    def __call__(self, show: Show) -> Show | None:
        if self._joined is None:
            return show
        if self._done:
            return None
        self._done = True
        return self._joined


def _places(request: Request, settings: LocalSettings) -> _Places:
    shows = [show for exchange in conversation(request) for show in exchange.turn.shows]
    shows += request.turn.shows
    if len(shows) < 2 or settings.several == "pictures" or not settings.looks:
        return _Places(None)
    if settings.several == "error":
        raise RespondentError(
            f"the conversation shows {len(shows)} pictures and this model is set to take one",
            where=f"{settings.model}, step {request.turn.step}",
            remedy='Set several = "collage" to join them, or several = "pictures" if the model takes more',
        )
    if len({show.blank for show in shows}) > 1:
        raise RespondentError(
            "blank and real pictures cannot be joined to a collage", where=f"step {request.turn.step}"
        )
    if any(show.source for show in shows):
        raise RespondentError(
            "the pictures of worked examples and of the question itself cannot be joined to a collage",
            where=f"{settings.model}, step {request.turn.step}",
            remedy="Ask without examples, or of a model that takes several pictures",
        )
    indices = dict.fromkeys(index for show in shows for index in show.of)
    return _Places(Show(tuple(indices), blank=shows[0].blank))


def _for_template(message: Json, images: Any, *, in_parts: bool) -> dict[str, Any]:
    content = message["content"]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}] if in_parts else content
        return {"role": message["role"], "content": content}
    parts = [
        {"type": "image", "image": next(images)} if part["type"] == "image_url" else dict(part) for part in content
    ]
    return {"role": message["role"], "content": parts}
