"""Whatever a model says is read without a fault: what is read is on offer, and stands where it is said to."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.judging.reading import UnreadableError, read_verdicts
from core.letters import read_choice, read_yes_no
from core.packs import pack
from core.prompts import prompts_for
from core.records import Answer, Item, Layout, Parse, Score, Step, Turn
from core.respondents.batch_lines import read_results
from core.respondents.replies import GarbageError, loads, mended, read_reply, split_reasoning
from core.scoring import scorers_of
from tests.fuzzing import changed, damaged, fuzzed, json_values, nasty, texts

BENCHMARKS = (("voila", "WD", "l2m"), ("vrex", "", "planning"), ("vrex", "", "following"), ("mmra", "", "iq"))
WORDS = (
    *"one two 3 none hamsters fox walking typing Image picture 1: 2) number subject action stays same any".split(),
    *"changed from to different distraction yes no Yes. No A B C D E (A) B. C) **D** option choice answer".split(),
    *"Answer: final the is are neither both all either not wrong correct because however therefore wait".split(),
    *"actually first fourth = -> → | - * # ANSWER: {number} 選 答案 是 A是 réponse".split(),
    *("The answer is", "Final answer:", "I cannot", "none of the above", "rather than", "instead of"),
)


@cache
def turns(benchmark: str, subset: str, protocol: str) -> tuple[tuple[Item, Turn], ...]:
    """Turns of a few items of the built-in pack, gold answers in between."""
    known = registry.get(benchmark)
    made = known.protocols[protocol](subset, {}, prompts_for(benchmark))
    out = []
    for item in islice(known.load(pack(benchmark, subset), subset, LoadOptions()), 3):
        steps: list[Step] = []
        while (turn := made.next_turn(item, steps)) is not None:
            out.append((item, turn))
            score = known.score(item, turn, turn.gold_text)
            steps.append(Step(turn, Answer(turn.gold_text), (score,), choice=made.choice(item, turn, score)))
    return tuple(out)


HOW: Final = ("from", "to", "by", "value")
"""What an answer says of how a property changes, beside what it was asked for."""


def sound(score: Score, turn: Turn, text: str, layout: Layout) -> None:
    """What holds of every score of whatever text."""
    assert 0 <= score.right <= score.scored < 1 << layout.units * len(layout.properties)
    assert score.right & ~score.scored == 0
    fields = {field.name: field.options for field in turn.form}
    if score.status is not Parse.OK:
        assert score.right == 0
    for name, value in score.parsed.items():
        unit, _, of = name.rpartition(".")
        if of in HOW and unit in fields:
            continue
        assert name in fields
        if of in layout.properties and fields[name] and value not in fields[name]:  # said, and on no list
            assert not score.right & layout.bit(of, int(unit or 1) - 1)
    for start, end in score.spans.values():
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(("benchmark", "subset", "protocol"), BENCHMARKS)
@fuzzed(30)
@given(text=texts(WORDS), which=st.integers(0, 99))
@example(text="None ", which=8)  # a number that is on no list is read as what was said, and wrong
@example(text="'; DROP TABLE runs;-- ", which=4)  # "drop" says in which direction
def test_fuzz_a_score_of_any_text_is_sound(benchmark: str, subset: str, protocol: str, text: str, which: int) -> None:
    there = turns(benchmark, subset, protocol)
    item, turn = there[which % len(there)]
    known = registry.get(benchmark)
    for scorer in scorers_of(known):
        score = scorer.score(item, turn, Answer(text))
        sound(score, turn, text, known.layout(turn.step))
        assert scorer.score(item, turn, Answer(text)) == score


OPTIONS = st.dictionaries(
    st.sampled_from("ABCDEFGH"), texts(WORDS).map(lambda text: text[:60]), min_size=2, max_size=6
)


@fuzzed(120)
@given(text=texts(WORDS), options=OPTIONS)
def test_fuzz_a_letter_is_one_of_those_on_offer_and_stands_in_the_text(text: str, options: dict[str, str]) -> None:
    reading = read_choice(text, options)
    assert (reading.answer is None) == (reading.span is None) == (reading.status is not Parse.OK)
    if reading.answer is not None and reading.span is not None:
        start, end = reading.span
        assert reading.answer in options
        assert 0 <= start < end <= len(text)
        assert text[start:end].strip()


@fuzzed(80)
@given(text=texts(WORDS))
def test_fuzz_yes_or_no_stands_in_the_text(text: str) -> None:
    reading = read_yes_no(text)
    assert reading.answer in (None, "Yes", "No")
    if reading.span is not None:
        assert text[slice(*reading.span)].strip()


@fuzzed(60)
@given(text=st.one_of(texts((*WORDS, '{"a": 1}', '{"number": "yes"}', "```json", "{'a': True}")), nasty))
def test_fuzz_verdicts_are_of_the_keys_asked_for(text: str) -> None:
    try:
        verdicts = read_verdicts(text, ["number", "subject"])
    except UnreadableError:
        return
    assert verdicts.keys() <= {"number", "subject"}


@fuzzed(60)
@given(data=st.data())
def test_fuzz_results_of_a_batch_are_read_line_by_line(data: st.DataObject) -> None:
    body = {"choices": [{"message": {"content": "B"}}]}
    line = {"custom_id": "a.0", "response": {"status_code": 200, "body": body}, "error": None}
    broken = {"custom_id": "b.0", "response": None, "error": {"code": "batch_expired", "message": "late"}}
    lines = data.draw(changed([line, broken, line]))
    text = "".join(json.dumps(each) + "\n" for each in (lines if isinstance(lines, list) else [lines])).encode()
    for raw in (text, data.draw(damaged(text or b"{}"))):
        found = read_results([raw])
        assert found.twice >= 0
        assert all(name == each.custom_id for name, each in found.lines.items())


@fuzzed(60)
@given(value=json_values, text=nasty)
@example(value={"choices": [{"message": {"content": None}}]}, text="")
def test_fuzz_a_reply_of_any_shape_is_read_or_refused(value: object, text: str) -> None:
    for shaped in (
        value,
        {"choices": value},
        {"choices": [value]},
        {"choices": [{"message": value}]},
        {"choices": [{"message": {"content": value}, "finish_reason": value}], "usage": value, "model": value},
    ):
        try:
            reply = read_reply(mended(shaped))
        except GarbageError:
            continue
        assert isinstance(reply.text, str)
        reply.text.encode("utf-8", "surrogatepass")
    assert all(isinstance(part, str) for part in split_reasoning(text))
    with suppress(GarbageError):
        loads(text)
