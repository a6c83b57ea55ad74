"""Several answers to one turn beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Key
from textual.widgets import Static

from core.engine import Plan
from core.records import Step
from tui.counting import counted
from tui.inert import one_line
from tui.screens.dialog import Dialog
from tui.widgets import compare_text as words


class RepeatsScreen(Dialog[int]):
    """Gives back how often the same is to be asked again: 0 after Esc."""

    CSS_PATH = "compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,S,q", "dismiss(0)", "back"),
        Binding("s", "dismiss(1)", "ask again"),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
        Binding("pageup,b", "scroll(-10)", show=False),
    ]

    def __init__(self, steps: Sequence[Step], plan: Plan, scorer: str) -> None:
        super().__init__()
        self._steps = steps
        self._plan = plan
        self._scorer = scorer

    def compose(self) -> ComposeResult:
        name = self._steps[0].turn.step
        layout = self._plan.benchmark.layout(name)
        yield Static(f" {one_line(name)}, asked {counted(len(self._steps), 'time')}", classes="heading", markup=False)
        with VerticalScroll(id="pairs"):
            yield Static(words.counts(self._plan.benchmark, self._steps, self._scorer), markup=False)
            for number, step in enumerate(self._steps):
                with Vertical(classes="pair"):
                    yield Static(f" answer {number + 1}", classes="pair-heading", markup=False)
                    who = words.who_of(step, self._plan.respondent_for(name).name)
                    yield Static(
                        words.cell(step, layout, self._scorer, who, whole=False), classes="cell", markup=False
                    )
        yield Static(" s once more   2 to 9 so many more   ↑ ↓ scroll   esc back", classes="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one("#pairs").focus()

    def on_key(self, event: Key) -> None:
        """A digit asks that many times."""
        if event.character and event.character in "23456789":
            event.stop()
            self.dismiss(int(event.character))

    def action_scroll(self, by: int) -> None:
        self.query_one("#pairs").scroll_relative(y=by, animate=False)
