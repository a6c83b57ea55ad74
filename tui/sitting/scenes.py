"""From a trial to what its screen shows: the turn, its pictures, how the screen is shared out."""

from __future__ import annotations

import os
from dataclasses import dataclass

from core.records import Item, Step, Turn
from core.study.definition import Condition
from core.study.preparing import Prepared
from core.study.texts import Wording
from sessions.studies.said import Shown, ShownPicture
from tui.imaging import Imaging
from tui.sitting.examples import Worked
from tui.sitting.form_text import wanted_rows
from tui.sitting.pictures import Sight
from tui.sitting.state.flow import Progress
from tui.sitting.state.layout import SIDE_COLUMNS, SIDE_FROM, Layout, shared_out
from tui.sitting.state.station import picturing, rows_of
from tui.sitting.state.trial import TurnState
from tui.sitting.state.turn import put
from tui.widgets.pictures import Scaler

FREE_ROWS = 8
"""Of a field for free words."""


@dataclass(slots=True)
class Scene:
    """Everything a trial's screen shows."""

    state: TurnState
    seen: Sight
    layout: Layout
    progress: Progress
    wording: Wording
    way: Condition
    worked: tuple[Worked, ...] = ()
    back: bool = False


def scene_of(
    prepared: Prepared,
    way: Condition,
    item: Item,
    turn: Turn,
    steps: tuple[Step, ...],
    wording: Wording,
    progress: Progress,
    worked: tuple[Worked, ...],
) -> Scene:
    """A turn as it begins; its pictures are not loaded yet, and it has no place on a screen."""
    study, benchmark = prepared.study, prepared.benchmark
    state = TurnState.of(turn, put(benchmark, item, turn, steps, wording), wording, study.timing.limit_s)
    showing = picturing(turn, steps)
    captions = put(benchmark, item, showing, (), wording).captions if showing is not None else ()
    seen = Sight(item, showing.shows if showing is not None else (), captions, ())
    back = study.answers.back and bool(steps)
    return Scene(state, seen, Layout(0, 0, 0, 1, 1), progress, wording, way, worked, back)


def laid_out(scene: Scene, size: tuple[int, int], imaging: Imaging) -> Layout:
    """How it is shared out on a screen of that size in cells."""
    width, height = size
    side = bool(scene.worked)
    main = width - (SIDE_COLUMNS if side and width >= SIDE_FROM else 0) - 2
    state = scene.state
    words = rows_of("\n".join([state.put.words, *(f"{a}: {b}" for a, b in state.put.before)]), main)
    form = wanted_rows(state.form, main, height, lists=scene.way.lists) if state.form is not None else FREE_ROWS
    return shared_out(
        size,
        len(scene.seen.shows),
        words=words,
        form=form,
        cell=imaging.cell,
        picture_px=scene.way.picture_px,
        side=side,
    )


def shown_of(scene: Scene, scaler: Scaler, size: tuple[int, int], instructions: str) -> Shown:
    """What is kept of how it came on the screen."""
    cell = scaler.imaging.cell
    pictures = []
    for show, scaled in zip(scene.seen.shows, scene.seen.scaled, strict=False):
        sent = scaler.source(scene.seen.item, show)
        pictures.append(ShownPicture(sent.hash, scaled.cells[0] * cell.width, scaled.cells[1] * cell.height))
    terminal = " ".join(filter(None, (os.environ.get("TERM", ""), os.environ.get("TERM_PROGRAM", ""))))
    return Shown(
        terminal=terminal,
        cells=size,
        pixels=(size[0] * cell.width, size[1] * cell.height),
        protocol=scaler.imaging.kind,
        pictures=tuple(pictures),
        instructions=instructions,
    )
