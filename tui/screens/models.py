"""Who can answer: look, check, add, and open the same items with another one."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from core.errors import PhoropterError
from tui.inert import inert, one_line
from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.setting_up import MODELS
from tui.screens.add_model import AddModelScreen
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state.models import Models, report_lines
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines
from tui.widgets.models import ModelLines

LOOK_S = 0.5


class ModelsScreen(Dialog[str | None]):
    """Gives back the name of the respondent that the same items are to be opened with, None where it was left.

    A check goes on while the screen is closed; it ends with the application.
    """

    CSS_PATH = "models.tcss"
    AUTO_FOCUS = "#models"
    BINDINGS: ClassVar[list[BindingType]] = bindings(MODELS)
    HELP = "Who can answer. ✓ usable, ✗ not, ! could not be asked, – stopped, … being asked."

    def __init__(self, models: Models, protocol: str) -> None:
        super().__init__()
        self._models = models
        self._protocol = protocol
        self._said: Content | None = None

    def compose(self) -> ComposeResult:
        yield Static("", id="models-heading", markup=False)
        yield Input(placeholder="words: a name, a kind, a model", id="filter")
        yield ModelLines(self._models, id="models")
        with VerticalScroll(id="report"):
            yield Static("", id="report-words", markup=False)
        yield KeyBar(SCOPES["models"])

    def on_mount(self) -> None:
        self.query_one("#filter").display = bool(self._models.wanted)
        self._models.on_change = self._changed
        self._read()
        self.set_interval(LOOK_S, self._tell)

    def on_unmount(self) -> None:
        self._models.on_change = lambda: None

    @work(name="models", group="models-file", exclusive=True, exit_on_error=False)
    async def _read(self) -> None:
        try:
            await asyncio.to_thread(self._models.read)
        except PhoropterError as error:
            self.notify(inert(str(error)), severity="error", markup=False)
        self._changed()

    def _changed(self, name: str = "") -> None:
        if not self.is_mounted:
            return
        self.query_one(ModelLines).redraw(name)
        where = self._models.config.file
        count = len(self._models.config.respondents)
        said = (
            f"{count} in {where}" if where else f"none in a file yet: {key('models.add')} writes {self._models.file}"
        )
        self.query_one("#models-heading", Static).update(f" respondents  {one_line(said)}")
        self._tell()

    def _tell(self) -> None:
        """What is known of the one under the cursor."""
        row = self.query_one(ModelLines).row
        said = self._words() if row is not None else Content("nothing matches")
        if self._said is None or not said.is_same(self._said):
            self._said = said
            self.query_one("#report-words", Static).update(said)

    def _words(self) -> Content:
        row = self.query_one(ModelLines).row
        assert row is not None
        if not row.name:
            return Content(f"{row.shown}: a form to fill in, for phoropter run --respondent. {one_line(row.what)}")
        checked = self._models.checked(row)
        head = Content.assemble((one_line(row.name), "bold"), f"  {row.kind}  {one_line(row.what)}\n\n")
        loading = one_line(self._models.loading(row))
        if checked.standing == "asking":
            doing = f"its model is being loaded: {loading}" if loading else "asking"
            return head + Content(f"{doing} … {key('models.stop')} stops it")
        if loading:
            head += Content(f"its model is being loaded: {loading}\n\n")
        if checked.report is None:
            return head + Content(
                inert(checked.why) or f"not checked yet: {key('models.check')} asks it, for {self._protocol}"
            )
        report = checked.report
        lines = []
        for mark, words, remedy in report_lines(report):
            style = {"✓": "$text-success", "✗": "bold $text-error"}.get(mark, "dim")
            lines.append(Content.assemble((f"{mark} ", style), words))
            if remedy:
                lines.append(Content.styled(f"  → {remedy}", "bold"))
        usable = "usable" if report.usable else "not usable"
        return head + Content("\n").join([*lines, Content(f"\n{usable} for {report.benchmark} {report.protocol}")])

    # -- keys

    def on_lines_pointed(self, message: Lines.Pointed) -> None:
        self._tell()

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self._tell()

    @on(Input.Changed, "#filter")
    def _filtered(self, event: Input.Changed) -> None:
        self._models.wanted = event.value
        self._changed()

    def on_input_submitted(self) -> None:
        self.query_one(ModelLines).focus()

    def action_filter(self) -> None:
        self.query_one("#filter").display = True
        self.query_one("#filter").focus()

    def action_check(self) -> None:
        row = self.query_one(ModelLines).row
        if row is None or not row.name:
            self.notify("this one has to be filled in first", timeout=3, markup=False)
        elif self._models.checked(row).standing != "asking":
            # the application's worker: it outlives this screen
            self.app.run_worker(
                self._models.run_check(row), name=f"check {row.name}", group=f"check {row.name}", exit_on_error=False
            )

    def action_stop_check(self) -> None:
        row = self.query_one(ModelLines).row
        if row is not None:
            self.app.workers.cancel_group(self.app, f"check {row.name}")

    @work(name="add", group="dialogs", exit_on_error=False)
    async def action_add(self) -> None:
        name = await self.app.push_screen_wait(AddModelScreen(self._models))
        if name is not None:
            self.notify(f"{one_line(name)} is written; {key('models.check')} checks it", timeout=4, markup=False)
            self._changed(name)

    def action_use(self) -> None:
        row = self.query_one(ModelLines).row
        if row is None or not row.name:
            self.notify("this one has to be filled in first", timeout=3, markup=False)
        else:
            self.dismiss(row.name)

    def action_leave(self) -> None:
        if self.query_one("#filter").has_focus:
            self.query_one(ModelLines).focus()
        else:
            self.dismiss(None)
