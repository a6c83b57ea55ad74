"""The Textual application: screens over ready-made state, and good manners towards the terminal."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from tui.actions import ACTIONS
from tui.hangup import watch_terminal
from tui.imaging import DUMB, Imaging
from tui.screens.first_run import FirstRunScreen
from tui.screens.stepping import SteppingScreen
from tui.state.stepping import Stepping
from tui.widgets.pictures import PicturesLike, Scaler, Stored

if TYPE_CHECKING:
    from tui.state.bench import Bench


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


class FirstApp(_Mannered):
    """What a newcomer sees who has no data yet."""

    def first_screen(self) -> Screen[None]:
        return FirstRunScreen()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """None: there is only quitting."""
        return ()


class PhoropterApp(_Mannered):
    """Steps through the items of ``stepping``. Opens and closes nothing that it is given.

    ``pictures`` are loaded and scaled in threads; without any, what they depict is told in words. ``stored`` gives
    the bytes of pictures that were answered. ``demo``: the strip says that its numbers are a demonstration's.
    ``bench`` runs batches, None where the state is no stored run's; they end with the app.
    """

    def __init__(
        self,
        stepping: Stepping,
        pictures: PicturesLike | None = None,
        imaging: Imaging | None = None,
        *,
        title: str = "",
        theme: str = "textual-dark",
        demo: bool = False,
        stored: Stored | None = None,
        bench: Bench | None = None,
    ) -> None:
        super().__init__(theme=theme)
        self._bench = bench
        self._stored = stored
        self.stepping = stepping
        self._pictures = pictures
        self._imaging = imaging or Imaging("halfcell")
        self._heading = title
        self._demo = demo

    def first_screen(self) -> Screen[None]:
        drawn = self._pictures is not None and bool(self._pictures.identity.get("drawn"))
        scaler = Scaler(self._pictures, self._imaging, self._stored)
        note = "drawn stand-in" if drawn else ""
        return SteppingScreen(
            self.stepping, scaler, title=self._heading, note=note, demo=self._demo, bench=self._bench
        )

    # -- leaving

    async def action_quit(self) -> None:
        """Ask first where batches run; asked once more, leave at once."""
        from tui.screens.closing import ClosingScreen

        if self._bench is None or not self._bench.manager.live or isinstance(self.screen, ClosingScreen):
            self.exit()
        else:
            self.push_screen(ClosingScreen(self._bench.manager.live), self._leave)

    def _leave(self, how: str | None) -> None:
        if how == "settled":
            self.notify("waiting for the calls under way; ctrl+q y leaves at once", timeout=60, markup=False)
            self._settle()
        elif how is not None:
            self.exit()

    @work(name="settle", group="dialogs", exit_on_error=False)
    async def _settle(self) -> None:
        if self._bench is not None:
            await self._bench.manager.close(settle=True)
        self.exit()

    async def on_unmount(self) -> None:
        """Whatever ended the app, no batch holds its run any longer."""
        if self._bench is not None:
            await self._bench.manager.close()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A command that broke is told; the application goes on."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.notify(f"{event.worker.name}: {type(error).__name__}: {error}", severity="error", markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every action with its key, and gold by property."""
        if not isinstance(screen, SteppingScreen):
            return
        for action in ACTIONS:
            if action.id != "app.palette":
                name = f"{action.group}: {action.label} ({action.shown})"
                yield SystemCommand(name, action.help, _runner(screen, action.method))
        turn = self.stepping.look().turn
        worded = turn is not None and turn.form and turn.makes == "text"
        names = self.stepping.plan.benchmark.layout(turn.step).properties if turn is not None and worded else ()
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


def run_app(app: PhoropterApp | FirstApp) -> int:
    """Run it in this terminal. Returns the exit status: 0, 128 + n after a signal, 1 after a fault of the program.

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
    return 128 + app.caught if app.caught else app.return_code or 0
