"""Runs of the three pipelines that wait for people, and the reviewer's app on them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw
from textual.pilot import Pilot
from textual.widgets import TextArea

from core.benchmarks.voila.vocabulary import all_contents
from core.config import Config
from core.curation.voila.load import write as write_contents
from core.planning import Request, prepare
from sessions.curating.desk import Desk
from sessions.opening import OpenRun, open_prepared
from sessions.reopening import reopen
from sessions.store import Store
from tests.tui.pilots import idle, until
from tui.cli.making.going import _begin
from tui.imaging import Imaging
from tui.reviewing.app import ReviewingApp
from tui.reviewing.screen import ReviewScreen
from tui.screens.edit import EditScreen
from tui.sitting.pictures import PlainBox


def opened(store: Store, request: Request) -> OpenRun:
    """Its run, with everything done but what waits for people."""
    prepared = prepare(request, Config())
    run = open_prepared(store, prepared)
    asyncio.run(run.engine().run(prepared.selection))
    asyncio.run(_begin(run.journal, prepared.selection))
    return run


def street(colour: str, box: tuple[int, int, int, int]) -> bytes:
    """A picture of something in a street: of few areas, since snapshots hold each."""
    picture, made = Image.new("RGB", (300, 200), "lightblue"), BytesIO()
    drawn = ImageDraw.Draw(picture)
    drawn.rectangle((0, 150, 300, 200), fill="grey")
    drawn.rectangle(box, fill=colour)
    picture.save(made, "PNG")
    return made.getvalue()


def pairs(store: Store, folder: Path) -> OpenRun:
    """Two pairs of pictures that somebody is to write a question on."""
    (folder / "bus.png").write_bytes(street("gold", (40, 90, 260, 170)))
    (folder / "car.png").write_bytes(street("firebrick", (90, 110, 200, 170)))
    captions = {"caption1": "A bus waits in a street.", "caption2": "A car drives through a street."}
    rows = [
        {"id": f"{short.casefold()}-001", "subtask": short, "image1": "bus.png", "image2": "car.png", **captions}
        for short in ("US", "Env")
    ]
    file = folder / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return opened(store, Request("make-mmra", data=file, respondent="people"))


def candidates(store: Store, folder: Path) -> OpenRun:
    """Three pictures of one content, of which two are wanted."""
    file = folder / "contents.jsonl"
    write_contents(file, all_contents()[:1])
    people = {"review": "people"}
    return opened(
        store,
        Request(
            "make-voila", data=file, options={"kept": "2"}, respondent="oracle", respondents_at=people, repeats=3
        ),
    )


def app_of(opened: OpenRun, who: str = "R1") -> ReviewingApp:
    reopened = reopen(opened.store, opened.run, Config())
    desk = Desk(opened.store, opened.run, reopened.plan, who)
    return ReviewingApp(desk, reopened.pictures, Imaging("halfcell"), theme="textual-dark")


@asynccontextmanager
async def reviewing(opened: OpenRun, who: str = "R1") -> AsyncIterator[tuple[Pilot[None], ReviewingApp]]:
    app = app_of(opened, who)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        yield pilot, app


async def ready(pilot: Pilot[None]) -> None:
    """Until the next item may be judged."""
    app = pilot.app
    assert isinstance(app, ReviewingApp)
    await until(pilot, lambda: app.presses.open and isinstance(app.screen, ReviewScreen) and not app.screen._drawing)


async def drawn(pilot: Pilot[None]) -> None:
    """Until every picture is there."""
    await idle(pilot)
    await until(pilot, lambda: all(box.drawn for box in pilot.app.screen.query(PlainBox)))


async def writing(pilot: Pilot[None], key: str) -> TextArea:
    """The field that this key opens."""
    await ready(pilot)
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, EditScreen) and pilot.app.screen.focused is not None)
    area = pilot.app.screen.query_one(TextArea)
    await until(pilot, lambda: area._cursor_visible)
    return area
