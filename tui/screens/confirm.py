"""A question that is answered with yes or no, before something that cannot be taken back."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from tui.inert import inert
from tui.scopes import SCOPES
from tui.scopes.forks import CONFIRM
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.widgets.keybar import KeyBar


class ConfirmScreen(Dialog[bool]):
    """True only for ``y``; anything else that closes it is no."""

    CSS_PATH = "confirm.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings(CONFIRM)

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm"):
            yield Static(inert(self._question), id="question", markup=False)
            yield KeyBar(SCOPES["confirm"])

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
