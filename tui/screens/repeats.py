"""Several answers to one turn beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Static

from core.plan import Plan
from core.records import Step
from tui.counting import counted
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.looking import REPEATS
from tui.screens.bindings import bindings
from tui.screens.dialog import Scrolling
from tui.widgets import compare_text as words
from tui.widgets.keybar import KeyBar


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

    def compose(self) -> ComposeResult:
        name = self._steps[0].turn.step
        yield Static(f" {one_line(name)}, asked {counted(len(self._steps), 'time')}", classes="heading", markup=False)
        with VerticalScroll(id="pairs"):
            yield Static(words.counts(self._plan.benchmark, self._steps, self._scorer), markup=False)
            for number, step in enumerate(self._steps):
                with Vertical(classes="pair"):
                    yield Static(f" answer {number + 1}", classes="pair-heading", markup=False)
                    who = words.who_of(step, self._plan.respondent_for(name).name)
                    yield Static(
                        words.cell(step, self._plan.benchmark, self._scorer, who, whole=False),
                        classes="cell",
                        markup=False,
                    )
        yield KeyBar(SCOPES["repeats"], before="2 to 9: so many more")

    def on_mount(self) -> None:
        self.query_one("#pairs").focus()

    def on_key(self, event: Key) -> None:
        """A digit asks that many times."""
        if event.character and event.character in "23456789":
            event.stop()
            self.dismiss(int(event.character))
