"""The application that a participant sits at: nothing leads out of it but the experimenter's key."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from rich.console import RenderableType
from textual import events, work
from textual._time import get_time
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from tui.grounded import Grounded
from tui.imaging import Imaging
from tui.sitting.pages import BlankScreen
from tui.sitting.screen import SittingScreen
from tui.sitting.stamping import MARK, stamped
from tui.sitting.state.guard import Guard

if TYPE_CHECKING:
    from tui.sitting.conducting import Conductor

Result = TypeVar("Result")

EXPERIMENTER_KEY = "ctrl+x"


class SittingApp(Grounded, inherit_bindings=False):
    """Shows what ``conductor`` leads through. Keys that came before a screen could be seen are dropped here."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "sitting.tcss"
    SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    BINDINGS: ClassVar[list[BindingType]] = [Binding(EXPERIMENTER_KEY, "app.experimenter", show=False, priority=True)]

    def __init__(self, conductor: Conductor, imaging: Imaging, *, theme: object = "") -> None:
        super().__init__(theme)
        self.conductor = conductor
        self.imaging = imaging
        self.guard = Guard()
        self.event_at = 0.0
        self.failure: BaseException | None = None
        self._mouse_counts = False
        self._sent: SittingScreen[Any] | None = None
        self._expected: SittingScreen[Any] | None = None
        conductor.app = self

    def first_screen(self) -> Screen[None]:
        return BlankScreen(self.conductor.wording.ui("preparing"))

    def on_ready(self) -> None:
        """The first frame is on the screen."""
        self._conduct()

    @work(name="session", group="session", exit_on_error=False)
    async def _conduct(self) -> None:
        await self.conductor.lead()
        self.exit()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A fault of the program ends it; what was answered is in the store."""
        if event.state is WorkerState.ERROR and self.failure is None:
            self.failure = event.worker.error
            self.exit(return_code=2)

    @work(name="ending", group="ending", exit_on_error=False)
    async def end_early(self, words: str) -> None:
        """The monitor ends the session, whatever is on the screen."""
        self.workers.cancel_group(self, "session")
        await self.conductor.end_early(words)
        self.exit()

    def _signalled(self, number: int) -> None:
        """What was typed into the turn that is open is noted, then it ends."""
        self.caught = number
        self._last_words(number)

    @work(name="signal", group="signal", exit_on_error=False)
    async def _last_words(self, number: int) -> None:
        await self.conductor.interrupted(number)
        self.exit(return_code=128 + number)

    def panic(self, *renderables: RenderableType) -> None:
        self._fatal_error()

    def _fatal_error(self) -> None:
        """A fault of the program ends it without Textual's page about it, whose variables hold gold answers."""
        self.failure = self.failure or self._exception
        self._close_messages_no_wait()

    # -- keys

    async def on_event(self, event: events.Event) -> None:
        """Everything typed, pasted or clicked passes here first."""
        if self._counts(event):
            await super().on_event(event)

    def _counts(self, event: events.Event) -> bool:
        match event:
            case events.Key() if not event.is_forwarded:
                admitted = self.guard.admits(event.key, event.time)
            case events.Paste() if not event.is_forwarded:
                admitted = self.guard.admits("paste", event.time)
            case events.MouseDown() if not event.is_forwarded:
                admitted = self._mouse_counts = self.guard.admits("mouse", event.time)
            case events.MouseUp() if not event.is_forwarded:
                admitted = self._mouse_counts
            case _:
                return True
        if admitted:
            self.event_at = event.time
        return admitted

    def tell_of_paste(self, note: str) -> None:
        """What was taken is seen in the field; nothing else comes up beside a trial."""

    # -- when a screen was seen

    def get_driver_class(self) -> type[Driver]:
        return stamped(super().get_driver_class(), self._gone_out)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        if renderable is not None and isinstance(screen, SittingScreen) and screen.takes_display():
            if getattr(self._driver, "stamps", False) and self._driver is not None:
                self._sent = screen
                self._driver.write(MARK)
            else:
                now = get_time()
                self._seen(screen, now)
                screen.displayed(now)

    def _gone_out(self, at: float) -> None:
        """In the thread that writes."""
        screen, self._sent = self._sent, None
        if screen is not None:
            self._seen(screen, at)
            screen.call_later(screen.displayed, at)

    def _seen(self, screen: SittingScreen[Any], at: float) -> None:
        """Keys count again; not for one that another has taken the place of since."""
        if screen is self._expected:
            self.guard.painted(at)

    def expect(self, screen: SittingScreen[Any]) -> None:
        """No key counts until that screen has been seen."""
        self.guard.shut()
        self._expected = screen

    async def ask(self, screen: SittingScreen[Result]) -> Result | None:
        """Show it, and wait for what it gives back. To be called from a worker."""
        self.expect(screen)
        return await self.push_screen_wait(screen)

    # -- what lies over a trial

    @work(name="experimenter", group="experimenter", exit_on_error=False)
    async def action_experimenter(self) -> None:
        """The hidden key: asks for the experimenter's word, and only then for what is to be done."""
        await self.conductor.unlock()

    @work(name="pause", group="pause", exit_on_error=False)
    async def pause_over(self, by: str) -> None:
        """Hide everything until somebody goes on."""
        await self.conductor.pause(by)

    async def action_quit(self) -> None:
        """Textual's own way out leads nowhere here."""

    def action_suspend_process(self) -> None:
        """Nor does the shell."""

    def action_screenshot(self, filename: str | None = None, path: str | None = None) -> None:
        """Nor are pictures of the screen taken."""
