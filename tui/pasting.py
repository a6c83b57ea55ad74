"""What is pasted, whatever is in it and however much: taken as one text, and never more than can be worked through.

Textual's parser ends a paste in the middle where that holds an escape: what follows comes as keys. And whatever the
terminal sends goes into the queues of the application at once, where neither a key nor a signal gets past it.
"""

from __future__ import annotations

import os
import re
import selectors
import threading
from codecs import getincrementaldecoder
from collections.abc import Iterable
from typing import Final, NamedTuple

from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.driver import Driver
from textual.message import Message

from tui.counting import counted
from tui.late_answers import LateAnswers

TAKEN_CHARS: Final = 100_000
TAKEN_LINES: Final = 5_000
"""More than any answer, and laid out in less than a second."""

_AT_ONCE: Final = 32
_SLICE_S: Final = 0.05
_SLICES: Final = 40
"""So long, and so often, an application is waited for that does not say how far it is."""

_LINE_END: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours and the like
    r"|(?:\x1b[]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"  # titles, links
    r"|\x1b[ -/]+[0-~]"
)
_BEGINNINGS: Final = "\r\x1b\x90\x98\x9b\x9d\x9e\x9f"
"""With one of these a line end or a sequence begins of which the rest may be still to come."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")


class Taken(NamedTuple):
    """What is taken of a paste, and what is to be said of the rest ("" where all of it is taken)."""

    text: str
    note: str


def plain(text: str) -> str:
    """The text without terminal sequences and control characters; its lines end with a newline each."""
    return _CONTROL.sub("", _SEQUENCE.sub("", _LINE_END.sub("\n", text)))


def taken(text: str) -> Taken:
    """As much of a paste as a field can work through at once, as plain text."""
    whole = plain(text)
    lines = whole[: TAKEN_CHARS + 1].split("\n")
    kept = "\n".join(lines[:TAKEN_LINES])[:TAKEN_CHARS]
    if len(kept) == len(whole):
        return Taken(kept, "")
    limit = counted(TAKEN_LINES, "line") if len(lines) > TAKEN_LINES else counted(TAKEN_CHARS, "character")
    return Taken(kept, f"only the first {limit} of the paste are taken")


class Pastes:
    """Lets everything through that a terminal sends, but each paste whole and without anything that ends it early."""

    def __init__(self) -> None:
        self._inside = False
        self._tail = ""
        self._plain = ""
        self._rest = ""

    def feed(self, data: str) -> str:
        """What is to be read of the input by now; "" where the rest of a paste must come first."""
        out: list[str] = []
        while data:
            data = self._ending(data, out) if self._inside else self._beginning(data, out)
        return "".join(out)

    def _beginning(self, data: str, out: list[str]) -> str:
        """Nothing is held back here: an escape may be a key."""
        before = len(self._tail)
        seen = self._tail + data
        at = seen.find(BRACKETED_PASTE_START)
        if at < 0:
            out.append(data)
            self._tail = seen[1 - len(BRACKETED_PASTE_START) :]
            return ""
        end = at + len(BRACKETED_PASTE_START)
        out.append(seen[before:end])
        self._inside, self._tail = True, ""
        return seen[end:]

    def _ending(self, data: str, out: list[str]) -> str:
        seen = self._tail + data
        at = seen.find(BRACKETED_PASTE_END)
        if at < 0:
            cut = max(len(seen) + 1 - len(BRACKETED_PASTE_END), 0)
            self._hold(seen[:cut])
            self._tail = seen[cut:]
            return ""
        self._hold(seen[:at])
        text = self._plain + plain(self._rest)
        out += [text[: TAKEN_CHARS + 1], BRACKETED_PASTE_END]  # one more: it says that this is not all
        self._inside, self._tail, self._plain, self._rest = False, "", "", ""
        return seen[at + len(BRACKETED_PASTE_END) :]

    def _hold(self, text: str) -> None:
        if len(self._plain) > TAKEN_CHARS:
            return
        held = self._rest + text
        cut = max(held.rfind(sign) for sign in _BEGINNINGS)
        if cut < 0 or len(held) - cut > TAKEN_CHARS:
            cut = len(held)
        self._plain += plain(held[:cut])
        self._rest = held[cut:]


def pasting(driver: type[Driver]) -> type[Driver]:
    """A driver that reads its terminal through ``Pastes``, and no faster than the application works; the same driver
    where it has no terminal to read."""
    if not hasattr(driver, "run_input_thread"):
        return driver

    class Pasting(driver):  # type: ignore[misc,valid-type]
        def run_input_thread(self) -> None:
            """In the thread that reads. A byte that is no text is shown as such."""
            parser, answers, pastes = XTermParser(self._debug), LateAnswers(), Pastes()
            decode = getincrementaldecoder("utf-8")(errors="replace").decode
            with selectors.SelectSelector() as selector:
                selector.register(self.fileno, selectors.EVENT_READ)
                while not self.exit_event.is_set():
                    data = b""
                    if selector.select(0.1) and not (data := os.read(self.fileno, 4096)):
                        self.exit_event.wait(0.1)
                    if read := pastes.feed(answers.feed(decode(data)) if data else answers.tick()):
                        self._send(parser.feed(read))
                    self._send(parser.tick())

        def _send(self, messages: Iterable[Message]) -> None:
            for count, message in enumerate(messages, 1):
                if self._over():
                    return
                self.process_message(message)
                if count % _AT_ONCE == 0:
                    self._wait()

        def _over(self) -> bool:
            """Nothing more is wanted: after a signal, and once the application waits for this thread to end."""
            return bool(self._app.caught) or self.exit_event.is_set()

        def _wait(self) -> None:
            """Until the application has worked through what it was sent, or is about to end."""
            done = threading.Event()
            if not self._app.call_later(self._app.worked_through, done.set):
                return
            for _ in range(_SLICES):
                if done.wait(_SLICE_S) or self._over():
                    return

    return Pasting
