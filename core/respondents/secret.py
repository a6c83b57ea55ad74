"""A key that shows itself to nobody but the connection."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from core.records import Json, as_written

HIDDEN: Final = "***"
SHORTEST: Final = 12
"""A shorter key is no secret but a word put in its place (``none``, ``EMPTY``), which may stand anywhere."""


SHORTEST_BESIDE: Final = 4
"""Of the confidential texts beside it: whoever keeps one in the environment says that it is secret."""


class Secret:
    """Holds a key; neither its repr nor its text gives it away. ``variable`` is the environment variable's name.

    ``also`` are other confidential texts of the same connection: they are blotted out with it.
    """

    __slots__ = ("_hidden", "_value", "_written", "variable")

    def __init__(self, value: str, variable: str = "", also: Iterable[str] = ()) -> None:
        self._value = value
        hidden = {value} if len(value) >= SHORTEST else set()
        hidden |= {text for text in also if len(text) >= SHORTEST_BESIDE}
        self._hidden = tuple(sorted(hidden, key=len, reverse=True))  # one may hold another
        self._written = tuple(as_written(text)[1:-1] for text in self._hidden)
        self.variable = variable

    def __repr__(self) -> str:
        return f"Secret({self.variable or HIDDEN})"

    def reveal(self) -> str:
        """The key itself: for the connection's header alone."""
        return self._value

    def scrub(self, text: str) -> str:
        """The text with the key blotted out: servers echo it in errors."""
        for hidden in self._hidden:
            text = text.replace(hidden, HIDDEN)
        return text

    def scrubbing(self) -> Callable[[str], str]:
        """The same for a text that comes in pieces: each call takes one and gives what may be shown by now; what
        could be the beginning of a key waits for the next."""
        held = ""

        def feed(piece: str) -> str:
            nonlocal held
            text = self.scrub(held + piece)
            begun = max((_begun(text, hidden) for hidden in self._hidden), default=0)
            held = text[len(text) - begun :]
            return text[: len(text) - begun]

        return feed

    def scrubbed(self, value: Json) -> Json:
        """The same with the key blotted out of every text in it."""
        if self._hidden:
            written = as_written(value)
            if any(hidden in written for hidden in self._written):
                return self._scrubbed(value)
        return value

    def _scrubbed(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.scrub(value)
        if isinstance(value, list):
            return [self._scrubbed(entry) for entry in value]
        if isinstance(value, dict):
            return {self.scrub(key): self._scrubbed(entry) for key, entry in value.items()}
        return value


def _begun(text: str, hidden: str) -> int:
    """How many characters at the end of the text are the beginning of what is hidden."""
    return next((size for size in range(min(len(hidden) - 1, len(text)), 0, -1) if text.endswith(hidden[:size])), 0)


_CONFIDENTIAL: Final = re.compile(r"(KEY|TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|CREDENTIALS?|AUTH(ORIZATION)?)$", re.I)
_ADDRESS: Final = re.compile(r"(PROXY|URL|URI|DSN)$", re.I)


def of_environment(environ: Mapping[str, str]) -> Secret:
    """What the environment holds that is nobody's business, by the names of its variables: to blot it out of the
    report of a fault, where anything may stand. Passwords in addresses are among it."""
    found = []
    for name, value in environ.items():
        if _CONFIDENTIAL.search(name) and len(value.strip()) >= SHORTEST:
            found.append(value.strip())
        elif _ADDRESS.search(name) and "@" in value:
            found.append(_password(value))
    return Secret("", also=found)


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment for a program of somebody else's, without what is nobody's business in it."""
    hidden = of_environment(environ)
    kept = {name: value for name, value in environ.items() if not _CONFIDENTIAL.search(name)}
    return {name: value for name, value in kept.items() if hidden.scrub(value) == value}


def _password(address: str) -> str:
    try:
        return urlsplit(address if "//" in address else f"//{address}").password or ""
    except ValueError:
        return ""
