"""Several answers to one turn beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import ItemGrid, Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Static

from core.plan import Plan
from core.records import Step
from tui.counting import counted
from tui.inert import one_line
from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.looking import REPEATS
from tui.screens.bindings import bindings
from tui.screens.dialog import Scrolling
from tui.widgets import compare_text as words
from tui.widgets.keybar import KeyBar

COLUMN: Final = 36
"""Cells that an answer takes at least: as many stand beside each other as have that."""


class RepeatsScreen(Scrolling[int]):
    """Gives back how often the same is to be asked again: 0 after Esc."""

    CSS_PATH = "compare.tcss"
    AREA = "pairs"
    BINDINGS: ClassVar[list[BindingType]] = bindings(REPEATS)

    def __init__(self, steps: Sequence[Step], plan: Plan, scorer: str) -> None:
        super().__init__()
        self._steps = steps
        self._plan = plan
        self._scorer = scorer
        self._whole = False

    def compose(self) -> ComposeResult:
        name = self._steps[0].turn.step
        yield Static(f" {one_line(name)}, asked {counted(len(self._steps), 'time')}", classes="heading", markup=False)
        with VerticalScroll(id="pairs"):
            yield Static(words.counts(self._plan.benchmark, self._steps, self._scorer), markup=False)
            with ItemGrid(min_column_width=COLUMN, stretch_height=False):
                for number in range(1, len(self._steps) + 1):
                    with Vertical(classes="pair"):
                        yield Static(f" answer {number}", classes="pair-heading", markup=False)
                        yield Static("", classes="cell", markup=False)
        yield KeyBar(SCOPES["repeats"], before="2 to 9: so many more")

    def on_mount(self) -> None:
        self.query_one("#pairs").focus()
        self._show()

    def _show(self) -> None:
        """All answers, their beginnings or all of them."""
        name = self._steps[0].turn.step
        benchmark, usual = self._plan.benchmark, self._plan.respondent_for(name).name
        for step, cell in zip(self._steps, self.query(".cell").results(Static), strict=True):
            who = words.who_of(step, usual)
            cell.update(
                words.cell(step, benchmark, self._scorer, who, whole=self._whole, unfolds=key("repeats.unfold"))
            )

    def action_unfold(self) -> None:
        self._whole = not self._whole
        self._show()

    def on_key(self, event: Key) -> None:
        """A digit asks that many times."""
        if event.character and event.character in "23456789":
            event.stop()
            self.dismiss(int(event.character))
