"""Pictures loaded, cut and scaled for the space they get, in threads, and the last ones kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from core.errors import PictureError
from core.pictures import load_rgb
from core.pictures.caching import ByteCache
from core.pictures.loading import load_smaller
from core.records import Item, Json, SentPicture, Show
from tui.encoding import PAYLOAD, payload
from tui.fitting import fit
from tui.imaging import Imaging
from tui.inert import one_line
from tui.state.arranging import Rearranged, Recorded, Shown, show_of
from tui.state.view import FIT, View

if TYPE_CHECKING:
    from PIL.Image import Image

KEPT_BYTES: Final = 16 * 1024 * 1024
KEPT: Final = 96
DECODED_BYTES: Final = 16 * 1024 * 1024
"""For zooming about in a picture; five of 1024 x 1024."""
SPARE: Final = 2
"""A picture is scaled from so many pixels for one that is seen, at least."""

Stored: TypeAlias = Callable[[str], bytes | None]
"""The bytes of a stored picture by its hash; called from threads."""


class PicturesLike(Protocol):
    """What the screen needs of ``core.pictures.Pictures``."""

    @property
    def identity(self) -> Mapping[str, Json]: ...
    def sent(self, item: Item, show: Show) -> SentPicture: ...


@dataclass(frozen=True, slots=True)
class Scaled:
    """A picture ready to be drawn, or (``image`` None) why there is none.

    ``words`` tell what was sent, in pixels and bytes. ``size`` is that of the whole picture, (0, 0) without one.
    """

    image: Image | None
    cells: tuple[int, int]
    words: str
    size: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Space:
    columns: int
    rows: int
    view: View


class Scaler:
    """Loads and scales pictures for the space they get, and keeps the last ones. Used from threads.

    ``stored`` gives what the store holds: pictures that were answered, and those that were sent.
    """

    def __init__(self, pictures: PicturesLike | None, imaging: Imaging, stored: Stored | None = None) -> None:
        self.imaging = imaging
        self._pictures = pictures
        self._stored = stored
        self._kept: ByteCache[Scaled] = ByteCache(KEPT_BYTES, KEPT)
        self._decoded: ByteCache[Image] = ByteCache(DECODED_BYTES)

    def kept(self, item: Item, shown: Shown, columns: int, rows: int, view: View = FIT) -> Scaled | None:
        """Without any work: what was made before for that space."""
        return self._kept.get((item.benchmark, item.subset, item.id, shown, _Space(columns, rows, view)))

    def make(self, item: Item, shown: Shown, columns: int, rows: int, view: View = FIT) -> Scaled:
        """What is seen of the picture, scaled to fit; never raises for a picture that is bad, and tells why."""
        space = _Space(max(columns, 1), max(rows, 1), view)
        scaled = self.kept(item, shown, columns, rows, view)
        if scaled is None:
            scaled = self._made(item, shown, space)
            if scaled.image is not None:  # a file that is missing may come
                weight = 3 * scaled.image.width * scaled.image.height + len(scaled.image.info.get(PAYLOAD, ""))
                key = (item.benchmark, item.subset, item.id, shown, _Space(columns, rows, view))
                self._kept.put(key, scaled, weight)
        return scaled

    def source(self, item: Item, shown: Shown) -> SentPicture:
        """The picture as it was sent (else as it would be), with its bytes. Raises PictureError."""
        recorded = self._recorded(shown)
        if recorded is not None:
            return recorded
        if isinstance(shown, SentPicture):
            raise PictureError("the store does not hold this picture")
        if self._pictures is None:
            raise PictureError("no pictures were named")
        return self._pictures.sent(item, _show(shown))

    def _made(self, item: Item, shown: Shown, space: _Space) -> Scaled:
        depicted = self._depicted(item, shown)
        if self._pictures is None and isinstance(shown, Show | Rearranged):
            return Scaled(None, (0, 0), f"no pictures were named. {depicted}")
        try:
            sent = self.source(item, shown)
            if self.imaging.kind == "off":
                words = depicted or one_line(sent.name)
                return Scaled(None, (0, 0), "{}x{}".format(*sent.size) if isinstance(shown, SentPicture) else words)
            return self._fitted(sent, space)
        except PictureError as error:
            return Scaled(None, (0, 0), one_line(str(error)))

    def _recorded(self, shown: Shown) -> SentPicture | None:
        """What was sent or made, with its bytes; None where they are not known (any more)."""
        if not isinstance(shown, SentPicture | Recorded):
            return None
        picture = shown.sent if isinstance(shown, Recorded) else shown
        data = picture.data or (self._stored(picture.hash) if self._stored is not None else None)
        if not data:
            return None
        return SentPicture(picture.hash, picture.mime, picture.size, picture.original_size, picture.name, data)

    def _decode(self, sent: SentPicture, space: _Space) -> tuple[Image, tuple[int, int]]:
        """In as many pixels as are seen of it, and its whole size. What is zoomed into is decoded whole, and kept."""
        found = self._decoded.get(sent.hash)
        if found is None and space.view == FIT:
            return load_smaller(
                sent.data, SPARE * max(self.imaging.pixels(space.columns, space.rows)), name=sent.name
            )
        if found is None:
            found = load_rgb(sent.data, name=sent.name)
            self._decoded.put(sent.hash, found, 3 * found.width * found.height)
        return found, found.size

    def _depicted(self, item: Item, shown: Shown) -> str:
        show = show_of(shown)
        if show is None or show.blank:
            return "blank" if show is not None else ""
        return one_line(" · ".join(picture.depicts for picture in show.pictures(item)))

    def _fitted(self, sent: SentPicture, space: _Space) -> Scaled:
        cell = self.imaging.cell
        image, size = self._decode(sent, space)
        box = space.view.box(size, (space.columns * cell.width, space.rows * cell.height))
        cells = fit(box.size, space.columns, space.rows, cell)
        part = box if size == image.size else None
        scaled = image.resize(self.imaging.pixels(*cells), box=part, reducing_gap=2.0)
        sequence = payload(self.imaging.kind, scaled, cell)
        if sequence:
            scaled.info[PAYLOAD] = sequence
        self.imaging.prepare(scaled)
        was = "" if sent.size == sent.original_size else " of {}x{}".format(*sent.original_size)
        words = "{}x{}{}, {}".format(*sent.size, was, weight(len(sent.data)))
        return Scaled(scaled, cells, words, size)


def _show(shown: Shown) -> Show:
    show = show_of(shown)
    assert show is not None
    return show


def weight(count: int) -> str:
    """A number of bytes as people read it: ``840 B``, ``84 KB``, ``1.2 MB``."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.0f} KB" if count < 999_500 else f"{count / 1e6:.1f} MB"
