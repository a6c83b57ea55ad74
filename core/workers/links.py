"""A line to one worker, whatever carries it."""

from __future__ import annotations

from typing import NoReturn, Protocol


class LinkLostError(Exception):
    """The worker is gone; the text says what is known of why."""


class Link(Protocol):
    """Carries bytes both ways, whole and in order."""

    async def send(self, data: bytes) -> None:
        """Raises LinkLostError."""
        ...

    async def receive(self) -> bytes:
        """What the worker said next. Raises LinkLostError once it is gone."""
        ...

    async def end(self) -> None:
        """End the worker, if it has not ended; never raises."""
        ...


class Hiring(Protocol):
    """Where workers come from. ``count`` is how many there are to be, ``words`` what they are (``2 processes``)."""

    @property
    def count(self) -> int: ...
    @property
    def words(self) -> str: ...

    async def hire(self, number: int, terms: bytes) -> Link:
        """A new worker that begins with these terms, in the place of that number (from 0). Raises LinkLostError."""
        ...

    async def watch(self) -> NoReturn:
        """Raises RespondentError once nobody can be hired any more."""
        ...

    def explained(self, error: Exception, number: int, host: str) -> Exception:
        """What kept the worker of that number, on ``host``, from its work, as the user can mend it."""
        ...

    async def close(self) -> None:
        """Give back what belongs to all of them."""
        ...
