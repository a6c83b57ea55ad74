"""The batches of this process: how far, how fast, what they cost, why calls failed; pause, go on, cancel, retry."""

from __future__ import annotations

from collections.abc import Callable
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
    """The batches, one a row."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(id="batches")
        self._bench = bench

    @property
    def count(self) -> int:
        return len(self._bench.batches)

    def line(self, index: int, width: int) -> Text:
        batch = self._bench.batches[index]
        text = Text(no_wrap=True, end="")
        text.append(f"{batch_words.progress(batch):<24} ", self.style("strong"))
        failed = f"{batch.failed:,} failed  " if batch.failed else ""
        text.append(f"{failed}{batch_words.speed(batch)}  {one_line(batch.name)}")
        text.truncate(width, overflow="ellipsis")
        return text


class BatchesScreen(Dialog[None]):
    """Closing it stops nothing."""

    CSS_PATH = "batches.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(BATCHES)

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench
        self._busy = ""

    def compose(self) -> ComposeResult:
        yield Static(" batches   they go on when this page is left", classes="heading", markup=False)
        yield BatchLines(self._bench)
        with VerticalScroll(id="batch"):
            yield Static("", id="batch-details", markup=False)
        yield KeyBar(SCOPES["batches"])

    def on_mount(self) -> None:
        self.query_one(BatchLines).focus()
        self.set_interval(BETWEEN_REDRAWS, self._tick)
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
        lines.styles.height = min(max(lines.count, 1), 8)
        lines.recount()
        batch = self._batch()
        self.query_one("#batch-details", Static).update(self._details(batch))

    def _details(self, batch: Batch | None) -> Content:
        if self._busy:
            return Content(self._busy)
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

    def _batch(self) -> Batch | None:
        batches, at = self._bench.batches, self.query_one(BatchLines).cursor
        return batches[at] if at < len(batches) else None

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
        lines = self.query_one(BatchLines)
        lines.recount()
        lines.cursor = max(lines.count - 1, 0)
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
        self._do(lambda batch: batch.start())

    def action_retry(self) -> None:
        batch = self._batch()
        if batch is not None and batch.live:
            self.notify("it is still running; failed ones can be asked again at its end", timeout=3, markup=False)
        elif batch is not None and not batch.failures:
            self.notify("nothing has failed in this batch", timeout=3, markup=False)
        else:
            self._do(lambda batch: batch.retry_failed())

    def _do(self, command: Callable[[Batch], None]) -> None:
        batch = self._batch()
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
