"""What a screen of steps can do with its pictures: set them out otherwise, zoom, show them outside."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.screen import Screen

from core.errors import PhoropterError
from core.records import Item, SentPicture
from tui.inert import one_line
from tui.outside.places import Offer
from tui.outside.showing import Outside
from tui.screens.outside import OutsideScreen
from tui.screens.zoom import ZoomScreen
from tui.state.arranging import Arrangement, Shown, arranged, other, recorded
from tui.widgets.pictures import PictureBox, Scaler

if TYPE_CHECKING:
    from tui.state.stepping import Stepping


class PicturingScreen(Screen[None]):
    """A screen on the pictures of ``stepping``; it owns what is shown outside, and ends that with itself."""

    stepping: Stepping
    scaler: Scaler

    def __init__(self) -> None:
        super().__init__()
        self.outside = Outside()
        self._arrangement: Arrangement = "as sent"
        self._way = 1  # in which the items are walked

    async def redraw(self) -> None:
        """Draw the state as it is."""
        raise NotImplementedError

    def pictures(self) -> tuple[tuple[Shown, ...], bool]:
        """What is to be shown, set out as wanted, and whether the respondent was shown it."""
        return arranged(self._sent(), self._arrangement), self.stepping.pictures()[1]

    def neighbours(self) -> list[Item]:
        """The items whose pictures are probably wanted next, the likeliest first. May be called in a thread."""
        items, roster, position = self.stepping.items, self.stepping.roster, self.stepping.position
        found = (next(roster.following(position, way), None) for way in (self._way, -self._way))
        return [items[at] for at in found if at is not None]

    def _sent(self) -> tuple[Shown, ...]:
        stepping = self.stepping
        return recorded(stepping.pictures()[0], stepping.current.steps[: stepping.cursor + 1])

    async def action_arrange(self) -> None:
        """Joined to one or each for itself, and back to how they were sent."""
        if self._arrangement != "as sent":
            self._arrangement = "as sent"
        elif (way := other(self._sent())) is not None:
            self._arrangement = way
        else:
            self.notify("these pictures can be set out in one way only", timeout=3, markup=False)
        await self.redraw()

    def action_zoom(self, index: int = 0) -> None:
        item, (shown, _) = self.stepping.item, self.pictures()
        if shown:
            self.app.push_screen(
                ZoomScreen(self.scaler, item, shown, index, lambda one: self._show_outside(item, (one,)))
            )
        else:
            self.notify("this item has no pictures", markup=False)

    def action_outside(self) -> None:
        """In the desktop's viewer; over ssh, or without a desktop, at an address for a browser."""
        self._show_outside(self.stepping.item, self.pictures()[0])

    @work(name="outside", group="outside", exclusive=True, exit_on_error=False)
    async def _show_outside(self, item: Item, shown: Sequence[Shown]) -> None:
        offers: list[Offer] = []
        try:
            for each in shown:
                offers.append(_offer(await asyncio.to_thread(self.scaler.source, item, each)))  # noqa: PERF401
            if not offers:
                self.notify("this item has no pictures", markup=False)
            elif self.outside.here:
                for offer in offers:
                    await asyncio.to_thread(self.outside.view, offer)
            else:
                address = await asyncio.to_thread(self.outside.serve, offers)
                self.app.push_screen(OutsideScreen(address, len(offers)))
        except PhoropterError as error:
            self.notify(one_line(str(error)), severity="error", timeout=6, markup=False)

    def on_picture_box_clicked(self, message: PictureBox.Clicked) -> None:
        self.action_zoom(message.index)

    def on_unmount(self) -> None:
        self.outside.close()


def _offer(picture: SentPicture) -> Offer:
    return Offer(one_line(picture.name), picture.mime, picture.data)
