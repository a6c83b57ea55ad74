"""A key that shows itself to nobody but the connection."""

from __future__ import annotations

from typing import Final

from core.records import Json

HIDDEN: Final = "***"
SHORTEST: Final = 12
"""A shorter key is no secret but a word put in its place (``none``, ``EMPTY``), which may stand anywhere."""


class Secret:
    """Holds a key; neither its repr nor its text gives it away. ``variable`` is the environment variable's name."""

    __slots__ = ("_value", "variable")

    def __init__(self, value: str, variable: str = "") -> None:
        self._value = value
        self.variable = variable

    def __repr__(self) -> str:
        return f"Secret({self.variable or HIDDEN})"

    def reveal(self) -> str:
        """The key itself: for the connection's header alone."""
        return self._value

    def scrub(self, text: str) -> str:
        """The text with the key blotted out: servers echo it in errors."""
        return text.replace(self._value, HIDDEN) if len(self._value) >= SHORTEST else text

    def scrubbed(self, value: Json) -> Json:
        """The same with the key blotted out of every text in it."""
        if isinstance(value, str):
            return self.scrub(value)
        if isinstance(value, list):
            return [self.scrubbed(entry) for entry in value]
        if isinstance(value, dict):
            return {self.scrub(key): self.scrubbed(entry) for key, entry in value.items()}
        return value
