"""When a frame has gone out to the terminal: Textual's own call after a refresh comes long after that, or before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from textual._time import get_time
from textual.driver import Driver

MARK: Final = ""
"""Written to the driver after a frame: all before it has gone out then."""


class _Stamped:
    """The terminal's file; tells of each mark. Called in the thread that writes."""

    def __init__(self, file: Any, told: Callable[[float], None]) -> None:
        self._file = file
        self._told = told

    def write(self, text: str) -> None:
        self._file.write(text)
        if text == MARK:
            self._file.flush()
            self._told(get_time())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def stamped(driver: type[Driver], told: Callable[[float], None]) -> type[Driver]:
    """A driver that tells when what was written has gone out (seconds of the monotonic clock); the same where it
    writes to no file."""

    class Stamping(driver):  # type: ignore[misc,valid-type]
        stamps = False

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            file = getattr(self, "_file", None)
            if file is not None and hasattr(self, "_writer_thread"):
                self._file = _Stamped(file, told)
                self.stamps = True

    return Stamping
