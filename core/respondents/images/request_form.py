"""A turn that asks for a picture as a request to the images API, as it is sent and as it is recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from core.errors import RespondentError
from core.pictures import Pictures
from core.records import Json, SentPicture, digest
from core.respondents.base import Request
from core.respondents.endpoint import Form
from core.respondents.request_body import Prepared, conversation
from core.respondents.settings import ImagesSettings

GENERATE: Final = "/images/generations"
EDIT: Final = "/images/edits"
_PICTURES: Final = "image"


def prepare(request: Request, settings: ImagesSettings, pictures: Pictures) -> Prepared:
    """The request for a turn: its words alone and, for an edit, every picture the conversation showed, in order.

    No conversation goes along: makers take none, so the turn's words must say all there is to draw. Raises
    PictureError, and RespondentError for an edit where nothing was shown; loads pictures: call it in a thread.
    """
    recorded: dict[str, Json] = {"model": settings.model, "prompt": request.turn.text, "n": 1, **_set(settings)}
    sent: tuple[SentPicture, ...] = ()
    if settings.mode == "edit":
        turns = (*(exchange.turn for exchange in conversation(request)), request.turn)
        shows = dict.fromkeys(show for turn in turns for show in turn.shows)
        sent = tuple(pictures.sent(request.item, show, settings.max_pixels) for show in shows)
        if not sent:
            raise RespondentError(
                "there is no picture to edit: the conversation shows none",
                where=f"{settings.model}, step {request.turn.step}",
                remedy='Set mode = "generate"',
            )
        recorded[_PICTURES] = [picture.hash for picture in sent]
    return Prepared(recorded, digest(recorded), sent, {picture.hash: picture for picture in sent})


def posted(prepared: Prepared) -> tuple[str, bytes | Form]:
    """Path and body of the request: JSON, or a form where pictures go along."""
    if _PICTURES not in prepared.recorded:
        return GENERATE, json.dumps(dict(prepared.recorded), separators=(",", ":")).encode("ascii")
    fields = {name: _field(value) for name, value in prepared.recorded.items() if name != _PICTURES}
    several = f"{_PICTURES}[]" if len(prepared.sent) > 1 else _PICTURES
    return EDIT, Form(fields, tuple((several, _file(number, p)) for number, p in enumerate(prepared.sent, 1)))


def describe(settings: ImagesSettings) -> Mapping[str, Json]:
    """All that can change the pictures made, for the identity of a run. Where replicas stand is not part of it."""
    return {
        "kind": settings.kind,
        "model": settings.model,
        "mode": settings.mode,
        "max_pixels": settings.max_pixels if settings.mode == "edit" else None,
        **_set(settings),
    }


def _set(settings: ImagesSettings) -> dict[str, Json]:
    named = {"size": settings.size, "quality": settings.quality, "background": settings.background}
    return {**{name: value for name, value in named.items() if value}, **settings.extra_body}


def _field(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _file(number: int, picture: SentPicture) -> tuple[str, bytes, str]:
    return f"image{number}.{picture.mime.partition('/')[2]}", picture.data, picture.mime
