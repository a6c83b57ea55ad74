"""Changes that a clock of coarse ticks cannot miss, and changes that put back what usually tells of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def until_noted(path: Path, change: Callable[[], object]) -> None:
    """Make the change until the system's time of it is another: two within a tick have the same."""
    before = path.stat().st_ctime_ns
    change()
    while path.stat().st_ctime_ns == before:
        change()


def overwritten(file: Path, old: bytes, new: bytes) -> None:
    """As ``rsync --inplace -t`` and ``cp -p`` leave it: the same file, size and time, and other bytes."""
    before = file.stat()
    data = file.read_bytes().replace(old, new)

    def change() -> None:
        with file.open("r+b") as stream:
            stream.write(data)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    until_noted(file, change)
    after = file.stat()
    assert [after.st_size, after.st_mtime_ns, after.st_ino] == [before.st_size, before.st_mtime_ns, before.st_ino]
