"""Both transports of the client tell the same failures in the same words."""

from __future__ import annotations

import asyncio
import gzip
import importlib.util
import json
import socket
from dataclasses import replace

import httpx2
import pytest

from core.errors import CallError
from core.pictures import Pictures
from core.respondents.base import Request
from core.respondents.openai_server import make_server
from core.respondents.settings import ServerSettings
from tests.core.respondents.conftest import FakeTime, Talk
from tests.servers import FaultServer, Reply, fails, in_turn, says, streamed


@pytest.fixture(params=["aiohttp", "httpx2"], autouse=True)
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    found = importlib.util.find_spec
    if request.param != "aiohttp":
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name, *rest: None if name == "aiohttp" else found(name, *rest)
        )
    return str(request.param)


@pytest.mark.parametrize("stream", [False, True])
async def test_answers_are_the_same(talk: Talk, request_: Request, stream: bool) -> None:
    server, model = await talk(lambda _: says("Two dogs. ANSWER: B"))
    deltas: list[str] = []
    answer = await model.answer(request_, deltas.append if stream else None)
    assert answer.text == "Two dogs. ANSWER: B"
    assert "".join(deltas) == (answer.text if stream else "")
    assert server.received[0].headers["authorization"] == "Bearer none"


async def test_requests_after_the_first_go_as_it_went(talk: Talk, request_: Request) -> None:
    """The same headers but the length, and whatever goes wrong is told as at the first."""
    server, model = await talk(
        in_turn(says("1"), says("2"), fails(500), Reply("{", drop_after=0), says("5"), fails(404, "gone")),
        environment={"KEY": "a-long-enough-secret"},
        api_key_env="KEY",
    )
    longer = replace(request_, turn=replace(request_.turn, answer_format="ANSWER: one letter"))
    assert [(await model.answer(each)).text for each in (request_, longer, longer)] == ["1", "2", "5"]
    first, *others = ({**received.headers, "content-length": ""} for received in server.received)
    assert all(other == first for other in others)
    assert first["authorization"] == "Bearer a-long-enough-secret"
    assert len({received.headers["content-length"] for received in server.received[:2]}) == 2
    with pytest.raises(CallError, match="gone") as error:
        await model.answer(request_)
    assert error.value.fatal


async def test_they_go_as_the_client_posts(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: says("B"), headers={"X-Team": "eyes"}, timeout_s=77)
    endpoint = await model.endpoint()
    await model.answer(request_)
    await endpoint.told(
        lambda client: client.post(
            "/chat/completions",
            cast_to=httpx2.Response,
            content=b"{}",
            options={"headers": {"Content-Type": "application/json"}},
        )
    )
    ours, theirs = ({**received.headers, "content-length": ""} for received in server.received)
    assert ours == theirs
    assert ours["x-team"] == "eyes"


async def test_a_compressed_reply_is_read_whatever_it_says(talk: Talk, request_: Request) -> None:
    def packed(reply: Reply) -> Reply:
        body = gzip.compress(json.dumps(reply.body).encode())
        return replace(reply, body=body, headers={"Content-Encoding": "gzip"})

    _, model = await talk(in_turn(packed(says("Two dogs")), packed(fails(404, "gone"))))
    assert (await model.answer(request_)).text == "Two dogs"
    with pytest.raises(CallError, match="gone"):
        await model.answer(request_)


async def test_where_the_server_has_moved_the_requests_follow(talk: Talk, request_: Request) -> None:
    async with FaultServer(lambda _: says("from there")) as there:
        moved = Reply({}, 307, {"Location": f"{there.url}/chat/completions"})
        server, model = await talk(in_turn(says("from here"), moved, moved))
        assert [(await model.answer(request_)).text for _ in range(3)] == ["from here", "from there", "from there"]
    assert [received.raw for received in there.received] == [server.received[0].raw] * 2


async def test_a_hung_server_is_told_by_its_time_limit(talk: Talk, request_: Request) -> None:
    _, model = await talk(lambda _: Reply(hang=True), timeout_s=0.2, attempts=1)
    with pytest.raises(CallError, match=r"no answer within 0\.2 s"):
        await model.answer(request_)


async def test_a_closed_port_is_told_as_such(request_: Request, time: FakeTime) -> None:
    settings = ServerSettings(model="m", base_url=("http://127.0.0.1:9/v1",), attempts=1)
    model = make_server("gone", settings, Pictures(), environment={}, clock=time.clock)
    with pytest.raises(CallError, match="connection failed"):
        await model.answer(request_)
    await model.close()


async def test_a_server_that_never_accepts_is_told_as_such(request_: Request, time: FakeTime) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(deaf.getsockname())
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/v1"
        settings = ServerSettings(model="m", base_url=(url,), attempts=1, connect_s=0.2, timeout_s=1.0)
        model = make_server("deaf", settings, Pictures(), environment={}, clock=time.clock)
        with pytest.raises(CallError, match=r"no connection in time"):
            await model.answer(request_)
        await model.close()
        for filler in fillers:
            filler.close()


@pytest.mark.parametrize("stream", [False, True])
async def test_a_dropped_connection_is_asked_again(talk: Talk, request_: Request, stream: bool) -> None:
    dropped = (
        streamed(says("Two dogs"), drop_after=2)
        if stream
        else Reply("{", headers={"Content-Length": "500"}, drop_after=0)
    )
    server, model = await talk(in_turn(dropped, says("Two dogs")))
    answer = await model.answer(request_, (lambda _: None) if stream else None)
    assert answer.text == "Two dogs"
    assert len(server.received) == 2


@pytest.mark.parametrize(
    "said", [b"hello, this is no web server\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"", b"\x00\xff" * 9000]
)
async def test_what_is_no_web_server_is_an_error_and_no_crash(request_: Request, time: FakeTime, said: bytes) -> None:
    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        writer.close()

    async with await asyncio.start_server(babble, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        settings = ServerSettings(model="m", base_url=(url,), attempts=2)
        model = make_server("odd", settings, Pictures(), environment={}, clock=time.clock)
        for listener in (None, lambda _: None):
            with pytest.raises(CallError, match="connection failed"):
                await model.answer(request_, listener)
        await model.close()
