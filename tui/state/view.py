"""What of a picture is looked at: how far in, and where, in shares of the picture, whatever the screen's size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

MOST: Final = 32.0
"""How far in at most, as a multiple of the picture fitted to the screen."""

Size: TypeAlias = tuple[int, int]


class Box(NamedTuple):
    """A part of a picture, in its own pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> tuple[float, float]:
        return self.right - self.left, self.bottom - self.top


@dataclass(frozen=True, slots=True)
class View:
    """``zoom`` 1 is the whole picture; ``x`` and ``y`` are the middle of what is seen, 0 to 1."""

    zoom: float = 1.0
    x: float = 0.5
    y: float = 0.5

    def box(self, picture: Size, canvas: Size) -> Box:
        """What is seen of a picture on a canvas (both in pixels): as much as it holds, never beyond an edge."""
        width, height = self._seen(picture, canvas)
        left = min(max(self.x * picture[0] - width / 2, 0.0), picture[0] - width)
        top = min(max(self.y * picture[1] - height / 2, 0.0), picture[1] - height)
        return Box(left, top, left + width, top + height)

    def panned(self, right: float, down: float, picture: Size, canvas: Size) -> View:
        """Moved by shares of what is seen; at the edge it stays."""
        width, height = self._seen(picture, canvas)
        return self._at(self.x + right * width / picture[0], self.y + down * height / picture[1], picture, canvas)

    def zoomed(self, factor: float, picture: Size, canvas: Size, at: tuple[float, float] = (0.5, 0.5)) -> View:
        """Further in or out. What lies at ``at`` (shares of what is seen) stays there, as far as the edges allow."""
        box = self.box(picture, canvas)
        zoom = min(max(self.zoom * factor, 1.0), MOST)
        if zoom == 1.0:
            return FIT
        fixed = box.left + at[0] * box.size[0], box.top + at[1] * box.size[1]
        width, height = View(zoom)._seen(picture, canvas)
        x = (fixed[0] + (0.5 - at[0]) * width) / picture[0]
        y = (fixed[1] + (0.5 - at[1]) * height) / picture[1]
        return View(zoom)._at(x, y, picture, canvas)

    def _seen(self, picture: Size, canvas: Size) -> tuple[float, float]:
        scale = min(canvas[0] / picture[0], canvas[1] / picture[1]) * self.zoom
        return min(picture[0], canvas[0] / scale), min(picture[1], canvas[1] / scale)

    def _at(self, x: float, y: float, picture: Size, canvas: Size) -> View:
        width, height = self._seen(picture, canvas)
        margin = width / picture[0] / 2, height / picture[1] / 2
        return View(
            self.zoom,
            min(max(x, margin[0]), 1 - margin[0]),
            min(max(y, margin[1]), 1 - margin[1]),
        )


FIT: Final = View()
"""The whole picture."""
