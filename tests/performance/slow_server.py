"""A server that answers every chat completion after 100 ms and reads nothing of it, for the performance figures.

In a process of its own: ``python -m tests.performance.slow_server`` prints its address and serves until stdin ends.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Final

DELAY: Final = 0.1
TEXT: Final = "The answer is number = two, subject = dogs, action = walking"
_LENGTH: Final = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_BODY: Final = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "slow-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1200, "completion_tokens": 15, "total_tokens": 1215},
    }
).encode()
REPLY: Final = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(_BODY) + _BODY


class Connection(asyncio.Protocol):
    """Counts a request's bytes and forgets them; requests of one connection come one after the other."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if not self._left:
            self._head += data
            head, found, rest = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            length = _LENGTH.search(head)
            self._left = int(length[1]) if length is not None else 0
            self._head, data = b"", rest
        self._left -= len(data)
        if self._left <= 0:
            asyncio.get_running_loop().call_later(DELAY, self._answer)

    def _answer(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(REPLY)


async def serve() -> None:
    """Until stdin ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve())
