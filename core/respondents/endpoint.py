"""One address of a server: posts a body, reads the reply whole or streamed, and says why where that fails."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar
from urllib.request import getproxies

from core.records import Json
from core.respondents.addresses import CHAT
from core.respondents.extras import Extras
from core.respondents.failures import FailedError, Failure, error_in, failure_of
from core.respondents.failures import told as in_words
from core.respondents.patience import Clock
from core.respondents.posting import Posted, Poster
from core.respondents.replies import Assembler, GarbageError, Reply, loads, read_reply
from core.respondents.secret import Secret
from core.respondents.settings import Connection
from core.respondents.streaming import Shown, events

if TYPE_CHECKING:
    import ssl

    import aiohttp
    import httpx2
    import openai

T = TypeVar("T")

_NO_KEY: Final = "none"
_BESIDE: Final = 4
"""Connections beyond the concurrency: one that was broken off may still be closing."""
_KEPT_S: Final = 60
_UNCONNECTED: Final = frozenset(
    {"ClientConnectorError", "ClientConnectorDNSError", "ClientProxyConnectionError", "ConnectError"}
)

Read: TypeAlias = Callable[[Json], Reply]
"""What a whole reply says. Raises GarbageError where it says nothing, FailedError where asking again is no use."""


@dataclass(frozen=True, slots=True)
class Form:
    """What is posted as a form of several parts: texts by name; files as (name, (file name, bytes, MIME type))."""

    fields: Mapping[str, str]
    files: tuple[tuple[str, tuple[str, bytes, str]], ...]


def connect(
    urls: tuple[str, ...], key: Secret, settings: Connection, clock: Clock, extras: Extras
) -> tuple[Endpoint, ...]:
    """A client for each address. Imports the client library, which takes most of a second: call it in a thread."""
    import httpx2
    import openai

    timeout = httpx2.Timeout(settings.timeout_s, connect=min(settings.connect_s, settings.timeout_s))
    limits = httpx2.Limits(
        max_connections=settings.concurrency + _BESIDE,
        max_keepalive_connections=settings.concurrency,
        keepalive_expiry=_KEPT_S,
    )
    trusted = httpx2.create_ssl_context()
    transport, session = openai.DefaultAsyncHttpxClient, None
    if importlib.util.find_spec("aiohttp") is not None:  # the other's pool looks at each connection at each request
        transport = openai.DefaultAioHttpClient
        if not extras.proxy and not {"http", "https", "all"} & getproxies().keys():
            session = partial(_session, settings.concurrency, trusted)
    endpoints = []
    for url in urls:
        carrying = transport(verify=trusted, timeout=timeout, limits=limits, proxy=extras.proxy or None)
        client = openai.AsyncOpenAI(
            api_key=key.reveal() or _NO_KEY,
            base_url=url,
            max_retries=0,
            timeout=timeout,
            default_headers=extras.headers,
            http_client=carrying,
        )
        if client.base_url.host != "api.openai.com":
            client.organization = client.project = None  # headers from the environment that are OpenAI's business
        endpoints.append(
            Endpoint(client, Poster(client, carrying, session), key, settings.timeout_s, settings.attempt_s, clock)
        )
    return tuple(endpoints)


def _session(concurrency: int, trusted: ssl.SSLContext) -> aiohttp.ClientSession:
    """Connections as the client's own are made, kept for as long; cookies go nowhere."""
    import aiohttp

    connector = aiohttp.TCPConnector(limit=concurrency + _BESIDE, keepalive_timeout=_KEPT_S, ssl=trusted)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False)


def connection_errors() -> tuple[type[Exception], ...]:
    """What a connection may die of, whichever transport carries it (a TimeoutError is an OSError)."""
    import anyio
    import httpx2
    import openai

    errors = (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError, OSError, anyio.EndOfStream)
    aiohttp = sys.modules.get("aiohttp")
    return errors if aiohttp is None else (*errors, aiohttp.ClientError)


class Endpoint:
    """A client of one address. ``patience`` decides what happens after a failure; here each request is sent once.

    ``on_headers`` is told the headers of every reply.
    """

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        poster: Poster,
        key: Secret,
        timeout_s: float,
        attempt_s: float,
        clock: Clock,
    ) -> None:
        self.on_headers: Callable[[Mapping[str, str]], None] = _nobody
        self._client = client
        self._poster = poster
        self._key = key
        self._timeout_s = timeout_s
        self._attempt_s = attempt_s
        self._clock = clock
        self.limits: dict[str, str] = {}
        """What the latest reply's headers said of the server's limits."""

    async def models(self) -> Json:
        """What the server lists of its models. Raises FailedError."""
        import httpx2

        return await self.told(lambda client: client.get("/models", cast_to=httpx2.Response))

    async def ask(
        self, body: bytes | Form, shown: Shown | None, *, path: str = CHAT, read: Read = read_reply
    ) -> Reply:
        """The reply to this body as ``read`` reads it; a chat's is streamed where somebody is shown it.

        Raises FailedError.
        """
        now = asyncio.get_running_loop().time
        ends = now() + self._attempt_s
        with self._telling(lambda: now() < ends):
            async with asyncio.timeout(self._timeout_s) as limit:
                if shown is None or isinstance(body, Form):
                    return self._read(await self._post(body, path), read)
                return await self._stream(body, shown, lambda: limit.reschedule(min(now() + self._timeout_s, ends)))

    async def told(self, asking: Callable[[openai.AsyncOpenAI], Awaitable[Any]]) -> Json:
        """What the server says to another kind of request, made with the client's raw responses; or FailedError."""
        with self._telling():
            async with asyncio.timeout(self._timeout_s):
                response = await asking(self._client)
            return self._key.scrubbed(loads(response.content.decode("utf-8", "replace")))

    async def moved(self, asking: Callable[[openai.AsyncOpenAI], Awaitable[T]]) -> T:
        """The same for whole files, which take the time they take; no byte may be missing for ``timeout_s``."""
        with self._telling():
            return await asking(self._client)

    def reply_in(self, raw: Json, status: int = 200) -> Reply:
        """The reply in a completion that came another way, as a line of a batch. Raises FailedError."""
        with self._telling():
            if status != 200:
                scrubbed = json.dumps(self._key.scrubbed(raw))
                raise FailedError(failure_of(status, {}, scrubbed, self._clock.today()))
            self._refuse_error(raw, {})
            return self._kept(read_reply(raw))

    async def close(self) -> None:
        """Close the connections."""
        await self._poster.close()
        await self._client.close()

    # -- parts

    @contextmanager
    def _telling(self, in_time: Callable[[], bool] = lambda: True) -> Iterator[None]:
        """What goes wrong inside it is raised as FailedError, in words that hold no key."""
        import openai

        try:
            yield
        except openai.APIStatusError as error:
            response = error.response
            self._hear(response.headers)
            text = self._key.scrub(response.content.decode("utf-8", "replace"))
            failure = failure_of(response.status_code, response.headers, text, self._clock.today())
            what, reply = self._key.scrub(failure.what), self._key.scrubbed(failure.reply)
            raise FailedError(replace(failure, what=what, reply=reply)) from None
        except GarbageError as error:
            what = self._key.scrub(str(error))
            raise FailedError(Failure(what, retry=True, charged=True, reply={"garbage": True})) from None
        except connection_errors() as error:
            what = self._key.scrub(self._why(error, in_time=in_time()))
            raise FailedError(Failure(what, retry=True, charged=not _never_sent(error))) from None

    async def _post(self, body: bytes | Form, path: str) -> Posted:
        import httpx2

        if isinstance(body, Form):
            reply = await self._client.post(
                path,
                cast_to=httpx2.Response,
                body=dict(body.fields),
                files=list(body.files),
                options={"headers": {"Content-Type": "multipart/form-data"}},
            )
            response = Posted(reply.content, reply.headers)
        else:
            response = await self._poster.post(path, body)
        self._hear(response.headers)
        self.on_headers(response.headers)
        return response

    def _hear(self, headers: Mapping[str, str]) -> None:
        told = {low: value for name, value in headers.items() if "ratelimit" in (low := name.lower())}
        if told:
            self.limits = told

    async def _stream(self, body: bytes, shown: Shown, go_on: Callable[[], None]) -> Reply:
        import httpx2
        import openai

        response = await self._client.post(
            CHAT,
            cast_to=httpx2.Response,
            content=body,
            options={"headers": {"Content-Type": "application/json", "Accept": "text/event-stream"}},
            stream=True,
            stream_cls=openai.AsyncStream[Any],
        )
        assert isinstance(response, httpx2.Response)
        self._hear(response.headers)
        self.on_headers(response.headers)
        try:
            if "json" in response.headers.get("content-type", ""):
                return self._read(Posted(await response.aread(), response.headers), read_reply)
            return await self._assembled(response, shown, go_on)
        finally:
            await response.aclose()

    async def _assembled(self, response: httpx2.Response, shown: Shown, go_on: Callable[[], None]) -> Reply:
        answer, scrubbed = Assembler(), self._key.scrubbing()
        done = False
        async with aclosing(events(response.aiter_bytes())) as arriving:
            async for event in arriving:
                go_on()
                if event is None:
                    done = True
                    break
                self._refuse_error(event, response.headers, charged=answer.started)
                if piece := scrubbed(answer.add(event)):
                    shown.feed(piece)
        if not done and not answer.finished:
            raise GarbageError("the stream ended before the answer did")
        return self._kept(read_reply(answer.completion()))

    def _read(self, response: Posted, read: Read) -> Reply:
        text = response.content.decode("utf-8", "replace")
        try:
            raw = loads(text)
            self._refuse_error(raw, response.headers)
            return self._kept(read(raw))
        except GarbageError as error:
            raise GarbageError(f"{error}: {in_words(self._key.scrub(text))}") from None

    def _kept(self, reply: Reply) -> Reply:
        """The reply with the key blotted out, after parsing: a key is never stored, in whatever place it comes back.

        What is too short to be a key, a word in its place, is left alone: it may stand in an answer.
        """
        said = {each.name: value for each in fields(reply) if type(value := getattr(reply, each.name)) is str}
        kept: dict[str, Any] = {name: self._key.scrub(value) for name, value in said.items()}
        raw = self._key.scrubbed(reply.raw)
        return reply if raw is reply.raw and kept == said else replace(reply, **kept, raw=raw)

    def _refuse_error(self, raw: Any, headers: Mapping[str, str], *, charged: bool = False) -> None:
        if isinstance(raw, dict) and raw.get("error"):
            failure = error_in(self._key.scrubbed(raw), headers, self._clock.today())
            if failure is not None:
                raise FailedError(replace(failure, charged=charged))

    def _why(self, error: BaseException, *, in_time: bool) -> str:
        """What broke, from the innermost cause: transports name it each in their own way."""
        links = _links(error)
        late = type(links[-1]).__name__.endswith("Timeout") or any(isinstance(link, TimeoutError) for link in links)
        if not late:
            return f"the connection failed ({type(links[-1]).__name__}: {links[-1]})"
        if any("Connect" in type(link).__name__ for link in links[1:]):
            return "no connection in time"
        if not in_time:
            return f"the answer was still not whole after {self._attempt_s:g} s"
        return f"no answer within {self._timeout_s:g} s"


def _nobody(headers: Mapping[str, str]) -> None:
    """Nobody listens."""


def _links(error: BaseException) -> list[BaseException]:
    """The error and what it was raised from, the innermost last."""
    links = [error]
    while (cause := links[-1].__cause__) is not None:
        links.append(cause)
    return links


def _never_sent(error: BaseException) -> bool:
    """Whether no connection was made at all: the transports name that each in their own way."""
    return any(
        isinstance(link, ConnectionRefusedError | socket.gaierror) or type(link).__name__ in _UNCONNECTED
        for link in _links(error)
    )
