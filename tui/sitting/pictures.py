"""A trial's pictures, made before the screen that shows them: neither their names nor what they depict are told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from textual._time import get_time
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from core.errors import PictureError
from core.records import Item, Show
from tui.imaging import Imaging
from tui.screens.zoom import ZoomScreen
from tui.sitting.screen import Keys
from tui.sitting.state.layout import Layout
from tui.widgets.pictures import PictureBox, Scaled, Scaler, Shown

if TYPE_CHECKING:
    from tui.sitting.app import SittingApp


@dataclass(frozen=True, slots=True)
class Sight:
    """The pictures of one turn, scaled for their place. ``scaled`` is empty where there is no room for any."""

    item: Item
    shows: tuple[Show, ...]
    captions: tuple[str, ...]
    scaled: tuple[Scaled, ...]


async def sight(scaler: Scaler, item: Item, shows: Sequence[Show], captions: Sequence[str], layout: Layout) -> Sight:
    """Load and scale them in threads. Raises PictureError where one cannot be shown: nobody is asked about it."""
    if shows and not layout.rows:
        raise PictureError("the window is too small for its pictures", where=f"item {item.id}")
    scaled = []
    for show in shows:
        made = await asyncio.to_thread(scaler.make, item, show, layout.columns, layout.rows)
        if made.image is None:
            raise PictureError(made.words, where=f"item {item.id}")
        scaled.append(made)
    return Sight(item, tuple(shows), tuple(captions), tuple(scaled))


class PlainBox(PictureBox):
    """A picture with its caption alone."""

    def show(self, label: Sequence[str], scaled: Scaled | None, width: int) -> None:
        super().show(label, scaled, width)
        self.query_one(".picture-caption", Static).update(label[0] if label else "")


class SightRow(Horizontal):
    """The pictures side by side; a click on one posts ``PictureBox.Clicked``."""

    def __init__(self, seen: Sight, imaging: Imaging, rows: int) -> None:
        super().__init__(id="pictures")
        self._seen = seen
        self._imaging = imaging
        self.styles.height = rows + 1 if seen.scaled else 0

    def compose(self) -> ComposeResult:
        for index, _ in enumerate(self._seen.scaled):
            yield PlainBox(index, self._imaging)

    def on_mount(self) -> None:
        for box, caption, scaled in zip(self.query(PlainBox), self._seen.captions, self._seen.scaled, strict=False):
            box.show([caption], scaled, self.app.size.width)


class PlainZoom(ZoomScreen, inherit_bindings=False):
    """One picture over the whole screen, with the keys that look at pictures and no others."""

    BINDINGS = [  # noqa: RUF012  Textual's own
        ("escape,enter,q,z", "dismiss", ""),
        ("plus,equals_sign", "zoom(1)", ""),
        ("minus,underscore", "zoom(-1)", ""),
        ("0", "fit", ""),
        ("right,l", "move(1, 0)", ""),
        ("left,h", "move(-1, 0)", ""),
        ("down,j", "move(0, 1)", ""),
        ("up,k", "move(0, -1)", ""),
        ("space", "turn(1)", ""),
        *((str(number), f"pick({number - 1})", "") for number in range(1, 10)),
    ]

    def __init__(
        self, scaler: Scaler, item: Item, shows: Sequence[Shown], captions: Sequence[str], index: int, back: str
    ) -> None:
        super().__init__(scaler, item, shows, index)
        self._captions, self._back = captions, back

    def compose(self) -> ComposeResult:
        yield PlainBox(0, self._scaler.imaging)
        yield Keys(("esc", self._back, "dismiss"), ("+ -", "", ""), ("← → ↑ ↓", "", ""), ("0", "1:1", "fit"))

    def _label(self) -> list[str]:
        return [self._captions[self._index] if self._index < len(self._captions) else ""]


class SittingZoom(PlainZoom):
    """The same in a sitting, whose keys count from when a screen is seen."""

    def on_screen_resume(self) -> None:
        """What lay over it is gone; else its keys would be dropped for good."""
        cast("SittingApp", self.app).guard.reopen(get_time())
