"""The last guard before the terminal: whatever a widget draws, no control character of a text gets through."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tui.inert import inert


class Harmless(LineFilter):
    """Every drawn line passes here: Textual's own fields draw what was typed or pasted into them as it is.

    Lines of a picture sent as such (sixel) carry control segments, which no text does; they pass unchanged.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if all(text.isprintable() for text, _, _ in segments) or any(control for _, _, control in segments):
            return segments
        return [Segment(harmless(text), style) for text, style, _ in segments]


def harmless(text: str) -> str:
    """Inert and as wide as before: a control character without a width is left out, one with a width is a sign."""
    if text.isprintable():
        return text
    shown = zip(text, inert(text.replace("\n", " ").replace("\t", " ")), strict=True)
    return "".join(new if new == old or cell_len(old) else "" for old, new in shown)
