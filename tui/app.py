"""The Textual application: screens over ready-made state, and good manners towards the terminal."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from tui.actions import ACTIONS
from tui.hangup import watch_terminal
from tui.imaging import DUMB, Imaging
from tui.screens.first_run import FirstRunScreen
from tui.screens.opening import OpeningScreen

if TYPE_CHECKING:
    from tui.state.ready import Ready


class _Mannered(App[None]):
    """What every screenful owes its terminal: signals end it sanely, coming back from the shell redraws it."""

    TITLE = "Phoropter"
    # opaque: to shine through half blocks costs up to a second
    CSS = "CommandPalette { background: $background; }"
    COMMAND_PALETTE_BINDING = "f2"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, *, theme: str = "textual-dark") -> None:
        super().__init__()
        self.animation_level = "none"
        self.theme = theme
        self.caught = 0

    def first_screen(self) -> Screen[None]:
        raise NotImplementedError

    async def on_mount(self) -> None:
        # not get_default_screen: a screen's own style sheet is read when it is pushed
        await self.push_screen(self.first_screen())
        self.app_resume_signal.subscribe(self, lambda _: self.refresh())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._signalled, number)

    def _signalled(self, number: int) -> None:
        self.caught = number
        self.exit(return_code=128 + number)


class Opener(Protocol):
    """Opens what the app shows; both are called in a thread and may take their time."""

    def stored(self) -> Ready | None:
        """The run to begin with, None where nothing is stored yet."""
        ...

    def demo(self) -> Ready:
        """The built-in questions."""
        ...


class PhoropterApp(_Mannered):
    """Steps through the items of a ``Ready``, or of what an ``opener`` finds while the first screen is shown.

    ``demo`` opens the built-in questions. Batches that run end with it; else it closes nothing that it is given. An
    error of the opener ends the app and is left in ``failure``.
    """

    def __init__(
        self,
        shown: Ready | None = None,
        imaging: Imaging | None = None,
        *,
        opener: Opener | None = None,
        what: str = "",
        demo: bool = False,
        theme: str = "textual-dark",
    ) -> None:
        super().__init__(theme=theme)
        self.shown = shown
        self.failure: BaseException | None = None
        self._imaging = imaging or Imaging("halfcell")
        self._opener = opener
        self._what = what
        self._demo = demo

    def first_screen(self) -> Screen[None]:
        if self.shown is not None:
            return self._stepping_screen(self.shown)
        return OpeningScreen(self._what)

    def on_ready(self) -> None:
        """The first frame is on the screen: now anything may take its time."""
        if self._opener is not None and self.shown is None:
            self._open(self._opener.demo if self._demo else self._opener.stored)

    async def on_unmount(self) -> None:
        """Whatever ended the app, no batch holds its run any longer."""
        if self.shown is not None and self.shown.backstage is not None:
            self.shown.backstage.stop()
        if self.shown is not None and self.shown.bench is not None:
            await self.shown.bench.manager.close()

    # -- leaving

    async def action_quit(self) -> None:
        """Ask first where batches run; asked once more, leave at once."""
        from tui.screens.closing import ClosingScreen

        bench = self.shown.bench if self.shown is not None else None
        if bench is None or not bench.manager.live or isinstance(self.screen, ClosingScreen):
            self.exit()
        else:
            self.push_screen(ClosingScreen(bench.manager.live), self._leave)

    def _leave(self, how: str | None) -> None:
        if how == "settled":
            self.notify("waiting for the calls under way; ctrl+q y leaves at once", timeout=60, markup=False)
            self._settle()
        elif how is not None:
            self.exit()

    @work(name="settle", group="dialogs", exit_on_error=False)
    async def _settle(self) -> None:
        if self.shown is not None and self.shown.bench is not None:
            await self.shown.bench.manager.close(settle=True)
        self.exit()

    # -- opening

    def _open(self, opening: Callable[[], Ready | None]) -> None:
        threading.Thread(target=self._opened, args=(opening,), name="opening", daemon=True).start()

    def _opened(self, opening: Callable[[], Ready | None]) -> None:
        """In a thread: open it, and import what is shown next, both while the first screen stands."""
        try:
            found = opening()
            if found is not None:
                importlib.import_module("tui.screens.stepping")
                self._imaging.load()
        except BaseException as error:  # noqa: BLE001  whatever it is, it must end the app and be told
            self.call_later(self._failed, error)
            return
        self.call_later(self._show, found)

    def _failed(self, error: BaseException) -> None:
        self.failure = error
        self.exit(return_code=2)

    def _show(self, found: Ready | None) -> None:
        if found is None:
            self.switch_screen(FirstRunScreen())
            return
        self.shown = found
        self.switch_screen(self._stepping_screen(found))

    def on_stepping_screen_shown(self) -> None:
        """Now the rest may be read."""
        if self.shown is not None and self.shown.backstage is not None:
            self.shown.backstage.start(self.call_later)

    def on_first_run_screen_demo_wanted(self) -> None:
        """The newcomer tries the demo."""
        if self._opener is not None:
            self.switch_screen(OpeningScreen("the demonstration"))
            self._open(self._opener.demo)

    def _stepping_screen(self, shown: Ready) -> Screen[None]:
        from tui.screens.stepping import SteppingScreen
        from tui.widgets.pictures import Scaler

        drawn = shown.pictures is not None and bool(shown.pictures.identity.get("drawn"))
        note = "drawn stand-in" if drawn else ""
        scaler = Scaler(shown.pictures, self._imaging, shown.stored)
        return SteppingScreen(
            shown.stepping,
            scaler,
            title=shown.title,
            note=note,
            demo=shown.demo,
            live=shown.live,
            bench=shown.bench,
        )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A command that broke is told; the application goes on."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.notify(f"{event.worker.name}: {type(error).__name__}: {error}", severity="error", markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every action with its key, and gold by property."""
        from tui.screens.stepping import SteppingScreen

        if not isinstance(screen, SteppingScreen):
            return
        for action in ACTIONS:
            if action.id != "app.palette":
                name = f"{action.group}: {action.label} ({action.shown})"
                yield SystemCommand(name, action.help, _runner(screen, action.method))
        turn = screen.stepping.look().turn
        worded = turn is not None and turn.form and turn.makes == "text"
        benchmark = screen.stepping.plan.benchmark
        names = benchmark.layout(turn.step).properties if turn is not None and worded else ()
        for name in names if len(names) > 1 else ():
            yield SystemCommand(
                f"Step in: gold, only {name}",
                f"The answer as it is, with its {name} set right, as a fork.",
                _runner(screen, f"gold({name!r})"),
            )


def _runner(screen: Screen[Any], method: str) -> Callable[[], Awaitable[None]]:
    async def run() -> None:
        await screen.run_action(f"screen.{method}")

    return run


def run_app(app: PhoropterApp) -> int:
    """Run it in this terminal. Returns the exit status: 0, 128 + n after a signal, 1 after a fault of the program.
    Raises what its opener raised.

    A terminal that cannot hold a screen is refused with one line on stderr and status 2. What was asked is in the
    journal by then; the caller closes store and respondents.
    """
    term = os.environ.get("TERM", "")
    if term in DUMB or not (sys.stdin.isatty() and sys.stdout.isatty()):
        where = f"TERM is {term or 'not set'}" if term in DUMB else "stdin or stdout is redirected"
        print(f"phoropter: the app cannot draw here ({where}). Use a full terminal, or phoropter run and show",
              file=sys.stderr)  # fmt: skip
        return 2
    watch_terminal()
    try:
        app.run()
    except OSError:
        if not app.caught:  # the terminal went away: nobody is left to be told
            raise
    if app.failure is not None and not app.caught:
        raise app.failure
    return 128 + app.caught if app.caught else app.return_code or 0
