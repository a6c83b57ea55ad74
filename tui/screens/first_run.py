"""What a newcomer sees who has no data yet."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

LINES = (
    ("Phoropter shows where visual reasoning breaks, one step at a time.", ""),
    ("", ""),
    ("There is nothing in the store yet. Begin with one of these:", ""),
    ("", ""),
    ("phoropter demo", "built-in questions, drawn pictures, a noisy baseline: try all keys"),
    ("phoropter run voila --data FILE", "your data, headless; then phoropter alone opens it here"),
    ("phoropter respondents", "who can answer: baselines, servers, local models"),
    ("phoropter doctor", "what works on this machine"),
)


class FirstRunScreen(Screen[None]):
    """Says what to do; any of q, Esc and ctrl+c leaves."""

    CSS_PATH = "first_run.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape,ctrl+c", "app.quit", "quit")]

    def compose(self) -> ComposeResult:
        lines = [
            Content.assemble((f"{left:<34}", "bold"), right) if right else Content(left) for left, right in LINES
        ]
        yield Static(Content("\n").join(lines), id="first", markup=False)
        yield Static(" q quit", classes="keys", markup=False)
