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
"""An answer of which the rest is still to come. Its beginning is no key's, so that no key waits."""


class LateAnswers:
    """Lets everything through that a terminal sends but those answers."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, data: str) -> str:
        """What is to be read of the input by now."""
        seen = _ANSWER.sub("", self._held + data)
        begun = _BEGUN.search(seen)
        cut = begun.start() if begun else len(seen)
        self._held = seen[cut:]
        return seen[:cut]
