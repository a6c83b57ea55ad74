"""Posting over the openai client's connections, request after request.

The client makes each request anew from its options, and that is half of what a call costs here. So its own first
request to a path is the model of those after it: the same address, headers and time limits with another body. What
goes wrong is told in the client's errors either way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2
    import openai

_OF_ONE_REQUEST = ("content-length", "cookie")


class Poster:
    """Posts JSON through a client and the transport that it was made with."""

    def __init__(self, client: openai.AsyncOpenAI, transport: httpx2.AsyncClient) -> None:
        self._client = client
        self._transport = transport
        self._models: dict[str, tuple[httpx2.URL, httpx2.Headers, dict[str, Any]]] = {}

    async def post(self, path: str, body: bytes) -> httpx2.Response:
        """The reply to this body, whole. Raises the client's APIStatusError and APIConnectionError."""
        import httpx2

        model = self._models.get(path)
        if model is not None:
            url, headers, extensions = model
            return await self._send(
                httpx2.Request("POST", url, headers=headers, content=body, extensions=dict(extensions))
            )
        response = await self._client.post(
            path, cast_to=httpx2.Response, content=body, options={"headers": {"Content-Type": "application/json"}}
        )
        if not response.history:  # sent on elsewhere, it is no longer what was posted
            sent = response.request
            headers = sent.headers.copy()
            for name in _OF_ONE_REQUEST:
                headers.pop(name, None)
            self._models[path] = (sent.url, headers, dict(sent.extensions))
        return response

    async def _send(self, request: httpx2.Request) -> httpx2.Response:
        import httpx2
        import openai

        try:
            response = await self._transport.send(request)
        except httpx2.TimeoutException as error:
            raise openai.APITimeoutError(request) from error
        except (httpx2.HTTPError, OSError) as error:
            raise openai.APIConnectionError(request=request) from error
        if response.is_success:
            return response
        raise openai.APIStatusError(f"status {response.status_code}", response=response, body=None)
