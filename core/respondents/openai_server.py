"""Any server that speaks the OpenAI API, through the ``openai`` client's connections and nothing else of it.

The request body is built and the reply read here; the client's own retries are off, so a failed request is asked
again by ``patience`` alone.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from core.errors import CallError, RespondentError
from core.pictures import Pictures
from core.records import Answer, Call, Json, RespondentKind, Status, Turn, Usage
from core.respondents.addresses import KEYS_ELSEWHERE, host_of, problem_of, secret_in, shown
from core.respondents.base import OnDelta, Request
from core.respondents.endpoint import Endpoint, connect
from core.respondents.failures import FailedError, Failure
from core.respondents.odds import kept, options_of
from core.respondents.patience import Clock, Pace, Persistence
from core.respondents.replies import Reply
from core.respondents.request_body import Prepared, describe, prepare
from core.respondents.secret import Secret
from core.respondents.settings import Connection, ServerSettings, Structured
from core.respondents.streaming import Shown

OPENAI: Final = "https://api.openai.com/v1"
OPENAI_KEY: Final = "OPENAI_API_KEY"
_WEAKER: Final[Mapping[Structured, Structured]] = MappingProxyType(
    {"json_schema": "json_object", "json_object": "none"}
)
_OF_FORM: Final = re.compile(
    r"response_?format|json[\s_-]?(schema|object|mode)|structured[\s_-]?output|guided", re.IGNORECASE
)


@dataclass(slots=True)
class Quirks:
    """What the server has told us it wants otherwise."""

    tokens: str
    counts_streams: bool = True
    structured: Structured = "json_schema"

    def learn(self, failure: Failure, *, formed: bool = False) -> bool:
        """Whether the refusal was of a name that can be put right. ``formed``: a form was asked for."""
        if formed and self.structured in _WEAKER and _OF_FORM.search(failure.what):
            self.structured = _WEAKER[self.structured]
            return True
        if self.tokens != "max_completion_tokens" and "max_completion_tokens" in failure.what:
            self.tokens = "max_completion_tokens"
            return True
        if self.counts_streams and "stream_options" in failure.what:
            self.counts_streams = False
            return True
        return False


class OpenAIServer:
    """A model behind a server. Make one with ``make_server``; close it in the event loop that used it."""

    def __init__(
        self,
        name: str,
        settings: ServerSettings,
        pictures: Pictures,
        key: Secret,
        urls: tuple[str, ...],
        *,
        clock: Clock | None = None,
        chances: random.Random | None = None,
        purpose: str = "answer",
    ) -> None:
        self._name = name
        self._settings = settings
        self._pictures = pictures
        self._key = key
        self._urls = urls
        self._purpose = purpose
        self._clock = clock or Clock()
        chances = chances or random.Random()
        self._pace = Pace(settings.requests_per_minute, self._clock, chances)
        self._persistence = Persistence(settings.attempts, settings.patience_s, self._clock, chances)
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._quirks = Quirks(settings.max_tokens_field, structured=settings.structured)
        self._endpoints: tuple[Endpoint, ...] = ()
        self._connecting = asyncio.Lock()
        self._turns = count()
        self._reached = False

    def __repr__(self) -> str:
        return f"OpenAIServer({self._name!r}, model={self._settings.model!r})"

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
        return self._settings.concurrency

    @property
    def settings(self) -> ServerSettings:
        return self._settings

    @property
    def identity(self) -> Mapping[str, Json]:
        """The model and all that is sent with each request; where its replicas stand is left out."""
        return MappingProxyType(describe(self._settings))

    @property
    def tokens_field(self) -> str:
        """The name that the server has for ``max_tokens``, as far as it has told."""
        return self._quirks.tokens

    @property
    def limits(self) -> Mapping[str, str]:
        """What headers have said of the server's limits, by their names."""
        return {name: value for endpoint in self._endpoints for name, value in endpoint.limits.items()}

    async def models(self) -> Json:
        """What the server lists of its models, None where it lists none."""
        if not self._endpoints:
            await self._connect()
        try:
            return await self._endpoints[0].models()
        except FailedError:
            return None

    async def prepare(self, request: Request) -> Prepared:
        """The request as ``answer`` sends it. Raises PictureError."""
        return await asyncio.to_thread(prepare, request, self._settings, self._pictures)

    async def preview(self, request: Request) -> Json:
        """What ``answer`` would send, for a dry run."""
        return (await self.prepare(request)).recorded

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        """The answer with its status; it is streamed where ``on_delta`` wants the pieces.

        Cancelling closes the connection. Raises CallError, which holds the failed call, when the call failed for
        good; PictureError when one of the item's pictures cannot be read.
        """
        self._refuse(request.turn)
        prepared = await self.prepare(request)
        if not self._endpoints:
            await self._connect()
        shown = Shown(on_delta) if on_delta is not None else None
        started = self._clock.now()

        async def attempt() -> Reply:
            nonlocal started
            await self._pace.turn()
            async with self._slots:
                started = self._clock.now()
                return await self._attempt(prepared, shown)

        hold = self._pace.hold if len(self._urls) == 1 else None
        try:
            reply, requests = await self._persistence.run(attempt, hold)
        except FailedError as failed:
            call = self._call(prepared, failed.requests, self._clock.now() - started, failed.failure)
            if failed.failure.refused:
                return Answer("", Status.REFUSAL, sent=prepared.sent, call=call)
            raise self._error(failed.failure, call) from None
        if shown is not None:
            shown.finish(reply.text)
        reply = replace(reply, raw=kept(reply.raw, reply.text, options_of(request.turn)))
        call = self._call(prepared, requests, self._clock.now() - started, reply=reply)
        return await self._answered(prepared, reply, call)

    async def close(self) -> None:
        """Close all connections."""
        endpoints, self._endpoints = self._endpoints, ()
        self._slots = asyncio.Semaphore(self._settings.concurrency)  # the next loop's own
        self._connecting = asyncio.Lock()
        for endpoint in endpoints:
            await endpoint.close()

    # -- parts: what a server of another kind does otherwise

    def _refuse(self, turn: Turn) -> None:
        """Raises RespondentError for a turn that cannot be answered here."""
        if turn.makes != "text":
            raise RespondentError(f"{self._name} makes no pictures", where=turn.step)

    async def _send(self, endpoint: Endpoint, prepared: Prepared, shown: Shown | None, quirks: Quirks) -> Reply:
        """One request. Raises FailedError."""
        stream = shown is not None
        body = await asyncio.to_thread(
            prepared.body,
            self._pictures.base64,
            tokens=quirks.tokens,
            stream=stream,
            usage=quirks.counts_streams,
            structured=quirks.structured,
        )
        if shown is not None:
            shown.restart()
        return await endpoint.ask(body, shown)

    async def _answered(self, prepared: Prepared, reply: Reply, call: Call) -> Answer:
        return Answer(reply.text, reply.status, reply.reasoning, sent=prepared.sent, call=call)

    # -- parts

    async def _connect(self) -> None:
        async with self._connecting:
            if not self._endpoints:
                settings = self._settings
                self._endpoints = await asyncio.to_thread(connect, self._urls, self._key, settings, self._clock)

    async def _attempt(self, prepared: Prepared, shown: Shown | None) -> Reply:
        endpoint = self._endpoints[next(self._turns) % len(self._endpoints)]
        quirks = replace(self._quirks)
        try:
            reply = await self._send(endpoint, prepared, shown, quirks)
        except FailedError as error:
            failure = error.failure
            self._reached = self._reached or failure.reply is not None
            if failure.fatal and (quirks != self._quirks or self._quirks.learn(failure, formed=prepared.formed)):
                raise FailedError(replace(failure, free=True)) from None
            raise
        self._reached = True
        return reply

    def _call(
        self,
        prepared: Prepared,
        requests: int,
        seconds: float,
        failure: Failure | None = None,
        reply: Reply | None = None,
    ) -> Call:
        return Call(
            self._purpose,
            prepared.hash,
            dict(prepared.recorded),
            reply.raw if reply is not None else failure.reply if failure is not None else None,
            reply.served_model if reply is not None else "",
            requests,
            seconds,
            self._priced(reply.usage) if reply is not None else Usage(),
            failure.what if failure is not None else "",
        )

    def _priced(self, usage: Usage) -> Usage:
        price_in, price_out = self._settings.price_in, self._settings.price_out
        if price_in is None and price_out is None:
            return usage
        millionths = usage.prompt_tokens * (price_in or 0.0) + usage.completion_tokens * (price_out or 0.0)
        return replace(usage, cost=millionths / 1_000_000)

    def _error(self, failure: Failure, call: Call) -> CallError:
        where = f"{self._name} at {', '.join(host_of(url) for url in self._urls)}"
        fatal = failure.fatal or (failure.reply is None and failure.retry and not self._reached)
        return CallError(failure.what, where=where, remedy=self._remedy(failure), fatal=fatal, call=call)

    def _remedy(self, failure: Failure) -> str:
        if failure.remedy:
            return failure.remedy
        status = failure.reply.get("status") if isinstance(failure.reply, dict) else None
        variable = self._settings.api_key_env or self._key.variable
        if status in (401, 403):
            if variable:
                return f"Check the key in the environment variable {variable}"
            return "Name the environment variable that holds its key with api_key_env in phoropter.toml"
        if status == 404:
            return f"Check model ({self._settings.model}) and base_url ({', '.join(map(host_of, self._urls))})"
        if failure.reply is None and not self._reached:
            return "Check base_url, and that the server runs"
        return ""


def make_server(
    name: str,
    settings: ServerSettings,
    pictures: Pictures,
    *,
    environment: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    chances: random.Random | None = None,
    purpose: str = "answer",
) -> OpenAIServer:
    """The respondent behind these settings. Opens no connection and imports no client yet.

    Raises RespondentError where the key's variable is not set or a base_url is none.
    """
    key, urls = access(name, settings, os.environ if environment is None else environment)
    return OpenAIServer(name, settings, pictures, key, urls, clock=clock, chances=chances, purpose=purpose)


def access(name: str, settings: Connection, environment: Mapping[str, str]) -> tuple[Secret, tuple[str, ...]]:
    """The key and the addresses behind these settings.

    Raises RespondentError where the key's variable is not set or a base_url is none.
    """
    urls = settings.base_url or (environment.get("OPENAI_BASE_URL") or OPENAI,)
    for url in urls:
        if problem := problem_of(url):
            remedy = KEYS_ELSEWHERE if secret_in(url) else "For example http://127.0.0.1:8000/v1"
            raise RespondentError(f"base_url: {problem}", where=shown(name), remedy=remedy)
    variable = settings.api_key_env
    if not variable and _openais_own(settings, urls, environment):
        variable = OPENAI_KEY
    value = environment.get(variable, "").strip() if variable else ""
    if variable and not value:
        raise RespondentError(
            f"the environment variable {variable} is not set",
            where=name,
            remedy=f"Put the key in it: export {variable}=...",
        )
    if not value.isascii() or not value.isprintable():
        raise RespondentError(f"the key in {variable} holds characters that no key has", where=name)
    return Secret(value, variable), urls


def _openais_own(settings: Connection, urls: tuple[str, ...], environment: Mapping[str, str]) -> bool:
    """Whether OPENAI_API_KEY is meant for these addresses: no other server is ever sent it unasked."""
    if all(urlsplit(url).hostname == urlsplit(OPENAI).hostname for url in urls):
        return True
    return not settings.base_url and bool(environment.get(OPENAI_KEY))
