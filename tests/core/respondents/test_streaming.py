"""However an answer is cut into pieces, what is shown is the answer."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

from core.respondents.replies import Assembler, read_reply
from core.respondents.streaming import Shown, events

WORDS = st.sampled_from(
    [
        "<think>",
        "</think>",
        "<thinking>",
        "</thinking>",
        "<thi",
        "nk>",
        " ",
        "\n",
        "ANSWER: B",
        "<",
        "é",
        "🐹",
        "\ud83d",
        "\ude00",
    ]
)
PIECES = st.lists(st.lists(WORDS, min_size=1, max_size=3).map("".join), max_size=8)


@given(PIECES)
def test_what_is_shown_is_the_answer(pieces: list[str]) -> None:
    deltas: list[str] = []
    shown = Shown(deltas.append)
    shown.restart()
    answer = Assembler()
    answer.add({"choices": [{"delta": {"content": ""}, "finish_reason": "stop"}]})
    for piece in pieces:
        shown.feed(answer.add({"choices": [{"delta": {"content": piece}}]}))
    reply = read_reply(answer.completion())
    shown.finish(reply.text)
    whole = "".join(pieces)
    opened = whole.lstrip().startswith(("<think>", "<thinking>"))
    if opened or not any(end in whole for end in ("</think>", "</thinking>")):
        assert "".join(deltas) == reply.text


@given(PIECES, st.integers(0, 8))
def test_after_a_retry_nothing_is_shown_twice(pieces: list[str], cut: int) -> None:
    deltas: list[str] = []
    shown = Shown(deltas.append)
    for attempt in (pieces[:cut], pieces):
        shown.restart()
        for piece in attempt:
            shown.feed(piece)
    once: list[str] = []
    straight = Shown(once.append)
    straight.restart()
    for piece in pieces:
        straight.feed(piece)
    assert "".join(deltas) == "".join(once)


def test_an_answer_that_comes_out_otherwise_at_the_second_attempt_is_not_mixed_with_the_first() -> None:
    deltas: list[str] = []
    shown = Shown(deltas.append)
    for attempt in (["Two do"], ["Three", " cats run"]):
        shown.restart()
        for piece in attempt:
            shown.feed(piece)
    shown.finish("Three cats run")
    assert "".join(deltas) == "Two do"


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=12), max_size=3), max_size=5), st.data())
async def test_events_are_read_however_the_bytes_are_cut(sent: list[dict[str, str]], data: st.DataObject) -> None:
    ensure = data.draw(st.booleans())
    raw = (
        "".join(f"data: {json.dumps(event, ensure_ascii=ensure)}\n\n" for event in sent).encode()
        + b"data: [DONE]\n\n"
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))

    async def pieces() -> AsyncIterator[bytes]:
        for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True):
            yield raw[start:end]

    assert [event async for event in events(pieces())] == [*sent, None]
