"""Posting as the openai client posts, request after request, in a fraction of its time.

The client makes each request anew from its options, passes it down through two libraries and makes a model of each
reply: most of what a call costs here. A request of 105 KB takes 0.17 ms of CPU as it is posted here, and through
the client's own ``post`` over the same aiohttp 0.66 with its reply left raw, 1.2 as a raw response of
``chat.completions``, 1.5 as a model (``python -m tests.performance.bench_posting``): 1.5 s more for the 3,000 calls
of a run that is to take 6.5 s of CPU. So it makes one request for each path, which goes nowhere, and that is the
pattern of all: its address, its headers and its time limits with another body. They go out over aiohttp itself;
over the client's own connections where a proxy stands between or aiohttp is missing. What goes wrong is told in the
client's errors either way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import aiohttp
    import httpx2
    import openai

_OF_ONE_REQUEST: Final = ("content-length", "cookie")
_FINE: Final = range(200, 300)
_ELSEWHERE: Final = range(300, 400)


@dataclass(frozen=True, slots=True)
class Posted:
    """A reply, whole."""

    content: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """``plain`` are the headers of ``headers`` as a dict, ``extensions`` the time limits."""

    url: httpx2.URL
    headers: httpx2.Headers
    plain: Mapping[str, str]
    extensions: Mapping[str, Any]


class Poster:
    """Posts JSON as a client with this transport does. ``session`` makes connections of aiohttp, None where they may
    not be taken."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        transport: httpx2.AsyncClient,
        session: Callable[[], aiohttp.ClientSession] | None,
    ) -> None:
        self._client = client
        self._transport = transport
        self._make_session = session
        self._session: aiohttp.ClientSession | None = None
        self._patterns: dict[str, _Pattern] = {}
        self._learning = asyncio.Lock()

    async def post(self, path: str, body: bytes) -> Posted:
        """The reply to this body. Raises the client's APIStatusError and APIConnectionError."""
        pattern = self._patterns.get(path) or await self._learn(path)
        if self._make_session is None:
            return await self._through_client(pattern, body)
        if self._session is None:
            self._session = self._make_session()
        return await self._straight(self._session, pattern, body)

    async def close(self) -> None:
        """Close the connections of its own."""
        if self._session is not None:
            await self._session.close()

    # -- parts

    async def _learn(self, path: str) -> _Pattern:
        """How the client posts to this path."""
        import httpx2

        def caught(request: httpx2.Request) -> httpx2.Response:
            headers = request.headers.copy()
            for name in _OF_ONE_REQUEST:
                headers.pop(name, None)
            self._patterns[path] = _Pattern(request.url, headers, dict(headers), request.extensions)
            return httpx2.Response(200)

        async with self._learning:
            if path not in self._patterns:
                async with httpx2.AsyncClient(transport=httpx2.MockTransport(caught)) as nowhere:
                    client = self._client.copy(http_client=nowhere)
                    client.organization, client.project = self._client.organization, self._client.project
                    options: Any = {"headers": {"Content-Type": "application/json"}}
                    await client.post(path, cast_to=httpx2.Response, content=b"{}", options=options)
        return self._patterns[path]

    async def _straight(self, session: aiohttp.ClientSession, pattern: _Pattern, body: bytes) -> Posted:
        import aiohttp
        import httpx2
        import openai

        limits = pattern.extensions["timeout"]
        timeout = aiohttp.ClientTimeout(
            connect=limits["pool"], sock_connect=limits["connect"], sock_read=limits["read"]
        )
        try:
            async with session.post(
                str(pattern.url), data=body, headers=pattern.plain, timeout=timeout, allow_redirects=False
            ) as response:
                content = await response.read()
        except (aiohttp.ClientError, OSError) as error:
            raise openai.APIConnectionError(request=httpx2.Request("POST", pattern.url)) from error
        if response.status in _ELSEWHERE:
            return await self._through_client(pattern, body)
        if response.status in _FINE and "Content-Encoding" not in response.headers:
            return Posted(content, response.headers)
        request = httpx2.Request("POST", pattern.url)
        return _judged(
            httpx2.Response(response.status, headers=response.raw_headers, content=content, request=request)
        )

    async def _through_client(self, pattern: _Pattern, body: bytes) -> Posted:
        import httpx2
        import openai

        request = httpx2.Request(
            "POST", pattern.url, headers=pattern.headers, content=body, extensions=dict(pattern.extensions)
        )
        try:
            return _judged(await self._transport.send(request))
        except httpx2.TimeoutException as error:
            raise openai.APITimeoutError(request) from error
        except (httpx2.HTTPError, OSError) as error:
            raise openai.APIConnectionError(request=request) from error


def _judged(response: httpx2.Response) -> Posted:
    import openai

    if response.is_success:
        return Posted(response.content, response.headers)
    raise openai.APIStatusError(f"status {response.status_code}", response=response, body=None)
