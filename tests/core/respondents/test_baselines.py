"""Baselines: what they answer, that chances are seeded, and bad replay files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.benchmarks import registry
from core.errors import CallError, DataError, UsageError
from core.prompts import prompts_for
from core.records import Answer, Item, Picture, Status, Step, Turn
from core.respondents.base import Exchange, Request
from core.respondents.baselines import asked_of, make_baseline
from core.respondents.images.drawing import draw
from tests.core.questions import change_of_all, distracted

VOILA = registry.get("voila")


def turn_of(item: Item, subset: str = "ND", protocol: str = "direct") -> Turn:
    turn = VOILA.protocols[protocol](subset, {}, prompts_for("voila")).next_turn(item, ())
    assert turn is not None
    return turn


async def said(spec: str, item: Item, *, repeat: int = 0, seed: int = 0, protocol: str = "direct") -> str:
    respondent = make_baseline(spec)
    assert respondent is not None
    answer = await respondent.answer(Request(item, turn_of(item, item.subset, protocol), repeat=repeat, seed=seed))
    return answer.text


async def test_the_oracle_says_the_gold() -> None:
    assert await said("oracle", distracted()) == "The answer is number = any, subject = any, action = typing"


async def test_noisy_of_one_is_always_right_and_of_zero_never() -> None:
    for number in range(1, 40):
        item = change_of_all(number)
        turn = turn_of(item)
        right = VOILA.score(item, turn, await said("noisy:1", item))
        wrong = VOILA.score(item, turn, await said("noisy:0", item))
        assert (right.right, wrong.right) == (0b111, 0)


async def test_noisy_errs_about_as_often_as_it_says_in_each_property() -> None:
    right = [0, 0, 0]
    for number in range(1, 601):
        item = change_of_all(number)
        score = VOILA.score(item, turn_of(item), await said("noisy:0.7", item))
        for index in range(3):
            right[index] += score.right >> index & 1
    assert all(abs(count / 600 - 0.7) < 0.06 for count in right), right


async def test_chances_are_the_same_again_and_differ_by_item_repeat_and_seed() -> None:
    once = [await said("random", change_of_all(n)) for n in range(1, 30)]
    assert once == [await said("random", change_of_all(n)) for n in range(1, 30)]
    assert once != [await said("random", change_of_all(n), repeat=1) for n in range(1, 30)]
    assert once != [await said("random", change_of_all(n), seed=1) for n in range(1, 30)]


@pytest.mark.parametrize("spec", ["noisy:2", "noisy:-0.1", "noisy:x", "noisy:", "noisy:nan"])
def test_a_probability_out_of_range_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="0 to 1"):
        make_baseline(spec)


def test_other_names_are_not_baselines() -> None:
    assert make_baseline("gpt-4o") is None
    assert make_baseline("noisy") is None


def write_lines(file: Path, *lines: object) -> Path:
    file.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8"
    )
    return file


async def test_replay_says_what_was_recorded_by_item_and_step(tmp_path: Path) -> None:
    file = write_lines(
        tmp_path / "replies.jsonl",
        {"item": "voila-1", "step": "apply", "text": "two cats running"},
        {"item": "voila-1", "step": "apply", "text": "another time", "repeat": 1},
        {"item": "voila-2", "step": "apply", "text": "cut sh", "finish_reason": "length"},
    )
    item = change_of_all()
    assert await said(f"replay:{file}", item) == "two cats running"
    assert await said(f"replay:{file}", item, repeat=1) == "another time"
    respondent = make_baseline(f"replay:{file}")
    assert respondent is not None
    cut = await respondent.answer(Request(change_of_all(2), turn_of(change_of_all(2))))
    assert cut.status is Status.TRUNCATED


async def test_a_line_for_one_conversation_serves_no_other(tmp_path: Path) -> None:
    item = change_of_all()
    turn = turn_of(item)
    plain, told = Request(item, turn), Request(item, turn, (Exchange(turn, "as put in"),))
    file = write_lines(
        tmp_path / "replies.jsonl",
        {"item": "voila-1", "step": "apply", "text": "plain", "asked": asked_of(plain)},
        {"item": "voila-1", "step": "apply", "text": "after that", "asked": asked_of(told)},
    )
    respondent = make_baseline(f"replay:{file}")
    assert respondent is not None
    assert (await respondent.answer(plain)).text == "plain"
    assert (await respondent.answer(told)).text == "after that"
    with pytest.raises(CallError, match="no answer of voila-1"):
        await respondent.answer(Request(item, turn, (Exchange(turn, "something else"),)))
    other = replace(item, pictures=(Picture("another.png"), *item.pictures[1:]))
    with pytest.raises(CallError, match="no answer of voila-1"):
        await respondent.answer(Request(other, turn))


async def test_what_a_replay_does_not_hold_fails_that_trajectory_alone(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "r.jsonl", {"item": "voila-9", "step": "apply", "text": "x"})
    with pytest.raises(CallError, match="no answer of voila-1 at apply"):
        await said(f"replay:{file}", change_of_all())


def test_all_bad_lines_of_a_replay_are_named_together(tmp_path: Path) -> None:
    file = write_lines(
        tmp_path / "r.jsonl",
        {"item": "voila-1", "step": "apply", "text": "x"},
        "null",
        '{"item": "voila-1", "step": "ap',
        {"item": "voila-2", "text": "y"},
        {"item": "voila-2", "step": "apply", "text": "y", "repeat": []},
        {"item": "voila-2", "step": "apply", "text": "y", "asked": []},
        "[" * 100_000,
    )
    with pytest.raises(DataError) as refused:
        make_baseline(f"replay:{file}")
    assert [problem.row for problem in refused.value.problems] == [2, 3, 4, 5, 6, 7]


def test_the_same_answers_in_another_file_are_the_same_respondent(tmp_path: Path) -> None:
    line = {"item": "voila-1", "step": "apply", "text": "x"}
    one = make_baseline(f"replay:{write_lines(tmp_path / 'a.jsonl', line)}")
    other = make_baseline(f"replay:{write_lines(tmp_path / 'b.jsonl', line)}")
    changed = make_baseline(f"replay:{write_lines(tmp_path / 'c.jsonl', line | {'text': 'y'})}")
    assert one is not None
    assert other is not None
    assert changed is not None
    assert one.identity == other.identity != changed.identity


async def test_seeing_errs_in_what_it_says_it_sees_and_reasons_without_fault_from_that() -> None:
    """Gold descriptions put in: all the rest is right. Its own: the rest is as wrong as they are."""
    protocol = VOILA.protocols["l2m"]("ND", {}, prompts_for("voila"))
    respondent = make_baseline("seeing:0.6")
    assert respondent is not None
    own, mended = 0, 0
    for number in range(1, 41):
        item = change_of_all(number)
        describe = protocol.next_turn(item, ())
        assert describe is not None
        seen = (await respondent.answer(Request(item, describe))).text
        for text in (seen, describe.gold_text):
            steps: list[Step] = [Step(describe, Answer(text))]
            while (turn := protocol.next_turn(item, steps)) is not None:
                history = tuple(Exchange(step.turn, step.answer.text) for step in steps)
                steps.append(Step(turn, await respondent.answer(Request(item, turn, history))))
            right = VOILA.score(item, steps[-1].turn, steps[-1].answer.text).correct
            own, mended = (own + right, mended) if text is seen else (own, mended + right)
            if text is describe.gold_text:
                assert VOILA.score(item, steps[1].turn, steps[1].answer.text).correct
    assert mended == 40
    assert own < 20


async def drawn(spec: str, item: Item, applied: str, *, repeat: int = 0) -> Answer:
    """What a baseline makes of the fourth step after that answer to the third."""
    protocol = VOILA.protocols["direct"](item.subset, {"generate": "yes"}, prompts_for("voila"))
    turn = protocol.next_turn(item, ())
    assert turn is not None
    last = protocol.next_turn(item, [Step(turn, Answer(applied))])
    assert last is not None
    respondent = make_baseline(spec)
    assert respondent is not None
    return await respondent.answer(Request(item, last, (Exchange(turn, applied),), repeat))


async def test_baselines_draw_where_a_picture_is_asked_for() -> None:
    item = change_of_all()
    turn = turn_of(item)
    gold = await drawn("oracle", item, turn.gold_text)
    assert gold.picture is not None
    assert (gold.text, gold.status, gold.picture.size) == ("", Status.OK, (256, 256))
    assert gold.picture == draw(item, replace(turn, step="generate"), "two cats running").picture
    assert await drawn("oracle", item, "whatever") == gold == await drawn("noisy:1", item, "")
    assert (await drawn("oracle", item, "", repeat=1)).picture != gold.picture
    assert (await drawn("noisy:0", item, "")).picture != gold.picture
    assert (await drawn("random", item, "")).picture is not None
    assert (await drawn("oracle", distracted(), "")).picture is not None, "any is drawn as one that fits"


async def test_seeing_draws_what_it_answered_right_or_wrong() -> None:
    item = change_of_all()
    wrong = await drawn("seeing:1", item, "The answer is number = four, subject = wolves, action = typing")
    turn = replace(turn_of(item), step="generate")
    assert wrong.picture == draw(item, turn, "four wolves typing").picture
    assert (await drawn("seeing:1", item, "I cannot say")).picture == draw(item, turn, "two cats running").picture


def test_what_cannot_be_drawn_is_said() -> None:
    item = change_of_all()
    with pytest.raises(CallError, match="'a herd of mice' cannot be drawn"):
        draw(item, turn_of(item), "a herd of mice")
    with pytest.raises(CallError, match="cannot be drawn"):
        draw(replace(item, benchmark="vrex"), turn_of(item), "two cats running")
    with pytest.raises(CallError, match="nothing says what to draw"):
        draw(item, turn_of(item), "")
