"""Lines between the driver and workers that are elsewhere: whole, in order, and nobody else's."""

from __future__ import annotations

import asyncio
import errno
import secrets
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import cast

import pytest

from core.workers import lines
from core.workers.lines import Exchange, Line, Ticket, reach


@pytest.fixture
async def exchange() -> AsyncIterator[Exchange]:
    opened = Exchange()
    await opened.open("127.0.0.1")
    yield opened
    await opened.close()


async def joined(exchange: Exchange) -> tuple[Line, Line]:
    """The driver's end and the worker's."""
    ticket = exchange.expect()
    worker = await reach(ticket)
    driver = await exchange.line(ticket)
    exchange.forget(ticket)
    return driver, worker


async def test_frames_go_both_ways_whole_and_in_order(exchange: Exchange) -> None:
    driver, worker = await joined(exchange)
    large = secrets.token_bytes(3_000_000)
    sent = [b"", b"one", large, "né à 東京".encode(), large[:70_000]]

    async def send(line: Line) -> None:
        for data in sent:
            line.write(data)
            await line.drain()

    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        group.create_task(send(driver))
        group.create_task(send(worker))
        assert [await driver.read() for _ in sent] == sent
        assert [await worker.read() for _ in sent] == sent


async def test_what_was_written_before_the_end_arrives(exchange: Exchange) -> None:
    driver, worker = await joined(exchange)
    worker.write(b"last words")
    await worker.close()
    assert await driver.read() == b"last words"
    with pytest.raises(ConnectionError, match="ended"):
        await driver.read()
    driver.cut()


async def test_whoever_reads_hears_of_a_line_that_is_cut(exchange: Exchange) -> None:
    """A machine that is gone closes nothing: the driver cuts the line itself."""
    driver, worker = await joined(exchange)
    reading = asyncio.ensure_future(driver.read())
    await asyncio.sleep(0)
    driver.cut()
    with pytest.raises(ConnectionError):
        await reading
    with pytest.raises(ConnectionError):
        await worker.read()


async def test_two_lines_at_once_are_not_taken_for_each_other(exchange: Exchange) -> None:
    pairs = await asyncio.gather(*(joined(exchange) for _ in range(8)))
    for number, (driver, worker) in enumerate(pairs):
        worker.write(b"%d" % number)
        driver.write(b"to %d" % number)
    for number, (driver, worker) in enumerate(pairs):
        assert (await driver.read(), await worker.read()) == (b"%d" % number, b"to %d" % number)


async def test_who_knows_the_name_and_not_the_secret_is_nobody(exchange: Exchange) -> None:
    ticket = exchange.expect()
    stranger = await reach(ticket._replace(secret=secrets.token_bytes(lines.PROOF)))
    with pytest.raises(ConnectionError):
        await stranger.read()
    worker = await reach(ticket)  # who has it still comes in
    worker.write(b"here")
    assert await (await exchange.line(ticket)).read() == b"here"


@pytest.mark.parametrize("name", [b"\0" * lines.NAMED, b"GET / HTTP/1.1\r\n"])
async def test_a_name_that_nobody_expects_is_sent_away(exchange: Exchange, name: bytes) -> None:
    with pytest.raises(OSError, match="not expected"):
        await reach(exchange.expect()._replace(name=name))


async def test_a_ticket_is_good_for_one_line(exchange: Exchange) -> None:
    ticket = exchange.expect()
    worker = await reach(ticket)
    driver = await exchange.line(ticket)
    second = await reach(ticket)
    with pytest.raises(ConnectionError):
        await second.read()
    exchange.forget(ticket)
    with pytest.raises(OSError, match="not expected"):
        await reach(ticket)
    worker.write(b"still")
    assert await driver.read() == b"still"


@pytest.mark.parametrize(
    "place", [0, lines.PROOF, lines.PROOF + lines.HEAD.size, len(lines.HEAD.pack(0)) + 2 * lines.PROOF + 3]
)
async def test_a_frame_that_was_changed_on_its_way_is_not_taken(exchange: Exchange, place: int) -> None:
    """Its length, by which nothing more is then taken in; its proofs; its words."""
    changed = await _meddled(exchange, [b"w" * 300], lambda frames: [_other(frames[0], place)])
    with pytest.raises(ConnectionError):
        await changed.read()


async def test_a_frame_that_is_sent_again_or_left_out_is_not_taken(exchange: Exchange) -> None:
    again = await _meddled(exchange, [b"pay", b"more"], lambda frames: [frames[0], frames[0]])
    assert await again.read() == b"pay"
    with pytest.raises(ConnectionError, match="meddled"):
        await again.read()
    without = await _meddled(exchange, [b"pay", b"more"], lambda frames: frames[1:])
    with pytest.raises(ConnectionError, match="meddled"):
        await without.read()


async def test_a_frame_cannot_be_sent_back_to_who_made_it(exchange: Exchange) -> None:
    driver, worker = await joined(exchange)
    driver._theirs, driver._ours = driver._ours, driver._theirs  # as somebody who has only seen frames could
    driver.write(b"yours")
    with pytest.raises(ConnectionError, match="meddled"):
        await worker.read()


async def test_what_breaks_on_the_way_is_a_line_that_ended(exchange: Exchange) -> None:
    """Whatever the system calls it: no route, nobody who answers any more."""
    driver, worker = await joined(exchange)
    for error in (TimeoutError(errno.ETIMEDOUT, "timed out"), OSError(errno.EHOSTUNREACH, "no route")):
        driver._reader.set_exception(error)
        with pytest.raises(ConnectionError, match=error.strerror):
            await driver.read()
        with pytest.raises(ConnectionError, match=error.strerror):
            await driver.drain()
    worker.cut()


async def test_nobody_fills_the_drivers_memory(exchange: Exchange) -> None:
    """Who knows a name, which can be read on the way, and says that a lot is to come is heard no further."""
    ticket = exchange.expect()
    reader, writer = await asyncio.open_connection(ticket.host, ticket.port)
    writer.write(ticket.name + b"n" * lines.NAMED + bytes(lines.PROOF) + lines.HEAD.pack(1 << 40))
    assert len(await reader.readexactly(lines.NAMED)) == lines.NAMED
    with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
        await asyncio.wait_for(reader.readexactly(1), 5)
    writer.close()


async def test_an_end_in_the_middle_of_a_greeting_is_quiet(caplog: pytest.LogCaptureFixture) -> None:
    exchange = Exchange()
    await exchange.open("127.0.0.1")
    ticket = exchange.expect()
    reader, writer = await asyncio.open_connection(ticket.host, ticket.port)
    writer.write(ticket.name + b"n" * lines.NAMED)
    await reader.readexactly(lines.NAMED)
    await exchange.close()
    with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
        await reader.readexactly(1)
    writer.close()
    assert exchange._meeting == set()
    assert caplog.text == ""


async def test_a_driver_that_is_not_there_is_told(unused: Ticket) -> None:
    with pytest.raises(OSError):
        await reach(unused)


@pytest.fixture
async def unused() -> Ticket:
    closed = Exchange()
    await closed.open("127.0.0.1")
    ticket = closed.expect()
    await closed.close()
    return ticket


async def _meddled(exchange: Exchange, words: list[bytes], change: Callable[[list[bytes]], list[bytes]]) -> Line:
    """The driver's end of a line over which the worker's frames came changed."""
    driver, worker = await joined(exchange)
    frames: list[bytes] = []
    way = worker._writer
    worker._writer = cast("asyncio.StreamWriter", SimpleNamespace(write=frames.append))
    for data in words:
        worker.write(data)
    way.write(b"".join(change(frames)))
    return driver


def _other(frame: bytes, place: int) -> bytes:
    return frame[:place] + bytes([frame[place] ^ 1]) + frame[place + 1 :]
