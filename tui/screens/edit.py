"""Own words in the place of an answer."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from tui.inert import one_line


class EditScreen(ModalScreen[tuple[str, bool]]):
    """Gives back the text and whether it is to be put in; what was typed comes back with Esc as well."""

    CSS_PATH = "edit.tcss"
    HEADING: ClassVar[str] = "your answer to {step}, as a fork"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "put_in", "put in", priority=True),
        Binding("escape", "leave", "back", priority=True),
    ]

    def __init__(self, step: str, text: str) -> None:
        super().__init__()
        self._step = step
        self._text = text

    def compose(self) -> ComposeResult:
        yield Static(f" {self.HEADING.format(step=one_line(self._step))}", classes="heading", markup=False)
        yield TextArea(self._text, soft_wrap=True, tab_behavior="indent")
        yield Static(" ctrl+s put in   esc back, the draft is kept", classes="keys", markup=False)

    def on_mount(self) -> None:
        area = self.query_one(TextArea)
        area.move_cursor(area.document.end)

    def action_put_in(self) -> None:
        self.dismiss((self.query_one(TextArea).text, True))

    def action_leave(self) -> None:
        self.dismiss((self.query_one(TextArea).text, False))


class PromptScreen(EditScreen):
    """The same for the words of a turn."""

    HEADING = "your prompt for {step}, as a fork; its pictures stay"
