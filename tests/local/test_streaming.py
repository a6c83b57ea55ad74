"""Answers piece by piece, and answers nobody waits for any more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from transformers import GenerationMixin

from core.respondents.transformers_local import LocalModel
from tests.local.asking import items, lettered, requests, run

Make = Callable[..., LocalModel]


@pytest.mark.parametrize("family", ["idefics3", "llava", "qwen2_5_vl"])
async def test_the_pieces_make_the_answer_and_it_is_the_same_as_whole(model: Make, family: str) -> None:
    tiny = model(family, max_tokens=60)
    most = 0
    for request in requests(4):
        pieces: list[str] = []
        streamed = await tiny.answer(request, pieces.append)
        whole = await tiny.answer(request)
        assert "".join(pieces) == streamed.text == whole.text
        assert streamed.status is whole.status
        most = max(most, len(pieces))
    assert most > 5


async def test_a_listener_that_fails_hangs_nobody(model: Make) -> None:
    def broken(_: str) -> None:
        raise ValueError("the screen is gone")

    tiny = model()
    request = requests(1)[0]
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["exception"]))
    await asyncio.gather(tiny.answer(request, broken), return_exceptions=True)
    assert any("the screen is gone" in str(error) for error in told)
    assert (await tiny.answer(request)).text


async def test_cancelling_stops_the_model_at_its_next_token(model: Make) -> None:
    tiny = model("qwen2_5_vl", max_tokens=4000, ends=False)
    request = requests(1)[0]
    started = asyncio.Event()
    task = asyncio.create_task(tiny.answer(request, lambda _: started.set()))
    await asyncio.wait_for(started.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    begun = time.perf_counter()
    await tiny.letters(lettered(items(1)[0]), ("A", "B"))  # waits for the thread to be free
    assert time.perf_counter() - begun < 3  # 4,000 tokens take a minute


async def test_cancelling_one_of_a_batch_leaves_the_others_their_answers(
    model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = requests(4)
    alone = model()
    singles = [(await alone.answer(request)).text for request in asked]
    tiny = model(batch_size=4)
    tasks = [asyncio.create_task(tiny.answer(request)) for request in asked]
    begun = asyncio.Event()
    generate = GenerationMixin.generate
    loop = asyncio.get_running_loop()

    def watched(self: Any, **options: Any) -> Any:
        assert len(options["input_ids"]) == 4
        loop.call_soon_threadsafe(begun.set)
        while not tasks[1].done():
            time.sleep(0.001)
        return generate(self, **options)

    monkeypatch.setattr(GenerationMixin, "generate", watched)
    await asyncio.wait_for(begun.wait(), 60)
    tasks[1].cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(done[1], asyncio.CancelledError)
    assert [a.text for a in (done[0], *done[2:]) if not isinstance(a, BaseException)] == [singles[0], *singles[2:]]


async def test_a_cancelled_run_leaves_the_model_usable(model: Make) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()

    def tell(line: str) -> None:
        if "ready" in line:
            loop.call_soon_threadsafe(ready.set)

    tiny = model(batch_size=4, max_tokens=200, tell=tell)
    task = asyncio.create_task(run(tiny, items(8)))
    await asyncio.wait_for(ready.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    _, totals = await run(tiny, items(2), "direct")
    assert totals.finished == 2


async def test_a_closed_model_can_be_asked_again(model: Make) -> None:
    tiny = model()
    request = requests(1)[0]
    first = await tiny.answer(request)
    await tiny.close()
    assert (await tiny.answer(request)).text == first.text
