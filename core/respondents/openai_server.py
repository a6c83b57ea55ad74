"""Any server that speaks the OpenAI API, asked as the ``openai`` client asks (see ``posting``).

The request body is built and the reply read here; the client's own retries are off, so a failed request is asked
again by ``patience`` alone.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from core.errors import CallError, RespondentError
from core.pictures import NotAtHandError, Pictures
from core.prices import Load, Prices
from core.records import Answer, Call, Json, Status, Turn, Usage, digest
from core.respondents.access import access
from core.respondents.addresses import Address, address_at, host_of
from core.respondents.base import OnDelta, Request
from core.respondents.budget import Budget
from core.respondents.endpoint import Endpoint, connect
from core.respondents.extras import Extras
from core.respondents.failures import FailedError, Failure
from core.respondents.model import Model
from core.respondents.odds import kept, options_of
from core.respondents.patience import Clock, Persistence
from core.respondents.quirks import Quirks
from core.respondents.replicas import Errand
from core.respondents.replies import Reply
from core.respondents.request_body import Prepared, describe, prepare
from core.respondents.secret import Secret
from core.respondents.settings import ServerSettings
from core.respondents.streaming import Shown
from core.respondents.traffic import Traffic

_AHEAD: Final = 4


class OpenAIServer(Model[ServerSettings]):
    """A model behind a server. Make one with ``make_server``; close it in the event loop that used it."""

    def __init__(
        self,
        name: str,
        settings: ServerSettings,
        pictures: Pictures,
        key: Secret,
        urls: tuple[str, ...],
        *,
        extras: Extras | None = None,
        clock: Clock | None = None,
        chances: random.Random | None = None,
        purpose: str = "answer",
    ) -> None:
        super().__init__(name, settings)
        self._pictures = pictures
        pictures.expect(settings.concurrency + self.ahead)
        self._key = key
        self._urls = urls
        self._host = host_of(urls[0])
        self._purpose = purpose
        self._extras = extras or Extras()
        self._clock = clock or Clock()
        self._chances = chances or random.Random()
        self._persistence = Persistence(settings.attempts, settings.patience_s, self._clock, self._chances)
        self._quirks = Quirks(settings.max_tokens_field, structured=settings.structured)
        self._budget: Budget | None = None
        self._traffic: Traffic | None = None
        self._connecting = asyncio.Lock()

    @property
    def looks(self) -> bool:
        return self._settings.looks

    @property
    def in_flight(self) -> int:
        return self._settings.concurrency

    @property
    def ahead(self) -> int:
        """A quarter more: while an answer is stored, the request that takes its place is already made."""
        return self._settings.concurrency // _AHEAD

    @property
    def identity(self) -> Mapping[str, Json]:
        """The model and all that is sent with each request; where its replicas stand is left out."""
        return MappingProxyType(describe(self._settings))

    @property
    def prices(self) -> Prices:
        """What its calls cost, as far as that is configured."""
        return self._settings.prices

    def charge(self, budget: Budget | None) -> None:
        """From now on every request, and every further attempt, reserves its cost there first; None: nowhere."""
        sent = describe(self._settings) | dict(self._settings.extra_body)
        limits = [sent[name] for name in ("max_tokens", "max_completion_tokens") if name in sent]
        if not limits or not all(isinstance(limit, int) and limit > 0 for limit in limits):
            raise RespondentError(
                "under a budget max_tokens must bound the answer",
                where=self._name,
                remedy="Look at unsent and extra_body",
            )
        self._budget = budget

    @property
    def address(self) -> Address | None:
        """Where a request could be sent by hand as JSON, None where it cannot."""
        return address_at(self._settings, self._urls, self._key.variable, self._quirks.tokens)

    @property
    def tokens_field(self) -> str:
        """The name that the server has for ``max_tokens``, as far as it has told."""
        return self._quirks.tokens

    @property
    def limits(self) -> Mapping[str, str]:
        """What headers have said of the server's limits, by their names."""
        replicas = self._traffic.replicas if self._traffic is not None else ()
        return {name: value for replica in replicas for name, value in replica.endpoint.limits.items()}

    async def models(self) -> Json:
        """What the server lists of its models, None where it lists none."""
        traffic = self._traffic or await self._connect()
        try:
            return await traffic.replicas[0].endpoint.models()
        except FailedError:
            return None

    async def prepare(self, request: Request) -> Prepared:
        """The request as ``answer`` sends it. Raises PictureError."""
        try:
            prepared = prepare(request, self._settings, self._pictures, load=False)
        except NotAtHandError:
            prepared = await asyncio.to_thread(prepare, request, self._settings, self._pictures)
        return self._addressed(prepared)

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
        if (known := await request.recalled(prepared.hash, prepared.sent)) is not None:
            return known
        traffic = self._traffic or await self._connect()
        shown = Shown(on_delta) if on_delta is not None else None
        started = self._clock.now()
        errand = Errand(self._load(prepared, weighed=traffic.weighs))

        async def post(endpoint: Endpoint) -> Reply:
            nonlocal started
            started = self._clock.now()
            return await self._attempt(endpoint, prepared, shown)

        async def carried() -> Reply:
            errand.load = self._load(prepared, weighed=traffic.weighs)  # a budget may have come meanwhile
            return await traffic.carry(errand, post)

        try:
            reply, requests = await self._persistence.run(carried, request.on_wait)
        except FailedError as failed:
            body = self._as_sent(prepared, shown)
            call = self._call(prepared, body, failed.requests, self._clock.now() - started, failed.failure)
            if failed.failure.refused:
                return Answer("", Status.REFUSAL, sent=prepared.sent, call=call)
            raise self._error(failed.failure, call) from None
        if shown is not None:
            shown.finish(reply.text)
        if (slim := kept(reply.raw, reply.text, options_of(request.turn))) is not reply.raw:
            reply = replace(reply, raw=slim)
        body = self._as_sent(prepared, shown)
        call = self._call(prepared, body, requests, self._clock.now() - started, reply=reply, load=errand.load)
        return await self._answered(prepared, reply, call)

    async def close(self) -> None:
        """Close all connections."""
        traffic, self._traffic = self._traffic, None  # the next loop has its own
        self._connecting = asyncio.Lock()
        if traffic is not None:
            await traffic.close()

    def most(self, load: Load) -> float:
        """USD that a request can cost, whatever is answered. Needs known prices."""
        return self.prices.most(load)

    def cost(self, reply: Reply, load: Load) -> float | None:
        """USD that a call came to; None where prices or counts are not known."""
        return reply.cost(self.prices, load.pictures)

    # -- for batches, which carry the same requests another way

    @property
    def batch_url(self) -> str:
        """Where batches go: the first address."""
        return self._urls[0]

    @property
    def persistence(self) -> Persistence:
        return self._persistence

    @property
    def clock(self) -> Clock:
        return self._clock

    @property
    def budget(self) -> Budget | None:
        return self._budget

    async def endpoint(self) -> Endpoint:
        """The connection to :attr:`batch_url`."""
        traffic = self._traffic or await self._connect()
        return traffic.replicas[0].endpoint

    def call_for(self, prepared: Prepared) -> Call:
        """The line of the ledger for a request that is about to go out."""
        return self._call(prepared, self._as_sent(prepared, None), 0, 0.0)

    async def body(self, prepared: Prepared) -> bytes:
        """What would be posted for a whole answer."""
        quirks = self._quirks
        return await asyncio.to_thread(
            prepared.body, self._pictures.base64, tokens=quirks.tokens, structured=quirks.structured
        )

    def load(self, prepared: Prepared) -> Load:
        """What the request can come to."""
        return self._load(prepared, weighed=True)

    def learn(self, what: str) -> bool:
        """Whether a refusal in these words was of a name that can be put right, and now is."""
        return self._quirks.learn(Failure(what))

    def error_of(self, failure: Failure, call: Call | None = None) -> CallError:
        """A call that failed for good, with where and what to do."""
        return self._error(failure, call)

    # -- parts: what a server of another kind does otherwise

    def _load(self, prepared: Prepared, *, weighed: bool) -> Load:
        """What a request can come to; not ``weighed``, its pictures alone."""
        return prepared.load(self._settings.picture_tokens, weighed=weighed)

    def _refuse(self, turn: Turn) -> None:
        """Raises RespondentError for a turn that cannot be answered here."""
        if turn.makes != "text":
            raise RespondentError(f"{self._name} makes no pictures", where=turn.step)

    def _addressed(self, prepared: Prepared) -> Prepared:
        """With where it goes in its hash: another server may call another model by the same name.

        Replicas are one by their user's word: the first one stands for all.
        """
        return replace(prepared, hash=digest([self._host, prepared.hash]))

    async def _send(self, endpoint: Endpoint, prepared: Prepared, shown: Shown | None, quirks: Quirks) -> Reply:
        """One request. Raises FailedError."""
        stream = shown is not None
        body = prepared.body(
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

    async def _connect(self) -> Traffic:
        async with self._connecting:
            if self._traffic is None:
                settings, clock = self._settings, self._clock
                endpoints = await asyncio.to_thread(connect, self._urls, self._key, settings, clock, self._extras)
                self._traffic = Traffic(endpoints, settings, self, clock, self._chances)
            return self._traffic

    async def _attempt(self, endpoint: Endpoint, prepared: Prepared, shown: Shown | None) -> Reply:
        quirks = replace(self._quirks)
        try:
            return await self._send(endpoint, prepared, shown, quirks)
        except FailedError as error:
            failure = error.failure
            if failure.fatal and (quirks != self._quirks or self._quirks.learn(failure, formed=prepared.formed)):
                raise FailedError(replace(failure, free=True)) from None
            raise

    def _as_sent(self, prepared: Prepared, shown: Shown | None) -> dict[str, Json]:
        """The body as it went, pictures by hash, so that the ledger's request can be sent again byte for byte."""
        quirks = self._quirks
        return prepared.as_sent(
            tokens=quirks.tokens,
            stream=shown is not None,
            usage=quirks.counts_streams,
            structured=quirks.structured,
        )

    def _call(
        self,
        prepared: Prepared,
        body: dict[str, Json],
        requests: int,
        seconds: float,
        failure: Failure | None = None,
        reply: Reply | None = None,
        load: Load | None = None,
    ) -> Call:
        usage = Usage()
        if reply is not None and load is not None:
            usage = replace(reply.usage, cost=self.cost(reply, load))
        return Call(
            self._purpose,
            prepared.hash,
            body,
            reply.raw if reply is not None else failure.reply if failure is not None else None,
            reply.served_model if reply is not None else "",
            requests,
            seconds,
            usage,
            failure.what if failure is not None else "",
        )

    def _error(self, failure: Failure, call: Call | None) -> CallError:
        where = f"{self._name} at {', '.join(host_of(url) for url in self._urls)}"
        fatal = failure.fatal or (failure.reply is None and failure.retry and not self._reached)
        return CallError(failure.what, where=where, remedy=self._remedy(failure), fatal=fatal, call=call)

    @property
    def _reached(self) -> bool:
        """Whether a server was ever there."""
        return self._traffic is not None and self._traffic.reached

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
    key, urls, extras = access(name, settings, os.environ if environment is None else environment)
    return OpenAIServer(
        name, settings, pictures, key, urls, extras=extras, clock=clock, chances=chances, purpose=purpose
    )
