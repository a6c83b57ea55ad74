"""The reviewer's screen: what its keys leave in the store."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Key

from core.curation.review import verdict_of
from sessions.curating.state import standings
from sessions.opening import OpenRun
from sessions.store import Store
from tests.sessions.curating.test_desk import made
from tests.tui.pilots import words
from tests.tui.reviewing.stage import ready, reviewing, until, writing
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
