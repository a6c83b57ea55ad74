"""The first stepping screen: pictures over the steps, the step looked at beside them, accuracy below."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.app import ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.content import Content
from textual.events import Resize
from textual.message import Message
from textual.widgets import Static

from core.tally import forked_lane
from tui.inert import one_line
from tui.key_names import key
from tui.screens.bindings import bindings
from tui.screens.forks import ForkDialogs
from tui.screens.items import ItemsScreen
from tui.screens.picturing import PicturingScreen
from tui.screens.raw import RawScreen
from tui.state.copying import to_copy
from tui.state.heading import heading, place_words
from tui.state.raw import raw_of
from tui.state.roster import View
from tui.widgets.batch_line import BatchLine
from tui.widgets.body import Body
from tui.widgets.detail import Detail
from tui.widgets.keybar import KeyBar
from tui.widgets.one_line import OneLine
from tui.widgets.pictures import Scaler
from tui.widgets.steps import Steps
from tui.widgets.strip import AccuracyStrip

if TYPE_CHECKING:
    from tui.app import PhoropterApp
    from tui.mannered import Mannered
    from tui.state.bench import Bench
    from tui.state.live import Live
    from tui.state.stepping import Stepping

BETWEEN_LOOKS = 0.7
BETWEEN_REDRAWS = 0.1
QUIT_AGAIN = 2.0


class SteppingScreen(ForkDialogs, PicturingScreen):
    """Steps through items. All it knows is in ``stepping``; every key becomes one of its commands."""

    CSS_PATH = "stepping.tcss"
    AUTO_FOCUS = ""
    HELP_SIGNS = True
    BINDINGS: ClassVar[list[BindingType]] = bindings()
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (56, "-narrow"), (100, "-wide")]  # noqa: RUF012  as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (36, "-tall")]  # noqa: RUF012

    class Changed(Message):
        """The state has changed; sent at most once until it is handled."""

    class Shown(Message):
        """The first item is on the screen with all that is stored on it; sent once."""

    def __init__(
        self,
        stepping: Stepping,
        scaler: Scaler,
        *,
        title: str,
        note: str = "",
        demo: bool = False,
        live: Live | None = None,
        bench: Bench | None = None,
    ) -> None:
        super().__init__(stepping, live)
        self._bench = bench
        self._shown = False
        self.scaler = scaler
        self._heading = title
        self._picture_note = note
        self._demo = demo
        self._pending = False
        self._drawn_at = 0.0
        self._said = ""
        self._quit_pressed = 0.0

    def compose(self) -> ComposeResult:
        yield OneLine(id="top")
        yield Body(self.stepping, self.scaler, note=self._picture_note, id="body")
        yield AccuracyStrip(demo=self._demo, id="strip")
        yield Static("", id="status", markup=False)
        yield BatchLine(self._bench)
        yield KeyBar()

    def on_mount(self) -> None:
        self.stepping.on_change = self._state_changed
        self.set_interval(0.2, self._tick)
        if self._live is not None:
            self.set_interval(BETWEEN_LOOKS, self._look)
        if not self.stepping.opened:
            self._run(self.stepping.begin)

    def on_unmount(self) -> None:
        self.stepping.on_change = lambda: None

    # -- redrawing: coalesced, at most ten times a second, not at all while covered

    def _state_changed(self) -> None:
        if not self._pending:
            self._pending = True
            self.post_message(self.Changed())

    async def on_stepping_screen_changed(self) -> None:
        wait = self._drawn_at + BETWEEN_REDRAWS - time.monotonic()
        if self.stepping.running is not None and wait > 0:
            self.set_timer(wait, self.redraw)
        else:
            await self.redraw()

    def on_screen_resume(self) -> None:
        # the base class's runs too: Textual calls a handler of every class
        self._state_changed()

    async def on_resize(self, event: Resize) -> None:
        await self.redraw()

    def _tick(self) -> None:
        if self.stepping.running is not None:
            self._state_changed()
        if self._bench is not None and self.is_active and self.query_one(BatchLine).stirred():
            self._figures()

    def _figures(self) -> None:
        """What a batch changes many times a second."""
        look = self.stepping.look()
        lane = (look.step.lane if look.step is not None else "") or look.trajectory.lane
        lane = forked_lane(lane) if look.trajectory.parent is not None else lane
        self.query_one(AccuracyStrip).show(self.stepping.lanes(), look.turn.step if look.turn else "", lane)

    def _look(self) -> None:
        """Whether others stored anything; only where it would be seen."""
        seen = isinstance(self.app.screen, SteppingScreen | ItemsScreen)
        if self._live is not None and seen and self._live.stirred():
            self._refresh()

    @work(name="live", group="live", exclusive=True, exit_on_error=False)
    async def _refresh(self) -> None:
        if self._live is not None:
            await self._live.refresh(cast("Mannered", self.app).stillness.waiting())

    async def redraw(self) -> None:
        """Draw the state as it is."""
        self._pending = False
        if not self.is_active:
            return
        self._drawn_at = time.monotonic()
        stepping = self.stepping
        self.query_one("#top", OneLine).say(self._top())
        self.query_one(Steps).redraw()
        self.query_one(Detail).redraw()
        if self.unread_costs():
            self.read_costs()
        self._figures()
        self._status()
        if stepping.note:
            self.notify(one_line(stepping.note), timeout=3, markup=False)
            stepping.note = ""
        shows, sent = self.pictures()
        await self.query_one(Body).show(stepping.item, shows, sent, self.size, neighbours=self.neighbours)
        if stepping.opened and not self._shown:
            self._shown = True
            self.call_after_refresh(self.post_message, self.Shown())

    def _top(self) -> Content:
        stepping, plan = self.stepping, self.stepping.plan
        kind = " (baseline)" if plan.respondent.kind == "baseline" else ""
        who = [word for word in (f"{plan.respondent.name}{kind}", plan.protocol.name, self._heading) if word]
        place = place_words(stepping.roster, stepping.position)
        form = heading(stepping.item, place, who, self.size.width - 2)
        return Content.assemble((form.item, "bold"), f"  {form.place}", (f"  {form.groups}", "dim"), f"  {form.who}")

    def _status(self) -> None:
        """What goes on elsewhere, and what is missing, a line each; none where there is nothing to say."""
        parts = [self.stepping.elsewhere(), self.stepping.gate.missing]
        line = self.query_one("#status", Static)
        said = "\n".join(one_line(part) for part in parts if part)
        if said != str(line.content):
            line.display = bool(said)
            line.update(said)

    # -- commands

    def action_next(self) -> None:
        self._run(self.stepping.next)

    def action_back(self) -> None:
        self.stepping.back()

    def action_first_wrong(self) -> None:
        self._run(self.stepping.to_first_wrong)

    def action_to_end(self) -> None:
        self._run(self.stepping.to_end)

    def action_gold(self, property_name: str = "") -> None:
        self._run(lambda: self.stepping.gold(property_name))

    def action_ask_again(self) -> None:
        self._run(self.stepping.ask_again)

    def action_up(self) -> None:
        self.stepping.move(-1)

    def action_down(self) -> None:
        self.stepping.move(1)

    def action_left(self) -> None:
        self.stepping.switch_trajectory(-1)

    def action_right(self) -> None:
        self.stepping.switch_trajectory(1)

    @work(name="failing", group="items", exclusive=True, exit_on_error=False)
    async def action_failing(self, direction: int) -> None:
        self._way = direction
        await self.stepping.begin()
        await self.stepping.next_failing(direction)

    @work(name="item", group="items", exclusive=True, exit_on_error=False)
    async def action_item(self, direction: int) -> None:
        self._way = direction
        await self.stepping.begin()
        await self.stepping.next_item(direction)

    def action_all_items(self) -> None:
        self.stepping.take_view(View())

    @work(name="raw", group="raw", exclusive=True, exit_on_error=False)
    async def action_raw(self) -> None:
        detail, look = self.query_one(Detail), self.stepping.look()
        if detail.unfold() == "short":
            title = f"{look.index + 1} {look.turn.step if look.turn else ''}: request and reply as they went"
            self.app.push_screen(RawScreen(title, await raw_of(self.stepping)))

    def action_scroll_detail(self, direction: int) -> None:
        self.query_one(Detail).scroll_relative(
            y=direction * max(self.query_one(Detail).size.height - 2, 1), animate=False
        )

    def action_into_detail(self) -> None:
        detail = self.query_one(Detail)
        self.set_focus(None if detail.has_focus else detail)

    def action_copy(self) -> None:
        text, what = to_copy(self.stepping.look())
        cast("Mannered", self.app).copy(text, what)

    def action_accuracy(self) -> None:
        self._drawer("tui.screens.accuracy", "AccuracyScreen")

    def action_batches(self) -> None:
        self._drawer("tui.screens.batches", "BatchesScreen")

    def _drawer(self, module: str, name: str) -> None:
        """Imported when it opens: charts and batches are not needed for a first look."""
        if self._bench is None:
            self.notify("this needs a run in a store that can be written to", markup=False)
        else:
            self.app.push_screen(getattr(import_module(module), name)(self._bench), self._drawer_ended)

    def _drawer_ended(self, uid: str | None) -> None:
        """A drawer gives back the run to go to, None where it was only left."""
        if uid is not None:
            cast("PhoropterApp", self.app).open_run(uid)

    def more_commands(self) -> Iterator[SystemCommand]:
        """Gold by property, for the palette."""
        turn = self.stepping.look().turn
        worded = turn is not None and turn.form and turn.makes == "text"
        names = self.stepping.plan.benchmark.layout(turn.step).properties if turn is not None and worded else ()
        for name in names if len(names) > 1 else ():
            yield SystemCommand(
                f"Step in: gold, only {name}",
                f"The answer as it is, with its {name} set right, as a fork.",
                partial(self.action_gold, name),
            )

    def action_stop(self) -> None:
        if self.get_selected_text():
            self.action_copy_text()
            self.clear_selection()
        elif self.stepping.cancel():
            self.notify("stopped; what had arrived is kept", timeout=2, markup=False)
        elif time.monotonic() - self._quit_pressed < QUIT_AGAIN:
            self.run_worker(self.action_quit(), name="quit")
        else:
            self._quit_pressed = time.monotonic()
            self.notify(f"{key('step.stop')} again quits", timeout=QUIT_AGAIN, markup=False)

    async def action_quit(self) -> None:
        await self.run_action("app.quit")

    # -- the mouse

    def on_lines_chosen(self, message: Steps.Chosen) -> None:
        if isinstance(message.lines, Steps):
            self.stepping.select(message.lines.row(message.index))
