"""A picture that a step was answered with, on the screen: beside those of the question, and large."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from PIL import Image
from textual.widgets import Static

from core.pictures import encoded
from core.records import Answer, Origin, SentPicture
from core.respondents.base import OnDelta, Request
from sessions.store import Store
from tests.tui.pilots import app_on, idle, press, words
from tests.tui.stage import Told, plan, stepping
from tui.cli.saving import save_made
from tui.imaging import Imaging
from tui.screens.zoom import ZoomScreen
from tui.state.stepping import Stepping
from tui.widgets.pictures import PictureBox, Scaler

GENERATE = {"generate": "yes"}


class Maker(Told):
    """Makes a picture of one colour."""

    name = "maker"
    draws = True

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        return Answer("", picture=encoded(Image.new("RGB", (40, 20), "teal"), "made by maker"))


def with_maker() -> Stepping:
    """The gold in words, and another one who makes the picture."""
    state = stepping(Told(), options=GENERATE)
    state.plan = state.engine.plan = replace(plan(Told(), GENERATE), respondents_at={"generate": Maker()})
    return state


async def test_it_stands_beside_the_pictures_of_the_question_and_can_be_looked_at_large() -> None:
    async with app_on(with_maker()).run_test(size=(120, 40)) as pilot:
        await press(pilot, "r")
        boxes = list(pilot.app.screen.query(PictureBox))
        captions = [str(box.query_one(".picture-caption", Static).content) for box in boxes]
        assert len(boxes) == 4
        assert captions[-1].startswith("answered")
        assert "40x20" in captions[-1]
        assert "a picture of 40 x 20" in words(pilot)
        assert "maker" in words(pilot)
        assert "no answer" not in words(pilot)
        await press(pilot, "z", "left")
        assert isinstance(pilot.app.screen, ZoomScreen)
        assert "made by maker" in words(pilot)


async def test_another_one_sent_in_for_a_step_of_words_is_named() -> None:
    state = stepping(Told())
    other = Told()
    other.name = "another"
    state.plan = state.engine.plan = replace(plan(Told()), respondents_at={"describe": other})
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        assert state.current.steps[0].origin is Origin.OTHER
        assert "another" in words(pilot)


async def test_no_words_are_put_in_for_it() -> None:
    state = stepping(options=GENERATE)
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "r", "e")
        assert not state.drafts
        assert len(pilot.app.screen_stack) == 2
        await press(pilot, "g")
        assert state.current.steps[-1].origin is Origin.GOLD
        await idle(pilot)


def test_a_stored_one_is_read_from_the_store_and_a_bad_one_is_said() -> None:
    buffer = io.BytesIO()
    Image.effect_noise((10, 10), 90).convert("RGB").save(buffer, "PNG")
    item = stepping().item
    stored = {"good": buffer.getvalue(), "torn": buffer.getvalue()[:100]}
    scaler = Scaler(None, Imaging("halfcell"), stored.get)
    made = {name: SentPicture(name, "image/png", (10, 10), (10, 10), "made") for name in ("good", "torn", "gone")}
    assert scaler.make(item, made["good"], 20, 10).image is not None
    assert "torn or damaged" in scaler.make(item, made["torn"], 20, 10).words
    assert scaler.make(item, made["gone"], 20, 10).words == "the store does not hold this picture"
    assert Scaler(None, Imaging("off"), stored.get).make(item, made["good"], 20, 10).words == "10x10"


@pytest.mark.parametrize(("mime", "ending"), [("image/png", "png"), ("image/../../x", ".._.._x"), ("image/", "png")])
async def test_a_saved_picture_stays_in_its_folder_whatever_its_type_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mime: str, ending: str
) -> None:
    state = with_maker()
    await state.open_item(0)
    await state.to_end()
    last = state.current.steps[-1]
    assert last.answer.picture is not None
    answer = replace(last.answer, picture=replace(last.answer.picture, mime=mime))
    made = replace(state.current, id=7, steps=(replace(last, answer=answer),))
    monkeypatch.setattr("sessions.reading.picture", lambda store, digest: b"its bytes")
    folder = tmp_path / "deep" / "out"
    save_made(cast("Store", None), [made], folder)
    (file,) = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert file.parent == folder
    assert file.read_bytes() == b"its bytes"
    assert file.name == f"{state.item.id}-7-1-generate.{ending}"
