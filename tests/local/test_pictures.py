"""Models that take one picture, or none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.errors import RespondentError
from core.records import Show
from core.respondents.base import Exchange, Request
from core.respondents.transformers_local import LocalModel
from tests.local.asking import first_turn, items, run, small_pictures

Make = Callable[..., LocalModel]


async def test_a_model_of_one_picture_gets_the_collage_where_that_is_set(model: Make) -> None:
    tiny = model("llava", one_picture=True, several="collage")
    steps, totals = await run(tiny, items(1))
    assert totals.finished == 1
    for step in steps.values():
        assert step.answer.call is not None
        assert step.answer.call.request["prompt"].count("<image>") == 1
    describe = next(iter(steps.values()))
    (sent,) = describe.answer.sent
    assert sent.hash == small_pictures().sent(items(1)[0], Show((0, 1, 2))).hash


async def test_it_says_so_clearly_where_nothing_is_set(model: Make) -> None:
    with pytest.raises(RespondentError) as refused:
        await run(model("llava", one_picture=True), items(1))
    assert "Only one image is supported" in refused.value.what
    assert 'several = "collage"' in refused.value.remedy


async def test_several_pictures_are_refused_before_anything_is_loaded_where_that_is_set(model: Make) -> None:
    told: list[str] = []
    tiny = model("llava", several="error", tell=told.append)
    with pytest.raises(RespondentError, match="shows 3 pictures"):
        await run(tiny, items(1))
    assert told == []
    _, totals = await run(tiny, items(1), "direct", {"images": "collage"})
    assert totals.finished == 1


async def test_pictures_of_earlier_turns_go_into_the_same_collage(model: Make) -> None:
    item = items(1)[0]
    turn = first_turn(item)
    request = Request(item, turn, (Exchange(turn, "three pictures"),))
    preview = await model("llava", several="collage").preview(request)
    shown = [
        part["image_url"]["picture"]
        for message in preview["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    assert shown == [small_pictures().sent(item, Show((0, 1, 2))).hash]
    assert isinstance(preview["messages"][-1]["content"], str)


async def test_a_text_only_model_shown_pictures_says_what_to_do(model: Make) -> None:
    with pytest.raises(RespondentError) as refused:
        await run(model("llama"), items(1))
    assert "reads text alone" in refused.value.what
    assert "input=text" in refused.value.remedy


async def test_pictures_are_left_out_where_looks_is_off(model: Make) -> None:
    steps, totals = await run(model("llama", looks=False), items(1))
    assert totals.finished == 1
    assert all(step.answer.sent == () for step in steps.values())
