"""One question at a time: of the gate and the questionnaires, consent, confidence, why, the participant's code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key, Paste
from textual.widgets import Input, Static, TextArea

from core.study.texts import Wording
from tui.inert import inert, one_line
from tui.sitting.form_text import FormText, wanted_rows
from tui.sitting.screen import Keys, SittingScreen
from tui.sitting.state.answering import Answering, Asked, choices_of
from tui.sitting.state.layout import HEAD_AND_KEYS, LEAST_WORDS
from tui.sitting.state.station import rows_of
from tui.sitting.state.text import PAGE_SIDES, page_rows, reflowed

Kind: TypeAlias = Literal["choice", "line", "text", "number", "secret"]

LINE_ROWS, TEXT_ROWS = 3, 9
"""Of a line and of a field for free words, with their margins: as in the style sheet."""


@dataclass(frozen=True, slots=True)
class Put:
    """A question as it is shown. ``options`` map what is stored to what is shown; ``low`` and ``high`` name the ends
    of a scale; ``problem`` is said in front; ``leave`` is what Esc gives back (None: it leads nowhere); ``optional``
    says that no answer is required, where participants have to be told."""

    text: str
    kind: Kind
    heading: str = ""
    options: Mapping[str, str] | None = None
    low: str = ""
    high: str = ""
    required: bool = True
    problem: str = ""
    leave: str | None = None
    optional: str = ""

    @property
    def said(self) -> str:
        """The question, and that it may be left open."""
        return f"{self.text}\n\n{self.optional}" if self.optional else self.text


class QuestionScreen(SittingScreen[str]):
    """Gives back what is stored: an option, or the words typed ("" where none are required)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "send", priority=True),
        Binding("pageup", "read(-1)", priority=True),
        Binding("pagedown", "read(1)", priority=True),
        Binding("escape", "leave", priority=True),
    ]

    def __init__(self, question: Put, wording: Wording) -> None:
        super().__init__()
        self._put, self._wording = question, wording
        self.form = _form(question) if question.kind == "choice" else None

    def compose(self) -> ComposeResult:
        question, words = self._put, self._wording
        yield Static(f" {one_line(question.heading)}", id="head", markup=False)
        with VerticalScroll(id="page", can_focus=False):
            yield Static(inert(reflowed(question.said)), id="page-text", markup=False)
        yield Static(one_line(question.problem), id="problem", markup=False)
        if self.form is not None:
            if question.low or question.high:
                yield Static(f" 1 {one_line(question.low)}  …  {one_line(question.high)}", id="ends", markup=False)
            yield FormText(self.form, lists=True, rows=len(self.form.here.choices) + 1)
        elif question.kind == "text":
            yield TextArea("", id="text", soft_wrap=True)
        else:
            yield Input(id="line", password=question.kind == "secret", restrict=_RESTRICT.get(question.kind))
        keys = [("ctrl+s" if question.kind == "text" else "enter", words.ui("next"), "send")]
        keys += [("esc", words.ui("back"), "leave")] if question.leave is not None else []
        keys += (
            [("pgdn", words.ui("page"), "read(1)")]
            if page_rows(question.said, self.app.size.width) > self._room()
            else []
        )
        yield Keys(*keys)

    def _room(self) -> int:
        """The rows that the text can have, so that all there is to answer with is seen below it."""
        width, height = self.app.size
        said = rows_of(self._put.problem, width - PAGE_SIDES)
        if self.form is not None:
            below = wanted_rows(self.form, width - 2, height, lists=True) + 1 + bool(self._put.low or self._put.high)
        else:
            below = TEXT_ROWS if self._put.kind == "text" else LINE_ROWS
        return max(height - HEAD_AND_KEYS - 1 - said - below, LEAST_WORDS)

    def on_resize(self) -> None:
        self.query_one("#page").styles.max_height = self._room() + 1

    def on_mount(self) -> None:
        self.on_resize()
        for field in self.query("Input, TextArea"):
            assert isinstance(field, Input | TextArea)
            field.cursor_blink = False  # nothing on the screen moves by itself
            field.focus()

    async def on_key(self, event: Key) -> None:
        form = self.form
        if form is None:
            return
        event.stop()
        event.prevent_default()
        if event.key == "enter":
            await self.action_send()
            return
        if event.key in ("down", "right", "tab", "up", "left", "shift+tab"):
            form.turn(1 if event.key in ("down", "right", "tab") else -1, event.time)
        elif event.key in ("backspace", "delete"):
            form.erase(event.time)
        elif event.character is not None and event.is_printable:
            form.type(event.character, event.time)
        self.query_one(FormText).draw()

    def on_paste(self, event: Paste) -> None:
        if self.form is not None:
            event.stop()

    def action_pick_value(self, place: int, choice: int) -> None:
        if self.form is not None:
            self.form.pick(place, choice, self.sitting.event_at)
            self.query_one(FormText).draw()

    def action_to_field(self, place: int) -> None:
        """There is only one."""

    async def on_input_submitted(self) -> None:
        await self.action_send()

    async def action_send(self) -> None:
        if self.form is None:
            await self.in_order()
        value = self._value()
        if value or not self._put.required:
            self.answer(value)

    def action_leave(self) -> None:
        if self._put.leave is not None:
            self.answer(self._put.leave)

    def action_read(self, pages: int) -> None:
        page = self.query_one("#page")
        page.scroll_relative(y=pages * max(page.size.height - 1, 1), animate=False)

    def _value(self) -> str:
        if self.form is not None:
            return self.form.here.value
        if self._put.kind == "text":
            return self.query_one(TextArea).text
        return self.query_one(Input).value.strip()


_RESTRICT: Mapping[str, str] = {"number": r"-?[0-9]*[.,]?[0-9]*"}


def _form(question: Put) -> Answering:
    options = question.options or {}
    return Answering((Asked("", "", choices_of(tuple(options), tuple(options.values()))),))


def scale(points: int) -> dict[str, str]:
    """The options of a scale from 1 to so many points."""
    return {str(point): str(point) for point in range(1, points + 1)}
