"""The accuracy drawer: figures with their intervals as numbers, and a chart of the same; live while batches run."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from tui.counting import counted
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.runs import ACCURACY
from tui.screens.beside import BesideScreen
from tui.screens.bindings import bindings
from tui.screens.dialog import Scrolling
from tui.state.batch_words import line
from tui.state.bench import Bench
from tui.state.panel import VIEWS
from tui.state.sheet import table_lines
from tui.widgets.chart import chart_lines
from tui.widgets.keybar import KeyBar

BETWEEN_LOOKS = 0.1


class AccuracyScreen(Scrolling[None]):
    """Redraws only where its state has read something new; nothing is read while it is covered."""

    CSS_PATH = "accuracy.tcss"
    AREA = "accuracy"
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACCURACY)

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench
        self._state = bench.watching
        self._head = "% right (demo)" if bench.demo else "% right"
        self._charted = True

    def compose(self) -> ComposeResult:
        yield Static("", id="accuracy-heading", markup=False)
        yield Static("", id="accuracy-tabs", markup=False)
        with VerticalScroll(id="accuracy"):
            yield Static("", id="accuracy-table", markup=False)
            yield Static("", id="accuracy-chart", markup=False)
            yield Static("", id="accuracy-notes", markup=False)
        yield Static("", id="accuracy-batch", markup=False)
        yield KeyBar(SCOPES["accuracy"])

    def on_mount(self) -> None:
        self.query_one("#accuracy").focus()
        self.set_interval(BETWEEN_LOOKS, self._look)
        self._look()

    def on_resize(self, event: Resize) -> None:
        self.redraw()

    def on_screen_resume(self) -> None:
        self._look()

    # -- news

    def _look(self) -> None:
        if not self.is_active:
            return
        if self._state.stirred():
            self._refresh()
        words = line(self._bench.batches, self.size.width - 2)
        batch = self.query_one("#accuracy-batch", Static)
        batch.display = bool(words)
        if words != str(batch.content):
            batch.update(words, layout=False)

    @work(name="accuracy", group="accuracy", exclusive=True, exit_on_error=False)
    async def _refresh(self) -> None:
        await self._state.refresh()
        if self.is_active:
            self.redraw()

    def redraw(self) -> None:
        """Draw the sheet as it is."""
        state, sheet, width = self._state, self._state.sheet, max(self.size.width - 3, 10)
        self.query_one("#accuracy-heading", Static).update(f" {self._head} {sheet.title}   {self._among()}")
        self.query_one("#accuracy-tabs", Static).update(self._tabs())
        lines = table_lines(sheet, width)
        table = [Content.styled(lines[0], "bold"), *map(Content, lines[1:])] if lines else []
        self.query_one("#accuracy-table", Static).update(Content("\n").join(table))
        notes = [one_line(note) for note in sheet.notes]
        room = self.query_one("#accuracy").size.height - len(lines) - len(notes) - 2
        chart = chart_lines(sheet.chart, width, max(room, 8)) if self._charted else []
        drawn = self.query_one("#accuracy-chart", Static)
        drawn.display = bool(chart)
        drawn.update(Content("\n".join(chart)))
        self.query_one("#accuracy-notes", Static).update(Content("\n".join(notes)))
        if state.note:
            self.notify(one_line(state.note), timeout=3, markup=False)
            state.note = ""

    def _among(self) -> str:
        only = self._state.wanted.only
        return "all items" if only is None else f"{counted(len(only), 'item')} in the filter"

    def _tabs(self) -> Content:
        names = {"steps": "1 steps", "groups": "2 groups", "survival": "3 still right", "runs": "4 runs"}
        view = self._state.wanted.view
        parts = [
            Content.styled(f"[{names[name]}]", "bold reverse") if name == view else Content(f" {names[name]} ")
            for name in VIEWS
        ]
        return Content(" ").join(parts)

    # -- keys

    def action_view(self, view: str) -> None:
        self._state.look_at(next(name for name in VIEWS if name == view))
        self._changed()

    def action_next_view(self, by: int) -> None:
        self._state.next_view(by)
        self._changed()

    def action_group(self, by: int) -> None:
        self._state.next_group(by)
        self._changed()

    def action_step(self, by: int) -> None:
        self._state.next_step(by)
        self._changed()

    def action_lane(self) -> None:
        self._state.next_lane()
        self._changed()

    def action_scorer(self) -> None:
        self._state.next_scorer()
        self._changed()

    def action_published(self) -> None:
        self._state.switch_published()
        self._changed()

    def action_chart(self) -> None:
        self._charted = not self._charted
        self.redraw()

    @work(name="runs", group="dialogs")
    async def action_runs(self) -> None:
        others = self._state.others()
        if not others:
            self.notify("there is no other run of this benchmark in the store", timeout=3, markup=False)
            return
        beside = {run.uid for run in self._state.wanted.runs[1:]}
        chosen = await self.app.push_screen_wait(BesideScreen(others, beside))
        if chosen is not None:
            self._state.take_runs(chosen)
            self._changed()

    def _changed(self) -> None:
        self.query_one("#accuracy").scroll_home(animate=False)
        if self._state.recall() or self._state.note:
            self.redraw()
        self._look()
