"""The pictures of a turn above the words of a dialog, where the screen has room for both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.records import Item
from tui.widgets.pictures import PictureRow, Scaler, Shown

LEAST_ROWS: Final = 3
"""Rows below which a picture says nothing."""
MOST_ROWS: Final = 18


class TurnPictures(PictureRow):
    """What ``item`` shows, for a dialog that says with ``fit`` how many rows are left for it."""

    DEFAULT_CSS = """
    TurnPictures {
        .picture-box { width: 1fr; height: 100%; }
        .picture-body { width: 100%; height: 1fr; align: center middle; }
        .picture-words {
            width: 100%; height: 1fr; padding: 0 1;
            content-align: center middle; text-align: center; color: $text-muted;
        }
        .picture-caption {
            width: 100%; height: 1; text-align: center; color: $text-muted;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
    }
    """

    def __init__(self, scaler: Scaler, item: Item, shows: Sequence[Shown]) -> None:
        super().__init__(scaler)
        self._item, self._shows = item, shows

    async def fit(self, rows: int) -> None:
        """As high as that at most; not at all where it is too little."""
        rows = min(rows, MOST_ROWS)
        await self.show(self._item, self._shows, True, self.screen.size.width, rows if rows >= LEAST_ROWS else 0)
