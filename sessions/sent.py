"""Pictures of a stored run: read where they lie, and taken from the store, as they were sent, where they are gone."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final

from core.benchmarks.folders import Inside
from core.errors import PictureError
from core.pictures import AS_IT_IS, SCREEN_BYTES, Drawer, Form, NotAtHandError, Pictures
from core.records import Item, Picture, SentPicture, Show
from sessions import encoding
from sessions.replay import Replay
from sessions.store import Store

DEPTH: Final = 4
"""So many names of the end of an old path are looked for in a new folder."""

_SENT = (
    "SELECT DISTINCT sets.content FROM items JOIN trajectories AS t ON t.item = items.id"
    " JOIN steps ON steps.trajectory = t.id JOIN picture_sets AS sets ON sets.id = steps.sent"
    " WHERE items.hash = ? AND t.run = ? ORDER BY sets.id"
)


class StoredPictures(Pictures):
    """The picture service of a run in the store. With ``stored_first`` files come last: they may have changed.
    ``folder`` is where they lie now: what is found there, by its name alone, goes before what lies where it lay."""

    def __init__(
        self,
        store: Store,
        run: int,
        *,
        drawer: Drawer | None = None,
        max_side: int = 0,
        folder: Path | None = None,
    ) -> None:
        super().__init__(drawer=drawer, max_side=max_side, cache_bytes=SCREEN_BYTES)
        self.drawn = drawer is not None
        self.stored_first = False
        self._store = store
        self._run = run
        self._inside = None if folder is None else Inside(folder)
        self._at: dict[tuple[str, str], str] = {}  # by name and old path: where it was found, "" where it was not

    def sent(
        self,
        item: Item,
        show: Show,
        max_pixels: int | None = None,
        form: Form = AS_IT_IS,
        *,
        load: bool = True,
    ) -> SentPicture:
        """As ``Pictures.sent``; what the run sent for this item stands in for a file that cannot be read."""
        if self.drawn:
            return super().sent(item, show, max_pixels, form, load=load)
        if self._inside is not None:
            item = replace(item, pictures=tuple(self._found(picture, load) for picture in item.pictures))
            show = replace(show, source=tuple(self._found(picture, load) for picture in show.source))
        if self.stored_first:
            if not load:
                raise NotAtHandError
            if (kept := self.kept(item, show)) is not None:
                return kept
        try:
            return super().sent(item, show, max_pixels, form, load=load)
        except PictureError:
            if (kept := self.kept(item, show)) is None:
                raise
            return kept

    def kept(self, item: Item, show: Show) -> SentPicture | None:
        """What the run sent for that part of a turn on this item, with its bytes; None where nothing was."""
        pictures = show.pictures(item)
        if show.blank or len(pictures) < len(show.of):
            return None
        name = " + ".join(picture.name for picture in pictures)
        db = self._store.reader()
        for (content,) in db.execute(_SENT, (bytes.fromhex(item.hash), self._run)):
            named = [picture for picture in encoding.pictures_from_json(content) if picture.name == name]
            picture = named[0 if show.source else -1] if named else None  # worked examples were sent before
            if picture is not None and (data := Replay(db).picture(picture.hash)) is not None:
                return SentPicture(
                    picture.hash, picture.mime, picture.size, picture.original_size, picture.name, data
                )
        return None

    def _found(self, picture: Picture, load: bool) -> Picture:
        """The picture as it lies in the folder; as it was where it is not there. Without ``load`` no file is looked
        at: what was not looked for yet is not held either."""
        if picture.data is not None:
            return picture
        key = picture.name, picture.path
        if load:
            known = self._at.get(key)
            if not known or not self._lies(known):
                self._at[key] = self._looked_for(picture)
        elif key not in self._at:
            raise NotAtHandError
        return replace(picture, path=found) if (found := self._at[key]) else picture

    def _looked_for(self, picture: Picture) -> str:
        """Its path in the folder, by its name in the data or the end of its old path; "" where it is not there."""
        assert self._inside is not None
        parts = PurePath(picture.path).parts
        ends = ["/".join(parts[-count:]) for count in range(min(len(parts) - 1, DEPTH), 0, -1)]
        for name in (picture.name, *ends):
            path = self._inside.named(name) if name else None
            if path is not None and self._lies(path):
                return path
        return ""

    def _lies(self, path: str) -> bool:
        """Whether a file lies there, and in the folder: it may have become a link out of it since."""
        assert self._inside is not None
        return os.path.isfile(path) and self._inside.holds(Path(path))  # noqa: PTH113  (a folder that is closed: False)

    def stored(self, digest: str) -> bytes | None:
        """The bytes of a picture of that hash, None where the store has not got it."""
        return Replay(self._store.reader()).picture(digest)

    def holds(self, item: Item) -> bool:
        """Whether every picture of the item is at hand without a look at any file."""
        return self.drawn or all(
            picture.data is not None or self.kept(item, Show((index,))) is not None
            for index, picture in enumerate(item.pictures)
        )
