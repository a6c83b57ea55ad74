"""A signal ends a command in good order, and in time."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

GRACE_S = 4.0
"""How long what is under way has to come to its end: whoever sent the signal sees the process gone within 5 s."""


class Interrupted(BaseException):
    """A signal ended the work; what had been stored is kept. ``waits`` is what a call was waited for then,
    ``document`` what ``--json`` says of how far the work came, None where it had not begun."""

    waits = ""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.document: dict[str, Any] | None = None


class BrokenOff(Exception):  # noqa: N818  (as the one above)
    """An ``error`` ended the work once it had begun; ``document`` is as that of an interrupted one."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error
        self.document: dict[str, Any] | None = None


def heed_termination() -> None:
    """From now on SIGTERM raises Interrupted wherever the main thread is, and the process ends within its grace."""
    signal.signal(signal.SIGTERM, _raise)


def end_in_time(number: int) -> None:
    """The process ends with status 128 + ``number`` when its grace is over, whatever it still waits for: a slow disk,
    or a thread that computes. The store is whole at any moment."""
    threading.Thread(target=_end, args=(number,), name="grace", daemon=True).start()


def _raise(number: int, _: FrameType | None) -> NoReturn:
    end_in_time(number)
    raise Interrupted(number)


def _end(number: int) -> None:
    time.sleep(GRACE_S)
    with suppress(OSError):
        os.write(2, _WORDS)
    os._exit(128 + number)


_WORDS = b"interrupted, and ended before all that was under way had come to its end; everything stored is kept\n"
