"""What is on the screen while a run is opened: at once, with nothing that must be read first."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static


class OpeningScreen(Screen[None]):
    """Says what is being opened; q, Esc and ctrl+c leave."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape,ctrl+c", "app.quit", "quit")]
    DEFAULT_CSS = """
    OpeningScreen {
        .opening { padding: 1 2; height: 1fr; }
        .keys { height: 1; background: $panel-darken-1; }
    }
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what

    def compose(self) -> ComposeResult:
        yield Static(Content.assemble("opening ", (self._what, "bold"), " …"), classes="opening", markup=False)
        yield Static(" q quit", classes="keys", markup=False)
