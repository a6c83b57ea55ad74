"""Out of memory: the batch is halved and the run goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import torch
from transformers import GenerationMixin

from core.errors import CallError
from core.respondents.transformers_local import LocalModel
from tests.local.asking import items, requests, run, texts

Make = Callable[..., LocalModel]


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[int]]:
    """``room(2)``: memory for two rows at once; the list tells what was tried."""
    generate = GenerationMixin.generate

    def limit(rows: int) -> list[int]:
        tried: list[int] = []

        def tight(self: Any, **options: Any) -> Any:
            tried.append(len(options["input_ids"]))
            if tried[-1] > rows:
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
            return generate(self, **options)

        monkeypatch.setattr(GenerationMixin, "generate", tight)
        return tried

    return limit


async def test_a_batch_that_does_not_fit_is_halved_until_it_does(
    model: Make, room: Callable[[int], list[int]]
) -> None:
    asked = items(8)
    expected, _ = await run(model(), asked, "direct")
    tried = room(2)
    told: list[str] = []
    steps, totals = await run(model(batch_size=8, tell=told.append), asked, "direct")
    assert totals.finished == 8
    assert texts(steps) == texts(expected)
    assert tried[0] == 8
    assert tried.count(8) == 1  # the size that fits is kept
    assert max(tried[3:]) <= 2
    assert any("going on with 2" in line for line in told)


async def test_one_turn_that_does_not_fit_alone_fails_alone(model: Make, room: Callable[[int], list[int]]) -> None:
    room(0)
    tiny = model(batch_size=4)
    with pytest.raises(CallError) as failed:
        await tiny.answer(requests(1)[0])
    assert "out of memory with one turn alone" in str(failed.value)
    assert not failed.value.fatal
    assert failed.value.call is not None
    assert failed.value.call.error


async def test_a_turn_the_model_chokes_on_takes_nobody_with_it(model: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = requests(4)
    alone = model()
    singles = [(await alone.answer(request)).text for request in asked]
    culprit = (await alone.answer(asked[2])).call
    assert culprit is not None
    generate = GenerationMixin.generate

    def picky(self: Any, **options: Any) -> Any:
        lengths = options["attention_mask"].sum(-1).tolist()
        if culprit.usage.prompt_tokens in lengths:
            raise RuntimeError("shape mismatch")
        return generate(self, **options)

    monkeypatch.setattr(GenerationMixin, "generate", picky)
    tiny = model(batch_size=4)
    answers = await asyncio.gather(*(tiny.answer(request) for request in asked), return_exceptions=True)
    assert isinstance(answers[2], CallError)
    assert "shape mismatch" in str(answers[2])
    said = [answer.text for answer in answers if not isinstance(answer, BaseException)]
    assert said == [singles[0], singles[1], singles[3]]
