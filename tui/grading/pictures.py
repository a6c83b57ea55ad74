"""A case's pictures beside each other, told by number alone: a name or a size may tell where an answer comes from."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from textual import work
from textual.containers import Horizontal

from core.records import Item, SentPicture, Show
from sessions.studies.grading_pool import Gradable
from tui.grading.cases import Case, Cases
from tui.sitting.pictures import PlainBox
from tui.widgets.pictures import Scaled, Scaler

LEAST_ROWS: Final = 6
"""With less room there are none: zooming shows them."""


class OfRuns:
    """The picture service of whichever answer is shown: pictures are the same whoever answered."""

    def __init__(self, cases: Cases) -> None:
        self._cases = cases
        self.answer: Gradable | None = None

    @property
    def identity(self) -> dict[str, object]:
        return {}

    def sent(self, item: Item, show: Show) -> SentPicture:
        """Raises PictureError."""
        assert self.answer is not None
        return self._cases.pictures(self.answer).sent(item, show)


class CasePictures(Horizontal):
    """The pictures of a case side by side, scaled in a thread, told by number alone."""

    def __init__(self, scaler: Scaler) -> None:
        super().__init__(id="pictures")
        self._scaler = scaler
        self._wanted: object = None

    async def show(self, case: Case, width: int, rows: int) -> None:
        pictures = case.pictures if rows >= LEAST_ROWS else ()
        wanted = (case, width, rows)
        self.display = bool(pictures)
        if not pictures or wanted == self._wanted:
            return
        self.styles.height = rows + 1
        boxes = list(self.query(PlainBox))
        if len(boxes) != len(pictures):
            await self.remove_children()
            boxes = [PlainBox(index, self._scaler.imaging) for index in range(len(pictures))]
            await self.mount(*boxes)
        columns = max(width // len(pictures) - 2, 1)
        kept = [self._scaler.kept(case.item, each, columns, rows) for each in pictures]
        for box, caption, scaled in zip(boxes, case.captions, kept, strict=True):
            box.show([caption], scaled, columns)
        self._wanted = wanted
        if None in kept:
            self._load(case, pictures, columns, rows, boxes)

    @work(name="pictures", group="pictures", exclusive=True)
    async def _load(
        self,
        case: Case,
        pictures: Sequence[Show | SentPicture],
        columns: int,
        rows: int,
        boxes: Sequence[PlainBox],
    ) -> None:
        made: list[Scaled] = [
            await asyncio.to_thread(self._scaler.make, case.item, each, columns, rows) for each in pictures
        ]
        for box, caption, scaled in zip(boxes, case.captions, made, strict=True):
            if box.is_mounted:
                box.show([caption], scaled, columns)
