"""The odds of a turn's options stand where the answer was read, whole or streamed, and little else is kept."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import EMPTY, Answer, Call, Field, Item, Parse, Score, Step, Text, Turn
from core.respondents.base import Request
from core.respondents.odds import kept, odds
from tests.core.respondents.conftest import Talk
from tests.servers import Reply, says, streamed

LETTERS = Turn("final", (Text("Which?"),), form=(Field("answer", ("A", "B", "C")),))


def token(text: str, chance: float = 1.0, **others: float) -> dict[str, Any]:
    """A token as servers tell it; ``others`` are alternatives in its place."""
    listed = [{"token": text, "logprob": math.log(chance)}]
    listed += [{"token": name, "logprob": math.log(value)} for name, value in others.items()]
    return {"token": text, "logprob": math.log(chance), "bytes": list(text.encode()), "top_logprobs": listed}


def completion(tokens: Sequence[dict[str, Any]], content: str | None = None) -> Reply:
    """A reply, and the same in a stream, with its tokens' log-probabilities."""
    text = "".join(one["token"] for one in tokens) if content is None else content
    plain = says(text)
    whole = json.loads(json.dumps(plain.body))
    whole["choices"][0]["logprobs"] = {"content": list(tokens), "refusal": None}
    pieces = [
        {
            "model": "served",
            "choices": [{"index": 0, "delta": {"content": one["token"]}, "logprobs": {"content": [one]}}],
        }
        for one in tokens
    ]
    assert plain.pieces is not None
    return replace(streamed(plain, pieces=(*pieces, *plain.pieces[-2:])), body=whole)


def read(text: str, span: tuple[int, int] | None) -> Score:
    """A score that read the answer there."""
    return Score("rule", "1", Parse.OK, 1, 1, {"answer": text}, EMPTY if span is None else {"answer": span})


ANSWER = [
    token("A"),
    token(" shows"),
    token(" one"),
    token(".\n"),
    token("ANSWER"),
    token(":"),
    token(" B", 0.7, **{" A": 0.2, "B": 0.05, " not": 0.01}),
]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_the_odds_are_those_of_the_place_where_the_answer_was_read(
    talk: Talk, item: Item, stream: bool
) -> None:
    _, model = await talk(lambda _: completion(ANSWER), logprobs=True)
    answer = await model.answer(Request(item, LETTERS), (lambda _: None) if stream else None)
    step = Step(LETTERS, answer)
    start = answer.text.rindex("B")
    assert odds(step, read("B", (start, start + 1))) == pytest.approx({"A": 0.2, "B": 0.75})
    assert odds(step, read("A", (0, 1))) == pytest.approx({"A": 1.0})
    assert odds(step, None) == {}, "two letters, and nobody says which is the answer"
    assert answer.call is not None
    stored = answer.call.reply["choices"][0]["logprobs"]["content"]
    assert [(one["token"], one["at"]) for one in stored] == [("A", 0), (" B", start)]
    assert {one["token"] for one in stored[1]["top_logprobs"]} == {" B", " A", "B"}


async def test_thinking_before_the_answer_is_left_out(talk: Talk, item: Item) -> None:
    thought = [
        token("<think>"),
        token("A"),
        token("?"),
        token("</think>"),
        token("\n\n"),
        token("(C", 0.5, **{"(A": 0.5}),
    ]
    _, model = await talk(lambda _: completion([*thought, token(")")]), logprobs=True)
    step = Step(LETTERS, await model.answer(Request(item, LETTERS)))
    assert step.answer.text == "(C)"
    assert odds(step, read("C", (1, 2))) == pytest.approx({"A": 0.5, "C": 0.5})
    _, model = await talk(lambda _: completion([token("A"), token("\n"), *ANSWER[4:]], "ANSWER: B"), logprobs=True)
    step = Step(LETTERS, await model.answer(Request(item, LETTERS)))
    assert odds(step, None) == pytest.approx({"A": 0.2, "B": 0.75})


async def test_a_character_of_several_tokens_moves_no_place(talk: Talk, item: Item) -> None:
    hamster = "🐹".encode()
    parts = [{"token": "\ufffd", "logprob": -0.1, "bytes": list(hamster[:2])}]
    parts += [{"token": "\ufffd", "logprob": -0.1, "bytes": list(hamster[2:])}]
    _, model = await talk(lambda _: completion([*parts, token("B", 0.9)], "🐹B"), logprobs=True)
    step = Step(LETTERS, await model.answer(Request(item, LETTERS)))
    assert odds(step, read("B", (1, 2))) == pytest.approx({"B": 0.9})


async def test_yes_and_no_have_odds_and_a_description_has_none(talk: Talk, item: Item) -> None:
    asked = replace(LETTERS, form=(Field("answer", ("Yes", "No")),))
    _, model = await talk(lambda _: completion([token("yes", 0.8, No=0.1), token(".")]), logprobs=True)
    step = Step(asked, await model.answer(Request(item, asked)))
    assert odds(step, read("Yes", (0, 3))) == pytest.approx({"Yes": 0.8, "No": 0.1})
    described = replace(LETTERS, form=(Field("1.number", ("one",)), Field("1.subject", ("dog",))))
    answer = await model.answer(Request(item, described))
    assert odds(Step(described, answer), None) == {}
    assert answer.call is not None
    assert answer.call.reply["choices"][0]["logprobs"] == {"content": []}


def test_a_letter_chosen_by_a_model_run_here_has_its_odds() -> None:
    reply = {"text": "A", "letters": {"A": math.log(0.25), "B": math.log(0.5)}}
    step = Step(LETTERS, Answer("A", call=Call("answer", "", {}, reply)))
    assert odds(step, None) == pytest.approx({"A": 0.25, "B": 0.5})


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["token", "logprob", "bytes", "top_logprobs", "content"]), inner, max_size=5
        )
    ),
    max_leaves=12,
)


@given(anything, st.text(max_size=5))
def test_whatever_stands_in_the_place_of_log_probabilities_breaks_nothing(told: Any, text: str) -> None:
    raw = {"choices": [{"message": {"content": text}, "logprobs": told}]}
    reply = kept(raw, text, ("A", "B"))
    found = odds(Step(LETTERS, Answer(text, call=Call("answer", "", {}, reply))), None)
    assert set(found) <= {"A", "B", "C"}
