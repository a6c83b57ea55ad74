"""An intervention over the items: what would be run, what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui.counting import counted
from tui.inert import inert, one_line
from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.forks import SWEEP
from tui.screens.bindings import bindings
from tui.screens.dialog import Scrolling
from tui.state.sweeping import Outcome, Sweep, commands, has_own_prompts, unsayable
from tui.widgets.keybar import KeyBar


class SweepScreen(Scrolling[bool]):
    """Gives back whether the runs are to be started, False after Esc."""

    CSS_PATH = "sweep.tcss"
    AREA = "sweep"
    BINDINGS: ClassVar[list[BindingType]] = bindings(SWEEP)

    def __init__(self, made: Sweep, store: str, results: Sequence[Outcome], *, can_start: bool) -> None:
        super().__init__()
        self._made = made
        self._unsayable = unsayable(made.treatment)
        self._commands = () if self._unsayable else commands(made, store)
        self._results = results
        self._can_start = can_start

    def compose(self) -> ComposeResult:
        made = self._made
        ids = made.treatment.filter.where.get("id", ())
        over = counted(len(ids), "finished item") if ids else "all items of the run"
        yield Static(f" {one_line(made.label)} over {over}", classes="heading", markup=False)
        with VerticalScroll(id="sweep"):
            yield Static("the run, its sham control (asked again, nothing put in), and the report", markup=False)
            if self._unsayable:
                yield Static(self._unsayable, classes="warn", markup=False)
            yield Static("\n".join(inert(line) for line in self._commands), id="commands", markup=False)
            if has_own_prompts(made.treatment):
                yield Static("this run used prompts of its own: add --prompts FILE", classes="warn", markup=False)
            yield Static(self._outcomes(), id="outcomes", markup=False)
        yield KeyBar([one for one in SCOPES["sweep"] if self._can_start or one.id != "sweep.start"])

    def on_mount(self) -> None:
        self.query_one("#sweep").focus()

    def _outcomes(self) -> Content:
        head = Content.styled("accuracy before and after, of the runs made from this one", "bold")
        if not self._results:
            return head + Content.styled("\nnone yet", "dim")
        lines, last = [head], ""
        for one in self._results:
            if one.run != last:
                lines.append(Content.styled(f"\n{one_line(one.run)}", "bold"))
                last = one.run
            p = "p <0.001" if one.p < 0.001 else f"p {one.p:.3f}"
            lines.append(
                Content.assemble(
                    f"  {one.step:<10} {one.property:<8} ",
                    (f"{one.what:<8} ", "bold"),
                    f"{one.before:5.1f} → {one.after:5.1f} %",
                    (f"   {one.after - one.before:+.1f} ({one.low:+.1f} to {one.high:+.1f})  n {one.n}  {p}", "dim"),
                )
            )
        lines.append(Content.styled("\nvs sham is what to read: both sides hold the noise of asking again", "dim"))
        return Content("\n").join(lines)

    def action_start(self) -> None:
        if self._can_start:
            self.dismiss(True)
        elif self._unsayable:
            self.notify("nothing can be stored here, so nothing is started", timeout=3, markup=False)
        else:
            self.notify(
                f"copy the commands with {key('sweep.copy')} and run them beside this", timeout=3, markup=False
            )

    def action_copy(self) -> None:
        if self._unsayable:
            self.notify(self._unsayable, timeout=5, markup=False)
            return
        self.app.copy_to_clipboard("\n".join(self._commands))
        self.notify("copied the commands", timeout=2, markup=False)
