"""What comes back: its status, its reasoning apart, whole and streamed alike."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from core.records import Status
from core.respondents.base import Request
from core.respondents.replies import GarbageError, read_reply, split_reasoning
from tests.core.respondents.conftest import Talk
from tests.servers import Reply, in_turn, says, streamed

CASES: list[tuple[str, Reply, Status, str, str]] = [
    ("an answer", says("ANSWER: B"), Status.OK, "ANSWER: B", ""),
    ("rp01", says(None, "length", reasoning_content="long reasoning"), Status.TRUNCATED, "", "long reasoning"),
    ("rp02", says(None), Status.EMPTY, "", ""),
    ("blank", says(" \n"), Status.EMPTY, " \n", ""),
    ("rp04", says(None, "content_filter"), Status.REFUSAL, "", ""),
    (
        "rp05",
        says(None, refusal="I can't help with identifying people."),
        Status.REFUSAL,
        "I can't help with identifying people.",
        "",
    ),
    ("cut short", says("Two dogs and", "length"), Status.TRUNCATED, "Two dogs and", ""),
    ("reasoning", says("B", reasoning="(A)? no"), Status.OK, "B", "(A)? no"),
    ("ex32", says("<think>Two dogs, so (A)? (C).</think>\n(B)"), Status.OK, "(B)", "Two dogs, so (A)? (C)."),
    ("ex34", says("<think>It could be (A), or", "length"), Status.TRUNCATED, "", "It could be (A), or"),
    ("unclosed", says("<think>It could be (A)"), Status.EMPTY, "", "It could be (A)"),
    ("opened by the template", says("so (A)?</think>\n\n(B)"), Status.OK, "(B)", "so (A)?"),
    ("angles", says("<thin> ice <b>B</b>"), Status.OK, "<thin> ice <b>B</b>", ""),
    ("brackets and emoji", says("[bold] 🐹🐹 答案是"), Status.OK, "[bold] 🐹🐹 答案是", ""),
]


@pytest.mark.parametrize(
    ("reply", "status", "text", "reasoning"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_reply_has_its_status_text_and_reasoning(
    talk: Talk, request_: Request, stream: bool, reply: Reply, status: Status, text: str, reasoning: str
) -> None:
    server, model = await talk(lambda _: reply)
    deltas: list[str] = []
    answer = await model.answer(request_, deltas.append if stream else None)
    assert (answer.status, answer.text, answer.reasoning) == (status, text, reasoning)
    assert len(server.received) == 1
    assert answer.call is not None
    assert (answer.call.usage.prompt_tokens, answer.call.usage.completion_tokens) == (11, 7)
    assert (answer.call.served_model, answer.call.attempts, answer.call.error) == ("served", 1, "")
    if stream and "template" not in text and not text.startswith("(B)"):
        assert "".join(deltas) == text


async def test_streaming_and_not_streaming_record_the_same(talk: Talk, request_: Request) -> None:
    _, model = await talk(lambda _: says("Two dogs run.\nANSWER: B"))
    whole = await model.answer(request_)
    pieces = await model.answer(request_, lambda _: None)
    assert whole.call is not None
    assert pieces.call is not None
    assert (whole.text, whole.status, whole.call.request_hash, whole.call.usage) == (
        pieces.text,
        pieces.status,
        pieces.call.request_hash,
        pieces.call.usage,
    )
    assert pieces.call.reply["choices"][0]["message"]["content"] == "Two dogs run.\nANSWER: B"


async def test_thinking_is_not_shown_while_it_arrives(talk: Talk, request_: Request) -> None:
    _, model = await talk(lambda _: says("<think>Is it (A)?</think>\n\nANSWER: B"))
    deltas: list[str] = []
    await model.answer(request_, deltas.append)
    assert "".join(deltas) == "ANSWER: B"
    assert len(deltas) > 1


@pytest.mark.parametrize(
    "reply",
    [
        streamed(says("ANSWER: B"), done=False),
        streamed(says("ANSWER: B"), pieces=tuple(p for p in says("ANSWER: B").pieces or () if p.get("choices"))),
        streamed(
            says("ANSWER: B"),
            pieces=(
                ": waiting\r\n\r\n",
                'data:{"choices":\r\ndata: [{"delta":{"content":"ANSWER: B"},"finish_reason":"stop"}]}\r\n\r\n',
            ),
        ),
        streamed(says("ANSWER: B"), pieces=None),
        streamed(says("x"), pieces=({"choices": [{"delta": {"content": "ANSWER: B"}, "index": 0}]},)),
    ],
    ids=["no DONE", "no usage", "comments and split events", "not streamed at all", "no finish reason"],
)
async def test_streams_of_other_servers_are_understood(talk: Talk, request_: Request, reply: Reply) -> None:
    _, model = await talk(lambda _: reply, attempts=1)
    assert (await model.answer(request_, lambda _: None)).text == "ANSWER: B"


@pytest.mark.parametrize("cut", [{"drop_after": 3}, {"drop_after": 2, "done": False}])
async def test_a_stream_that_breaks_off_is_asked_again_and_shown_once(
    talk: Talk, request_: Request, cut: dict[str, Any]
) -> None:
    whole = says("Two dogs. ANSWER: B")
    server, model = await talk(in_turn(streamed(whole, **cut), whole))
    deltas: list[str] = []
    answer = await model.answer(request_, deltas.append)
    assert len(server.received) == 2
    assert answer.text == "".join(deltas) == "Two dogs. ANSWER: B"


async def test_a_stream_that_ends_politely_without_an_end_is_not_an_answer(talk: Talk, request_: Request) -> None:
    torn = streamed(says("x"), pieces=({"choices": [{"delta": {"content": "Two d"}}]},), done=False)
    server, model = await talk(in_turn(torn, says("Two dogs")))
    assert (await model.answer(request_, lambda _: None)).text == "Two dogs"
    assert len(server.received) == 2


async def test_an_error_inside_a_stream_is_asked_again(talk: Talk, request_: Request) -> None:
    torn = streamed(says("x"), pieces=({"error": {"message": "worker died", "code": 502}},))
    server, model = await talk(in_turn(torn, says("B")))
    assert (await model.answer(request_, lambda _: None)).text == "B"
    assert len(server.received) == 2


async def test_a_server_that_knows_no_stream_options_gets_none(talk: Talk, request_: Request) -> None:
    def script(received: Any) -> Reply:
        if "stream_options" in received.body:
            return Reply(
                {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}, 422
            )
        return says("B")

    server, model = await talk(script, attempts=1)
    assert (await model.answer(request_, lambda _: None)).text == "B"
    assert (await model.answer(request_, lambda _: None)).text == "B"
    assert len(server.received) == 3


@pytest.mark.parametrize("stream", [False, True])
async def test_cancelling_closes_the_connection(talk: Talk, request_: Request, stream: bool) -> None:
    slow = streamed(says("a long answer indeed"), pause=0.2) if stream else Reply(hang=True)
    server, model = await talk(lambda _: slow)
    begun = asyncio.Event()
    asking = asyncio.create_task(model.answer(request_, (lambda _: begun.set()) if stream else None))
    while not server.received:
        await asyncio.sleep(0.005)
    if stream:
        await begun.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.wait_for(server.received[0].left.wait(), 2)
    assert len(server.received) == 1


async def test_a_price_makes_a_cost(talk: Talk, request_: Request) -> None:
    _, model = await talk(lambda _: says("B"), price_in=2.0, price_out=10.0)
    answer = await model.answer(request_)
    assert answer.call is not None
    assert answer.call.usage.cost == pytest.approx((11 * 2 + 7 * 10) / 1e6)


def test_contents_in_parts_are_joined_and_thinking_is_kept_apart() -> None:
    content = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "ANSWER: "},
        {"type": "text", "text": "B"},
    ]
    reply = read_reply({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]})
    assert (reply.text, reply.reasoning) == ("ANSWER: B", "hm")


def test_lone_surrogates_never_reach_a_record() -> None:
    reply = read_reply({"choices": [{"message": {"content": "a\ud83d\ude00b\ud800c"}}]})
    assert reply.text == "a😀b\ufffdc"


@pytest.mark.parametrize(
    "raw", [None, [], {}, {"choices": []}, {"choices": None}, {"choices": [None]}, {"choices": [{}]}]
)
def test_what_holds_no_message_is_garbage(raw: Any) -> None:
    with pytest.raises(GarbageError):
        read_reply(raw)


def test_a_word_about_thinking_is_no_thinking() -> None:
    assert split_reasoning("I <think> so") == ("I <think> so", "")
