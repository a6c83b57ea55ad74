"""Answers of the terminal that come when the keyboard is read are no keys."""

from __future__ import annotations

import os
import pty
import re

import pytest

from tests.tui.test_pasting import Desk, reading
from tui.imaging import _QUESTIONS
from tui.late_answers import LateAnswers

ANSWERS = {
    "kitty": "\x1b[6;20;10t\x1bP>|kitty(0.35.2)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;52;c",
    "xterm": "\x1b[6;17;8t\x1bP>|XTerm(390)\x1b\\\x1b[?64;1;2;4;6;9;15;16;17;18;21;22;28c",
    "no name": "\x1b_Gi=31;ENOTSUPPORTED:no\x1b\\\x1b[?1;2c",
}
KEYS = ("q", "\x1b", "\x1b[A", "\x1b[6~", "\x1b[6;5~", "\x1b_", "\x1bP", "\x1b[?2026;2$y", "\x1b[?1u", "é?")


@pytest.mark.parametrize("terminal", ANSWERS)
def test_answers_are_left_out_wherever_they_are_torn(terminal: str) -> None:
    for cut in range(len(ANSWERS[terminal]) + 1):
        answers = LateAnswers()
        first = answers.feed("i" + ANSWERS[terminal][:cut])
        later = answers.feed(ANSWERS[terminal][cut:] + "t")
        lone = ANSWERS[terminal][:cut].endswith("\x1b") or re.search(r"\x1b(_|P>?|\[6?|\[)$", ANSWERS[terminal][:cut])
        if not lone:  # what may be a key is never held back, so torn there the answer is seen
            assert first + later == "it", cut


@pytest.mark.parametrize("key", KEYS)
def test_keys_come_through_at_once_or_with_what_ends_them(key: str) -> None:
    answers = LateAnswers()
    assert answers.feed(key) == key
    assert answers.feed("x" + key) == "x" + key


@pytest.mark.parametrize("begun", ["\x1b_Ghello q", "\x1bP>|kit", "\x1b[6;20", "\x1b[?62;"])
def test_what_looks_like_an_answer_and_does_not_end_is_let_go_as_keys(begun: str) -> None:
    answers = LateAnswers()
    assert answers.feed("i" + begun) == "i"
    assert answers.tick() == ""
    assert answers.feed("1") == "", "input begins the wait anew"
    assert answers.tick() == ""
    assert answers.tick() == begun + "1"
    assert answers.tick() == ""
    assert answers.feed("q" + ANSWERS["kitty"] + "t") == "qt"


def test_an_answer_that_comes_in_two_is_left_out_after_a_look_in_between() -> None:
    answers = LateAnswers()
    assert [answers.feed("\x1b_Gi=31"), answers.tick(), answers.feed(";OK\x1b\\t")] == ["", "", "t"]


def test_what_is_asked_is_what_is_known_here() -> None:
    """A new question needs its answer left out as well."""
    assert re.findall(rb"\x1b(?:\[[>\d]*[a-z]|_G[^\x1b]*\x1b.)", _QUESTIONS) == [
        b"\x1b[16t",
        b"\x1b[>q",
        b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\",
        b"\x1b[c",
    ]


def test_the_drivers_thread_leaves_them_out_and_lets_keys_go() -> None:
    outer, inner = pty.openpty()
    desk = Desk()
    thread, driver = reading(desk, inner)
    try:
        os.write(outer, b"i" + ANSWERS["kitty"].encode() + b"q\n")
        while len(desk.sent) < 3 and thread.is_alive():
            thread.join(0.01)
        os.write(outer, b"\x1b_Ghello\n")
        for _ in range(1000):
            if len(desk.sent) < 11:
                thread.join(0.01)
        keys = [message.key for message in desk.sent]  # type: ignore[attr-defined]
        assert keys[:2] == ["i", "q"]
        assert keys[3:10] == ["underscore", "G", *"hello"]
    finally:
        driver.exit_event.set()
        thread.join(10)
        os.close(outer)
        os.close(inner)
