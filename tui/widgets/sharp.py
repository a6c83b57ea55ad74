"""Pictures drawn in pixels, from sequences that were made in a thread.

Sixel and iTerm2 draw into cells, and writing there wipes it out, so the sequence goes out with the lines it lies on.
Kitty holds the picture and draws it wherever its placeholder characters stand. Import this only once
``tui.imaging`` has decided: textual-image asks the terminal when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PIL import Image
from rich.control import Control
from rich.segment import ControlType, Segment
from rich.style import Style
from textual.app import RenderResult
from textual.dom import NoScreen
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from textual_image.renderable.tgp import Image as Placeholders
from textual_image.widget._base import Image as BaseImage

from tui.encoding import PAYLOAD, payload
from tui.imaging import Cell, Kind

CHUNK: Final = 4096  # the most that kitty takes at once
_SILENT: Final = ((ControlType.CURSOR_FORWARD, 0),)  # marks a segment as one that takes no cells


class InlineImage(Widget, can_focus=False):
    """A picture in sixel or iTerm2's protocol, which ``image`` brings along, over the whole widget."""

    def __init__(self, kind: Kind, cell: Cell) -> None:
        super().__init__()
        self._kind = kind
        self._cell = cell
        self._shown: Image.Image | None = None

    @property
    def image(self) -> Image.Image | None:
        """The picture, scaled to the pixels of its cells."""
        return self._shown

    @image.setter
    def image(self, image: Image.Image | None) -> None:
        self._shown = image
        self.refresh(layout=True)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Blank lines, the last of which draws the picture over all of them.

        A part of it (something lay over the rest) is made anew. Nothing is drawn under another screen.
        """
        blank = Segment(" " * crop.width, Style(bgcolor=self.background_colors[1].rich_color))
        lines = [Strip([blank], crop.width) for _ in range(crop.height)]
        try:
            drawn = self._shown is not None and self.screen.is_active
            region = self.screen.find_widget(self).visible_region if drawn else None
        except NoScreen:
            return lines
        if self._shown is None or region is None or not lines:
            return lines
        whole = crop.size == self.size and region.size == self.size
        sequence = str(self._shown.info.get(PAYLOAD, "")) if whole else ""
        if not sequence:
            part = self._shown.crop(
                (
                    crop.x * self._cell.width,
                    crop.y * self._cell.height,
                    min(crop.right * self._cell.width, self._shown.width),
                    min(crop.bottom * self._cell.height, self._shown.height),
                )
            )
            if not part.width or not part.height:
                return lines
            sequence = payload(self._kind, part, self._cell)
        left, top = self.region.x + crop.x, self.region.y + crop.y
        # the line may go on right of the picture, and Textual does not move there by itself
        steps = (_moved(left, top), sequence, _moved(left + crop.width, top + crop.height - 1))
        lines[-1] = Strip([blank, *(Segment(step, None, _SILENT) for step in steps)], crop.width)
        return lines


def _moved(column: int, row: int) -> str:
    return str(Control.move_to(column, row).segment.text)


class _Held(Placeholders):
    """Sends and frees through the app's own writer: what is written beside it could fall into another sequence."""

    def __init__(self, image: Image.Image, width: int | str | None = None, height: int | str | None = None) -> None:
        super().__init__(image, width, height)
        self._payload = str(image.info.get(PAYLOAD, ""))
        self._sized = image
        self.write: Callable[[str], object] = lambda _: None

    def _send_image_to_terminal(self, width: int, height: int) -> None:
        self.terminal_image_id = number = next(Placeholders._image_id_counter) % 2**32 or 1
        left = self._payload or payload("kitty", self._sized, Cell())
        chunks = [left[at : at + CHUNK] for at in range(0, len(left), CHUNK)]
        self.write(
            "".join(
                f"\x1b_Gi={number},m={int(index < len(chunks) - 1)},f=100,q=2;{chunk}\x1b\\"
                for index, chunk in enumerate(chunks)
            )
        )

    def _create_virtual_placement(self, width: int, height: int) -> None:
        self.write(f"\x1b_Ga=p,i={self.terminal_image_id},c={width},r={height},U=1,q=2\x1b\\")

    def cleanup(self) -> None:
        """Free the picture in the terminal; nothing where it was never sent."""
        if self.terminal_image_id:
            self.write(f"\x1b_Ga=d,d=I,i={self.terminal_image_id},q=2\x1b\\")
            self.terminal_image_id = None


class KittyImage(BaseImage, Renderable=_Held):
    """A picture that the terminal holds under an id, drawn at placeholder characters."""

    def render(self) -> RenderResult:
        rendered = super().render()
        if isinstance(rendered, _Held):
            rendered.write = self._write
        return rendered

    def on_unmount(self) -> None:
        if self._renderable is not None:
            self._renderable.cleanup()

    def _write(self, sequence: str) -> None:
        driver = self.app._driver
        if driver is not None:
            driver.write(sequence)
