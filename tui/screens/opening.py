"""What is on the screen while a run is opened: at once, with nothing that must be read first."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tui.scopes import SCOPES
from tui.scopes.setting_up import OPENING
from tui.screens.bindings import bindings
from tui.widgets.keybar import KeyBar


class OpeningScreen(Screen[None]):
    """Says what is being opened; q leaves, and so does ctrl+c twice."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(OPENING)
    DEFAULT_CSS = """
    OpeningScreen {
        .opening { padding: 1 2; height: 1fr; }
    }
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what

    def compose(self) -> ComposeResult:
        yield Static(Content.assemble("opening ", (self._what, "bold"), " …"), classes="opening", markup=False)
        yield KeyBar(SCOPES["opening"])
