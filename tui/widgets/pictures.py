"""The turn's pictures side by side: scaled in a thread, kept, and each said in words what it is shown as."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Static

from core.errors import PictureError
from core.pictures import load_rgb
from core.records import Item, Json, SentPicture, Show
from tui.fitting import fit
from tui.imaging import Imaging
from tui.inert import one_line

if TYPE_CHECKING:
    from PIL.Image import Image

KEPT = 48

Shown: TypeAlias = Show | SentPicture
"""A picture of the item as a turn shows it, or one that was made as an answer."""

Stored: TypeAlias = Callable[[str], bytes | None]
"""The bytes of a stored picture by its hash; called from threads."""


class PicturesLike(Protocol):
    """What the screen needs of ``core.pictures.Pictures``."""

    @property
    def identity(self) -> Mapping[str, Json]: ...
    def image(self, item: Item, show: Show, max_side: int | None = None) -> Image: ...
    def sent(self, item: Item, show: Show) -> SentPicture: ...


@dataclass(frozen=True, slots=True)
class Scaled:
    """A picture ready to be drawn, or (``image`` None) why there is none."""

    image: Image | None
    cells: tuple[int, int]
    words: str


Place: TypeAlias = tuple[str, str, str, Shown, int, int]


class Scaler:
    """Loads and scales pictures for the space they get, and keeps the last ones. Used from threads."""

    def __init__(self, pictures: PicturesLike | None, imaging: Imaging, stored: Stored | None = None) -> None:
        self.imaging = imaging
        self._pictures = pictures
        self._stored = stored
        self._kept: OrderedDict[Place, Scaled] = OrderedDict()

    def kept(self, item: Item, show: Shown, columns: int, rows: int) -> Scaled | None:
        """Without any work: what was made before for that space."""
        return self._kept.get((item.benchmark, item.subset, item.id, show, columns, rows))

    def make(self, item: Item, show: Shown, columns: int, rows: int) -> Scaled:
        """The picture scaled to fit; never raises for a picture that is bad."""
        place = (item.benchmark, item.subset, item.id, show, columns, rows)
        scaled = self._kept.get(place)
        if scaled is None:
            if isinstance(show, SentPicture):
                scaled = self._answered(show, columns, rows)
            else:
                scaled = self._of_item(item, show, columns, rows)
            self._kept[place] = scaled
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return scaled

    def _of_item(self, item: Item, show: Show, columns: int, rows: int) -> Scaled:
        depicted = one_line(" · ".join(item.pictures[i].depicts for i in show.of if i < len(item.pictures)))
        depicted = "blank" if show.blank else depicted
        if self._pictures is None:
            return Scaled(None, (0, 0), f"no pictures were named. {depicted}")
        try:
            sent = self._pictures.sent(item, show)
            if self.imaging.kind == "off":
                return Scaled(None, (0, 0), depicted or sent.name)
            return self._fitted(self._pictures.image(item, show), sent, columns, rows)
        except PictureError as error:
            return Scaled(None, (0, 0), one_line(str(error)))

    def _answered(self, picture: SentPicture, columns: int, rows: int) -> Scaled:
        data = picture.data or (self._stored(picture.hash) if self._stored is not None else None)
        if data is None:
            return Scaled(None, (0, 0), "the store does not hold this picture")
        if self.imaging.kind == "off":
            return Scaled(None, (0, 0), "{}x{}".format(*picture.size))
        try:
            return self._fitted(load_rgb(data, name=picture.name), picture, columns, rows)
        except PictureError as error:
            return Scaled(None, (0, 0), one_line(str(error)))

    def _fitted(self, image: Image, sent: SentPicture, columns: int, rows: int) -> Scaled:
        cells = fit(image.size, columns, rows, self.imaging.cell)
        image = image.resize(self.imaging.pixels(*cells), reducing_gap=2.0)
        was = "" if sent.size == sent.original_size else " of {}x{}".format(*sent.original_size)
        return Scaled(image, cells, "{}x{}{}".format(*sent.size, was))


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
        yield Static("", classes="picture-caption", markup=False)

    def show(self, label: Sequence[str], scaled: Scaled | None, width: int) -> None:
        """Draw it; None: not there yet. ``width`` is the room for the line of words."""
        words = self.query_one(".picture-words", Static)
        caption = self.query_one(".picture-caption", Static)
        drawn = scaled is not None and scaled.image is not None and self._image is not None
        words.display = not drawn
        if self._image is not None:
            self.query_one(".picture-body").display = drawn
            if drawn and scaled is not None:
                self._image.styles.width, self._image.styles.height = scaled.cells
                self._image.image = scaled.image
        if not drawn:
            words.update("…" if scaled is None else scaled.words)
        if not drawn or scaled is None:
            caption.update("  ".join(label))
            return
        number, *notes = label
        ways = (
            [number, self._imaging.caption, scaled.words, *notes],
            [number, self._imaging.caption, *notes],
            [number, self._imaging.caption, *(note.split()[0] for note in notes)],
            [number, *notes],
        )
        said = ("  ".join(way) for way in ways)
        caption.update(next((words for words in said if cell_len(words) <= width), label[0]))

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
        self._labels: list[list[str]] = []
        self._columns = 0
        self._rows = 0
        self._snug = False
        self._height = 0

    async def show(
        self, item: Item, shows: Sequence[Shown], sent: bool, width: int, rows: int, *, snug: bool = False
    ) -> None:
        """These pictures within ``width`` columns and ``rows`` rows; ``snug``: no higher than the pictures are."""
        self.display = bool(shows) and rows > 0
        wanted = (item.benchmark, item.subset, item.id, tuple(shows), sent, width, rows)
        if not self.display or wanted == self._wanted:
            return
        kept = [self._scaler.kept(item, show, width // len(shows) - 2, rows) for show in shows]
        self._wanted, self._rows, self._snug = wanted, rows, snug
        self._fit(kept)
        boxes = list(self.query(PictureBox))
        if len(boxes) != len(shows):
            await self.remove_children()
            boxes = [PictureBox(index, self._scaler.imaging) for index in range(len(shows))]
            await self.mount(*boxes)
        columns = self._columns = width // len(shows) - 2
        self._labels = [self._label(show, sent) for show in shows]
        for box, scaled, label in zip(boxes, kept, self._labels, strict=True):
            box.show(label, scaled, columns)
        self._load(wanted, item, tuple(shows), columns, rows)

    @work(name="pictures", group="pictures", exclusive=True)
    async def _load(
        self, wanted: tuple[object, ...], item: Item, shows: Sequence[Shown], columns: int, rows: int
    ) -> None:
        for index, show in enumerate(shows):
            if self._scaler.kept(item, show, columns, rows) is None:
                scaled = await asyncio.to_thread(self._scaler.make, item, show, columns, rows)
                self.post_message(self.Ready(index, wanted, scaled))

    def on_picture_row_ready(self, message: Ready) -> None:
        message.stop()
        if message.wanted == self._wanted:
            box = list(self.query(PictureBox))[message.index]
            box.show(self._labels[message.index], message.scaled, self._columns)
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
        if isinstance(show, SentPicture):
            return ["answered"]
        number = "+".join(str(index + 1) for index in show.of)
        return [
            word for word in (number, "blank" if show.blank else "", self._note, "" if sent else "not sent") if word
        ]
