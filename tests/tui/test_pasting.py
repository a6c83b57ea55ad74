"""Pastes: whole whatever is in them, plain text, and no more than can be worked through."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Callable
from typing import Any

import pytest
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key, Paste
from textual.message import Message
from textual.widgets import Input, TextArea

from tests.tui.pilots import app_on, idle, notices, press
from tests.tui.stage import Told, stepping
from tui.pasting import TAKEN_CHARS, TAKEN_LINES, Pastes, pasting, plain, taken

BEGIN, END = "\x1b[200~", "\x1b[201~"
COLOURED = "\x1b[31mred\x1b[0m \x1b]0;title\x07and \x1b \x1b\x1b[1;5Rplain\r\nnext\rlast\x1b"
SHOWN = "red and  plain\nnext\nlast"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (COLOURED, SHOWN),
        ("\x9b31mred\x9b0m \x00\x07\x7fx", "red x"),
        ("a\tb\u2028c\u2029d", "a\tb\nc\nd"),
        ("日本語 👩‍🔬 café", "日本語 👩‍🔬 café"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
    ],
)
def test_sequences_and_controls_are_left_out_and_everything_else_stays(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_of_a_long_paste_the_beginning_is_taken_and_it_is_said() -> None:
    assert taken("x" * TAKEN_CHARS) == ("x" * TAKEN_CHARS, "")
    assert taken("x" * 1_000_000) == ("x" * TAKEN_CHARS, "only the first 100,000 characters of the paste are taken")
    assert taken("\n" * 1_000_000) == (
        "\n" * (TAKEN_LINES - 1),
        "only the first 5,000 lines of the paste are taken",
    )
    assert taken("x\n" * TAKEN_LINES).note == "only the first 5,000 lines of the paste are taken"
    assert taken("\x1b[31mx\x1b[0m" * 50_000).note == ""


def read(pieces: list[str]) -> list[Any]:
    """What Textual's parser makes of the input behind the filter: texts pasted, and keys by name."""
    pastes, parser = Pastes(), XTermParser()
    out = [event for piece in pieces if (now := pastes.feed(piece)) for event in parser.feed(now)]
    return [("paste", event.text) if isinstance(event, Paste) else event.key for event in out]  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 4096])
def test_a_paste_with_escapes_is_one_paste_wherever_the_input_is_cut(size: int) -> None:
    data = f"a{BEGIN}{COLOURED}{END}b{BEGIN}second{END}\x1b[A"
    assert read([data[at : at + size] for at in range(0, len(data), size)]) == [
        "a",
        ("paste", SHOWN),
        "b",
        ("paste", "second"),
        "up",
    ]


def test_without_the_filter_the_same_paste_comes_as_keys() -> None:
    """The reason why there is one; where this fails, Textual has mended it."""
    parser = XTermParser()
    events = list(parser.feed(f"{BEGIN}one \x1b[31mtwo three four five six seven eight nine{END}"))
    assert any(isinstance(event, Key) for event in events)


def test_of_a_huge_paste_no_more_is_held_than_is_taken() -> None:
    pastes, parser = Pastes(), XTermParser()
    piece = "\x1b[1mx\x1b[0m" * 400
    assert pastes.feed(BEGIN) == BEGIN
    assert all(pastes.feed(piece) == "" for _ in range(1000))
    events = list(parser.feed(BEGIN)) + list(parser.feed(pastes.feed(END)))
    assert [taken(event.text) for event in events if isinstance(event, Paste)] == [
        ("x" * TAKEN_CHARS, "only the first 100,000 characters of the paste are taken")
    ]


class Desk:
    """An application for a driver: what it is sent, and how far it has worked through that."""

    def __init__(self) -> None:
        self.caught = 0
        self.closing = False
        self.sent: list[Message] = []
        self.waiting: list[Callable[[], object]] = []
        self.asked = threading.Event()

    def worked_through(self, told: Callable[[], object]) -> None:
        raise AssertionError("only named")

    def call_later(self, callback: object, told: Callable[[], object]) -> bool:
        assert callback == self.worked_through
        self.waiting.append(told)
        self.asked.set()
        return not self.closing


def reading(desk: Desk, descriptor: int) -> tuple[threading.Thread, Any]:
    """The driver's thread over a terminal."""

    class Reading(LinuxDriver):
        def __init__(self) -> None:
            self._app, self._debug, self.fileno, self.exit_event = desk, False, descriptor, threading.Event()  # type: ignore[assignment]

        def process_message(self, message: Message) -> None:
            desk.sent.append(message)

    driver: Any = pasting(Reading)()  # type: ignore[call-arg]
    thread = threading.Thread(target=driver.run_input_thread, daemon=True)
    thread.start()
    return thread, driver


def test_keys_are_read_no_faster_than_they_are_worked_through_and_after_a_signal_none_is() -> None:
    outer, inner = pty.openpty()
    desk = Desk()
    thread, driver = reading(desk, inner)
    try:
        os.write(outer, b"y" * 500 + b"\n")
        assert desk.asked.wait(10)
        assert len(desk.sent) == 32
        desk.asked.clear()
        desk.waiting.pop()()
        assert desk.asked.wait(10)
        assert len(desk.sent) == 64
        desk.caught = 15
        desk.waiting.pop()()
        driver.exit_event.set()
        thread.join(10)
        assert not thread.is_alive()
        assert len(desk.sent) == 64
    finally:
        driver.exit_event.set()
        os.close(outer)
        os.close(inner)


@pytest.mark.parametrize("how", ["driver", "application"])
def test_an_application_that_ends_waits_for_nothing_behind(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver's end joins the thread in the event loop: what that waits for could never come."""
    monkeypatch.setattr("tui.pasting._SLICES", 1200)  # a minute, each time
    outer, inner = pty.openpty()
    desk = Desk()
    desk.closing = how == "application"
    thread, driver = reading(desk, inner)
    try:
        os.write(outer, b"q" + b"y" * 3500 + b"\n")
        assert desk.asked.wait(10)
        for _ in range(1000 if desk.closing else 0):
            if len(desk.sent) < 3502:
                thread.join(0.01)
        driver.exit_event.set()
        thread.join(10)
        assert len(desk.sent) == (3502 if desk.closing else 32)
        assert not thread.is_alive()
    finally:
        driver.exit_event.set()
        os.close(outer)
        os.close(inner)


def test_bytes_that_are_no_text_are_shown_and_end_nothing() -> None:
    outer, inner = pty.openpty()
    desk = Desk()
    thread, driver = reading(desk, inner)
    try:
        os.write(outer, b"\x1b[200~caf\xe9 ok\x1b[201~q\n")
        while len(desk.sent) < 3 and thread.is_alive():
            thread.join(0.01)
        first, second = desk.sent[:2]
        assert isinstance(first, Paste)
        assert first.text == "caf� ok"
        assert isinstance(second, Key)
        assert second.key == "q"
    finally:
        driver.exit_event.set()
        thread.join(10)
        os.close(outer)
        os.close(inner)


def test_a_driver_without_a_terminal_is_left_as_it_is() -> None:
    assert pasting(Driver) is Driver


async def test_into_an_editor_goes_plain_text_and_a_long_paste_is_cut_with_a_word() -> None:
    state = stepping(Told("own words"))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "e", "right")
        pilot.app.post_message(Paste(COLOURED))
        await idle(pilot)
        assert pilot.app.screen.query_one(TextArea).text == "own words" + SHOWN
        assert notices(pilot) == ""
        await press(pilot, "ctrl+l")
        pilot.app.post_message(Paste("word " * 200_000))
        await idle(pilot)
        assert pilot.app.screen.query_one(TextArea).text == "word " * (TAKEN_CHARS // 5)
        assert notices(pilot) == "only the first 100,000 characters of the paste are taken"


async def test_a_paste_of_nothing_but_controls_removes_nothing() -> None:
    state = stepping(Told("own words"))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "e")
        pilot.app.post_message(Paste("\x1b[0m\x07"))
        await idle(pilot)
        assert pilot.app.screen.query_one(TextArea).text == "own words"
        await press(pilot, "escape", "slash")
        pilot.app.post_message(Paste("\x1b[31mvoila\x1b[0m\rsecond line"))
        await idle(pilot)
        assert pilot.app.screen.query_one(Input).value == "voila"
