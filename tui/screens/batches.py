"""The batches of this process: how far, how fast, what they cost, why calls failed; pause, go on, cancel, retry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from core.errors import PhoropterError
from sessions.background import Batch, State
from sessions.overview import broken_off
from sessions.runs import RunSummary
from tui.counting import counted
from tui.inert import one_line
from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.runs import BATCHES
from tui.screens.begin import BeginScreen
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state import batch_words
from tui.state.beginning import Beginning
from tui.state.bench import Bench
from tui.state.own_ways import on_screen
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines

BETWEEN_REDRAWS = 0.25
REASONS = 20


class BatchLines(Lines):
    """The batches, one a row, and below them the runs that were broken off: by a kill, say."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(id="batches")
        self._bench = bench
        self._broken_off: Sequence[RunSummary] = ()

    @property
    def count(self) -> int:
        return len(self._bench.batches) + len(self._broken_off)

    def show(self, broken_off: Sequence[RunSummary]) -> None:
        """With these, as far as they have no batch here."""
        here = {batch.asked.run.uid for batch in self._bench.batches}
        self._broken_off = [one for one in broken_off if one.run.uid not in here]

    def row(self, index: int) -> Batch | RunSummary | None:
        """What stands in that row, None where there is none."""
        batches = self._bench.batches
        if index < len(batches):
            return batches[index]
        rest = self._broken_off[index - len(batches) :]
        return rest[0] if rest else None

    def line(self, index: int, width: int) -> Text:
        batch = self.row(index)
        text = Text(no_wrap=True, end="")
        if not isinstance(batch, Batch):
            said = "" if batch is None else batch_words.broken_off(batch)
            text.append(f"{said:<24} ", self.style("strong"))
            text.append("" if batch is None else one_line(batch.run.name))
            text.truncate(width, overflow="ellipsis")
            return text
        text.append(f"{batch_words.progress(batch):<24} ", self.style("strong"))
        failed = f"{batch.failed:,} failed  " if batch.failed else ""
        text.append(f"{failed}{batch_words.speed(batch)}  {one_line(batch.name)}")
        text.truncate(width, overflow="ellipsis")
        return text


class BatchesScreen(Dialog[str | None]):
    """Closing it stops nothing. Gives back the uid of a run to go to, None where it was only left."""

    CSS_PATH = "batches.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(BATCHES)

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench
        self._busy = ""
        self._found: Sequence[RunSummary] = ()

    def compose(self) -> ComposeResult:
        yield Static(" batches   they go on when this page is left", classes="heading", markup=False)
        yield BatchLines(self._bench)
        with VerticalScroll(id="batch"):
            yield Static("", id="batch-details", markup=False)
        yield KeyBar(SCOPES["batches"], enter="open")

    def on_mount(self) -> None:
        self.query_one(BatchLines).focus()
        self.set_interval(BETWEEN_REDRAWS, self._tick)
        self.redraw()
        self._look()

    @work(name="broken off", group="broken off", exclusive=True, exit_on_error=False)
    async def _look(self) -> None:
        """Runs that were broken off, by this app before or by another process."""
        self._found = await asyncio.to_thread(broken_off, self._bench.asked.store)
        self.redraw()

    def _tick(self) -> None:
        if self.is_active:
            self.redraw()

    def on_screen_resume(self) -> None:
        self.redraw()

    def on_lines_pointed(self, message: Lines.Pointed) -> None:
        self.redraw()

    def redraw(self) -> None:
        """Draw the batches as they are."""
        lines = self.query_one(BatchLines)
        lines.show(self._found)
        lines.styles.height = min(max(lines.count, 1), 8)
        lines.recount()
        self.query_one("#batch-details", Static).update(self._details(lines.row(lines.cursor)))

    def _details(self, batch: Batch | RunSummary | None) -> Content:
        if self._busy:
            return Content(self._busy)
        if isinstance(batch, RunSummary):
            return Content("\n").join(map(Content, batch_words.broken_off_details(batch)))
        if batch is None:
            items = len(self._bench.items())
            new = key("batches.new")
            said = f"No batch has been started here. {new} starts one on {counted(items, 'item')}."
            out = f"\nRequests of this run are out at the server: {new}, via batch, collects them."
            return Content(said + (out if self._bench.out else ""))
        parts = [Content.styled(one_line(batch.name), "bold"), *map(Content, batch_words.details(batch))]
        if batch.failures:
            parts += [Content(""), Content.styled("failed, by reason", "bold")]
            parts += map(Content, batch_words.failures(batch, REASONS))
        return Content("\n").join(parts)

    def _row(self) -> Batch | RunSummary | None:
        lines = self.query_one(BatchLines)
        return lines.row(lines.cursor)

    # -- keys

    @work(name="begin", group="dialogs", exit_on_error=False)
    async def action_new(self) -> None:
        wanted = await self.app.push_screen_wait(BeginScreen(self._bench))
        if wanted is None:
            return
        self._busy = "opening: data, pictures and the respondent are checked"
        self.redraw()
        try:
            await self._begin(wanted)
        except PhoropterError as error:
            self._refuse(error)
        finally:
            self._busy = ""
        self._to_last()

    def _to_last(self) -> None:
        """The cursor to the batch that began last."""
        lines = self.query_one(BatchLines)
        lines.show(self._found)
        lines.recount()
        lines.cursor = max(len(self._bench.batches) - 1, 0)
        self.redraw()

    async def _begin(self, wanted: Beginning) -> None:
        bench, budget, judge, carried = self._bench, wanted.budget, wanted.judge, wanted.carried
        if wanted.kind == "here":
            judging = await bench.judge(judge, bench.asked.plan) if judge else None
            bench.begin_here(budget, judging, carried=carried)
        elif wanted.kind == "respondent":
            await bench.begin_with(wanted.value, budget, judge, carried=carried)
        else:
            await bench.begin_intervened(wanted.value, budget, judge, carried=carried)

    def action_pause(self) -> None:
        self._do(lambda batch: batch.go_on() if batch.state is State.PAUSED else batch.pause())

    def action_cancel(self) -> None:
        self._do(lambda batch: batch.cancel())

    def action_start(self) -> None:
        row = self._row()
        if isinstance(row, RunSummary):
            self._go_on_with(row)
        else:
            self._do(lambda batch: batch.start())

    @work(name="begin", group="dialogs", exit_on_error=False)
    async def _go_on_with(self, broken_off: RunSummary) -> None:
        self._busy = f"opening {one_line(broken_off.run.name)}: data, pictures and the respondent are checked"
        self.redraw()
        try:
            _, said = await self._bench.go_on_with(broken_off)
            if said:
                self.notify(f"{said}; {key('batches.new')} there begins others", timeout=8, markup=False)
        except PhoropterError as error:
            self._refuse(error)
        finally:
            self._busy = ""
        self._to_last()

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        row = self._row()
        if row is not None:
            self.dismiss((row.asked.run if isinstance(row, Batch) else row.run).uid)

    def action_retry(self) -> None:
        batch = self._row()
        if isinstance(batch, RunSummary):
            self._do(lambda batch: None)
        elif batch is not None and batch.live:
            self.notify("it is still running; failed ones can be asked again at its end", timeout=3, markup=False)
        elif batch is not None and not batch.failures:
            self.notify("nothing has failed in this batch", timeout=3, markup=False)
        else:
            self._do(lambda batch: batch.retry_failed())

    def _do(self, command: Callable[[Batch], None]) -> None:
        batch = self._row()
        if isinstance(batch, RunSummary):
            self.notify(f"nobody asks this run now: {key('batches.start')} goes on with it", timeout=3, markup=False)
            return
        if batch is None:
            self.notify(f"there is no batch yet: {key('batches.new')} starts one", timeout=3, markup=False)
            return
        try:
            command(batch)
        except PhoropterError as error:
            self._refuse(error)
        self._bench.news = True
        self.redraw()

    def _refuse(self, error: PhoropterError) -> None:
        self.notify(one_line(on_screen(error)), severity="error", timeout=10, markup=False)
