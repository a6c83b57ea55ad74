"""One picture over the whole screen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Static

from core.records import Item, SentPicture
from tui.inert import one_line
from tui.screens.dialog import Dialog
from tui.widgets.pictures import PictureBox, Scaled, Scaler, Shown


class ZoomScreen(Dialog[None]):
    """Walks through the pictures with the arrows; Esc goes back."""

    CSS_PATH = "zoom.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,z,q", "dismiss", "back"),
        Binding("right,l,down,j,space", "turn(1)", "next picture"),
        Binding("left,h,up,k,b", "turn(-1)", "previous picture"),
    ]

    class Ready(Message):
        """A picture has been scaled to the screen."""

        def __init__(self, index: int, scaled: Scaled) -> None:
            super().__init__()
            self.index, self.scaled = index, scaled

    def __init__(self, scaler: Scaler, item: Item, shows: Sequence[Shown], index: int) -> None:
        super().__init__()
        self._scaler, self._item, self._shows = scaler, item, shows
        self._index = min(index, len(shows) - 1)

    def compose(self) -> ComposeResult:
        yield PictureBox(0, self._scaler.imaging)
        yield Static(" esc back   ← → other pictures", classes="keys", markup=False)

    def on_resize(self) -> None:
        self._show()

    def action_turn(self, by: int) -> None:
        self._index = (self._index + by) % len(self._shows)
        self._show()

    def _show(self) -> None:
        self.query_one(PictureBox).show(self._label(), None, self.size.width)
        self._load(self._index)

    @work(name="zoom", group="pictures", exclusive=True)
    async def _load(self, index: int) -> None:
        width, height = self.size
        scaled = await asyncio.to_thread(
            self._scaler.make, self._item, self._shows[index], max(width - 2, 1), max(height - 3, 1)
        )
        self.post_message(self.Ready(index, scaled))

    def on_zoom_screen_ready(self, message: Ready) -> None:
        if message.index == self._index:
            self.query_one(PictureBox).show(self._label(), message.scaled, self.size.width)

    def _label(self) -> list[str]:
        show = self._shows[self._index]
        if isinstance(show, SentPicture):
            return ["answered", one_line(show.name)]
        names = " + ".join(self._item.pictures[i].name for i in show.of if i < len(self._item.pictures))
        number = "+".join(str(i + 1) for i in show.of)
        return [f"{number} of {len(self._item.pictures)}", *(["blank"] if show.blank else []), one_line(names)]
