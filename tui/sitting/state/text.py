"""Texts that were written in lines of an editor's width, flowing again on screens of any."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from tui.sitting.state.station import rows_of

WRAPPED_FROM: Final = 70
FULL: Final = 0.75
"""A line that takes so much of the longest one was ended by the editor, not by its author."""


PAGE_SIDES, PAGE_WIDEST = 4, 122
"""Columns that a page's padding takes, and the widest that its text is: as in the style sheet."""


def page_rows(text: str, width: int) -> int:
    """About how many rows a text takes as a page of a screen so wide."""
    return rows_of(reflowed(text), min(width - PAGE_SIDES, PAGE_WIDEST))


def reflowed(text: str) -> str:
    """Lines that an editor ended are joined; short ones, lists and paragraphs stay."""
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    longest = max(map(len, lines))
    if longest < WRAPPED_FROM:
        return text.strip("\n")
    out = [lines[0]]
    for before, line in pairwise(lines):
        goes_on = line[:1].strip() and line[:1] not in "-*•"
        if before and goes_on and len(before) >= FULL * longest:
            out[-1] += f" {line}"
        else:
            out.append(line)
    return "\n".join(out)
