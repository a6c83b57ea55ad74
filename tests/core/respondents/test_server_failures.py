"""A failed call is an error and never an answer; what may help is asked again, what may not stops the run."""

from __future__ import annotations

import asyncio
import logging
import traceback
from dataclasses import replace
from typing import Any

import pytest

from core.errors import CallError, PictureError, RespondentError
from core.pictures import Pictures
from core.records import Item, Picture, Status, Text
from core.respondents.base import Request
from core.respondents.openai_server import make_server
from core.respondents.settings import ServerSettings
from tests.core.respondents.conftest import FakeTime, Talk
from tests.servers import Received, Reply, fails, in_turn, says, streamed

GARBAGE = [
    Reply("<html>gateway</html>"),
    Reply({"choices": []}),
    Reply({}),
    Reply("{"),
    Reply({"choices": [{"message": None}]}),
]


@pytest.mark.parametrize("attempts", [1, 2, 5])
async def test_a_failing_server_is_asked_as_often_as_said_and_no_more(
    talk: Talk, request_: Request, attempts: int
) -> None:
    """ra07: no retry inside the retry."""
    server, model = await talk(lambda _: fails(500, "boom"), attempts=attempts)
    with pytest.raises(CallError, match="HTTP 500: boom") as caught:
        await model.answer(request_)
    assert len(server.received) == attempts
    assert not caught.value.fatal
    assert caught.value.call is not None
    assert (caught.value.call.attempts, caught.value.call.error) == (attempts, "HTTP 500: boom")
    assert {received.headers["x-stainless-retry-count"] for received in server.received} == {"0"}


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
async def test_what_may_pass_is_asked_again(talk: Talk, request_: Request, status: int) -> None:
    server, model = await talk(in_turn(fails(status), says("B")))
    answer = await model.answer(request_)
    assert answer.text == "B"
    assert answer.call is not None
    assert answer.call.attempts == len(server.received) == 2


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_garbage_is_asked_again(talk: Talk, request_: Request, garbage: Reply) -> None:
    server, model = await talk(in_turn(garbage, says("B")))
    assert (await model.answer(request_)).text == "B"
    assert len(server.received) == 2


async def test_garbage_for_good_is_an_error_that_shows_its_beginning(talk: Talk, request_: Request) -> None:
    _, model = await talk(lambda _: Reply("<html><body>Bad gateway</body></html>"), attempts=2)
    with pytest.raises(CallError, match=r"no JSON.*Bad gateway") as caught:
        await model.answer(request_)
    assert not caught.value.fatal


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (fails(401, "Incorrect API key provided"), "HTTP 401: Incorrect API key provided"),
        (fails(403, "no access"), "HTTP 403: no access"),
        (fails(404, "The model `m` does not exist"), "HTTP 404: The model `m` does not exist"),
        (fails(400, "Unsupported value: 'temperature' does not support 0.0"), "HTTP 400: Unsupported value"),
        (Reply({"detail": "Not Found"}, 404), "HTTP 404: Not Found"),
        (
            Reply({"detail": [{"loc": ["body", "top_k"], "msg": "Extra inputs"}]}, 422),
            "HTTP 422: body.top_k: Extra inputs",
        ),
        (Reply([{"error": {"code": 400, "message": "API key not valid"}}], 400), "HTTP 400: API key not valid"),
        (Reply("plain words", 400), "HTTP 400: plain words"),
        (Reply("<html><head><style>x{}</style></head><body><h1>Denied</h1></body></html>", 403), "HTTP 403: Denied"),
    ],
)
async def test_what_every_call_would_meet_stops_the_run_at_the_first_request(
    talk: Talk, request_: Request, reply: Reply, what: str
) -> None:
    server, model = await talk(lambda _: reply)
    with pytest.raises(CallError) as caught:
        await model.answer(request_)
    assert caught.value.fatal
    assert caught.value.what.startswith(what)
    assert len(server.received) == 1
    assert "127.0.0.1" in caught.value.where


async def test_a_bad_key_names_the_variable(talk: Talk, request_: Request) -> None:
    _, model = await talk(lambda _: fails(401), api_key_env="MY_KEY", environment={"MY_KEY": "sk-1"})
    with pytest.raises(CallError, match="environment variable MY_KEY"):
        await model.answer(request_)


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
async def test_a_request_blocked_by_policy_is_a_refusal_without_words(
    talk: Talk, request_: Request, code: str
) -> None:
    server, model = await talk(lambda _: fails(400, "Your request was rejected by our safety system", code))
    answer = await model.answer(request_)
    assert (answer.status, answer.text) == (Status.REFUSAL, "")
    assert answer.call is not None
    assert answer.call.reply["body"]["error"]["code"] == code
    assert len(server.received) == 1


@pytest.mark.parametrize(
    "reply",
    [
        fails(400, "This model's maximum context length is 4096 tokens", "context_length_exceeded"),
        fails(400, "The image could not be processed", "invalid_image"),
        fails(413, "Payload too large"),
    ],
)
async def test_what_is_wrong_with_one_item_fails_that_item_alone(talk: Talk, request_: Request, reply: Reply) -> None:
    server, model = await talk(lambda _: reply)
    with pytest.raises(CallError) as caught:
        await model.answer(request_)
    assert not caught.value.fatal
    assert len(server.received) == 1


async def test_a_minutes_budget_is_waited_for_whatever_its_wording(talk: Talk, request_: Request) -> None:
    """ra01"""
    busy = fails(429, "Request too large for gpt on tokens per min (TPM): Limit 250000, Requested 546")
    server, model = await talk(in_turn(busy, says("B")), attempts=1)
    assert (await model.answer(request_)).text == "B"
    assert len(server.received) == 2


@pytest.mark.parametrize(
    "reply",
    [
        fails(429, "Rate limit reached on requests per day (RPD): Limit 200, Used 200", retry_after="34"),
        Reply(
            {
                "error": {
                    "message": "You exceeded your current quota",
                    "details": [
                        {"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]},
                        {"retryDelay": "34s"},
                    ],
                }
            },
            429,
        ),
    ],
)
async def test_a_days_quota_is_named_and_not_asked_again(talk: Talk, request_: Request, reply: Reply) -> None:
    """ra03"""
    server, model = await talk(lambda _: reply)
    with pytest.raises(CallError, match=r"(?i)day's quota is spent.*per ?day") as caught:
        await model.answer(request_)
    assert caught.value.fatal
    assert len(server.received) == 1


async def test_a_spent_account_stops_the_run(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: fails(429, "You exceeded your current quota", "insufficient_quota"))
    with pytest.raises(CallError, match="insufficient_quota") as caught:
        await model.answer(request_)
    assert caught.value.fatal
    assert len(server.received) == 1


async def test_a_limit_a_minute_fails_nobody(talk: Talk, request_: Request, time: FakeTime) -> None:
    """ra05: the waits reach over the minute, even with few attempts."""

    def script(received: Received) -> Reply:
        return says("B") if time.seconds >= 60 else fails(429, "120 requests a minute")

    _, model = await talk(script, attempts=2)
    answer = await model.answer(request_)
    assert answer.status is Status.OK
    assert sum(time.waits) >= 60


async def test_a_server_that_stays_busy_is_given_up_after_the_patience(
    talk: Talk, request_: Request, time: FakeTime
) -> None:
    _, model = await talk(lambda _: fails(429, "slow down"), patience_s=100.0)
    with pytest.raises(CallError, match="still busy after") as caught:
        await model.answer(request_)
    assert not caught.value.fatal
    assert 60 <= sum(time.waits) <= 130


@pytest.mark.parametrize(
    ("headers", "at_least"),
    [
        ({"retry_after": "17"}, 17),
        ({"retry_after": "Sun, 29 Nov 2026 12:00:42 GMT"}, 42),
        ({"retry_after_ms": "2500"}, 2.5),
        ({"x_ratelimit_remaining_requests": "0", "x_ratelimit_reset_requests": "1m3s"}, 63),
        ({"x_ratelimit_remaining_requests": "9", "x_ratelimit_reset_requests": "1h0s"}, 5),
    ],
)
async def test_the_server_is_waited_for_as_long_as_it_asks(
    talk: Talk, request_: Request, time: FakeTime, headers: dict[str, str], at_least: float
) -> None:
    _, model = await talk(in_turn(fails(429, **headers), says("B")))
    assert (await model.answer(request_)).text == "B"
    assert at_least <= sum(time.waits) <= at_least * 1.3


async def test_a_server_that_asks_for_an_hour_stops_the_run(talk: Talk, request_: Request, time: FakeTime) -> None:
    _, model = await talk(lambda _: fails(429, retry_after="3600"))
    with pytest.raises(CallError, match="asks to wait 3600 s") as caught:
        await model.answer(request_)
    assert caught.value.fatal
    assert not time.waits


async def test_waits_grow(talk: Talk, request_: Request, time: FakeTime) -> None:
    _, model = await talk(lambda _: fails(503))
    with pytest.raises(CallError):
        await model.answer(request_)
    assert len(time.waits) == 4
    for wait, least in zip(time.waits, (1, 2, 4, 8), strict=True):
        assert least <= wait <= least * 1.25


@pytest.mark.parametrize("stream", [False, True])
async def test_a_hung_request_is_cut_and_asked_again(talk: Talk, request_: Request, stream: bool) -> None:
    """co01"""

    def script(received: Received) -> Reply:
        return Reply(hang=True) if received.number % 50 == 1 else says("B")

    server, model = await talk(script, timeout_s=0.3, concurrency=16)
    listener = (lambda _: None) if stream else None
    answers = await asyncio.wait_for(asyncio.gather(*(model.answer(request_, listener) for _ in range(100))), 20)
    assert {answer.text for answer in answers} == {"B"}
    assert len(server.received) == 103
    assert server.most_at_once <= 16


async def test_a_stream_that_falls_silent_is_cut(talk: Talk, request_: Request) -> None:
    stuck = streamed(says("Two dogs"), pause=5.0)
    server, model = await talk(in_turn(stuck, says("Two dogs")), timeout_s=0.2)
    assert (await model.answer(request_, lambda _: None)).text == "Two dogs"
    assert len(server.received) == 2


async def test_a_slow_stream_that_keeps_coming_is_not_cut(talk: Talk, request_: Request) -> None:
    slow = streamed(says("A long answer of many pieces"), pause=0.05)
    server, model = await talk(lambda _: slow, timeout_s=0.3)
    assert (await model.answer(request_, lambda _: None)).text == "A long answer of many pieces"
    assert len(server.received) == 1


async def test_a_server_that_is_not_there_stops_the_run(time: FakeTime, request_: Request) -> None:
    settings = ServerSettings(model="m", base_url=("http://127.0.0.1:9/v1",), attempts=3)
    model = make_server("gone", settings, Pictures(), environment={}, clock=time.clock)
    with pytest.raises(CallError, match=r"127\.0\.0\.1:9.*connection failed.*Check base_url") as caught:
        await model.answer(request_)
    assert caught.value.fatal
    assert caught.value.call is not None
    assert caught.value.call.attempts == 3


async def test_failed_calls_leave_no_reply(talk: Talk, request_: Request) -> None:
    """sc03, ch01: of 10 requests 3 fail after all retries; 7 answers are left, and no error among them."""

    def script(received: Received) -> Reply:
        number = int(received.messages[0]["content"][0]["text"].split()[1])
        return fails(500, "harness text") if number < 3 else says(f"answer {number}")

    _, model = await talk(script, attempts=2, concurrency=4)

    async def ask(number: int) -> str | None:
        turn = replace(request_.turn, content=(Text(f"Item {number}"), *request_.turn.content[1:]))
        try:
            return (await model.answer(replace(request_, turn=turn))).text
        except CallError as error:
            return None if error.call and error.call.error else "lost"

    said = await asyncio.gather(*map(ask, range(10)))
    assert said == [None] * 3 + [f"answer {number}" for number in range(3, 10)]


async def test_a_null_reply_among_many_is_one_empty_answer(talk: Talk, request_: Request) -> None:
    """rp02"""
    _, model = await talk(lambda received: says(None if received.number == 37 else "B"), concurrency=64)
    answers = await asyncio.gather(*(model.answer(request_) for _ in range(200)))
    assert [answer.status for answer in answers].count(Status.EMPTY) == 1
    assert [answer.status for answer in answers].count(Status.OK) == 199


async def test_a_bad_picture_fails_its_item_before_anything_is_sent(talk: Talk, request_: Request) -> None:
    """im08, im15"""
    server, model = await talk(lambda _: says("B"))
    broken = Item("voila", "test", "voila-8", (Picture("a.png", "/nowhere/a.png"),) * 2, {}, {})
    with pytest.raises(PictureError, match=r"a\.png"):
        await model.answer(Request(broken, request_.turn))
    assert not server.received
    assert (await model.answer(request_)).text == "B"


async def test_the_rate_limit_spreads_requests_over_the_minute(talk: Talk, request_: Request, time: FakeTime) -> None:
    server, model = await talk(lambda _: says("B"), requests_per_minute=30.0)
    for _ in range(11):
        await model.answer(request_)
    assert len(server.received) == 11
    assert time.seconds == pytest.approx(20.0)


async def test_connections_are_kept(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: says("B"), concurrency=2)
    for _ in range(5):
        await model.answer(request_)
    assert server.connections == 1


async def test_a_turn_that_asks_for_a_picture_is_not_for_this_respondent(talk: Talk, request_: Request) -> None:
    _, model = await talk(lambda _: says("B"))
    assert model.draws is False
    with pytest.raises(RespondentError, match="makes no pictures"):
        await model.answer(replace(request_, turn=replace(request_.turn, makes="picture")))


# -- keys


async def test_the_key_shows_nowhere(talk: Talk, request_: Request, caplog: pytest.LogCaptureFixture) -> None:
    key = "sk-very-secret-0123456789"
    caplog.set_level(logging.DEBUG)

    def script(received: Received) -> Reply:
        assert received.headers["authorization"] == f"Bearer {key}"
        return (
            says(f"your key is {key}"),
            says(f"your key is {key}"),
            fails(401, f"Incorrect API key provided: {key}"),
            Reply(f"not json {key}"),
        )[received.number - 1]

    _, model = await talk(script, api_key_env="MY_KEY", environment={"MY_KEY": key}, attempts=1)
    seen: list[Any] = []
    for on_delta in (None, lambda _: None):
        answer = await model.answer(request_, on_delta)
        assert answer.text == "your key is ***"
        seen += [answer, answer.call and answer.call.reply]
    for _ in range(2):
        try:
            await model.answer(request_)
        except CallError as error:
            seen += [error, error.call, *traceback.format_exception(error)]
    told = "\n".join(
        [*map(repr, seen), *map(str, seen), repr(model), repr(vars(model)), str(dict(model.identity)), caplog.text]
    )
    assert "MY_KEY" in told
    assert "very-secret" not in told


@pytest.mark.parametrize("key", ["three", "1", "a", "none", "EMPTY", "B", "content", "choices"])
@pytest.mark.parametrize("streams", [False, True])
async def test_a_word_in_the_place_of_a_key_changes_no_answer(
    talk: Talk, request_: Request, key: str, streams: bool
) -> None:
    text = f"There are three: 1 a, none {key} EMPTY. ANSWER: B"
    _, model = await talk(in_turn(says(text)), api_key_env="MY_KEY", environment={"MY_KEY": key})
    answer = await model.answer(request_, (lambda _: None) if streams else None)
    assert answer.text == text
    assert answer.call is not None
    assert answer.call.reply["choices"][0]["message"]["content"] == text


async def test_a_key_with_quotes_is_blotted_out_wherever_it_comes_back(talk: Talk, request_: Request) -> None:
    key = 'sk-"quoted/and long'
    _, model = await talk(
        in_turn(says(f"B {key}"), fails(500, f"no {key}"), says("C")),
        api_key_env="MY_KEY",
        environment={"MY_KEY": key},
        attempts=1,
    )
    answer = await model.answer(request_)
    assert answer.text == "B ***"
    assert answer.call is not None
    assert answer.call.reply["choices"][0]["message"]["content"] == "B ***"
    with pytest.raises(CallError) as caught:
        await model.answer(request_)
    assert caught.value.call is not None
    assert "quoted" not in str(caught.value) + repr(caught.value.call.reply)


async def test_a_key_that_arrives_in_pieces_is_shown_in_none(talk: Talk, request_: Request) -> None:
    """What is shown while it arrives can be kept: of a call that is stopped. A beginning that comes to nothing is
    shown."""
    key = "sk-marker-of-nobody"
    text = f"You sent {key}, {key[:9]} and sk-{key}! sk-mark"
    _, model = await talk(lambda _: says(text), api_key_env="MY_KEY", environment={"MY_KEY": key})
    deltas: list[str] = []
    answer = await model.answer(request_, deltas.append)
    assert len(deltas) > 5
    assert key not in "".join(deltas)
    assert all(key[:size] not in "".join(deltas[:count]) for count in range(9) for size in (12, len(key)))
    assert "".join(deltas) == answer.text == text.replace(key, "***")


def test_a_key_that_is_not_set_is_named_before_any_request() -> None:
    settings = ServerSettings(model="m", base_url=("https://example.org/v1",), api_key_env="MY_KEY")
    with pytest.raises(RespondentError, match=r"MY_KEY is not set.*export MY_KEY"):
        make_server("far", settings, Pictures(), environment={"MY_KEY": " "})


def test_openai_itself_wants_its_own_variable_and_no_other_server_gets_it() -> None:
    with pytest.raises(RespondentError, match="OPENAI_API_KEY is not set"):
        make_server("gpt", ServerSettings(model="gpt"), Pictures(), environment={})
    moved = {"OPENAI_BASE_URL": "https://proxy.example/v1", "OPENAI_API_KEY": "sk-1"}
    assert "OPENAI_API_KEY" in repr(
        vars(make_server("gpt", ServerSettings(model="gpt"), Pictures(), environment=moved))
    )
    local = ServerSettings(model="m", base_url=("http://127.0.0.1:8000/v1",))
    assert "OPENAI" not in repr(vars(make_server("near", local, Pictures(), environment={"OPENAI_API_KEY": "sk-1"})))


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://x/v1", "http://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(RespondentError, match="no http address"):
        make_server("odd", ServerSettings(model="m", base_url=(url,)), Pictures(), environment={})


async def test_every_wait_is_told_with_its_reason_and_length(talk: Talk, request_: Request, time: FakeTime) -> None:
    told: list[tuple[str, float, int]] = []
    _, model = await talk(in_turn(fails(429, "slow down", retry_after="7"), fails(500, "boom"), says("B")))
    await model.answer(replace(request_, on_wait=lambda *what: told.append(what)))
    assert [(what, count) for what, _, count in told] == [("HTTP 429: slow down", 1), ("HTTP 500: boom", 2)]
    assert told[0][1] == 7
    assert [seconds for _, seconds, _ in told] == [wait for wait in time.waits if wait in {told[0][1], told[1][1]}]
