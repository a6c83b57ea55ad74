"""Every kind of model goes through every protocol."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.records import Parse, Status
from core.respondents.transformers_local import LocalModel
from tests.local.asking import PROTOCOLS, TEXT_ALONE, items, requests, run, small_pictures, worded

Make = Callable[..., LocalModel]


@pytest.mark.parametrize("family", ["idefics3", "llava", "qwen2_5_vl"])
@pytest.mark.parametrize("benchmark", ["voila", "vrex", "mmra"])
async def test_a_model_that_sees_answers_every_protocol(model: Make, family: str, benchmark: str) -> None:
    tiny = model(family, batch_size=4, max_tokens=12, pictures=small_pictures(benchmark))
    asked = items(2, benchmark=benchmark)
    for named, protocol, options in PROTOCOLS:
        if named != benchmark:
            continue
        steps, totals = await run(tiny, asked, protocol, options)
        assert (totals.finished, totals.failed) == (2, 0), (protocol, options, totals.reasons)
        for step in steps.values():
            call = step.answer.call
            if call is None:  # a description that two items share is asked once
                assert step.turn.shared
                continue
            assert call.served_model.startswith(f"{tiny.settings.model}@")
            assert call.usage.prompt_tokens > 20
            assert 1 <= call.usage.completion_tokens <= 12
            assert step.answer.status in (Status.OK, Status.TRUNCATED, Status.EMPTY)
            assert call.request["prompt"].endswith("<|im_start|>assistant\n")
            assert len(step.answer.sent) == len(step.turn.shows)


async def test_a_text_only_model_answers_what_shows_no_pictures(model: Make) -> None:
    tiny = model("llama", batch_size=4)
    for benchmark, protocol, options in TEXT_ALONE:
        steps, totals = await run(tiny, worded(3, benchmark), protocol, options)
        assert totals.finished == 3, totals.reasons
        assert all(step.answer.call is not None for step in steps.values())


async def test_constrained_letters_answer_a_whole_chain_so_that_every_step_can_be_scored(model: Make) -> None:
    tiny = model("llava", batch_size=4, constrain="letters", pictures=small_pictures("vrex"))
    steps, totals = await run(tiny, items(3, benchmark="vrex"), "planning")
    assert totals.finished == 3
    assert {score.status for step in steps.values() for score in step.scores} == {Parse.OK}


async def test_pictures_stand_in_their_places_and_earlier_turns_in_the_conversation(model: Make) -> None:
    steps, _ = await run(model("idefics3"), items(1))
    last = list(steps.values())[-1].answer.call
    assert last is not None
    prompt = last.request["prompt"]
    roles = [piece.split("\n")[0] for piece in prompt.split("<|im_start|>")[1:]]
    assert roles == ["user", "assistant", "user", "assistant", "user", "assistant"]
    first = prompt.split("<|im_end|>")[0]
    places = [first.index(words) for words in ("Image 1:", "Image 2:", "Image 3:")]
    pictures = [at for at in range(len(first)) if first.startswith("<image>", at)]
    assert sorted(places + pictures) == [value for pair in zip(places, pictures, strict=True) for value in pair]


async def test_the_status_says_whether_the_limit_cut_an_answer_off(model: Make) -> None:
    long, short = model(max_tokens=400), model(max_tokens=2)
    whole, _ = await run(long, items(2), "direct")
    cut, _ = await run(short, items(2), "direct")
    assert {step.answer.status for step in whole.values()} == {Status.OK}
    assert {step.answer.status for step in cut.values()} == {Status.TRUNCATED}
    assert {step.answer.call.usage.completion_tokens for step in cut.values() if step.answer.call} == {2}


async def test_the_hash_of_a_request_covers_what_can_change_the_answer(model: Make) -> None:
    """Words, pictures, parameters and the weights in the folder; not the device or the size of a batch."""
    one, other = requests(2)
    base = (await model().preview(one), await model(batch_size=8).preview(one))
    assert base[0] == base[1]
    changed = [
        await model().preview(other),
        await model("llava").preview(one),
        await model(temperature=0.5).preview(one),
        await model(system="Be brief.").preview(one),
        await model(max_pixels=100).preview(one),
        await model(several="collage").preview(one),
    ]
    assert all(preview != base[0] for preview in changed)
    tiny = model()
    answer = await tiny.answer(one)
    assert answer.call is not None
    assert answer.call.request_hash == (await tiny.answer(one)).call.request_hash  # type: ignore[union-attr]


@pytest.mark.parametrize("family", ["idefics3", "llava", "qwen2_5_vl"])
async def test_half_precision_and_a_device_map_work(model: Make, family: str) -> None:
    tiny = model(family, dtype="bfloat16", device_map="auto", batch_size=2)
    _, totals = await run(tiny, items(2), "direct")
    assert totals.finished == 2
