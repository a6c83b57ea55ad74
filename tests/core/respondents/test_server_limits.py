"""Usage, headers, proxies and time limits of real requests to a faulty server."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from core.errors import CallError, RespondentError
from core.pictures import Pictures
from core.records import Text
from core.respondents.access import access
from core.respondents.base import Request
from core.respondents.budget import Budget
from core.respondents.failures import FailedError
from core.respondents.openai_server import make_server
from core.respondents.settings import ServerSettings
from tests.core.respondents.conftest import FakeTime, Talk
from tests.servers import FaultServer, Received, Reply, fails, in_turn, says, streamed

PRICES: dict[str, Any] = {"price_in": 2.0, "price_cached": 0.5, "price_out": 10.0}


def counted(**usage: Any) -> Reply:
    reply = says("B")
    return replace(reply, body={**reply.body, "usage": usage}, pieces=None)


# -- what a call comes to


@pytest.mark.parametrize(
    ("usage", "tokens", "cost"),
    [
        ({"prompt_tokens": 100, "completion_tokens": 20}, (100, 20), 200 + 200),
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 520,
                "completion_tokens_details": {"reasoning_tokens": 500},
                "total_tokens": 620,
            },
            (100, 520),
            200 + 5200,
        ),
        ({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 620}, (100, 520), 200 + 5200),
        (
            {"prompt_tokens": 100, "completion_tokens": 20, "completion_tokens_details": {"reasoning_tokens": 500}},
            (100, 520),
            200 + 5200,
        ),
        (
            {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 64}},
            (100, 20),
            36 * 2 + 64 * 0.5 + 200,
        ),
        (
            {"prompt_tokens": 100, "completion_tokens": 20, "prompt_cache_hit_tokens": 64},
            (100, 20),
            36 * 2 + 64 * 0.5 + 200,
        ),
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "prompt_tokens_details": None,
                "completion_tokens_details": 5,
            },
            (100, 20),
            400,
        ),
    ],
)
async def test_reasoning_counts_as_output_and_cached_tokens_have_their_price(
    talk: Talk, request_: Request, usage: dict[str, Any], tokens: tuple[int, int], cost: float
) -> None:
    _, model = await talk(lambda _: counted(**usage), **PRICES)
    answer = await model.answer(request_)
    assert answer.call is not None
    told = answer.call.usage
    assert (told.prompt_tokens, told.completion_tokens) == tokens
    assert told.cost == pytest.approx(cost / 1e6)


async def test_pictures_have_a_price_of_their_own_where_one_is_set(talk: Talk, request_: Request) -> None:
    _, model = await talk(lambda _: says("B"), price_in=0.0, price_out=0.0, price_picture=0.002)
    answer = await model.answer(request_)
    assert answer.call is not None
    assert answer.call.usage.cost == pytest.approx(2 * 0.002)


@pytest.mark.parametrize("settings", [{}, {"price_in": 1.0}, {"price_out": 1.0}])
async def test_without_both_prices_the_cost_is_not_known(
    talk: Talk, request_: Request, settings: dict[str, Any]
) -> None:
    _, model = await talk(lambda _: says("B"), **settings)
    answer = await model.answer(request_)
    assert answer.call is not None
    assert answer.call.usage.cost is None


async def test_a_server_that_counts_nothing_has_cost_nobody_knows_what(talk: Talk, request_: Request) -> None:
    """Its requests count at their worst: no budget is passed for want of a count."""
    server, model = await talk(lambda _: counted(), **PRICES)
    budget = Budget(1.0)
    model.charge(budget)
    answer = await model.answer(request_)
    assert answer.call is not None
    assert answer.call.usage.cost is None
    assert budget.spent == 0
    assert budget.uncertain > 2048 * 10 / 1e6
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("reply", "charged"),
    [
        (fails(500), False),
        (fails(429, retry_after="1"), False),
        (fails(504), True),
        (Reply("{"), True),
        (Reply("{", headers={"Content-Length": "500"}, drop_after=0), True),
        (Reply(hang=True), True),
    ],
)
async def test_what_may_have_been_charged_counts_at_its_worst(
    talk: Talk, request_: Request, reply: Reply, charged: bool
) -> None:
    _, model = await talk(in_turn(reply, says("B")), timeout_s=0.3, **PRICES)
    budget = Budget(10.0)
    model.charge(budget)
    answer = await model.answer(request_)
    assert answer.call is not None
    assert budget.spent == answer.call.usage.cost == pytest.approx((11 * 2 + 7 * 10) / 1e6)
    assert (budget.uncertain > 0) is charged


async def test_a_request_that_never_went_out_is_not_charged(time: FakeTime, request_: Request) -> None:
    settings = ServerSettings(model="m", base_url=("http://127.0.0.1:9/v1",), **PRICES)
    model = make_server("gone", settings, Pictures(), environment={}, clock=time.clock)
    budget = Budget(10.0)
    model.charge(budget)
    with pytest.raises(CallError):
        await model.answer(request_)
    assert (budget.spent, budget.uncertain) == (0.0, 0.0)
    await model.close()


# -- attempts that never end


async def test_a_stream_that_dribbles_for_ever_is_cut_as_a_whole(talk: Talk, request_: Request) -> None:
    dribbling = streamed(says("word " * 2000), pause=0.02)
    server, model = await talk(in_turn(dribbling, says("B")), timeout_s=0.3, attempt_s=0.5, attempts=2)
    assert (await asyncio.wait_for(model.answer(request_, lambda _: None), 10)).text == "B"
    assert len(server.received) == 2

    _, model = await talk(lambda _: dribbling, timeout_s=0.3, attempt_s=0.5, attempts=1)
    with pytest.raises(CallError, match=r"still not whole after 0\.5 s"):
        await model.answer(request_, lambda _: None)


async def test_a_stream_of_comments_alone_is_no_sign_of_life(talk: Talk, request_: Request) -> None:
    pinging = replace(says("B"), pieces=(": ping\n\n",) * 500, pause=0.02)
    _, model = await talk(lambda _: pinging, timeout_s=0.3, attempts=1)
    with pytest.raises(CallError, match=r"no answer within 0\.3 s"):
        await asyncio.wait_for(model.answer(request_, lambda _: None), 10)


# -- refusals before and after the first answer


async def test_a_refusal_stops_the_run_at_the_first_call_and_fails_an_item_alone_later(
    talk: Talk, request_: Request
) -> None:
    server, model = await talk(in_turn(fails(400, "no such thing")))
    with pytest.raises(CallError, match="HTTP 400: no such thing") as caught:
        await model.answer(request_)
    assert caught.value.fatal

    server, model = await talk(in_turn(says("B"), fails(400, "no such thing"), says("C")))
    await model.answer(request_)
    with pytest.raises(CallError, match="HTTP 400: no such thing") as caught:
        await model.answer(request_)
    assert not caught.value.fatal
    assert (await model.answer(request_)).text == "C"
    assert len(server.received) == 3


@pytest.mark.parametrize("status", [401, 404])
async def test_a_key_or_a_model_that_goes_away_stops_the_run_at_once(
    talk: Talk, request_: Request, status: int
) -> None:
    _, model = await talk(in_turn(says("B"), fails(status)))
    await model.answer(request_)
    with pytest.raises(CallError) as caught:
        await model.answer(request_)
    assert caught.value.fatal


async def test_refusals_without_end_stop_the_run(talk: Talk, request_: Request) -> None:
    server, model = await talk(in_turn(says("B"), fails(400, "changed its mind")))
    await model.answer(request_)
    fatal = []
    while not any(fatal):
        with pytest.raises(CallError) as caught:
            await model.answer(request_)
        fatal.append(caught.value.fatal)
    assert len(fatal) == 10
    assert len(server.received) == 11


# -- headers


async def test_headers_go_out_and_secret_ones_come_back_to_nobody(talk: Talk, request_: Request) -> None:
    secret = "very-secret-0123456789"

    def script(received: Received) -> Reply:
        assert received.headers["x-org"] == "lab"
        assert received.headers["x-token"] == secret
        assert received.headers["authorization"] == "Basic dXNlcjpwYXNzd29yZA=="
        assert received.headers["content-type"] == "application/json"
        echo = f"{secret} dXNlcjpwYXNzd29yZA=="
        return says(echo) if received.number == 1 else fails(400, echo)

    headers = {"X-Org": "lab", "X-Token": "env:MY_TOKEN", "Authorization": "env:MY_AUTH"}
    environment = {"MY_TOKEN": secret, "MY_AUTH": "Basic dXNlcjpwYXNzd29yZA=="}
    _, model = await talk(script, headers=headers, environment=environment)
    answer = await model.answer(request_)
    assert answer.text == "*** ***"
    with pytest.raises(CallError) as caught:
        await model.answer(request_)
    told = f"{answer!r} {caught.value!s} {caught.value.call!r} {model!r} {dict(model.identity)} {vars(model)!r}"
    assert "very-secret" not in told
    assert "dXNlcjpwYXNzd29yZA" not in told
    assert "MY_TOKEN" in repr(model.settings)


@pytest.mark.parametrize(
    ("headers", "what"),
    [
        ({"X-A": "env:NOT_SET"}, r"headers\.X-A: the environment variable NOT_SET is not set.*export NOT_SET"),
        ({"X A": "b"}, "no name of a header"),
        ({"X-A": "a\r\nX-B: c"}, "characters that no header has"),
        ({"X-A": "dépôt"}, "characters that no header has"),
        ({"Content-Length": "5"}, "not yours to set"),
        ({"host": "x"}, "not yours to set"),
    ],
)
def test_headers_that_cannot_be_sent_are_refused_before_anything_is(headers: dict[str, str], what: str) -> None:
    settings = ServerSettings(model="m", base_url=("http://127.0.0.1:9/v1",), headers=headers)
    with pytest.raises(RespondentError, match=what):
        make_server("odd", settings, Pictures(), environment={})


@pytest.mark.parametrize(
    ("settings", "environment", "echo", "told"),
    [
        ({"headers": {"X-Pin": "env:MY_PIN"}}, {"MY_PIN": "q7x9"}, "it is q7x9", "it is ***"),
        ({"headers": {"X-Auth": "env:MY_AUTH"}}, {"MY_AUTH": "Basic bWU6cHc="}, "sent bWU6cHc=", "sent ***"),
        ({"headers": {"X-Unit": "env:MY_UNIT"}}, {"MY_UNIT": "cat"}, "a cat", "a cat"),
        ({"api_key_env": "MY_KEY"}, {"MY_KEY": "EMPTY"}, "the box is EMPTY", "the box is EMPTY"),
    ],
)
async def test_short_secrets_beside_the_key_are_blotted_out_and_a_word_in_its_place_is_not(
    talk: Talk, request_: Request, settings: dict[str, Any], environment: dict[str, str], echo: str, told: str
) -> None:
    _, model = await talk(lambda _: says(echo), environment=environment, **settings)
    assert (await model.answer(request_)).text == told


def test_a_short_password_of_a_proxy_is_blotted_out() -> None:
    settings = ServerSettings(model="m", base_url=("http://127.0.0.1:9/v1",), proxy="env:MY_PROXY")
    key, _, _ = access("odd", settings, {"MY_PROXY": "http://me:hunter2@proxy:3128"})
    assert key.scrub("407 for hunter2 at http://me:hunter2@proxy:3128") == "407 for *** at ***"


async def test_a_list_of_models_that_does_not_come_or_is_none_is_not_waited_for(talk: Talk) -> None:
    _, model = await talk(lambda _: Reply(hang=True), timeout_s=0.2)
    assert await asyncio.wait_for(model.models(), 5) is None
    endpoint = await model.endpoint()
    with pytest.raises(FailedError) as caught:
        await asyncio.wait_for(endpoint.models(), 5)
    assert (caught.value.failure.what, caught.value.failure.retry) == ("no answer within 0.2 s", True)
    _, model = await talk(lambda _: fails(404, "no such thing"))
    with pytest.raises(FailedError) as caught:
        await (await model.endpoint()).models()
    assert caught.value.failure.status == 404
    _, model = await talk(lambda _: Reply({"data": [{"id": "m"}]}))
    assert await model.models() == {"data": [{"id": "m"}]}


# -- proxies


@asynccontextmanager
async def proxy(refuse: bool = False) -> AsyncIterator[tuple[str, list[tuple[str, str]]]]:
    """A forward proxy; what went through it as (first line, its Proxy-Authorization)."""
    through: list[tuple[str, str]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        through.append((first, headers.get("proxy-authorization", "")))
        if refuse:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        method, target, _ = first.split()
        host, _, port = target.removeprefix("http://").partition("/")[0].partition(":")
        far, onward = await asyncio.open_connection(host, int(port))
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        else:
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            path = "/" + target.removeprefix("http://").partition("/")[2]
            onward.write(head.replace(target, path, 1).encode("latin-1") + body)
        while piece := await far.read(65536):
            writer.write(piece)
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", through


def once(text: str) -> Reply:
    return replace(says(text), headers={"Connection": "close"}, drop_after=99)


async def test_a_proxy_that_is_set_carries_the_requests(talk: Talk, request_: Request) -> None:
    async with proxy() as (place, through):
        server, model = await talk(lambda _: once("B"), proxy=f"http://{place}")
        assert (await model.answer(request_)).text == "B"
        assert len(server.received) == len(through) == 1
        assert server.url in through[0][0]


@pytest.mark.parametrize("transport", ["aiohttp", "httpx2"])
async def test_the_environments_proxy_is_used_and_excepted(
    talk: Talk, request_: Request, monkeypatch: pytest.MonkeyPatch, transport: str
) -> None:
    import importlib.util

    found = importlib.util.find_spec
    if transport != "aiohttp":
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name, *rest: None if name == "aiohttp" else found(name, *rest)
        )
    async with proxy() as (place, through):
        monkeypatch.setenv("HTTP_PROXY", f"http://{place}")
        monkeypatch.setenv("http_proxy", f"http://{place}")
        _, model = await talk(lambda _: once("B"))
        assert (await model.answer(request_)).text == "B"
        assert len(through) == 1
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        _, model = await talk(lambda _: once("B"))
        assert (await model.answer(request_)).text == "B"
        assert len(through) == 1


async def test_https_goes_through_the_environments_proxy_as_a_tunnel(
    request_: Request, monkeypatch: pytest.MonkeyPatch, time: FakeTime
) -> None:
    async with proxy(refuse=True) as (place, through):
        monkeypatch.setenv("HTTPS_PROXY", f"http://{place}")
        monkeypatch.setenv("https_proxy", f"http://{place}")
        settings = ServerSettings(model="m", base_url=("https://far.example:8443/v1",), attempts=1)
        model = make_server("far", settings, Pictures(), environment={}, clock=time.clock)
        with pytest.raises(CallError, match="407"):
            await model.answer(request_)
        assert through[0][0].startswith("CONNECT far.example:8443")
        await model.close()


async def test_a_proxys_password_comes_from_the_environment_and_shows_nowhere(talk: Talk, request_: Request) -> None:
    async with proxy() as (place, through), FaultServer(lambda _: once("B")):
        environment = {"MY_PROXY": f"http://me:password-0123456789@{place}"}
        _, model = await talk(lambda _: once("B"), proxy="env:MY_PROXY", environment=environment)
        assert (await model.answer(request_)).text == "B"
        kind, _, said = through[0][1].partition(" ")
        assert (kind, base64.b64decode(said)) == ("Basic", b"me:password-0123456789")
        assert "password-0123" not in f"{vars(model)!r} {model.settings!r}"


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ("http://me:pw@proxy:1", "a user or password is never written here.*env:NAME"),
        ("proxy:3128", "no http address"),
        ("socks5://proxy:1080", "no http address"),
        ("env:GONE", "the environment variable GONE is not set"),
        ("env:BAD", "its value is no http address"),
    ],
)
def test_a_proxy_that_is_none_is_refused(given: str, what: str) -> None:
    settings = ServerSettings(model="m", base_url=("http://127.0.0.1:9/v1",), proxy=given)
    with pytest.raises(RespondentError, match=what) as caught:
        make_server("odd", settings, Pictures(), environment={"BAD": "secret-no-address"})
    assert "secret-no" not in str(caught.value)
    assert "pw" not in str(caught.value).replace("password", "")


# -- the breaker, through a whole respondent


async def test_a_server_that_breaks_in_mid_run_is_told_with_its_last_words(talk: Talk, request_: Request) -> None:
    server, model = await talk(
        lambda received: says("B") if received.number <= 4 else fails(500, "out of memory"),
        concurrency=2,
        patience_s=100.0,
    )

    async def ask(number: int) -> CallError | None:
        turn = replace(request_.turn, content=(Text(f"Item {number}"),))
        try:
            await model.answer(replace(request_, turn=turn))
        except CallError as error:
            return error
        return None

    errors = []
    for number in range(40):
        errors.append(await ask(number))
        if errors[-1] is not None and errors[-1].fatal:
            break
    assert errors[-1] is not None
    assert "nothing has succeeded for 1" in errors[-1].what
    assert "HTTP 500: out of memory" in errors[-1].what
    assert len(server.received) < 4 + 10 + 10
