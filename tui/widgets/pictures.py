"""The turn's pictures side by side: scaled in a thread, kept, and each said in words what it is shown as."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Region, Size
from textual.message import Message
from textual.widgets import Static

from core.records import Item
from tui.imaging import SHARP, Imaging
from tui.state.arranging import Rearranged, Shown, show_of
from tui.widgets.one_line import OneLine
from tui.widgets.scaling import PicturesLike, Scaled, Scaler, Stored

if TYPE_CHECKING:
    from tui.grounded import Grounded

__all__ = ["PictureBox", "PictureRow", "PicturesLike", "Scaled", "Scaler", "Shown", "Stored"]

PREFETCHED = 4
"""Of an item beside the one looked at, at most so many pictures are made ahead."""

Neighbours: TypeAlias = Callable[[], Sequence[Item]]
"""The items that are probably looked at next; called in a thread."""


def nobody() -> Sequence[Item]:
    """No neighbours."""
    return ()


class PictureBox(Vertical):
    """One picture, or in its place why there is none, and a line that says what it is."""

    class Clicked(Message):
        """The user points at this picture."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, index: int, imaging: Imaging) -> None:
        super().__init__(classes="picture-box")
        self._index = index
        self._imaging = imaging
        self._image = imaging.widget() if imaging.kind != "off" else None

    def compose(self) -> ComposeResult:
        if self._image is not None:
            with Container(classes="picture-body") as body:
                body.display = False
                yield self._image
        yield Static("", classes="picture-words", markup=False)
        yield OneLine(classes="picture-caption")

    def show(self, label: Sequence[str], scaled: Scaled | None, width: int) -> None:
        """Draw it; None: not there yet, its place is left empty. ``width`` is the room for the line of words."""
        words = self.query_one(".picture-words", Static)
        caption = self.query_one(OneLine)
        drawn = scaled is not None and scaled.image is not None and self._image is not None
        words.display = scaled is not None and not drawn
        if self._image is not None:
            self.query_one(".picture-body").display = not words.display
            if drawn and scaled is not None:
                self._image.styles.width, self._image.styles.height = scaled.cells
            image = scaled.image if scaled is not None else None
            if self._image.image is not image:
                self._image.image = image
        if scaled is None:
            caption.say("  ".join([*label, "…"]))
            return
        if not drawn:
            words.update(scaled.words)
            off = [self._imaging.caption] if self._imaging.kind == "off" else []
            caption.say("  ".join([*label, *off]))
            return
        number, *notes = label
        size = scaled.words.partition(",")[0]
        ways = (
            [number, self._imaging.caption, scaled.words, *notes],
            [number, self._imaging.caption, size, *notes],
            [number, self._imaging.caption, *notes],
            [number, self._imaging.caption, *(note.split()[0] for note in notes)],
            [number, *notes],
        )
        said = ("  ".join(way) for way in ways)
        caption.say(next((words for words in said if cell_len(words) <= width), label[0]))

    @property
    def drawn(self) -> Region:
        """Where on the screen the picture lies; nowhere while words stand in its place."""
        return self._image.region if self._image is not None and self._image.display else Region()

    def on_click(self) -> None:
        self.post_message(self.Clicked(self._index))


class PictureRow(Horizontal):
    """The pictures of one turn. ``show`` may be called as often as wanted: what is shown already stays."""

    class Ready(Message):
        """A picture has been scaled."""

        def __init__(self, index: int, wanted: object, scaled: Scaled) -> None:
            super().__init__()
            self.index, self.wanted, self.scaled = index, wanted, scaled

    def __init__(self, scaler: Scaler, *, note: str = "", id: str = "pictures") -> None:  # noqa: A002  Textual's own
        super().__init__(id=id)
        self._scaler = scaler
        self._note = note
        self._wanted: tuple[object, ...] = ()
        self._boxes: list[PictureBox] = []
        self._labels: list[list[str]] = []
        self._columns = 0
        self._rows = 0
        self._snug = False
        self._height = 0

    async def show(
        self,
        item: Item,
        shows: Sequence[Shown],
        sent: bool,
        width: int,
        rows: int,
        *,
        snug: bool = False,
        neighbours: Neighbours = nobody,
    ) -> None:
        """These pictures within ``width`` columns and ``rows`` rows; ``snug``: no higher than the pictures are.

        Those of the ``neighbours`` are made ahead.
        """
        self.display = bool(shows) and rows > 0
        wanted = (item.benchmark, item.subset, item.id, tuple(shows), sent, width, rows)
        if not self.display or wanted == self._wanted:
            return
        kept = [self._scaler.kept(item, show, width // len(shows) - 2, rows) for show in shows]
        self._wanted, self._rows, self._snug = wanted, rows, snug
        self._fit(kept)
        if len(self._boxes) != len(shows):
            await self.remove_children()
            self._boxes = [PictureBox(index, self._scaler.imaging) for index in range(len(shows))]
            await self.mount(*self._boxes)
        columns = self._columns = width // len(shows) - 2
        self._labels = [self._label(show, sent) for show in shows]
        for box, scaled, label in zip(self._boxes, kept, self._labels, strict=True):
            box.show(label, scaled, columns)
        # not what is missing by then: something may be made ahead meanwhile, and nobody would draw it
        missing = [index for index, scaled in enumerate(kept) if scaled is None]
        # words are painted first: threads that work slow down the one that paints
        self.call_after_refresh(self._begin, wanted, item, tuple(shows), columns, rows, missing, neighbours)

    def _begin(self, wanted: tuple[object, ...], *rest: Any) -> None:
        if wanted == self._wanted:
            self._load(wanted, *rest)

    @work(name="pictures", group="pictures", exclusive=True)
    async def _load(
        self,
        wanted: tuple[object, ...],
        item: Item,
        shows: Sequence[Shown],
        columns: int,
        rows: int,
        missing: Sequence[int],
        neighbours: Neighbours,
    ) -> None:
        stillness = cast("Grounded", self.app).stillness
        together = self._scaler.imaging.kind in SHARP  # each that comes would have those before it sent again
        found: list[PictureRow.Ready] = []
        for index in missing:  # one by one: a key that comes meanwhile shares the interpreter with one thread
            await stillness.settled()
            scaled = await asyncio.to_thread(self._scaler.make, item, shows[index], columns, rows)
            found.append(self.Ready(index, wanted, scaled))
            if not together:
                self.post_message(found.pop())
        for ready in found:
            self.post_message(ready)
        ahead = [of for each in shows if (of := show_of(each)) is not None]
        still = stillness.waiting()
        await still()
        for beside in await asyncio.to_thread(neighbours) if ahead else ():
            for of in ahead[:PREFETCHED]:
                await still()
                await asyncio.to_thread(self._scaler.make, beside, of, columns, rows)

    def on_picture_row_ready(self, message: Ready) -> None:
        message.stop()
        if message.wanted == self._wanted:
            self._boxes[message.index].show(self._labels[message.index], message.scaled, self._columns)
            self._fit([message.scaled])

    def _fit(self, known: Sequence[Scaled | None]) -> None:
        """The row's height: all it may have, or (one picture, ``snug``) what the picture takes."""
        rows = self._rows
        if self._snug:
            guess = min(rows, max(round(self._columns / 3), 4))
            rows = max(scaled.cells[1] if scaled and scaled.image else guess for scaled in known)
        self._height = rows + 1
        self.styles.height = self._height

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """What a grid that makes a row as high as its contents asks for."""
        return self._height + self.styles.margin.height

    def _label(self, show: Shown, sent: bool) -> list[str]:
        of = show_of(show)
        if of is None:
            return ["answered"]
        number = "+".join(str(index + 1) for index in of.of)
        how = show.how if isinstance(show, Rearranged) else ""
        said = (number, "blank" if of.blank else "", self._note, how, "" if sent else "not sent")
        return [word for word in said if word]
