"""A desk with a real store and a real study, and a hand that presses keys as soon as a screen takes them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from core.study.content import Content, content_of
from core.study.definition import Answers, Condition, Design, Items, Study, Texts, Timing
from core.study.preparing import Prepared, prepare_study
from sessions.store import Store
from sessions.studies.book import keep_draft
from tui.imaging import Imaging
from tui.sitting.app import SittingApp
from tui.sitting.conducting import Conductor
from tui.sitting.desk import Desk
from tui.sitting.trial import TrialScreen

KEY = "open sesame"
TEXTS = Texts(
    title="Analogies",
    consent="You may stop at any time.",
    instructions="Say what the fourth picture shows.",
    practice="One for practice.",
    debrief="Thank you for coming.",
)
PLAIN = Study(
    "s",
    "voila:ND",
    experimenter_key=KEY,
    conditions={"": Condition("direct", examples=("voila-2",))},
    items=Items(sample=3),
    design=Design(raters=1, per_session=3),
    text={"en": Texts(title="Analogies")},
)
"""Three items and nothing around them."""


def study(**changes: Any) -> Study:
    """The plain study otherwise."""
    return replace(PLAIN, **changes)


def choices(benchmark: str, protocol: str, **changes: Any) -> Study:
    """A study of another benchmark, of one item."""
    return study(
        benchmark=benchmark,
        conditions={"": Condition(protocol)},
        items=Items(sample=1),
        design=Design(raters=1, per_session=1),
        **changes,
    )


_PREPARED: dict[str, tuple[Prepared, Content]] = {}
_EMPTY: list[bytes] = []


def desk_for(store: Store, made: Study, **given: Any) -> Desk:
    """The study as a command would have prepared it."""
    if made.digest not in _PREPARED:
        prepared = prepare_study(made)
        _PREPARED[made.digest] = prepared, content_of(prepared)
    prepared, content = _PREPARED[made.digest]
    record = keep_draft(store, made, content)
    return Desk(store, record, prepared, **{"kind": "pilot", "participant": "P01", **given})


@asynccontextmanager
async def sitting(
    store: Store, made: Study, *, size: tuple[int, int] = (120, 40), **given: Any
) -> AsyncIterator[tuple[Pilot[None], SittingApp]]:
    """The application on that study, closed as the command closes it."""
    imaging = Imaging("halfcell")
    conductor = Conductor(desk_for(store, made, **given), imaging)
    app = SittingApp(conductor, imaging, theme="textual-dark")
    try:
        async with app.run_test(size=size) as pilot:
            yield pilot, app
    finally:
        if conductor.sitting is not None:
            conductor.sitting.close()


async def until(pilot: Pilot[None], wanted: type[Screen[Any]] | str, but: Screen[Any] | None = None) -> Screen[Any]:
    """The screen of that kind, or one that says those words, once it takes keys; another one than ``but``."""
    ends = time.monotonic() + 30
    app = pilot.app
    assert isinstance(app, SittingApp)
    while time.monotonic() < ends:
        await pilot.pause()
        screen = app.screen
        shown = wanted in said(pilot) if isinstance(wanted, str) else isinstance(screen, wanted)
        if shown and screen is not but and app.guard._open_from <= time.monotonic():
            return screen
        await asyncio.sleep(0.005)
    raise AssertionError(f"never saw {wanted}, but {type(app.screen).__name__}:\n{said(pilot)}")


async def press(pilot: Pilot[None], *keys: str) -> None:
    """These keys at once, as a terminal brings them."""
    for key in keys:
        one = len(key) == 1
        pilot.app.post_message(Key(_character_to_key(key) if one else key, key if one else None))
    await pilot.pause()


async def pages(pilot: Pilot[None], *words: str) -> None:
    """Go on from the page that says each of these words."""
    for each in words:
        await until(pilot, each)
        await press(pilot, "enter")


async def answer(pilot: Pilot[None], *keys: str) -> TrialScreen:
    """Answer the trial that comes next with these keys; Enter after them."""
    screen = await until(pilot, TrialScreen)
    assert isinstance(screen, TrialScreen)
    await press(pilot, *keys, "enter")
    await gone(pilot, screen)
    return screen


async def gone(pilot: Pilot[None], screen: Screen[Any]) -> None:
    """Until that screen is no longer the one shown."""
    ends = time.monotonic() + 30
    while pilot.app.screen is screen and time.monotonic() < ends:
        await pilot.pause()
    assert pilot.app.screen is not screen, f"still there:\n{said(pilot)}"


async def ended(pilot: Pilot[None]) -> None:
    """Until the application has ended by itself."""
    ends = time.monotonic() + 30
    while pilot.app._running and not pilot.app._exit and time.monotonic() < ends:
        await asyncio.sleep(0.01)
    assert pilot.app._exit, f"it goes on:\n{said(pilot)}"


def said(pilot: Pilot[None]) -> str:
    """All that the screen says."""
    return "\n".join(str(widget.content) for widget in pilot.app.screen.query(Static) if widget.display)


VOILA: Sequence[str] = ("2", *"wol", "enter", *"rea")
"""Keys of one answer, whether or not it is right."""


def rows(store: Store, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """What the store says."""
    return [tuple(row) for row in store.reader().execute(query, values)]


def opened(folder: Path) -> Store:
    """A store of its own; only the first one is made from nothing."""
    path = folder / "phoropter.db"
    if _EMPTY:
        path.write_bytes(_EMPTY[0])
        return Store.open(path)
    Store.open(path).close()
    _EMPTY.append(path.read_bytes())
    return Store.open(path)


TIMED = Timing(limit_s=2.0)
SURE = Answers(confidence=5, why="optional")
