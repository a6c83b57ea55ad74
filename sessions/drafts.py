"""Words that were typed and not put in yet, kept in a small file beside the store: Esc, crash, restart lose none."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from core.errors import PhoropterError
from core.files import read_text

if TYPE_CHECKING:
    from sessions.store import Store

_THREAD: Final = ThreadPoolExecutor(1, "drafts")
"""Where files of drafts are read and written: whoever types never waits for a disk, or for another process."""


class DraftsError(PhoropterError):
    """There is no file of drafts, or none that can be read."""


class Place(NamedTuple):
    """Where a text was meant to go. ``trajectory`` is 0 for the main one, which has no row before its first step."""

    run: str
    item: str
    trajectory: int
    step: int


class Drafts(MutableMapping[Place, str]):
    """The drafts in a file; without one, in memory alone. Each change is written whole, under a lock that others
    on the same store wait for, in a thread of its own and in the order they were made; the end of the process waits
    for it. A file that cannot be read or written costs the drafts of this time, nothing else."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._guard = threading.Lock()
        self._unwritten: dict[Place, str | None] = {}
        self._known = _THREAD.submit(self._read).result()  # behind all that this process has still to write

    def __getitem__(self, place: Place) -> str:
        return self._known[place]

    def __setitem__(self, place: Place, text: str) -> None:
        if self._known.get(place) != text:
            self._known[place] = text
            self._change(place, text)

    def __delitem__(self, place: Place) -> None:
        del self._known[place]
        self._change(place, None)

    def __iter__(self) -> Iterator[Place]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def _read(self) -> dict[Place, str]:
        if self._file is None:
            return {}
        try:
            stored = json.loads(read_text(self._file, "the drafts", error=DraftsError))
            return {Place(str(r), str(i), int(t), int(s)): str(text) for r, i, t, s, text in stored}
        except (DraftsError, ValueError, TypeError, RecursionError):
            return {}

    def _change(self, place: Place, text: str | None) -> None:
        if self._file is None:
            return
        with self._guard:
            self._unwritten[place] = text
        _THREAD.submit(self._put_out, self._file)

    def _put_out(self, file: Path) -> None:
        """All changes that are not written yet at once: who waited for the lock has nothing left to do."""
        from filelock import FileLock, Timeout

        with self._guard:
            changes, self._unwritten = self._unwritten, {}
        if not changes:
            return
        try:
            with FileLock(f"{file}.lock", timeout=2, mode=0o600):
                others = self._read()
                for place, text in changes.items():
                    others.pop(place, None)
                    if text is not None:
                        others[place] = text
                _write(file, [[*at, words] for at, words in others.items()])
        except (OSError, Timeout):
            return


class Fields(MutableMapping[str, str]):
    """What was typed into the fields of one form, kept as one draft; none where no field holds anything."""

    def __init__(self, drafts: Drafts, place: Place) -> None:
        self._drafts = drafts
        self._place = place
        self._typed = _fields(drafts.get(place, "{}"))

    def __getitem__(self, name: str) -> str:
        return self._typed[name]

    def __setitem__(self, name: str, text: str) -> None:
        self.put({**self._typed, name: text})

    def __delitem__(self, name: str) -> None:
        left = dict(self._typed)
        del left[name]
        self.put(left)

    def __iter__(self) -> Iterator[str]:
        return iter(self._typed)

    def __len__(self) -> int:
        return len(self._typed)

    def put(self, typed: Mapping[str, str]) -> None:
        """These in the place of all."""
        self._typed = dict(typed)
        if typed:
            self._drafts[self._place] = json.dumps(self._typed)
        else:
            self._drafts.pop(self._place, None)


def _fields(stored: str) -> dict[str, str]:
    try:
        return {str(name): str(text) for name, text in json.loads(stored).items()}
    except (ValueError, AttributeError, RecursionError):
        return {}


def drafts_beside(store: Store) -> Drafts:
    """Those of a store; in memory alone where nothing can be written there."""
    return Drafts(None if store.read_only else store.path.with_name(f"{store.path.name}.drafts"))


def _write(file: Path, stored: object) -> None:
    """Whole or not at all; readable by its owner alone."""
    if not stored:
        file.unlink(missing_ok=True)
        return
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(json.dumps(stored, ensure_ascii=True).encode())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
