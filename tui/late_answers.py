"""What a slow terminal answers after the application has stopped waiting for it: never taken for keys.

Over ssh, or on a busy machine, the answers to ``imaging``'s questions can come when the keyboard is read already, and
Textual's parser takes the letters in them for keys.
"""

from __future__ import annotations

import re
from typing import Final

_ANSWER: Final = re.compile(
    r"\x1b_G[^\x1b\x07]*\x1b\\"  # kitty's protocol for pictures
    r"|\x1bP>\|[^\x1b]*\x1b\\"  # the terminal's name
    r"|\x1b\[6;\d+;\d+t"  # pixels of a cell
    r"|\x1b\[\?[\d;]*c"  # what it can do
)
_BEGUN: Final = re.compile(
    r"\x1b(?:_G[^\x1b\x07]{0,200}\x1b?|P>\|[^\x1b]{0,200}\x1b?|\[6;[\d;]{0,12}|\[\?[\d;]{0,80})\Z"
)
"""An answer of which the rest is still to come, or keys that look like it: ``alt+_`` and ``G`` in one."""

_TICKS: Final = 2
"""The rest of an answer comes before the driver has looked so often, a tenth of a second each, and found no input."""


class LateAnswers:
    """Lets everything through that a terminal sends but those answers."""

    def __init__(self) -> None:
        self._held = ""
        self._ticks = 0

    def feed(self, data: str) -> str:
        """What is to be read of the input by now."""
        seen = _ANSWER.sub("", self._held + data)
        begun = _BEGUN.search(seen)
        cut = begun.start() if begun else len(seen)
        self._held, self._ticks = seen[cut:], 0
        return seen[:cut]

    def tick(self) -> str:
        """What is to be read where the driver found no input: what was held for too long was no answer."""
        self._ticks += 1
        if self._ticks < _TICKS:
            return ""
        held, self._held = self._held, ""
        return held
