"""The picture service: what is sent for a turn's picture, and the same for the screen; cached, thread-safe."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from PIL import Image

from core.errors import PictureError, Problem
from core.pictures.caching import ByteCache
from core.pictures.collage import collage
from core.pictures.loading import flatten, load_rgb, look_over, pixels_of, read_bytes, refuse_foreign
from core.pictures.room import FLATTENED, ROOM
from core.pictures.sending import AS_IT_IS, SENT_PIXELS, Form, as_sent, encoded
from core.pictures.sniffing import HEAD
from core.records import Item, Json, Picture, SentPicture, Show, digest
from core.stamps import Stamp, stamp, stamp_of

Drawer: TypeAlias = Callable[[str, str], Image.Image | None]
"""(what a picture depicts, its name) -> a drawn stand-in, None where it cannot draw that."""

_FOLDER: Final = "Name its folder with --pictures"

FINGERPRINT: Final = 65_536

BLANK: Final = (128, 128, 128)
"""The grey of a picture that shows nothing (a control)."""

CACHE_BYTES: Final = 256 * 1024 * 1024

SCREEN_BYTES: Final = 12 * 1024 * 1024
"""Enough for a screen, which looks at one item at a time."""

KEPT: Final = 256
KEPT_EACH: Final = 4
"""A picture is wanted while its trajectory is under way, not for the whole run: so many are kept as they are sent, or
so many for each of the trajectories under way, whichever is more."""


class NotAtHandError(Exception):
    """The picture would have to be loaded first."""


class Pictures:
    """What is sent and shown for the pictures of items. Safe to call from any thread; takes milliseconds.

    With a ``drawer`` every picture is drawn from the words of its content and no file is read. ``max_pixels`` is the
    budget of one sent picture, a collage included, ``max_side`` its largest width and height (0: any).
    ``cache_bytes`` bounds each of the three caches: bytes sent, their base64, and pictures decoded for the screen. A
    file that has changed on disk is read again.
    """

    def __init__(
        self,
        *,
        drawer: Drawer | None = None,
        max_pixels: int = SENT_PIXELS,
        max_side: int = 0,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self._drawer = drawer
        self.max_pixels = max_pixels
        self.max_side = max_side
        self._sent: ByteCache[SentPicture] = ByteCache(cache_bytes, KEPT)
        self._base64: ByteCache[bytes] = ByteCache(cache_bytes, KEPT)
        self._decoded: ByteCache[Image.Image] = ByteCache(cache_bytes)
        self._read: dict[str, _Read] = {}  # by path: files that ``problems`` has read, until ``content`` is asked for

    def expect(self, in_flight: int) -> None:
        """So many trajectories will be under way at once."""
        for cache in (self._sent, self._base64):
            cache.most = max(cache.most, KEPT_EACH * in_flight)

    @property
    def identity(self) -> Mapping[str, Json]:
        """What changes the pictures that a respondent sees: part of a run's identity."""
        side = {"max_side": self.max_side} if self.max_side else {}
        return {"drawn": self._drawer is not None, "max_pixels": self.max_pixels, **side}

    def content(self, items: Iterable[Item]) -> Mapping[str, Json]:
        """A digest of the pictures these items name: of each file its size and first 64 KiB, once; of a drawn one the
        drawings' version."""
        if self._drawer is not None:
            from core.drawing import VERSION

            return {"drawings": VERSION}
        seen: dict[str, Json] = {}
        for item in items:
            for picture in item.pictures:
                if picture.data is None and picture.path not in seen:
                    seen[picture.path] = _fingerprint(picture.path, self._read.pop(picture.path, None))
        return {"files": digest(sorted([os.path.basename(path), *found] for path, found in seen.items()))}  # noqa: PTH119

    def sent(
        self,
        item: Item,
        show: Show,
        max_pixels: int | None = None,
        form: Form = AS_IT_IS,
        *,
        load: bool = True,
    ) -> SentPicture:
        """Exactly what is sent for this part of a turn. Raises PictureError.

        ``max_pixels`` lowers the budget for one respondent, ``form`` is what it wants pictures to be. Without
        ``load`` it takes microseconds: NotAtHandError where the picture is not held.
        """
        pictures = show.pictures(item)
        if len(pictures) < len(show.of):
            missing = next(index for index in show.of if index >= len(show.source or item.pictures))
            raise PictureError(f"the item has no picture {missing + 1}", where=f"item {item.id}")
        budget = min(self.max_pixels, max_pixels or self.max_pixels)
        form = replace(form, max_side=self.max_side) if self.max_side else form
        key = (budget, form, show.blank, *(self._key(picture) for picture in pictures))
        found = self._sent.get(key)
        if found is not None:
            return found
        if not load:
            raise NotAtHandError
        if show.blank:
            size = self.sent(item, replace(show, blank=False), max_pixels).size
            made = encoded(Image.new("RGB", size, BLANK), "blank", budget, form)
        elif show.collage:
            with ROOM.job():
                row = collage(self._all_rgb(pictures))
                made = encoded(row, " + ".join(picture.name for picture in pictures), budget, form)
        elif self._drawer is not None:
            made = encoded(self._drawn(pictures[0], self._drawer), pictures[0].name, budget, form)
        else:
            made = as_sent(_bytes_of(pictures[0]), pictures[0].name, _where(pictures[0]), budget, form)
        return self._sent.put(key, made, len(made.data))

    def image(
        self, item: Item, show: Show, max_side: int | None = None, max_pixels: int | None = None
    ) -> Image.Image:
        """What ``sent`` sends, decoded for the screen: upright RGB, at most ``max_side`` long. Do not change it."""
        sent = self.sent(item, show, max_pixels)
        key = (sent.hash, max_side)
        found = self._decoded.get(key)
        if found is not None:
            return found
        image = load_rgb(sent.data, max_side, name=sent.name)
        return self._decoded.put(key, image, 3 * image.width * image.height)

    def base64(self, sent: SentPicture) -> bytes:
        """The bytes sent, as base64; each picture is encoded once as long as the cache holds it."""
        found = self._base64.get(sent.hash)
        if found is not None:
            return found
        text = base64.b64encode(sent.data)
        return self._base64.put(sent.hash, text, len(text))

    def problems(self, items: Iterable[Item], *, whole: bool = False) -> dict[str, list[Problem]]:
        """By item id, what shows before a run: missing and empty files, and files that are no picture.

        Looks at the first bytes of each file, once, or at the ``whole`` of it, which takes milliseconds: then files
        that are torn, or too large to be decoded, show too. A picture of several items is one problem, which names
        the first. Items without problems are left out.
        """
        looked: dict[Hashable, Problem | None] = {}
        found: dict[str, list[Problem]] = {}
        for item in items:
            for picture in item.pictures:
                key: Hashable = picture.path or (picture.name, picture.data)
                if self._drawer is not None:
                    key = (picture.depicts, picture.name)
                if key not in looked:
                    problem = self._problem(picture, whole)
                    looked[key] = replace(problem, field=f"item {item.id}") if problem is not None else None
                if (problem := looked[key]) is not None:
                    found.setdefault(item.id, []).append(problem)
        return found

    # -- parts

    def _key(self, picture: Picture) -> Hashable:
        if self._drawer is not None:
            return ("drawn", picture.depicts, picture.name)
        if picture.data is not None:
            return ("data", picture.name, picture.data)
        if (found := stamp(picture.path)) is None:
            return ("unreadable", picture.path)  # reading it says why, and an error is never kept
        return ("file", picture.name, picture.path, found)

    def _all_rgb(self, pictures: Iterable[Picture]) -> list[Image.Image]:
        if self._drawer is not None:
            return [self._drawn(picture, self._drawer) for picture in pictures]
        files = [(_bytes_of(picture), _where(picture)) for picture in pictures]
        ROOM.take(sum(pixels_of(data) for data, _ in files) * FLATTENED)
        return [load_rgb(data, name=where) for data, where in files]

    def _drawn(self, picture: Picture, drawer: Drawer) -> Image.Image:
        image = drawer(picture.depicts, picture.name) if picture.depicts else None
        if image is None:
            what = f"{picture.depicts!r} cannot be drawn" if picture.depicts else "what it depicts is not known"
            raise PictureError(what, where=picture.name, remedy="Use the picture files: --pictures FOLDER")
        return image if image.mode == "RGB" else flatten(image, where=picture.name)

    def _problem(self, picture: Picture, whole: bool) -> Problem | None:
        if self._drawer is not None:
            return None if picture.depicts else Problem(picture.name, 0, "", "nothing says what it depicts")
        where = _where(picture)
        try:
            refuse_foreign(self._head(picture), where)
            if whole:
                look_over(_bytes_of(picture), name=where)
        except PictureError as error:
            return Problem(where, 0, "", error.what)
        return None

    def _head(self, picture: Picture) -> bytes:
        """The first bytes. A file's fingerprint is taken on the way: each is opened once."""
        if picture.data is not None:
            return picture.data[:HEAD]
        if not picture.path:
            return _bytes_of(picture)
        try:
            found, beginning = _beginning(picture.path)
        except (OSError, ValueError):
            return read_bytes(Path(picture.path))  # says why
        self._read[picture.path] = _Read(stamp_of(found), hashlib.sha256(beginning).hexdigest())
        return beginning[:HEAD]


class _Read(NamedTuple):
    """A file that was read: how it was known then, and the hash of its beginning."""

    stamp: Stamp
    hash: str


def _fingerprint(path: str, known: _Read | None) -> tuple[int, str]:
    """``known`` is taken where the file is still the same."""
    if known is not None and stamp(path) == known.stamp:
        return known.stamp.size, known.hash
    try:
        found, beginning = _beginning(path)
    except (OSError, ValueError):
        return 0, ""  # missing: told elsewhere, and whoever looks at it fails
    return found.st_size, hashlib.sha256(beginning).hexdigest()


def _beginning(path: str) -> tuple[os.stat_result, bytes]:
    """What is known of a regular file (OSError: there is none) and its first 64 KiB, with the least that the system
    can be asked: it is done for every picture of a data set before anything runs. A pipe is never opened: that would
    block."""
    if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116
        raise OSError
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return os.fstat(file), os.read(file, FINGERPRINT)
    finally:
        os.close(file)


def _where(picture: Picture) -> str:
    return picture.path or picture.name


def _bytes_of(picture: Picture) -> bytes:
    if picture.data is not None:
        return picture.data
    if not picture.path:
        raise PictureError("no file is known for this picture", where=picture.name, remedy=_FOLDER)
    return read_bytes(Path(picture.path))
