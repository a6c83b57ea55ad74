"""Words that several parts of the detail share, and how they are set beside a label of their own."""

from __future__ import annotations

from typing import Final

from textual.content import Content

from core.records import Parse

PARSES: Final = {
    Parse.NO_ANSWER: "no answer could be read",
    Parse.AMBIGUOUS: "more than one answer could be read",
    Parse.REFUSAL: "refused",
}


def after(head: Content, text: Content, width: int, note: Content | None = None) -> Content:
    """The text after its head, its further lines beginning where the first one does.

    A note goes on the last line where it fits as a whole, else below.
    """
    room = max(width - head.cell_length, 8)
    lines = [line.rstrip() for line in text.wrap(room)] or [Content("")]
    if note is not None and note.plain:
        if lines[-1].cell_length + 2 + note.cell_length <= room:
            lines[-1] = lines[-1] + "  " + note
        else:
            lines.extend(line.rstrip() for line in note.wrap(room))
    indent = " " * head.cell_length
    return Content("\n").join([head + lines[0], *(Content(indent) + line for line in lines[1:])])
