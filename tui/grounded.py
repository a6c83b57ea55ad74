"""What every application of this house owes its terminal: a sane end by signals, harmless text, our themes."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from rich.segment import Segments
from rich.text import Text
from textual.app import App
from textual.await_remove import AwaitRemove
from textual.dom import DOMNode
from textual.driver import Driver
from textual.events import Event, InputEvent, MouseMove, Paste
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widget import AwaitMount, Widget

from tui import themes
from tui.collecting import COLLECTING
from tui.crashing import told, trace
from tui.hangup import watch_terminal
from tui.harmless import Harmless
from tui.imaging import DUMB
from tui.inert import inert
from tui.painting import Painting
from tui.pasting import pasting, taken
from tui.stillness import Stillness

SWITCH_S: Final = 0.0002
"""After so long a thread that computes lets another one have the interpreter. The one that paints asks for it twenty
times a key: with Python's own 5 ms, even with 1 ms, a key waits long for the threads that scale, count and write."""


class Grounded(App[None]):
    """Signals end it with the terminal as it was and status 128 + n; coming back from the shell redraws it."""

    TITLE = "Phoropter"
    SIGNALS: ClassVar[tuple[signal.Signals, ...]] = (signal.SIGTERM, signal.SIGHUP)

    def __init__(self, theme: object = "") -> None:
        super().__init__()
        self.animation_level = "none"
        self.caught = 0
        self.in_terminal = False
        self.stillness = Stillness()
        self._harmless = Harmless()
        themes.register(self)
        self.theme, self._notice = themes.choose(theme)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), self._harmless]

    def first_screen(self) -> Screen[None]:
        raise NotImplementedError

    def _get_screen(self, screen: Screen[Any] | str) -> tuple[Screen[Any], AwaitMount]:
        """Textual asks here for every screen that it is going to show."""
        found = self.get_screen(screen)
        if not found.is_running:
            found._compositor = Painting()
        return super()._get_screen(found)

    async def on_mount(self) -> None:
        # not get_default_screen: a screen's own style sheet is read when it is pushed
        await self.push_screen(self.first_screen())
        self.app_resume_signal.subscribe(self, lambda _: self.refresh())
        loop = asyncio.get_running_loop()
        for number in self.SIGNALS:
            loop.add_signal_handler(number, self._signalled, number)
        if self._notice:
            self.notify(inert(self._notice), severity="warning", timeout=8, markup=False)

    async def on_event(self, event: Event) -> None:
        if isinstance(event, InputEvent) and not isinstance(event, MouseMove):
            self.stillness.stir()
        if isinstance(event, Paste) and not event.is_forwarded:
            event.text, note = taken(event.text)
            if not event.text:
                return  # a field would take it as nothing in the place of what is selected
            if note:
                self.tell_of_paste(note)
        await super().on_event(event)

    def tell_of_paste(self, note: str) -> None:
        """Not all of it was taken, where anything takes it."""
        from textual.widgets import Input, TextArea

        if isinstance(self.focused, Input | TextArea):
            self.notify(note, severity="warning", timeout=8, markup=False)

    def get_driver_class(self) -> type[Driver]:
        return pasting(super().get_driver_class())

    def worked_through(self, told: Callable[[], object]) -> None:
        """Calls ``told`` when what was sent until now has come through the screen to where the keys go."""

        def by_screen() -> None:
            if not (self.focused or self.screen).call_later(told):
                told()

        if not self._screen_stack or not self.screen.call_later(by_screen):
            told()

    def settle(self) -> None:
        """What is in memory now will stay there: with ten thousand items, looking through it for garbage again and
        again held up a key for a tenth of a second each time."""
        if self.in_terminal:
            gc.freeze()

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        """What works for a screen or a part of one ends as its removal begins. Textual ends it last: until then its
        parts go one after the other, and a worker or a timer that comes back looks for them in vain."""
        going, task = set(nodes), asyncio.current_task()
        for worker in list(self.workers):
            if worker._task is not task and not going.isdisjoint(worker.node.ancestors_with_self):
                worker.cancel()
        for part in {part for node in nodes for part in node.walk_children(with_self=True)}:
            for timer in list(part._timers):
                if timer._task is not task:
                    timer.stop()
        return super()._prune(*nodes, parent=parent)

    def _signalled(self, number: int) -> None:
        self.caught = number
        self.exit(return_code=128 + number)

    def _fatal_error(self) -> None:
        """Where a fault of the program happened, without Textual's page about it: that shows what the variables held,
        keys and others' texts among it."""
        self.bell()
        if self._exception is not None:
            words = f"{trace(self._exception)}\n\nphoropter: {inert(told(self._exception))}"
            text = Text(words, overflow="fold")
            self._exit_renderables.append(Segments(self.console.render(text)))
        self._close_messages_no_wait()


def run_in_terminal(app: Grounded, *, mouse: bool = True, instead: str) -> int:
    """Run it in this terminal. Returns the exit status: 0, 128 + n after a signal, 1 after a fault of the program.

    A terminal that cannot hold a screen is refused with one line on stderr, which says what to do ``instead``, and
    status 2.
    """
    term = os.environ.get("TERM", "")
    if term in DUMB or not (sys.stdin.isatty() and sys.stdout.isatty()):
        where = f"TERM is {term or 'not set'}" if term in DUMB else "stdin or stdout is redirected"
        print(f"phoropter: the app cannot draw here ({where}). {instead}", file=sys.stderr)
        return 2
    watch_terminal()
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(*COLLECTING)
    app.in_terminal = True
    try:
        app.run(mouse=mouse)
    except OSError:
        if not app.caught:  # the terminal went away: nobody is left to be told
            raise
    return 128 + app.caught if app.caught else app.return_code or 0
