"""One line out of a list: found by typing, and with the reason beside a line that cannot be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key
from textual.widgets import Input, Static

from tui.inert import one_line
from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.forks import CHOOSE
from tui.screens.bindings import bindings, means
from tui.screens.dialog import Dialog
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines


@dataclass(frozen=True, slots=True)
class Row:
    """A line: its words, what is said beside them, and why it cannot be chosen ("" where it can). ``begins`` is what
    the field is filled with where it has to be written out."""

    words: str
    note: str = ""
    against: str = ""
    begins: str = ""


@dataclass(frozen=True, slots=True)
class Picked:
    """What was chosen: the index of a row, or (``index`` -1) what was typed."""

    index: int
    typed: str = ""


class RowLines(Lines):
    """The rows that hold every word that was typed. ``otherwise`` is said where none does."""

    def __init__(self, rows: Sequence[Row], otherwise: str = "", *, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id)
        self.rows = rows
        self.otherwise = otherwise
        self.chosen: list[int] = list(range(len(rows)))

    @property
    def count(self) -> int:
        return len(self.chosen)

    def narrow(self, wanted: str) -> None:
        """Keep the rows with these words, the cursor on the first that can be chosen."""
        words = wanted.casefold().split()
        texts = (f"{row.words} {row.note}".casefold() for row in self.rows)
        self.chosen = [index for index, text in enumerate(texts) if all(word in text for word in words)]
        typed = f" holds “{one_line(wanted.strip())}”{self.otherwise}" if words else ""
        self.empty = (f"nothing here{typed}",)
        self.recount()
        self.cursor = next((at for at, index in enumerate(self.chosen) if not self.rows[index].against), 0)

    def line(self, index: int, width: int) -> Text:
        row = self.rows[self.chosen[index]]
        text = Text(no_wrap=True, end="")
        text.append(f" {one_line(row.words)}", self.style("muted") if row.against else self.style("strong"))
        beside = f"not here: {row.against}" if row.against else row.note
        if beside:
            text.append(f"  {one_line(beside)}", self.style("muted"))
        text.truncate(width, overflow="ellipsis")
        return text


class ChooseScreen(Dialog[Picked | None]):
    """Gives back what was chosen, None where it was left with Esc.

    ``typing`` says what may be typed instead of choosing a row ("" where nothing may); ``search`` offers ``/``.
    """

    CSS_PATH = "choose.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(CHOOSE)

    def __init__(self, title: str, rows: Sequence[Row], *, search: bool = False, typing: str = "") -> None:
        super().__init__()
        self._title = title
        self._rows = rows
        self._search = search or bool(typing)
        self._typing = typing

    def compose(self) -> ComposeResult:
        yield Static(f" {one_line(self._title)}", classes="heading", markup=False)
        hint = self._typing or f"{key('choose.search')} or a letter: words to look for"
        yield Input(placeholder=hint, id="search", select_on_focus=False)
        otherwise = f"; {key('list.choose')} takes it as it is" if self._typing else ""
        yield RowLines(self._rows, otherwise, id="rows")
        search = "search or type" if self._typing else "search"
        keys = [replace(one, label=search) if one.id == "choose.search" else one for one in SCOPES["choose"]]
        yield KeyBar([one for one in keys if self._search or one.id != "choose.search"], enter="choose")

    def on_mount(self) -> None:
        self.query_one("#search").display = self._search
        lines = self.query_one(RowLines)
        lines.narrow("")
        lines.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(RowLines).narrow(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        lines = self.query_one(RowLines)
        typed = event.value.strip()
        exact = [index for index in lines.chosen if self._rows[index].words == typed]
        if exact or lines.count == 1:
            self._take((exact or lines.chosen)[0])
        elif self._typing and typed:
            self.dismiss(Picked(-1, typed))
        else:
            lines.focus()

    def on_key(self, event: Key) -> None:
        """Down leaves the field for the list; a character that means nothing there begins what is typed in the
        field."""
        field = self.query_one("#search", Input)
        if event.key == "down" and field.has_focus:
            self.query_one(RowLines).focus()
        elif (
            self._search and not field.has_focus and event.is_printable and event.character and self._free(event.key)
        ):
            field.focus()
            field.cursor_position = len(field.value)
            field.insert_text_at_cursor(event.character)
            event.stop()

    def _free(self, key: str) -> bool:
        return key not in self.active_bindings or means(self, key, "app.palette")

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self._take(self.query_one(RowLines).chosen[message.index])

    def _take(self, index: int) -> None:
        row = self._rows[index]
        if row.against:
            self.notify(one_line(row.against), timeout=3, markup=False)
        elif row.begins:
            field = self.query_one("#search", Input)
            field.value = row.begins
            field.focus()
            field.cursor_position = len(row.begins)
        else:
            self.dismiss(Picked(index))

    def action_search(self) -> None:
        if self._search:
            self.query_one("#search").focus()

    def action_leave(self) -> None:
        if self.query_one("#search").has_focus:
            self.query_one(RowLines).focus()
        else:
            self.dismiss(None)
