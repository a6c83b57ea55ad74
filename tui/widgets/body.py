"""Where pictures, steps and detail stand: pictures in a row at the top, or one in a column at the left."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container

from core.records import Item
from tui.fitting import left_columns, left_rows, picture_rows
from tui.state.arranging import show_of
from tui.state.stepping import Stepping
from tui.widgets.detail import Detail
from tui.widgets.pictures import Neighbours, PictureRow, Scaler, Shown, nobody
from tui.widgets.steps import Steps


class Body(Container):
    """A grid of two columns. One picture alone leaves its right side to the detail, the steps go below it."""

    def __init__(self, stepping: Stepping, scaler: Scaler, *, note: str, id: str) -> None:  # noqa: A002  Textual's own
        super().__init__(id=id)
        benchmark = stepping.plan.benchmark
        # where a step is one choice, its marks are short
        self._slim = all(len(benchmark.layout(step).properties) == 1 for step in stepping.plan.protocol.steps)
        self._columns = 0
        self._parts = (
            PictureRow(scaler, note=note),
            Steps(stepping, id="steps"),
            Detail(stepping, id="detail"),
        )

    def compose(self) -> ComposeResult:
        yield from self._parts

    async def show(
        self,
        item: Item,
        shows: Sequence[Shown],
        sent: bool,
        screen: tuple[int, int],
        *,
        neighbours: Neighbours = nobody,
    ) -> None:
        """These pictures, and everything in its place, on a screen of that size."""
        pictures, steps, detail = self._parts
        width, height = screen
        only = show_of(shows[0]) if len(shows) == 1 else None
        one = len(shows) == 1 and (only is None or not only.collage)
        left = left_columns(width, 1) if one else 0
        rows = left_rows(left, self.size.height) if left else picture_rows(width, height, len(shows))
        beside = bool(left and rows)
        if beside != self.has_class("-beside"):
            self.set_class(beside, "-beside")
            # a grid is filled in order: beside the picture comes the detail, below it the steps
            self.move_child(detail, before=steps) if beside else self.move_child(steps, before=detail)
        columns = left if beside else 0
        if columns != self._columns:  # setting it, to whatever, draws everything anew
            self._columns = columns
            self.styles.grid_columns = f"{columns} 1fr" if columns else None
        self.set_class(not (shows and rows), "-bare")
        self.set_class(self._slim, "-slim")
        await pictures.show(item, shows, sent, left if beside else width, rows, snug=beside, neighbours=neighbours)
