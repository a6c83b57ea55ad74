"""A faulty OpenAI-compatible server in this process, for tests: it does as its script says and keeps what it got.

    async with FaultServer(lambda received: says("B")) as server:
        ...                                   # server.url, server.received, server.most_at_once

A script takes what was received and returns a :class:`Reply`; ``in_turn`` makes one of a list of replies.
"""

from __future__ import annotations

import asyncio
import base64
import email
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many", 500: "Error"}


@dataclass(slots=True)
class Received:
    """One request. ``left`` is set when the client closed the connection before the reply was out; ``raw`` is its
    body byte for byte."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: Any
    left: asyncio.Event = field(default_factory=asyncio.Event)
    raw: bytes = field(default=b"", repr=False)
    method: str = "POST"

    @property
    def messages(self) -> list[Any]:
        messages: list[Any] = self.body["messages"]
        return messages


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server does with a request.

    ``body`` is sent as it stands (text, bytes), or as JSON. ``pieces`` are streamed where the request asks for a
    stream, one event each: a text as it stands, else JSON; ``pause`` seconds lie between them and ``drop_after`` that
    many the connection is cut (after the body, where nothing is streamed). ``hang`` never answers.
    """

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: tuple[Any, ...] | None = None
    delay: float = 0.0
    pause: float = 0.0
    drop_after: int | None = None
    done: bool = True
    hang: bool = False


Script = Callable[[Received], Reply | Awaitable[Reply]]


def makes(data: bytes | str | None, *, usage: Any = None, **entry: Any) -> Reply:
    """A reply of the images API with that picture; a text stands in the place of base64, None leaves it out."""
    made = {} if data is None else {"b64_json": data if isinstance(data, str) else base64.b64encode(data).decode()}
    return Reply({"created": 1, "model": "served", "data": [made | entry], "usage": usage})


def parts_of(content_type: str, raw: bytes) -> dict[str, list[Any]]:
    """The parts of a form by name: texts, and files as (file name, MIME type, bytes)."""
    message = email.message_from_bytes(f"Content-Type: {content_type}\r\n\r\n".encode() + raw)
    parts: dict[str, list[Any]] = {}
    for part in message.get_payload():
        data = part.get_payload(decode=True)
        file = part.get_filename()
        name = part.get_param("name", header="content-disposition")
        parts.setdefault(name, []).append(data.decode() if file is None else (file, part.get_content_type(), data))
    return parts


def says(text: str | None, finish_reason: str | None = "stop", *, model: str = "served", **message: Any) -> Reply:
    """An ordinary completion, whole or in pieces of four characters. ``message`` adds fields to its message."""
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    whole = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": model,
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish_reason}
        ],
        "usage": usage,
    }
    deltas: list[dict[str, Any]] = [{"role": "assistant"}]
    deltas += [{name: value} for name, value in message.items()]
    deltas += [{"content": (text or "")[at : at + 4]} for at in range(0, len(text or ""), 4)]
    chunks = [
        {"object": "chat.completion.chunk", "model": model, "choices": [{"index": 0, "delta": delta}]}
        for delta in deltas
    ]
    end = {"model": model, "choices": [{"index": 0, "delta": {}, "finish_reason": finish_reason}]}
    return Reply(whole, pieces=(*chunks, end, {"model": model, "choices": [], "usage": usage}))


def fails(status: int, message: str = "no luck", code: str | None = None, **headers: str) -> Reply:
    """An error as OpenAI words it; ``retry_after="3"`` becomes the header Retry-After."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply({"error": {"message": message, "type": "error", "param": None, "code": code}}, status, named)


def in_turn(*replies: Reply) -> Script:
    """One reply after the other; the last one again and again."""
    return lambda received: replies[min(received.number, len(replies)) - 1]


class _Reader(asyncio.StreamReader):
    """``ended`` is set once the other side has gone."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = asyncio.Event()

    def feed_eof(self) -> None:
        super().feed_eof()
        self.ended.set()

    def set_exception(self, exc: Exception) -> None:
        super().set_exception(exc)
        self.ended.set()


class FaultServer:
    """Serves on 127.0.0.1 at a free port while it is entered. ``script`` may be changed at any time."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.received: list[Received] = []
        self.most_at_once = 0
        self.connections = 0
        self._at_once = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    @property
    def bodies(self) -> list[Any]:
        return [received.body for received in self.received]

    async def __aenter__(self) -> Self:
        def protocol() -> asyncio.StreamReaderProtocol:
            return asyncio.StreamReaderProtocol(_Reader(), self._connected)

        self._server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while (received := await self._receive(reader)) is not None:
                self._at_once += 1
                self.most_at_once = max(self.most_at_once, self._at_once)
                try:
                    if not await self._serve(received, reader, writer):
                        break
                finally:
                    self._at_once -= 1
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _receive(self, reader: asyncio.StreamReader) -> Received | None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        except asyncio.IncompleteReadError:
            return None
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        form = headers.get("content-type", "").startswith("multipart/form-data")
        body = parts_of(headers["content-type"], raw) if form else json.loads(raw) if raw else None
        method, path, _ = head[0].split()
        received = Received(len(self.received) + 1, path, headers, body, raw=raw, method=method)
        self.received.append(received)
        return received

    async def _serve(self, received: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False closes the connection."""
        scripted = self.script(received)
        reply = scripted if isinstance(scripted, Reply) else await scripted
        watch = asyncio.ensure_future(self._watch(received, reader))
        try:
            if reply.hang:
                await received.left.wait()
                return False
            if reply.delay:
                await asyncio.sleep(reply.delay)
            if reply.pieces is not None and reply.status == 200 and received.body.get("stream"):
                return await self._stream(received, reply, writer)
            text = reply.body if isinstance(reply.body, str | bytes) else json.dumps(reply.body)
            raw = text if isinstance(text, bytes) else text.encode()
            await self._head(writer, reply, {"Content-Type": "application/json", "Content-Length": str(len(raw))})
            writer.write(raw)
            await writer.drain()
            return reply.drop_after is None
        finally:
            watch.cancel()

    async def _stream(self, received: Received, reply: Reply, writer: asyncio.StreamWriter) -> bool:
        await self._head(writer, reply, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        pieces = [
            piece if isinstance(piece, str) else f"data: {json.dumps(piece)}\n\n" for piece in reply.pieces or ()
        ]
        if reply.done:
            pieces.append("data: [DONE]\n\n")
        for number, piece in enumerate(pieces):
            if number == reply.drop_after or received.left.is_set():
                return False
            raw = piece.encode()
            writer.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
            await writer.drain()
            await asyncio.sleep(reply.pause)
        if reply.drop_after is not None and reply.drop_after >= len(pieces):
            return False
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    async def _head(self, writer: asyncio.StreamWriter, reply: Reply, headers: Mapping[str, str]) -> None:
        lines = [f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in {**headers, **reply.headers}.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())

    async def _watch(self, received: Received, reader: asyncio.StreamReader) -> None:
        """Notices that the client has gone: nothing else arrives while it waits for its reply."""
        assert isinstance(reader, _Reader)
        await reader.ended.wait()
        received.left.set()


def streamed(reply: Reply, **changes: Any) -> Reply:
    """The same reply with another way of streaming it (``done``, ``drop_after``, ``pause``, ``pieces``)."""
    return replace(reply, **changes)


def texts(messages: Sequence[Any]) -> list[Any]:
    """Each message as (role, content), with pictures shortened to their type."""
    return [(message["role"], _short(message["content"])) for message in messages]


def _short(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return [part["text"] if part["type"] == "text" else part["image_url"]["url"].split(",")[0] for part in content]


@contextmanager
def in_a_thread(script: Script) -> Iterator[FaultServer]:
    """The server in a thread of its own, for commands that run in this one. Its script runs there."""
    ready, over, made = threading.Event(), asyncio.Event(), list[FaultServer]()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with FaultServer(script) as server:
            made.append(server)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        ready.wait()
        yield made[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
