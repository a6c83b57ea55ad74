"""Turns answered together get the answers they get alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from core.records import Answer, Step
from core.respondents.local import loading
from core.respondents.transformers_local import LocalModel
from tests.local.asking import items, requests, run, texts

Make = Callable[..., LocalModel]
FAMILIES = ["idefics3", "llava", "qwen2_5_vl"]


def batches(answers: list[Answer] | list[Step]) -> set[int]:
    """How many were answered at once."""
    calls = [(entry.answer if isinstance(entry, Step) else entry).call for entry in answers]
    return {call.reply["batch"] for call in calls if call is not None}


@pytest.mark.parametrize("family", FAMILIES)
async def test_batches_of_4_and_8_say_what_singles_say(model: Make, family: str) -> None:
    """co03: replies matched to the wrong samples, or padding that changes what is said, would show here."""
    asked = requests(8)
    alone = model(family)
    singles = [await alone.answer(request) for request in asked]
    assert batches(singles) == {1}
    assert len({answer.text for answer in singles}) > 4
    for size in (4, 8):
        together = model(family, batch_size=size)
        answers = await asyncio.gather(*(together.answer(request) for request in asked))
        assert size in batches(answers)
        assert [answer.text for answer in answers] == [answer.text for answer in singles]
        assert [a.call.usage for a in answers if a.call] == [a.call.usage for a in singles if a.call]


async def test_padding_on_the_right_would_be_seen(model: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control of the test above."""
    load = loading.load_processor

    def right(*args: Any, **options: Any) -> Any:
        processor = load(*args, **options)
        loading.tokenizer_of(processor).padding_side = "right"
        return processor

    asked = requests(8)
    singles = [await model().answer(request) for request in asked]
    monkeypatch.setattr(loading, "load_processor", right)
    together = model(batch_size=8)
    answers = await asyncio.gather(*(together.answer(request) for request in asked))
    assert batches(answers) == {8}
    alike = sum(one.text == other.text for one, other in zip(answers, singles, strict=True))
    assert alike <= 2


async def test_whole_runs_are_alike_at_any_batch_size(model: Make) -> None:
    asked = items(8)
    single, _ = await run(model(), asked)
    for size in (4, 8):
        steps, totals = await run(model(batch_size=size), asked)
        assert totals.finished == 8
        assert texts(steps) == texts(single)
        assert max(batches(list(steps.values()))) == size


async def test_turns_with_and_without_pictures_are_not_mixed_in_a_batch(model: Make) -> None:
    tiny = model(batch_size=8)
    seen = requests(2)
    (text_steps, _), *answers = await asyncio.gather(
        run(tiny, items(2), "direct", {"input": "text"}), *(tiny.answer(request) for request in seen)
    )
    assert len(text_steps) == 2
    alone = model()
    assert [answer.text for answer in answers] == [(await alone.answer(request)).text for request in seen]
