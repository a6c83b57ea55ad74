"""Pages to be read: instructions, breaks, the pause, the debriefing, and what is said when nothing can be saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual._time import get_time
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from tui.inert import inert, one_line
from tui.sitting.screen import Keys, SittingScreen
from tui.sitting.state.layout import HEAD_AND_KEYS
from tui.sitting.state.text import page_rows, reflowed

PAGE_MARGINS = 3
"""Rows above and below the text of a page, and the one that says how long to wait."""


class BlankScreen(SittingScreen[None]):
    """Lies under all others: what is seen while the next one is made."""

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        yield Static(one_line(self._words), id="blank", markup=False)


class PageScreen(SittingScreen[None]):
    """A text; Enter goes on, once ``wait`` seconds have passed. ``waiting`` says how many are left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on"),
        Binding("pagedown,space", "read(1)"),
        Binding("pageup", "read(-1)"),
        Binding("down", "line(1)"),
        Binding("up", "line(-1)"),
    ]

    def __init__(
        self,
        heading: str,
        text: str,
        go_on: str,
        *,
        read_on: str = "",
        wait: float = 0.0,
        waiting: Callable[[int], str] = str,
    ) -> None:
        super().__init__()
        self._heading, self._text, self._go_on, self._read_on = heading, text, go_on, read_on
        self._wait, self._waiting = wait, waiting
        self._until = 0.0

    def compose(self) -> ComposeResult:
        yield Static(f" {one_line(self._heading)}", id="head", markup=False)
        with VerticalScroll(id="page", can_focus=False):
            yield Static(inert(reflowed(self._text)), id="page-text", markup=False)
        yield Static("", id="wait", markup=False)
        keys = [("enter", self._go_on, "go_on")]
        width, height = self.app.size
        longer = page_rows(self._text, width) > height - HEAD_AND_KEYS - PAGE_MARGINS
        keys += [("space", self._read_on, "read(1)")] if self._read_on and longer else []
        yield Keys(*keys)

    def painted(self, at: float) -> None:
        if self._wait and not self._until:
            self._until = at + self._wait
            self._count()
            self.set_interval(0.5, self._count, name="break")

    @property
    def left(self) -> float:
        """Seconds until it may be left."""
        return max(self._until - get_time(), 0.0) if self._until else self._wait

    def _count(self) -> None:
        left = self.left
        self.query_one("#wait", Static).update(f" {self._waiting(round(left + 0.499))}" if left > 0 else "")

    def action_go_on(self) -> None:
        if self.left <= 0:
            self.answer(None)

    def action_read(self, pages: int) -> None:
        page = self.query_one("#page")
        page.scroll_relative(y=pages * max(page.size.height - 1, 1), animate=False)

    def action_line(self, by: int) -> None:
        self.query_one("#page").scroll_relative(y=by, animate=False)


class PauseScreen(SittingScreen[None]):
    """Nothing but that it is paused; the pause key, or Enter, goes on. ``held``: only the monitor can go on."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+p,enter,space", "go_on")]

    def __init__(self, words: str, *, held: bool = False) -> None:
        super().__init__()
        self._words, self._held = words, held

    def compose(self) -> ComposeResult:
        yield Static(one_line(self._words), id="blank", markup=False)

    def hold(self) -> None:
        """The monitor wants it paused as well: from now on only the monitor can go on."""
        self._held = True

    def action_go_on(self) -> None:
        if not self._held:
            self.answer(None)


class StoppedScreen(SittingScreen[None]):
    """Nothing can be saved, so nothing is asked: the participant calls the experimenter, who finds out why here.

    It has no key of its own; the experimenter's key lies over it.
    """

    def __init__(self, call: str, why: str) -> None:
        super().__init__()
        self._call, self._why = call, why

    def compose(self) -> ComposeResult:
        yield Static(f" {one_line(self._call)}", id="head", markup=False)
        with VerticalScroll(id="page", can_focus=False):
            yield Static(one_line(self._call), id="stopped", markup=False)
            yield Static(inert(self._why), id="why", markup=False)
        yield Keys()
