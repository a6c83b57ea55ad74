"""A turn and its conversation as the body of a chat completion, as it is sent and as it is recorded."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from core.prices import Load, load_of
from core.records import Json, SentPicture, Show, Text, Turn, digest
from core.respondents.base import Exchange, Request, Schema
from core.respondents.settings import ServerSettings, Structured

if TYPE_CHECKING:
    from core.pictures import Pictures

_TOKENS: Final = "max_tokens"
_FORMAT: Final = "response_format"
_MARK: Final = secrets.token_hex(16)
"""Stands around a picture's hash in a body that is being made; no text holds it."""

Look: TypeAlias = Callable[[Show], SentPicture | None]
"""What stands at a picture's place; None where nothing does."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """One request, ready to go.

    ``recorded`` is all that is sent, with each picture named by its hash; ``hash`` is that of ``recorded``. It does
    not depend on whether the answer is streamed, nor on which name the server has for ``max_tokens``, nor on how far
    it can be held to a schema, which is always recorded whole. ``formed``: there is one of ours. ``sent`` are the
    pictures of the turn itself.
    """

    recorded: Mapping[str, Json]
    hash: str
    sent: tuple[SentPicture, ...]
    held: Mapping[str, SentPicture] = field(repr=False)
    formed: bool = False

    def body(
        self,
        base64: Callable[[SentPicture], bytes],
        *,
        tokens: str = _TOKENS,
        stream: bool = False,
        usage: bool = True,
        structured: Structured = "json_schema",
    ) -> bytes:
        """The bytes to post: what ``as_sent`` says, with the pictures in their places.

        Their base64 is put in as it is, and never looked through.
        """

        def marked(digest: str) -> str:
            return f"data:{self.held[digest].mime};base64,{_MARK}{digest}{_MARK}"

        sent = self.as_sent(tokens=tokens, stream=stream, usage=usage, structured=structured)
        pieces = as_text(filled(sent, marked)).encode("ascii").split(_MARK.encode("ascii"))
        pieces[1::2] = [base64(self.held[digest.decode("ascii")]) for digest in pieces[1::2]]
        return b"".join(pieces)

    def as_sent(
        self,
        *,
        tokens: str = _TOKENS,
        stream: bool = False,
        usage: bool = True,
        structured: Structured = "json_schema",
    ) -> dict[str, Json]:
        """The body, its pictures named by hash. ``usage`` asks a streaming server to count tokens."""
        body = renamed(self.recorded, tokens)
        if self.formed and structured == "json_object":
            body[_FORMAT] = {"type": "json_object"}
        elif self.formed and structured == "none":
            del body[_FORMAT]
        if stream:
            body["stream"] = True
            if usage:
                body.setdefault("stream_options", {"include_usage": True})
        return body

    def load(self, picture_tokens: int | None, *, weighed: bool) -> Load:
        """What the request can come to, in tokens and pictures; not ``weighed``: its pictures are counted alone."""
        sizes = [
            self.held[part["image_url"]["picture"]].size
            for message in self.recorded["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
            if part["type"] == "image_url"
        ]
        return load_of(self.recorded, sizes, picture_tokens) if weighed else Load(0, 0, len(sizes), 0)


def renamed(request: Mapping[str, Json], tokens: str) -> dict[str, Json]:
    """With the limit of tokens under that name."""
    return {tokens if key == _TOKENS else key: value for key, value in request.items()}


def filled(request: Mapping[str, Json], url: Callable[[str], str]) -> dict[str, Json]:
    """A recorded request with what ``url`` makes of a picture's hash in the picture's place."""

    def part_filled(part: Json) -> Json:
        if part["type"] != "image_url":
            return part
        told = dict(part["image_url"])
        return {"type": "image_url", "image_url": {"url": url(told.pop("picture")), **told}}

    def message_filled(message: Json) -> Json:
        if not isinstance(message["content"], list):
            return message
        return message | {"content": [part_filled(part) for part in message["content"]]}

    if "messages" not in request:
        return dict(request)
    return {**request, "messages": [message_filled(message) for message in request["messages"]]}


def as_text(body: Json) -> str:
    """JSON as it is posted: ASCII, on one line."""
    return json.dumps(body, separators=(",", ":"))


def prepare(request: Request, settings: ServerSettings, pictures: Pictures, *, load: bool = True) -> Prepared:
    """The request for a turn after its conversation. Raises PictureError.

    It loads pictures: call it in a thread. Without ``load`` it may be called anywhere: NotAtHandError where one is
    not held.
    """
    from core.pictures import Form

    held: dict[str, SentPicture] = {}
    known: dict[Show, SentPicture] = {}
    form = Form(settings.picture_format, settings.picture_quality)

    def look(show: Show) -> SentPicture:
        if show not in known:
            sent = pictures.sent(request.item, show, settings.max_pixels, form, load=load)
            if load:
                pictures.base64(sent)
            known[show] = held.setdefault(sent.hash, sent)
        return known[show]

    recorded = {
        "model": settings.model,
        "messages": messages(request, settings.system, look if settings.looks else None, settings.detail),
        **_implied(settings),
        **sampling(settings, request.repeat),
        **(_form(request.schema) if request.schema is not None else {}),
        **settings.extra_body,
    }
    sent = tuple(look(show) for show in request.turn.shows) if settings.looks else ()
    formed = request.schema is not None and _FORMAT not in settings.extra_body
    return Prepared(recorded, digest(recorded), sent, held, formed)


def _form(schema: Schema) -> dict[str, Json]:
    whole = {"name": schema.name, "strict": True, "schema": dict(schema.schema)}
    return {_FORMAT: {"type": "json_schema", "json_schema": whole}}


def messages(request: Request, system: str, look: Look | None, detail: str = "") -> list[Json]:
    """The conversation and its turn as chat messages. Without ``look`` no picture is shown.

    ``detail`` says with each picture how closely the server is to look.
    """
    out: list[Json] = [{"role": "system", "content": system}] if system else []
    for exchange in conversation(request):
        out.append({"role": "user", "content": _content(exchange.turn, look, detail)})
        out.append({"role": "assistant", "content": exchange.answer})
    out.append({"role": "user", "content": _content(request.turn, look, detail)})
    return out


def sampling(settings: ServerSettings, repeat: int = 0) -> dict[str, Json]:
    """What is always sent of how to answer, and what was set beyond that: servers have defaults of their own."""
    out: dict[str, Json] = {"temperature": settings.temperature, _TOKENS: settings.max_tokens}
    if settings.seed is not None:
        out["seed"] = settings.seed + repeat
    if settings.stop:
        out["stop"] = list(settings.stop)
    for name in ("top_p", "presence_penalty", "frequency_penalty"):
        if (value := getattr(settings, name)) is not None:
            out[name] = value
    if settings.reasoning_effort:
        out["reasoning_effort"] = settings.reasoning_effort
    if settings.logprobs:
        out |= {"logprobs": True, "top_logprobs": settings.top_logprobs}
    return {name: value for name, value in out.items() if name not in settings.unsent}


def _implied(settings: ServerSettings) -> dict[str, Json]:
    """A draw is from all tokens where nothing else is set: some servers take a model's own ``top_p`` instead."""
    drawn = settings.temperature > 0 and not settings.reasoning_effort
    return {"top_p": 1.0} if drawn and not {"temperature", "top_p"} & set(settings.unsent) else {}


def conversation(request: Request) -> tuple[Exchange, ...]:
    """What was said since the last turn that started afresh."""
    if request.turn.afresh:
        return ()
    starts = [index for index, exchange in enumerate(request.history) if exchange.turn.afresh]
    return request.history[starts[-1] :] if starts else request.history


def _content(turn: Turn, look: Look | None, detail: str) -> Json:
    """Words and pictures in the turn's order: a list of parts, or plain text where no picture is shown."""
    parts: list[Json] = []
    words: list[str] = []
    for part in _parts(turn):
        if isinstance(part, Text):
            words.append(part.text)
        elif look is not None and (seen := look(part)) is not None:
            _say(parts, words)
            told = {"detail": detail} if detail else {}
            parts.append({"type": "image_url", "image_url": {"picture": seen.hash, **told}})
    if not parts:
        return "\n".join(words)
    _say(parts, words)
    return parts


def _parts(turn: Turn) -> Iterator[Text | Show]:
    yield from turn.content
    if turn.answer_format:
        yield Text(turn.answer_format)


def _say(parts: list[Json], words: list[str]) -> None:
    if words:
        parts.append({"type": "text", "text": "\n".join(words)})
        words.clear()


def describe(settings: ServerSettings) -> dict[str, Any]:
    """All that can change the model's answers, for the identity of a run. Where replicas stand is not part of it."""
    return {
        "kind": settings.kind,
        "model": settings.model,
        "system": settings.system,
        "looks": settings.looks,
        "max_pixels": settings.max_pixels,
        "extra_body": dict(settings.extra_body),
        **_of_pictures(settings),
        **sampling(settings),
    }


def _of_pictures(settings: ServerSettings) -> dict[str, Json]:
    """Only what was set, so that a run made before there was such a setting is still the same run."""
    out: dict[str, Json] = {"detail": settings.detail} if settings.detail else {}
    if settings.picture_format:
        out["picture_format"] = settings.picture_format
    if settings.picture_format == "jpeg":
        out["picture_quality"] = settings.picture_quality
    return out
