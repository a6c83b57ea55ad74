"""The server-sent events of a stream, and the answer's text as it may be shown while it arrives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Final

from core.records import Json
from core.respondents.base import OnDelta
from core.respondents.replies import TAGS, GarbageError, loads

DONE: Final = "[DONE]"


async def events(pieces: AsyncIterator[bytes]) -> AsyncGenerator[Json | None, None]:
    """The JSON of each event; None for ``[DONE]``.

    Only line feeds part lines: other separators may stand inside the JSON. An event ends at an empty line, or as
    soon as its data is whole.
    """
    rest = b""
    held: list[str] = []
    async for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            for event in _read(line.decode("utf-8", "replace"), held):
                yield event
    for event in _read(rest.decode("utf-8", "replace"), held):
        yield event
    if held:
        raise GarbageError("the stream broke off inside an event")


def _read(line: str, held: list[str]) -> Iterator[Json | None]:
    line = line.rstrip("\r")
    if not line and held:
        raise GarbageError("an event of the stream is no JSON")
    if not line.startswith("data:"):
        return
    data = line.removeprefix("data:").removeprefix(" ")
    if data.strip() == DONE:
        yield None
    elif held or data.strip():
        held.append(data)
        try:
            event = loads("\n".join(held))
        except GarbageError:
            return
        held.clear()
        yield event


class Voice:
    """Lets through what may be shown of a content that arrives in pieces: nothing of a leading block of thinking."""

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"
        self._closing = ""

    def feed(self, piece: str) -> str:
        """The text that has become visible."""
        if self._state == "answer" and not self._held:
            return self._whole(piece)
        self._held += piece
        if self._state == "start":
            self._begin()
        if self._state == "thinking":
            self._think()
        if self._state == "gap":
            self._held = self._held.lstrip()
            if self._held:
                self._state = "answer"
        if self._state == "answer":
            said, self._held = self._held, ""
            return self._whole(said)
        return ""

    def _begin(self) -> None:
        start = self._held.lstrip()
        for opening, closing in TAGS:
            if start.startswith(opening):
                self._state, self._closing, self._held = "thinking", closing, start[len(opening) :]
                return
        if start and not any(opening.startswith(start) for opening, _ in TAGS):
            self._state = "answer"

    def _think(self) -> None:
        before, closed, after = self._held.partition(self._closing)
        if closed:
            self._state, self._held = "gap", after
        else:
            self._held = before[1 - len(self._closing) :]

    def _whole(self, text: str) -> str:
        """Holds back half of a surrogate pair until the other half has come."""
        if text and "\ud800" <= text[-1] <= "\udbff":
            self._held = text[-1]
            text = text[:-1]
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text


class Shown:
    """Passes an answer's text on as it arrives; after a retry it goes on from what has been shown already.

    Where the second attempt says something else, nothing more is passed on: the answer itself is what counts.
    """

    def __init__(self, on_delta: OnDelta) -> None:
        self._on_delta = on_delta
        self._shown = ""
        self._again = ""
        self._catching_up = False
        self._voice = Voice()

    def restart(self) -> None:
        """A new attempt begins."""
        self._voice = Voice()
        self._again = ""
        self._catching_up = bool(self._shown)

    def feed(self, piece: str) -> None:
        """A piece of content arrived."""
        visible = self._voice.feed(piece)
        if not visible:
            return
        if self._catching_up:
            self._again += visible
            if len(self._again) < len(self._shown) or not self._again.startswith(self._shown):
                return
            visible = self._again[len(self._shown) :]
            self._catching_up = False
        self._pass_on(visible)

    def finish(self, text: str) -> None:
        """The answer is whole: pass on what is still held back."""
        if text.startswith(self._shown):
            self._pass_on(text[len(self._shown) :])

    def _pass_on(self, text: str) -> None:
        if text:
            self._shown += text
            self._on_delta(text)
