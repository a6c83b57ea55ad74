"""One app, a picture of its screen at each size: the terminal is resized between them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from textual.pilot import Pilot

from tests.tui.pilots import idle, steady
from tests.tui.svg import clean

SIZES: Final = ((80, 24), (120, 40), (160, 48))
Ready = Callable[[Pilot[Any]], Awaitable[None]]
_CELLS: Final = re.compile(r'(?:<rect fill="[^"]+" x="[^"]+" y="[^"]+" width="[^"]+" [^>]*crispEdges"/>)+')
_CELL: Final = re.compile(r'<rect (fill="[^"]+") x="([^"]+)" (y="[^"]+") width="([^"]+)" ([^>]*/>)')


class SnapSizes:
    """Compares what is on the screen with what was there before, under a name of its own in the test."""

    def __init__(self, snapshot: Any) -> None:
        self._snapshot = snapshot

    async def __call__(self, pilot: Pilot[Any], name: str = "", ready: Ready = idle) -> None:
        """``ready`` waits until the screen, drawn anew, is still."""
        other = []
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            await ready(pilot)
            await steady(pilot)
            called = "-".join(filter(None, (name, f"{width}x{height}")))
            if _CELLS.sub(_areas, clean(pilot.app.export_screenshot())) != self._snapshot(name=called):
                other.append(called)
        assert not other, f"these look different (--snapshot-update where that is wanted): {other}"


def _areas(cells: re.Match[str]) -> str:
    """Cells of one colour beside each other as one area: a picture has thousands."""
    areas: list[list[str]] = []
    for fill, x, y, width, rest in _CELL.findall(cells[0]):
        last = areas[-1] if areas else None
        if last and last[::2] == [fill, y, rest] and abs(float(last[1]) + float(last[3]) - float(x)) < 0.1:
            last[3] = f"{float(x) + float(width) - float(last[1]):g}"
        else:
            areas.append([fill, x, y, width, rest])
    return "".join(f'<rect {fill} x="{x}" {y} width="{width}" {rest}' for fill, x, y, width, rest in areas)
