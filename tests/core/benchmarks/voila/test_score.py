"""The rule scorer: gold in any wording is right, anything else is not."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmarks.voila import wording
from core.benchmarks.voila.question import CHANGED, SAME, Question, layout, question, solve
from core.benchmarks.voila.score import SCORER, VERSION, score
from core.benchmarks.voila.vocabulary import ACTIONS, ANY, NUMBERS, PROPERTIES, SUBJECTS, Content, all_contents
from core.records import Item, Parse, Turn
from tests.voila_data import loaded, small_voila_file, voila_file
from tests.voila_wordings import DISGUISES, WORDINGS

STEPS = ("describe", "relate", "apply")
VALUES = {"number": NUMBERS, "subject": SUBJECTS, "action": ACTIONS}
CONTENTS = all_contents()


def made(contents: tuple[Content, Content, Content]) -> Item:
    return Item("voila", "WD", "voila-1", (), {}, Question(contents, solve(contents), 1).to_facts())


items = st.tuples(*[st.sampled_from(CONTENTS)] * 3).map(made)


def gold(item: Item, step: str) -> dict[str, str]:
    view = question(item)
    if step == "describe":
        return {f"{unit}.{name}": c.value(name) for unit, c in enumerate(view.contents, 1) for name in PROPERTIES}
    if step.startswith("relate"):
        only = step.partition(".")[2]
        return {name: view.relation(name) for name in PROPERTIES if only in ("", name)}
    return {name: view.answer.value(name) for name in PROPERTIES}


def bit(step: str, field: str) -> int:
    unit, _, name = field.rpartition(".")
    return layout(step.partition(".")[0]).bit(name, int(unit or 1) - 1)


def judged(item: Item, step: str, text: str):  # type: ignore[no-untyped-def]
    return score(item, Turn(step, ()), text)


@st.composite
def wordings(draw: st.DrawFn, step: str) -> tuple[str, str]:
    name = draw(st.sampled_from(sorted(WORDINGS[step])))
    disguise = draw(st.sampled_from(sorted(DISGUISES)))
    return name, disguise


@pytest.mark.parametrize("step", STEPS)
def test_there_are_at_least_ten_wordings(step: str) -> None:
    assert len(WORDINGS[step]) >= 10


@pytest.mark.parametrize("step", STEPS)
@given(data=st.data())
def test_gold_in_any_wording_and_disguise_is_right(step: str, data: st.DataObject) -> None:
    item = data.draw(items)
    name, disguise = data.draw(wordings(step))
    text = DISGUISES[disguise](WORDINGS[step][name](item, gold(item, step)))
    result = judged(item, step, text)
    assert result.correct, text
    assert result.scored == layout(step).mask
    assert result.status is Parse.OK
    for field, value in gold(item, step).items():
        assert result.parsed[field] == value
        start, end = result.spans[field]
        assert text[start:end]


@pytest.mark.parametrize("step", STEPS)
@given(data=st.data())
def test_a_wrong_value_is_never_right_and_spoils_nothing_else(step: str, data: st.DataObject) -> None:
    item = data.draw(items)
    name, disguise = data.draw(wordings(step))
    values = gold(item, step)
    field = data.draw(st.sampled_from(sorted(values)))
    if step == "relate":
        values[field] = SAME if values[field] == CHANGED else CHANGED
    else:
        options = [value for value in (*VALUES[field.rpartition(".")[2]], ANY) if value != values[field]]
        if step == "describe":
            options.remove(ANY)
        values[field] = data.draw(st.sampled_from(options))
    text = DISGUISES[disguise](WORDINGS[step][name](item, values))
    result = judged(item, step, text)
    assert result.right == layout(step).mask & ~bit(step, field), text


@pytest.mark.parametrize("step", STEPS)
@given(data=st.data())
def test_a_value_left_out_is_wrong(step: str, data: st.DataObject) -> None:
    item = data.draw(items)
    values = gold(item, step)
    field = data.draw(st.sampled_from(sorted(values)))
    del values[field]
    names = ("lines", "JSON" if step != "describe" else "JSON object", "table")
    text = WORDINGS[step][data.draw(st.sampled_from(names))](item, values)
    result = judged(item, step, text)
    assert field not in result.parsed, text
    assert not result.right & bit(step, field), text
    assert result.scored & bit(step, field)


@pytest.mark.parametrize("name", PROPERTIES)
@given(data=st.data())
def test_a_sub_prompt_scores_its_property_alone(name: str, data: st.DataObject) -> None:
    item = data.draw(items)
    step = f"relate.{name}"
    key = data.draw(st.sampled_from(sorted(WORDINGS["relate"])))
    result = judged(item, step, WORDINGS["relate"][key](item, gold(item, step)))
    assert result.scored == bit("relate", name) == result.right
    assert all(field.partition(".")[0] == name for field in result.parsed)


@given(item=items, name=st.sampled_from(PROPERTIES), data=st.data())
def test_a_relation_with_a_wrong_value_is_wrong(item: Item, name: str, data: st.DataObject) -> None:
    view = question(item)
    before, after = (view.contents[unit].value(name) for unit in (0, 1))
    wrong = data.draw(st.sampled_from([value for value in VALUES[name] if value not in (before, after)]))
    forms = [f"{name}: changed from {before} to {wrong}", f"the {name} went from {wrong} to {after}",
             f"{name}: {before} -> {wrong}", f"{name}: still {wrong}", f"{name}: changed to {wrong}"]  # fmt: skip
    for text in forms:
        assert not judged(item, "relate", text).right & bit("relate", name), text


@pytest.mark.parametrize(
    ("before", "after", "text", "right"),
    [
        ("two", "four", "The number doubled.", True),
        ("one", "three", "The number doubled.", False),
        ("four", "two", "The number was halved.", True),
        ("two", "four", "The number increased by two.", True),
        ("two", "three", "The number increased by two.", False),
        ("two", "four", "The number increased.", True),
        ("four", "two", "The number increased.", False),
        ("three", "two", "There is one fewer dog.", True),
        ("two", "three", "There is one fewer dog.", False),
        ("two", "three", "Number: +1", True),
        ("two", "four", "Number: +1", False),
        ("two", "two", "The number doubled.", False),
    ],
)
def test_relative_amounts_must_fit(before: str, after: str, text: str, right: bool) -> None:
    first, second = Content(before, "dog", "walking"), Content(after, "dog", "walking")
    item = made((first, second, Content("one", "cat", "reading")))
    assert bool(judged(item, "relate", text).right & bit("relate", "number")) is right


DISTRACTED = made(
    (Content("three", "cat", "walking"), Content("one", "bear", "walking"), Content("two", "dog", "typing"))
)


def test_any_is_right_only_where_the_answer_says_it() -> None:
    assert question(DISTRACTED).answer == Content(ANY, ANY, "typing")
    assert judged(DISTRACTED, "apply", "number = any, subject = any, action = typing").correct
    assert judged(DISTRACTED, "apply", "two dogs typing").right == bit("apply", "action")
    assert judged(DISTRACTED, "apply", "typing").right == bit("apply", "action")


@pytest.mark.parametrize(
    ("step", "text", "status"),
    [
        ("apply", "", Parse.NO_ANSWER),
        ("apply", "<think>two dogs walking", Parse.NO_ANSWER),
        ("apply", "Error: rate limited", Parse.NO_ANSWER),
        ("apply", "I'm sorry, but I can't help with that.", Parse.REFUSAL),
        ("describe", "I’m unable to identify people in images.", Parse.REFUSAL),
        ("relate", "Sorry, I cannot make out the second picture.", Parse.REFUSAL),
        ("apply", "The answer is number = two or three", Parse.AMBIGUOUS),
        ("relate", "The number changed. The number stayed the same.", Parse.AMBIGUOUS),
        ("apply", "two or three dogs", Parse.OK),
        ("apply", "I can't be sure, but two dogs walking.", Parse.OK),
    ],
)
def test_status(step: str, text: str, status: Parse) -> None:
    result = judged(DISTRACTED, step, text)
    assert result.status is status
    assert (result.scorer, result.version) == (SCORER, VERSION)
    if status is not Parse.OK:
        assert result.right == 0
        assert result.scored == layout(step).mask


def test_a_picture_is_not_judged_from_text() -> None:
    result = judged(DISTRACTED, "generate", "two dogs typing")
    assert (result.status, result.right, result.scored) == (Parse.NO_ANSWER, 0, 0)


def test_gold_of_every_item_in_the_files_own_words_is_right(tmp_path: Path) -> None:
    file = voila_file(tmp_path)
    rows = list(_rows(file))
    count = 0
    for item, row in zip(loaded(file), rows, strict=True):
        count += 1
        described = row.get("combined_description") or row["combined_descriptions"]
        assert judged(item, "describe", described).correct
        assert judged(item, "relate", row.get("Real_relations") or row["relations"]).correct
        assert judged(item, "apply", row.get("desc_im4") or row["desc_img4"]).correct
    assert count == len(rows) > 3000


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


@pytest.mark.parametrize("subset", ["ND", "WD"])
def test_what_the_wording_writes_is_right_and_quickly_read(subset: str, tmp_path: Path) -> None:
    spent = dict.fromkeys(STEPS, 0.0)
    count = 0
    for item in loaded(small_voila_file(tmp_path, 400, subset)):
        count += 1
        for step in STEPS:
            turn = Turn(step, ())
            text = wording.write(item, turn, gold(item, step))
            before = time.process_time()
            result = score(item, turn, text)
            spent[step] += time.process_time() - before
            assert result.correct, text
    print({step: f"{seconds / count * 1e3:.3f} ms" for step, seconds in spent.items()})
