"""The reviewer's screen: what its keys leave in the store."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Key

from core.config import Config
from core.curation.review import Draft, verdict_of
from core.errors import PictureError, UsageError
from core.records import Item, Show, Text, Trajectory, Turn
from sessions.curating.desk import Desk, Waiting
from sessions.curating.state import standings
from sessions.opening import OpenRun
from sessions.reopening import reopen
from sessions.store import Store
from tests.sessions.curating.test_desk import made
from tests.tui.pilots import until, words
from tests.tui.reviewing.stage import candidates, pairs, ready, reviewing, writing
from tui.reviewing.case import asked_and_words
from tui.sitting.pictures import PlainBox, PlainZoom


@pytest.fixture
def opened(store: Store, tmp_path: Path) -> OpenRun:
    """Three items that wait for a first review."""
    return made(store, tmp_path)


def verdicts(opened: OpenRun) -> list[str]:
    found = standings(opened.store, opened.run, opened.prepared.plan.protocol)
    last = [verdict_of(one.trajectory.steps[-1]) for one in found]
    return sorted(f"{one.reviewer} {one.verdict} {one.reason}".strip() for one in last if one is not None)


async def test_accept_edit_and_reject_are_one_key_each_and_on_disk(opened: OpenRun, quick: None) -> None:
    async with reviewing(opened) as (pilot, app):
        told = words(pilot)
        assert "; 0 done, 3 left; make-vrex-chains" in told
        assert "gold: Where is house 1 of map" in told
        assert "Is this item as it should be?" in told
        await until(pilot, lambda: any(box.drawn for box in app.screen.query(PlainBox)))
        await pilot.press("a")
        await ready(pilot)
        assert verdicts(opened) == ["R1 accept"]
        area = await writing(pilot, "e")
        area.load_text(area.text.replace("What lies in corner 0 at 1?", "Who left the gate open?"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.desk.done == 2)
        area = await writing(pilot, "r")
        area.load_text("dull\nand wrong")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Nothing waits for you any more" in words(pilot))
    assert verdicts(opened) == ["R1 accept", "R1 edit", "R1 reject dull and wrong"]
    async with reviewing(opened, "R2") as (pilot, app):
        seen = [words(pilot)]
        await pilot.press("s")
        await until(pilot, lambda: words(pilot) != seen[0])
        seen.append(words(pilot))
        assert any("Who left the gate open?" in one for one in seen)
    assert verdicts(opened) == ["R1 accept", "R1 edit", "R1 reject dull and wrong"], "later is no verdict"


async def test_an_edit_that_breaks_the_item_is_told_and_can_be_left(opened: OpenRun, quick: None) -> None:
    async with reviewing(opened) as (pilot, app):
        area = await writing(pilot, "e")
        area.load_text("step 1")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "the chain has 2 steps" in words(pilot))
        await pilot.press("escape")
        await ready(pilot)
        assert app.desk.done == 0
    assert verdicts(opened) == []


async def test_what_was_typed_comes_back_until_it_is_saved(opened: OpenRun, quick: None) -> None:
    async with reviewing(opened) as (pilot, app):
        area = await writing(pilot, "e")
        original = area.text
        await pilot.press(*"mine", "ctrl+c")
        assert app.is_running
        area = await writing(pilot, "e")
        assert area.text == original.replace("step 1", "step 1mine", 1)
    async with reviewing(opened) as (pilot, app):
        area = await writing(pilot, "e")
        assert "step 1mine" in area.text
        await pilot.press("ctrl+n")
        await until(pilot, lambda: area.text == original)
        await pilot.press("escape")
        await writing(pilot, "r")
        await pilot.press(*"dull", "escape")
        await ready(pilot)
        assert (app.draft("edit").text, app.draft("reject").text) == (None, "dull")
        await writing(pilot, "e")
        await pilot.press(*"mine", "escape")
        await ready(pilot)
        await writing(pilot, "r")
        await pilot.press("enter")
        await until(pilot, lambda: app.desk.done == 1)
        await until(pilot, lambda: not dict(app._drafts))
        await ready(pilot)
        await pilot.press("ctrl+c")
    assert verdicts(opened) == ["R1 reject dull"]


async def test_who_writes_a_question_sees_the_pair_and_is_offered_what_can_be_done(
    store: Store, tmp_path: Path, quick: None
) -> None:
    run = await asyncio.to_thread(pairs, store, tmp_path)
    async with reviewing(run) as (pilot, app):
        told = words(pilot)
        assert told.count("Decide whether a question") == 1
        assert "e write  r nothing fits" in told
        assert "accept" not in told
        await writing(pilot, "e")
        assert len(app.screen.query(PlainBox)) == 2
        await pilot.press("escape")
        await ready(pilot)
        await pilot.press("a")
        await until(pilot, lambda: app._notifications)
        assert next(iter(app._notifications)).message.startswith("not kept: ")
        await writing(pilot, "r")
        await pilot.press("enter")
        await until(pilot, lambda: app.desk.done == 1)
        await ready(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "1 item for later" in words(pilot))


async def test_a_candidate_is_looked_at_closely_and_no_more_are_asked_for_than_are_kept(
    store: Store, tmp_path: Path, quick: None
) -> None:
    run = await asyncio.to_thread(candidates, store, tmp_path)
    async with reviewing(run) as (pilot, app):
        assert "edit" not in words(pilot)
        await pilot.press("z")
        await until(pilot, lambda: isinstance(app.screen, PlainZoom) and app.screen.query_one(PlainBox).drawn)
        await pilot.press("escape")
        for left in (2, 0):  # with two kept, the third is not looked at
            await ready(pilot)
            await pilot.press("a")
            await until(pilot, lambda left=left: f"done, {left} left" in words(pilot))


def test_what_must_be_known_stands_first_and_what_must_be_mended_is_asked() -> None:
    item = Item("make-mmra", "", "us-001", (), {}, {})
    turn = Turn("review.1", (Text("Is it right? It is so defined."), Text("question: Why?\nTo be mended: dull")))
    draft = Draft("question: Why?", notes=("llm judged: number wrong", "question: Why?"))
    trajectory = Trajectory(item)
    assert asked_and_words(Waiting(trajectory, turn, draft)) == (
        "Is it right?",
        "llm judged: number wrong\nquestion: Why?\nTo be mended: dull\n\nIt is so defined.",
    )
    asked, _ = asked_and_words(Waiting(trajectory, turn, replace(draft, faults=("dull",))))
    assert asked == "To be mended before it can be accepted: dull"


async def test_a_held_key_accepts_once_and_pictures_can_be_looked_at(opened: OpenRun) -> None:
    async with reviewing(opened) as (pilot, app):
        await pilot.press("z")
        await until(pilot, lambda: isinstance(app.screen, PlainZoom))
        await pilot.press("escape")
        await ready(pilot)
        for repeat in range(10):
            key = Key("a", "a")
            key.time = 1.0 + 0.03 * repeat
            app.post_message(key)
            await pilot.pause()
        await until(pilot, lambda: app.desk.done)
        await ready(pilot)
        assert app.desk.done == 1


async def test_pictures_that_lie_elsewhere_now_are_looked_for_where_one_says(
    store: Store, tmp_path: Path, quick: None
) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    there.mkdir()
    run = await asyncio.to_thread(pairs, store, there)
    (item,) = (one.trajectory.item for one in list(Desk(store, run.run, run.prepared.plan, "R1").all())[:1])
    there.rename(here)
    gone = reopen(store, run.run, Config())
    with pytest.raises(PictureError, match=r"bus\.png"):
        gone.pictures.sent(item, Show((0,)))
    found = reopen(store, run.run, Config(), str(here)).pictures
    bus, car = (here / "bus.png").read_bytes(), (here / "car.png").read_bytes()
    assert [found.sent(item, Show((index,))).data for index in (0, 1)] == [bus, car]
    example = Show((0,), source=(item.pictures[1],))
    assert found.sent(item, example).data == car
    (tmp_path / "inner" / "deep").mkdir(parents=True)
    (here / "bus.png").rename(tmp_path / "inner" / "bus.png")
    deeper = replace(item, pictures=(replace(item.pictures[0], name="", path=str(there / "bus.png")),))
    assert reopen(store, run.run, Config(), str(tmp_path / "inner")).pictures.sent(deeper, Show((0,))).data == bus
    outside = replace(item, pictures=(replace(item.pictures[0], name="../here/car.png"),))
    with pytest.raises(PictureError, match=r"bus\.png"):
        reopen(store, run.run, Config(), str(tmp_path / "inner" / "deep")).pictures.sent(outside, Show((0,)))
    with pytest.raises(UsageError, match="no such folder of pictures"):
        reopen(store, run.run, Config(), str(there))
    with pytest.raises(UsageError, match="make-mmra has no drawn pictures"):
        reopen(store, run.run, Config(), "drawn")
