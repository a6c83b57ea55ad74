"""One picture over the whole screen: nearer, about, and on to the next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp
from textual.geometry import Region
from textual.message import Message

from core.records import Item, SentPicture
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.looking import ZOOM
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state.arranging import Rearranged, Shown, show_of
from tui.state.view import FIT, View
from tui.widgets.keybar import KeyBar
from tui.widgets.pictures import PictureBox, Scaled, Scaler

STEP = 0.25
"""How much of what is seen one key moves."""

FACTOR = 1.5


class ZoomScreen(Dialog[None]):
    """``+`` and ``-`` or the wheel zoom, arrows or a drag move about; a whole picture's arrows go to the others."""

    CSS_PATH = "zoom.tcss"
    AUTO_FOCUS = ""
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = bindings(ZOOM)

    class Ready(Message):
        """What was wanted last has been scaled to the screen."""

        def __init__(self, index: int, scaled: Scaled) -> None:
            super().__init__()
            self.index, self.scaled = index, scaled

    def __init__(
        self,
        scaler: Scaler,
        item: Item,
        shows: Sequence[Shown],
        index: int,
        outside: Callable[[Shown], object] = lambda _: None,
    ) -> None:
        """``outside`` shows one picture outside of the terminal."""
        super().__init__()
        self._outside = outside
        self._scaler, self._item, self._shows = scaler, item, shows
        self._index = min(index, len(shows) - 1)
        self._views: dict[int, View] = {}
        self._sizes: dict[int, tuple[int, int]] = {}
        self._loading = False
        self._again = False
        self._held: tuple[float, float] | None = None

    @property
    def view(self) -> View:
        """What is seen of the picture on the screen."""
        return self._views.get(self._index, FIT)

    def compose(self) -> ComposeResult:
        yield PictureBox(0, self._scaler.imaging)
        yield KeyBar(SCOPES["zoom"])

    def on_resize(self) -> None:
        self._show(anew=True)

    # -- keys

    def action_turn(self, by: int) -> None:
        self.action_pick((self._index + by) % len(self._shows))

    def action_pick(self, index: int) -> None:
        if 0 <= index < len(self._shows) and index != self._index:
            self._index = index
            self._show(anew=True)

    def action_fit(self) -> None:
        self._look(FIT)

    def action_zoom(self, direction: int) -> None:
        self._zoom(FACTOR**direction)

    def action_move(self, right: int, down: int) -> None:
        if self.view == FIT:
            self.action_turn(right + down)
        else:
            self._pan(right * STEP, down * STEP)

    def action_outside(self) -> None:
        self._outside(self._shows[self._index])

    # -- the mouse

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self._zoom(FACTOR, self._share(event.screen_x, event.screen_y))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self._zoom(1 / FACTOR, self._share(event.screen_x, event.screen_y))

    def on_mouse_down(self, event: MouseDown) -> None:
        if event.button == 1:
            self._held = (event.screen_x, event.screen_y)
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        if self._held is not None:
            drawn, before = self._drawn(), self._held
            self._held = (event.screen_x, event.screen_y)
            right, down = before[0] - event.screen_x, before[1] - event.screen_y
            self._pan(right / max(drawn.width, 1), down / max(drawn.height, 1))

    def on_mouse_up(self, event: MouseUp) -> None:
        self._held = None
        self.release_mouse()

    # -- parts

    def _drawn(self) -> Region:
        """Where on the screen the picture lies."""
        return self.query_one(PictureBox).drawn

    def _share(self, x: float, y: float) -> tuple[float, float]:
        drawn = self._drawn()
        return (
            min(max((x - drawn.x) / max(drawn.width, 1), 0.0), 1.0),
            min(max((y - drawn.y) / max(drawn.height, 1), 0.0), 1.0),
        )

    def _zoom(self, factor: float, at: tuple[float, float] = (0.5, 0.5)) -> None:
        size = self._sizes.get(self._index)
        if size is not None:
            self._look(self.view.zoomed(factor, size, self._canvas(), at))

    def _pan(self, right: float, down: float) -> None:
        size = self._sizes.get(self._index)
        if size is not None:
            self._look(self.view.panned(right, down, size, self._canvas()))

    def _look(self, view: View) -> None:
        if view != self.view:
            self._views[self._index] = view
            self._show()

    def _room(self) -> tuple[int, int]:
        """Columns and rows for the picture; below it stand its line of words and the keys."""
        return max(self.size.width - 2, 1), max(self.size.height - 3, 1)

    def _canvas(self) -> tuple[int, int]:
        cell, (columns, rows) = self._scaler.imaging.cell, self._room()
        return columns * cell.width, rows * cell.height

    def _show(self, *, anew: bool = False) -> None:
        """``anew``: what is drawn is no longer the picture wanted."""
        kept = self._scaler.kept(self._item, self._shows[self._index], *self._room(), self.view)
        if kept is not None or anew:
            self._draw(kept)
        if kept is None and self._loading:
            self._again = True
        else:
            self._load()

    @work(name="zoom", group="pictures")
    async def _load(self) -> None:
        """The last that was wanted, one at a time; then the pictures beside it."""
        if self._loading:
            return
        self._loading = True
        try:
            self._again = True
            while self._again:
                self._again = False
                index, view, room = self._index, self.view, self._room()
                scaled = await asyncio.to_thread(self._scaler.make, self._item, self._shows[index], *room, view)
                self.post_message(self.Ready(index, scaled))
            for beside in {(index + 1) % len(self._shows), (index - 1) % len(self._shows)} - {index}:
                if not self._again:
                    await asyncio.to_thread(self._scaler.make, self._item, self._shows[beside], *self._room())
        finally:
            self._loading = False
        if self._again:
            self._load()

    def on_zoom_screen_ready(self, message: Ready) -> None:
        if message.index == self._index:
            self._draw(message.scaled)

    def _draw(self, scaled: Scaled | None) -> None:
        """The picture wanted; None: it is not there yet."""
        if scaled is not None and scaled.image is not None:
            self._sizes[self._index] = scaled.size
        self.query_one(PictureBox).show(self._label(), scaled, self.size.width)

    def _label(self) -> list[str]:
        shown = self._shows[self._index]
        near = [f"{self.view.zoom:.1f}x"] if self.view != FIT else []
        show = show_of(shown)
        if show is None:
            assert isinstance(shown, SentPicture)
            return ["answered", *near, one_line(shown.name)]
        names = " + ".join(self._item.pictures[i].name for i in show.of if i < len(self._item.pictures))
        number = "+".join(str(i + 1) for i in show.of)
        how = [shown.how] if isinstance(shown, Rearranged) else []
        blank = ["blank"] if show.blank else []
        return [f"{number} of {len(self._item.pictures)}", *near, *blank, *how, one_line(names)]
