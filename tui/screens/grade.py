"""Your own score of a step."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.notebook import GRADE, GRADE_FIELDS
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.settling import acted_on, settled
from tui.state.grading import GradeForm, Verdict
from tui.state.marks import RIGHT, UNSCORED, WRONG
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines

WORDS: dict[Verdict, str] = {True: f"{RIGHT} right", False: f"{WRONG} wrong", None: f"{UNSCORED} unscored"}
STYLES: dict[Verdict, str] = {True: "right", False: "wrong", None: "muted"}


class VerdictLines(Lines):
    """The properties of a form, one a row."""

    def __init__(self, form: GradeForm, scorer: str) -> None:
        super().__init__(id="verdicts")
        self._form = form
        self._scorer = scorer

    @property
    def count(self) -> int:
        return len(self._form.lines)

    def line(self, index: int, width: int) -> Text:
        line = self._form.lines[index]
        name = f"{line.unit} {line.property_name}" if self._form.units > 1 else line.property_name
        text = Text(no_wrap=True, end="")
        text.append(f" {one_line(name):<14} ")
        text.append(f"{WORDS[line.yours]:<11}", self.style(STYLES[line.yours]))
        if line.other != line.yours:
            text.append(f" {one_line(self._scorer)}: {WORDS[line.other]:<11}", self.style("muted"))
        text.append(f" {line.told}", self.style("muted"))
        text.truncate(width, overflow="ellipsis")
        return text


class GradeScreen(Dialog[bool]):
    """True where the form is to be kept. The form is changed in place, so that Esc loses nothing."""

    CSS_PATH = "grade.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(GRADE_FIELDS, priority=True),
        *bindings([action for action in GRADE if action not in GRADE_FIELDS]),
    ]

    def __init__(self, step: str, form: GradeForm, said: Content, *, author: str, scorer: str) -> None:
        """``said`` is the answer that is scored."""
        super().__init__()
        self._step, self._form, self._said, self._author, self._scorer = step, form, said, author, scorer

    def compose(self) -> ComposeResult:
        with Vertical(id="grade"):
            yield Static(f" {self._author}: your score of {one_line(self._step)}", classes="heading", markup=False)
            with VerticalScroll(id="said", can_focus=False):
                yield Static(self._said, markup=False)
            yield VerdictLines(self._form, self._scorer)
            yield Static("", id="reason", markup=False)
            yield Input(self._form.note, placeholder="a note, if you like", id="note")
            yield KeyBar(SCOPES["grade"])

    def on_mount(self) -> None:
        lines = self.query_one(VerdictLines)
        lines.styles.height = max(lines.count, 1)
        lines.recount()
        self.set_focus(lines)
        self._show()

    def on_resize(self) -> None:
        """The answer has the room that the lines and keys leave."""
        said, room = self.query_one("#said"), self.size.height - len(self._form.lines) - 4
        said.display = room > 0
        said.styles.max_height = max(min(room, 8), 1)

    def _show(self) -> None:
        self.query_one("#reason", Static).update(f" why: {self._form.reason or '-'}")
        self.query_one(VerdictLines).refresh()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._form.note = event.value

    def on_input_submitted(self) -> None:
        self.action_keep()

    def on_lines_chosen(self) -> None:
        self.action_turn()

    def action_turn(self) -> None:
        self._form.turn(self.query_one(VerdictLines).cursor)
        self._show()

    def action_set(self, word: str) -> None:
        lines = self.query_one(VerdictLines)
        self._form.set(lines.cursor, {"right": True, "wrong": False, "unscored": None}[word])
        lines.action_point(1)
        self._show()

    def action_all(self) -> None:
        self._form.set_all(True)
        self._show()

    def action_reason(self) -> None:
        self._form.next_reason()
        self._show()

    async def action_other(self) -> None:
        await settled(self)
        lines, note = self.query_one(VerdictLines), self.query_one(Input)
        self.set_focus(note if lines.has_focus else lines)

    def action_keep(self) -> None:
        self._end(keep=True)

    def action_leave(self) -> None:
        self._end(keep=False)

    @work(name="grade", group="commands", exclusive=True, exit_on_error=False)
    async def _end(self, *, keep: bool) -> None:
        await acted_on(self)
        self._form.note = self.query_one(Input).value
        self.dismiss(keep)
