"""Which runs stand beside the one that is looked at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from sessions.runs import Run
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.runs import BESIDE
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines


class RunLines(Lines):
    """Runs, each with a box that is ticked or not."""

    def __init__(self, runs: Sequence[Run], ticked: Collection[str]) -> None:
        super().__init__(id="runs")
        self.runs = runs
        self.ticked = {run.uid for run in runs if run.uid in ticked}

    @property
    def count(self) -> int:
        return len(self.runs)

    def line(self, index: int, width: int) -> Text:
        run = self.runs[index]
        text = Text(no_wrap=True, end="")
        text.append("[x] " if run.uid in self.ticked else "[ ] ")
        text.append(one_line(run.name), self.style("strong"))
        kind = f" ({run.config.respondent_kind})" if run.config.respondent_kind != "model" else ""
        text.append(f"  {one_line(run.config.respondent)}{kind}, {run.config.protocol}", self.style("muted"))
        text.truncate(width, overflow="ellipsis")
        return text

    def switch(self) -> None:
        """Tick the run under the cursor, or take it out."""
        self.ticked ^= {self.runs[self.cursor].uid}
        self.refresh()


class BesideScreen(Dialog[list[str] | None]):
    """Gives back the uids of the ticked runs, None where it was left with Esc."""

    CSS_PATH = "beside.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(BESIDE)

    def __init__(self, runs: Sequence[Run], ticked: Collection[str]) -> None:
        super().__init__()
        self._lines = RunLines(runs, ticked)

    def compose(self) -> ComposeResult:
        with Vertical(id="beside"):
            yield Static(" runs beside this one", classes="heading", markup=False)
            yield self._lines
            yield KeyBar(SCOPES["beside"], enter="show")

    def on_mount(self) -> None:
        self._lines.styles.height = max(self._lines.count, 1)
        self._lines.recount()
        self._lines.focus()

    def action_switch(self) -> None:
        self._lines.switch()

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        """Enter; the run under the cursor where none is ticked."""
        ticked = [run.uid for run in self._lines.runs if run.uid in self._lines.ticked]
        self.dismiss(ticked or [self._lines.runs[message.index].uid])
