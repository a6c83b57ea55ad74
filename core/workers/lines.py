"""Lines of TCP between the driver and workers that something else placed. Each frame proves who sent it.

A worker is told a :class:`Ticket` over a channel that is trusted; by it both make keys for one line, and take no
frame that was not made with them, in its order. What is sent can be read on the way.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import socket
from contextlib import suppress
from hashlib import blake2b
from typing import Final, NamedTuple

from core.workers.process import HEAD

NAMED: Final = 16
PROOF: Final = 32
COMES_S: Final = 10.0
"""How long a line may take from its first byte, or a driver to be reached."""

ALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 6}
"""Seconds of silence before the other machine is asked whether it is there, and between that; how often in vain."""

_CHUNK: Final = 1 << 20


class Ticket(NamedTuple):
    """For one line: where the driver listens, under which name it knows the line, and the secret of both."""

    host: str
    port: int
    name: bytes
    secret: bytes


class Line:
    """Frames both ways, whole and in order."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ours: bytes, theirs: bytes
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._ours, self._theirs = ours, theirs
        self._sent = self._heard = 0

    def write(self, data: bytes) -> None:
        """Not waited for."""
        head = HEAD.pack(len(data))
        proofs = _proof(self._ours, self._sent, head), _proof(self._ours, self._sent + 1, data)
        self._writer.write(b"".join((proofs[0], head, proofs[1], data)))
        self._sent += 2

    async def drain(self) -> None:
        """Until there is room for more. Raises ConnectionError."""
        try:
            await self._writer.drain()
        except OSError as error:  # a route that is gone, or nobody who answers any more, is another kind of it
            raise ConnectionError(_words(error)) from None

    async def read(self) -> bytes:
        """The next frame. Raises ConnectionError where there is none, or where somebody else made it: nothing of one
        is taken in whose length has no proof."""
        size = HEAD.unpack(await self._proved(HEAD.size))[0]
        return await self._proved(size)

    async def _proved(self, size: int) -> bytes:
        try:
            proof = await self._reader.readexactly(PROOF)
            data = await self._reader.readexactly(size)
        except asyncio.IncompleteReadError:
            raise ConnectionError("the line ended") from None
        except OSError as error:
            raise ConnectionError(_words(error)) from None
        if not hmac.compare_digest(proof, _proof(self._theirs, self._heard, data)):
            raise ConnectionError("the line was meddled with")
        self._heard += 1
        return data

    def cut(self) -> None:
        """At once; whoever reads hears of it."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """After what was written is sent; never raises."""
        with suppress(OSError, RuntimeError):
            self._writer.close()
            await self._writer.wait_closed()


class Exchange:
    """Where the driver's lines come in, on one address of its machine. Open it in the event loop of the run."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._meeting: set[asyncio.Task[None]] = set()
        self._expected: dict[bytes, tuple[bytes, asyncio.Future[Line]]] = {}

    async def open(self, host: str) -> None:
        """Listen at a port that is free. Raises OSError."""
        self._server = await asyncio.start_server(self._come, host, 0, limit=_CHUNK)

    def expect(self) -> Ticket:
        """For a line that is to come."""
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()[:2]
        ticket = Ticket(host, port, secrets.token_bytes(NAMED), secrets.token_bytes(PROOF))
        self._expected[ticket.name] = ticket.secret, asyncio.get_running_loop().create_future()
        return ticket

    async def line(self, ticket: Ticket) -> Line:
        """The one that came, or comes in a moment. Raises TimeoutError."""
        return await asyncio.wait_for(self._expected[ticket.name][1], COMES_S)

    def forget(self, ticket: Ticket) -> None:
        """It is not expected any more."""
        self._expected.pop(ticket.name, None)

    async def close(self) -> None:
        """Nobody else comes in."""
        if self._server is not None:
            self._server.close()
        self._server = None
        for meeting in self._meeting:
            meeting.cancel()
        await asyncio.gather(*self._meeting, return_exceptions=True)
        for _, coming in self._expected.values():
            if coming.done() and not coming.cancelled():
                coming.result().cut()

    def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        meeting = asyncio.ensure_future(self._meet(reader, writer))  # by a task of our own, which is ours to end
        self._meeting.add(meeting)
        meeting.add_done_callback(self._meeting.discard)

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            _keep_alive(writer)
            async with asyncio.timeout(COMES_S):
                said = await reader.readexactly(2 * NAMED)
                secret, coming = self._expected[said[:NAMED]]
                own = secrets.token_bytes(NAMED)
                writer.write(own)
                salt = said + own
                line = Line(reader, writer, _key(secret, b"to worker", salt), _key(secret, b"to driver", salt))
                await line.read()  # which proves that it has the secret
            coming.set_result(line)
        except (OSError, KeyError, asyncio.IncompleteReadError, asyncio.InvalidStateError):  # a stranger, or a second
            writer.transport.abort()
        except BaseException:
            writer.transport.abort()
            raise


async def reach(ticket: Ticket) -> Line:
    """The worker's end of that line. Raises OSError where the driver cannot be reached."""
    async with asyncio.timeout(COMES_S):
        reader, writer = await asyncio.open_connection(ticket.host, ticket.port, limit=_CHUNK)
        try:
            _keep_alive(writer)
            said = ticket.name + secrets.token_bytes(NAMED)
            writer.write(said)
            salt = said + await reader.readexactly(NAMED)
        except asyncio.IncompleteReadError:
            writer.transport.abort()
            raise ConnectionError("it is not expected there") from None
        except BaseException:
            writer.transport.abort()
            raise
        line = Line(reader, writer, _key(ticket.secret, b"to driver", salt), _key(ticket.secret, b"to worker", salt))
        line.write(b"")
        return line


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """While a model is loaded nothing is said for minutes: what stands between would forget the line, or hide that
    the other machine is gone."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in ALIVE.items():
        if (option := getattr(socket, name, None)) is not None:
            connection.setsockopt(socket.IPPROTO_TCP, option, value)


def _words(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__


def _key(secret: bytes, way: bytes, salt: bytes) -> bytes:
    """One line's, one way's: what was sent on another is worth nothing on this one."""
    return blake2b(salt, key=secret, person=way, digest_size=PROOF).digest()


def _proof(key: bytes, number: int, data: bytes) -> bytes:
    made = blake2b(HEAD.pack(number), key=key, digest_size=PROOF)
    made.update(data)
    return made.digest()
