"""One address of a server: posts a body, reads the reply whole or streamed, and says why where that fails."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from core.records import Json
from core.respondents.failures import FailedError, Failure, error_in, failure_of
from core.respondents.failures import told as in_words
from core.respondents.patience import Clock
from core.respondents.replies import Assembler, GarbageError, Reply, loads, read_reply
from core.respondents.secret import Secret
from core.respondents.settings import ServerSettings
from core.respondents.streaming import Shown, events

if TYPE_CHECKING:
    import httpx2
    import openai

T = TypeVar("T")

_PATH: Final = "/chat/completions"
_NO_KEY: Final = "none"


def connect(urls: tuple[str, ...], key: Secret, settings: ServerSettings, clock: Clock) -> tuple[Endpoint, ...]:
    """A client for each address. Imports the client library, which takes most of a second: call it in a thread."""
    import httpx2
    import openai

    timeout = httpx2.Timeout(settings.timeout_s, connect=min(settings.connect_s, settings.timeout_s))
    limits = httpx2.Limits(
        max_connections=settings.concurrency + 4, max_keepalive_connections=settings.concurrency, keepalive_expiry=60
    )
    transport = openai.DefaultAsyncHttpxClient
    if importlib.util.find_spec("aiohttp") is not None:  # the other's pool looks at each connection at each request
        transport = openai.DefaultAioHttpClient
    endpoints = []
    for url in urls:
        client = openai.AsyncOpenAI(
            api_key=key.reveal() or _NO_KEY,
            base_url=url,
            max_retries=0,
            timeout=timeout,
            http_client=transport(timeout=timeout, limits=limits),
        )
        if client.base_url.host != "api.openai.com":
            client.organization = client.project = None  # headers from the environment that are OpenAI's business
        endpoints.append(Endpoint(client, key, settings.timeout_s, clock))
    return tuple(endpoints)


def connection_errors() -> tuple[type[Exception], ...]:
    """What a connection may die of, whichever transport carries it (a TimeoutError is an OSError)."""
    import anyio
    import httpx2
    import openai

    errors = (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError, OSError, anyio.EndOfStream)
    aiohttp = sys.modules.get("aiohttp")
    return errors if aiohttp is None else (*errors, aiohttp.ClientError)


class Endpoint:
    """A client of one address. ``patience`` decides what happens after a failure; here each request is sent once."""

    def __init__(self, client: openai.AsyncOpenAI, key: Secret, timeout_s: float, clock: Clock) -> None:
        self._client = client
        self._key = key
        self._timeout_s = timeout_s
        self._clock = clock

    async def ask(self, body: bytes, shown: Shown | None) -> Reply:
        """The reply to this body, streamed where somebody is shown it. Raises FailedError."""
        with self.telling():
            async with asyncio.timeout(self._timeout_s) as limit:
                if shown is None:
                    return self._read(await self._post(body))
                return await self._stream(body, shown, limit)

    async def told(self, asking: Callable[[openai.AsyncOpenAI], Awaitable[Any]]) -> Json:
        """What the server says to another kind of request, made with the client's raw responses; or FailedError."""
        with self.telling():
            async with asyncio.timeout(self._timeout_s):
                response = await asking(self._client)
            return self._key.scrubbed(loads(response.content.decode("utf-8", "replace")))

    async def moved(self, asking: Callable[[openai.AsyncOpenAI], Awaitable[T]]) -> T:
        """The same for whole files, which take the time they take; no byte may be missing for ``timeout_s``."""
        with self.telling():
            return await asking(self._client)

    def reply_in(self, raw: Json, status: int = 200) -> Reply:
        """The reply in a completion that came another way, as a line of a batch. Raises FailedError."""
        with self.telling():
            if status != 200:
                scrubbed = json.dumps(self._key.scrubbed(raw))
                raise FailedError(failure_of(status, {}, scrubbed, self._clock.today()))
            self._refuse_error(raw, {})
            return self._kept(raw)

    @contextmanager
    def telling(self) -> Iterator[None]:
        """What goes wrong inside it is raised as FailedError, in words that hold no key."""
        import openai

        try:
            yield
        except openai.APIStatusError as error:
            response = error.response
            text = self._key.scrub(response.content.decode("utf-8", "replace"))
            failure = failure_of(response.status_code, response.headers, text, self._clock.today())
            what, reply = self._key.scrub(failure.what), self._key.scrubbed(failure.reply)
            raise FailedError(replace(failure, what=what, reply=reply)) from None
        except GarbageError as error:
            raise FailedError(Failure(self._key.scrub(str(error)), retry=True, reply={"garbage": True})) from None
        except connection_errors() as error:
            raise FailedError(Failure(self._key.scrub(self._why(error)), retry=True)) from None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    # -- parts

    async def _post(self, body: bytes) -> httpx2.Response:
        import httpx2

        return await self._client.post(
            _PATH, cast_to=httpx2.Response, content=body, options={"headers": {"Content-Type": "application/json"}}
        )

    async def _stream(self, body: bytes, shown: Shown, limit: asyncio.Timeout) -> Reply:
        import httpx2
        import openai

        response = await self._client.post(
            _PATH,
            cast_to=httpx2.Response,
            content=body,
            options={"headers": {"Content-Type": "application/json", "Accept": "text/event-stream"}},
            stream=True,
            stream_cls=openai.AsyncStream[Any],
        )
        assert isinstance(response, httpx2.Response)
        try:
            if "json" in response.headers.get("content-type", ""):
                await response.aread()
                return self._read(response)
            return await self._assembled(response, shown, limit)
        finally:
            await response.aclose()

    async def _assembled(self, response: httpx2.Response, shown: Shown, limit: asyncio.Timeout) -> Reply:
        answer = Assembler()
        done = False
        async with aclosing(events(response.aiter_bytes())) as arriving:
            async for event in arriving:
                limit.reschedule(asyncio.get_running_loop().time() + self._timeout_s)
                if event is None:
                    done = True
                    break
                self._refuse_error(event, response.headers)
                if piece := answer.add(event):
                    shown.feed(piece)
        if not done and not answer.finished:
            raise GarbageError("the stream ended before the answer did")
        return self._kept(answer.completion())

    def _read(self, response: httpx2.Response) -> Reply:
        text = response.content.decode("utf-8", "replace")
        try:
            raw = loads(text)
            self._refuse_error(raw, response.headers)
            return self._kept(raw)
        except GarbageError as error:
            raise GarbageError(f"{error}: {in_words(self._key.scrub(text))}") from None

    def _kept(self, raw: Json) -> Reply:
        """The reply with the key blotted out, after parsing: a key is never stored, in whatever place it comes back.

        What is too short to be a key, a word in its place, is left alone: it may stand in an answer.
        """
        reply = read_reply(raw)
        scrub = self._key.scrub
        return replace(
            reply, text=scrub(reply.text), reasoning=scrub(reply.reasoning), raw=self._key.scrubbed(reply.raw)
        )

    def _refuse_error(self, raw: Any, headers: Mapping[str, str]) -> None:
        if isinstance(raw, dict) and raw.get("error"):
            failure = error_in(self._key.scrubbed(raw), headers, self._clock.today())
            if failure is not None:
                raise FailedError(failure)

    def _why(self, error: BaseException) -> str:
        """What broke, from the innermost cause: transports name it each in their own way."""
        links = [error]
        while (cause := links[-1].__cause__) is not None:
            links.append(cause)
        late = type(links[-1]).__name__.endswith("Timeout") or any(isinstance(link, TimeoutError) for link in links)
        if not late:
            return f"the connection failed ({type(links[-1]).__name__}: {links[-1]})"
        if any("Connect" in type(link).__name__ for link in links[1:]):
            return "no connection in time"
        return f"no answer within {self._timeout_s:g} s"
