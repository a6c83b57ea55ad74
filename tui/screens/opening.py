"""What is on the screen while a run is opened: at once, with nothing that must be read first."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Static

from tui.scopes import SCOPES
from tui.scopes.setting_up import OPENING
from tui.screens.bindings import bindings
from tui.widgets.keybar import KeyBar

MOST_TYPED: Final = 20
"""More is a key that lies under something."""


class OpeningScreen(Screen[None]):
    """Says what is being opened; q leaves, and so does ctrl+c twice. ``typed`` keeps the other keys for the screen
    that comes: whoever knows the app types ahead."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(OPENING)
    DEFAULT_CSS = """
    OpeningScreen {
        .opening { padding: 1 2; height: 1fr; }
    }
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what
        self.typed: list[Key] = []

    def on_key(self, event: Key) -> None:
        if event.key not in self.active_bindings and len(self.typed) < MOST_TYPED:
            self.typed.append(event)

    def compose(self) -> ComposeResult:
        yield Static(Content.assemble("opening ", (self._what, "bold"), " …"), classes="opening", markup=False)
        yield KeyBar(SCOPES["opening"])
