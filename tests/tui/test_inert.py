"""Others' text is harmless on the screen and keeps its places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.harmless import harmless
from tui.inert import inert, one_line, pruned


@given(st.text())
def test_every_character_keeps_its_place_and_no_control_is_left(text: str) -> None:
    shown = inert(text)
    assert len(shown) == len(text)
    assert not [c for c in shown if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0]
    shown.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x9b2J", "�2J"),
        ("a\r\nb", "a \nb"),
        ("\u202eabc", "�abc"),
        ("\ud800", "�"),
        ("👩\u200d🔬 日本語 שלום", "👩\u200d🔬 日本語 שלום"),
    ],
)
def test_what_is_shown_for_a_few(text: str, shown: str) -> None:
    assert inert(text) == shown


def test_a_title_has_no_line_breaks() -> None:
    assert one_line("a\n\tb\x1b") == "a b␛"


def test_long_texts_are_pruned_with_a_note() -> None:
    by_length, by_lines = pruned("x" * 200_000), pruned("\n".join(["line"] * 5_000))
    assert len(by_length.text) == 20_000
    assert by_length.note == "the first 20,000 of 200,000 characters; all of it is stored"
    assert by_lines.text.count("\n") == 599
    assert by_lines.note
    assert pruned("short") == ("short", "")


def test_a_drawn_text_keeps_its_width_and_commands_nothing() -> None:
    for text in ("plain", "▀▀", "\x1b[31m", "a\x9b2Jb\x07", "שלום\u202e", "👩\u200d🔬", "日本", "\t|", "\udc80"):
        shown = harmless(text)
        assert not [char for char in shown if ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char == "\u202e"]
        assert cell_len(shown) == cell_len(text)
    assert harmless("\x1b[31m") == "[31m"
