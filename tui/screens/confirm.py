"""A question that is answered with yes or no, before something that cannot be taken back."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.inert import inert


class ConfirmScreen(ModalScreen[bool]):
    """True only for ``y``; anything else that closes it is no."""

    CSS_PATH = "confirm.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes"),
        Binding("n,escape,q,enter", "answer(False)", "no"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm"):
            yield Static(inert(self._question), id="question", markup=False)
            yield Static(" y yes   n esc no", classes="keys", markup=False)

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
