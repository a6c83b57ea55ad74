"""Tags by model and step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from sessions.notebook import TagCount
from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.notebook import TAGS
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state.tagging import tag_table
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines

WIDEST = 28


class TableLines(Lines):
    """A table's rows, its header first, words left and numbers right."""

    def __init__(self, rows: Sequence[Sequence[str]], words: int) -> None:
        super().__init__(id="table")
        self._rows, self._words = rows, words
        self._widths = [min(max(map(cell_len, column)), WIDEST) for column in zip(*rows, strict=True)]

    @property
    def count(self) -> int:
        return len(self._rows)

    def line(self, index: int, width: int) -> Text:
        text = Text(" ", no_wrap=True, end="")
        for number, (cell, room) in enumerate(zip(self._rows[index], self._widths, strict=True)):
            fitted = set_cell_size(cell, room) if number < self._words or cell_len(cell) > room else cell.rjust(room)
            text.append(f"{fitted}  ", self.style("strong") if not index else None)
        text.truncate(width, overflow="ellipsis")
        return text


class TagsScreen(Dialog[None]):
    """How often each tag stands at each step, a row a run and tag."""

    CSS_PATH = "tags.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(TAGS)

    def __init__(self, counts: Sequence[TagCount]) -> None:
        super().__init__()
        self._counts = counts

    def compose(self) -> ComposeResult:
        header, rows = tag_table(self._counts)
        yield Static(" tags by run and step", classes="heading", markup=False)
        if rows:
            yield TableLines([header, *rows], words=3)
        else:
            yield Static(f" no step has a tag yet: {key('note.tag')} gives one", id="none", markup=False)
        yield KeyBar(SCOPES["tags"])

    def on_mount(self) -> None:
        for lines in self.query(TableLines):
            lines.recount()
            self.set_focus(lines)
