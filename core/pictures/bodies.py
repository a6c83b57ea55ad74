"""A JPEG's body looked over without being decoded, which takes ten times as long."""

from __future__ import annotations

import re
from typing import Final

_START: Final = b"\xff\xd8"
_END: Final = b"\xff\xd9"
_SCAN: Final = 0xDA
_ONE_AFTER_ANOTHER: Final = (0xC0, 0xC1)
"""Frames whose scan holds the whole picture (baseline, extended), where there is one alone."""
_OTHER_FRAMES: Final = frozenset(range(0xC2, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MARKER: Final = re.compile(rb"\xff[^\x00\xd0-\xd7]")


def without_body(data: bytes) -> bytes | None:
    """The same JPEG with its header alone, where its body would be decoded to the end; None: decode it.

    A decoder gives a body of one scan up for what it has of markers only, or because the end is missing: wrong bits
    make wrong pixels, and nobody can tell those. So one scan from its header to an end-marker at the end of the file,
    without a marker between them but restarts, is whole.
    """
    if not data.startswith(_START) or not data.endswith(_END):
        return None
    at, sequential = len(_START), False
    while at + 4 <= len(data):
        mark, kind, size = data[at], data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if mark != 0xFF or kind < 0xC0 or kind in _OTHER_FRAMES or 0xD0 <= kind <= 0xD9:
            return None
        at += 2 + size
        sequential = sequential or kind in _ONE_AFTER_ANOTHER
        if kind == _SCAN:
            found = _MARKER.search(data, at)
            whole = sequential and found is not None and found.start() == len(data) - len(_END)
            return data[:at] + _END if whole else None
    return None
