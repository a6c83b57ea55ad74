"""Any server that speaks the OpenAI API, through the ``openai`` client's connections and nothing else of it.

The request body is built and the reply read here; the client's own retries are off, so a failed request is asked
again by ``patience`` alone.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from core.errors import CallError, RespondentError
from core.pictures import Pictures
from core.records import Answer, Call, Json, RespondentKind, Status, Usage
from core.respondents.addresses import KEYS_ELSEWHERE, host_of, problem_of, secret_in, shown
from core.respondents.base import OnDelta, Request
from core.respondents.endpoint import Endpoint, connect
from core.respondents.failures import FailedError, Failure
from core.respondents.patience import Clock, Pace, Persistence
from core.respondents.replies import Reply
from core.respondents.request_body import Prepared, describe, prepare
from core.respondents.secret import Secret
from core.respondents.settings import ServerSettings
from core.respondents.streaming import Shown

OPENAI: Final = "https://api.openai.com/v1"
OPENAI_KEY: Final = "OPENAI_API_KEY"


@dataclass(slots=True)
class _Quirks:
    """What the server has told us it wants otherwise."""

    tokens: str
    counts_streams: bool = True

    def learn(self, failure: Failure) -> bool:
        """Whether the refusal was of a name that can be put right."""
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
        self._quirks = _Quirks(settings.max_tokens_field)
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
        if request.turn.makes != "text":
            raise RespondentError(f"{self._name} makes no pictures", where=request.turn.step)
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
            raise self.error_of(failed.failure, call) from None
        if shown is not None:
            shown.finish(reply.text)
        call = self._call(prepared, requests, self._clock.now() - started, reply=reply)
        return Answer(reply.text, reply.status, reply.reasoning, sent=prepared.sent, call=call)

    # -- for batches, which carry the same requests another way

    @property
    def address(self) -> str:
        """Where batches go: the first address."""
        return self._urls[0]

    @property
    def tokens_field(self) -> str:
        """The name under which the server wants ``max_tokens``, as far as it has said."""
        return self._quirks.tokens

    @property
    def persistence(self) -> Persistence:
        return self._persistence

    @property
    def clock(self) -> Clock:
        return self._clock

    async def endpoint(self) -> Endpoint:
        """The connection to :attr:`address`."""
        if not self._endpoints:
            await self._connect()
        return self._endpoints[0]

    async def body(self, prepared: Prepared) -> bytes:
        """What would be posted for a whole answer."""
        return await asyncio.to_thread(prepared.body, self._pictures.base64, tokens=self._quirks.tokens)

    def learn(self, what: str) -> bool:
        """Whether a refusal in these words was of a name that can be put right, and now is."""
        return self._quirks.learn(Failure(what))

    def priced(self, usage: Usage, factor: float = 1.0) -> Usage:
        """With its cost, where prices are known."""
        price_in, price_out = self._settings.price_in, self._settings.price_out
        if price_in is None and price_out is None:
            return usage
        millionths = usage.prompt_tokens * (price_in or 0.0) + usage.completion_tokens * (price_out or 0.0)
        return replace(usage, cost=factor * millionths / 1_000_000)

    def error_of(self, failure: Failure, call: Call | None = None) -> CallError:
        """A call that failed for good, with where and what to do."""
        where = f"{self._name} at {', '.join(host_of(url) for url in self._urls)}"
        fatal = failure.fatal or (failure.reply is None and failure.retry and not self._reached)
        return CallError(failure.what, where=where, remedy=self._remedy(failure), fatal=fatal, call=call)

    async def close(self) -> None:
        """Close all connections."""
        endpoints, self._endpoints = self._endpoints, ()
        self._slots = asyncio.Semaphore(self._settings.concurrency)  # the next loop's own
        self._connecting = asyncio.Lock()
        for endpoint in endpoints:
            await endpoint.close()

    # -- parts

    async def _connect(self) -> None:
        async with self._connecting:
            if not self._endpoints:
                settings = self._settings
                self._endpoints = await asyncio.to_thread(connect, self._urls, self._key, settings, self._clock)

    async def _attempt(self, prepared: Prepared, shown: Shown | None) -> Reply:
        endpoint = self._endpoints[next(self._turns) % len(self._endpoints)]
        quirks = replace(self._quirks)
        stream = shown is not None
        body = await asyncio.to_thread(
            prepared.body, self._pictures.base64, tokens=quirks.tokens, stream=stream, usage=quirks.counts_streams
        )
        if shown is not None:
            shown.restart()
        try:
            reply = await endpoint.ask(body, shown)
        except FailedError as error:
            failure = error.failure
            self._reached = self._reached or failure.reply is not None
            if failure.fatal and (quirks != self._quirks or self._quirks.learn(failure)):
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
            self.priced(reply.usage) if reply is not None else Usage(),
            failure.what if failure is not None else "",
        )

    def _remedy(self, failure: Failure) -> str:
        if failure.remedy:
            return failure.remedy
        status = failure.status
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
    environment = os.environ if environment is None else environment
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
    key = Secret(value, variable)
    return OpenAIServer(name, settings, pictures, key, urls, clock=clock, chances=chances, purpose=purpose)


def _openais_own(settings: ServerSettings, urls: tuple[str, ...], environment: Mapping[str, str]) -> bool:
    """Whether OPENAI_API_KEY is meant for these addresses: no other server is ever sent it unasked."""
    if all(urlsplit(url).hostname == urlsplit(OPENAI).hostname for url in urls):
        return True
    return not settings.base_url and bool(environment.get(OPENAI_KEY))
