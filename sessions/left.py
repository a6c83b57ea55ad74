"""Where each run was left: item, path and step, in a small file beside the store: no signal and no crash loses it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from sessions.drafts import Drafts, Place

BETWEEN_WRITES_S: Final = 1.0
ITEM, STEP = 0, 1
"""What is kept of a run, each under a number of its own: older versions know the first alone."""
_PATIENCE_S: Final = 5.0


class LeftAt:
    """What was looked at last, by run; without a file nothing is kept. Written in a thread, the first item at once
    and further ones at most once a second. A file that cannot be read or written costs the place alone."""

    def __init__(self, file: Path | None = None) -> None:
        self._kept = None if file is None else Drafts(file)
        self._lock = threading.Lock()
        self._wanted: dict[Place, str] = {}
        self._hurry = threading.Event()
        self._writer: threading.Thread | None = None

    def item(self, run: str) -> str | None:
        """The id of the item that this run was left at, None where nothing was kept."""
        return None if self._kept is None else self._kept.get(_place(run))

    def step(self, run: str, item: str) -> tuple[int, int] | None:
        """The path (by its trajectory's row, 0 for one that has none) and the step's index that this run was left at
        on that item; None where nothing was kept, or the run was left at another item."""
        if self._kept is None or self._kept.get(_place(run)) != item:
            return None
        words = self._kept.get(_place(run, STEP), "").split()
        return (int(words[0]), int(words[1])) if len(words) == 2 and all(map(str.isdecimal, words)) else None

    def note(self, run: str, item: str, trajectory: int = 0, index: int = 0) -> None:
        """That step of that path on that item is looked at now. Returns at once."""
        if self._kept is None:
            return
        with self._lock:
            self._wanted[_place(run)] = item
            self._wanted[_place(run, STEP)] = f"{trajectory} {index}"
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, args=(self._kept,), name="left at", daemon=True)
                self._writer.start()

    def flush(self) -> None:
        """Have what was noted written now, and not in a second; the end of the process waits for it."""
        self._hurry.set()
        if (writer := self._writer) is not None:
            writer.join(_PATIENCE_S)
        self._hurry.clear()

    def _write(self, kept: Drafts) -> None:
        while True:
            with self._lock:
                wanted, self._wanted = self._wanted, {}
                if not wanted:
                    self._writer = None
                    return
            kept.update(wanted)
            self._hurry.wait(BETWEEN_WRITES_S)


def _place(run: str, part: int = ITEM) -> Place:
    return Place(run, "", 0, part)
