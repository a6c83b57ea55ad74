"""How large the screen is: a bar made as wide as a bank card."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from core.study.texts import Wording
from tui.inert import one_line
from tui.sitting.screen import Keys, SittingScreen


class CardScreen(SittingScreen[int]):
    """Gives back how many columns are as wide as the card."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,plus", "wider(1)"),
        Binding("left,minus", "wider(-1)"),
        Binding("enter", "take"),
    ]

    def __init__(self, wording: Wording) -> None:
        super().__init__()
        self._wording = wording
        self.columns = 40

    def compose(self) -> ComposeResult:
        words = self._wording
        yield Static(f" {one_line(words.texts.title)}", id="head", markup=False)
        with Vertical(id="page"):
            yield Static(one_line(words.ui("card")), id="page-text", markup=False)
            yield Static("", id="card", markup=False)
        yield Keys(("← →", "", ""), ("enter", words.ui("done"), "take"))

    def on_mount(self) -> None:
        self._draw()

    def action_wider(self, by: int) -> None:
        self.columns = min(max(self.columns + by, 5), max(self.size.width - 4, 5))
        self._draw()

    def action_take(self) -> None:
        self.answer(self.columns)

    def _draw(self) -> None:
        bar = "█" * self.columns
        self.query_one("#card", Static).update("\n".join([bar] * 5))
