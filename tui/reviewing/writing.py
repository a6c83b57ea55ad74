"""A text to be changed: it is given back only when it can be used, and what is wrong with it stands below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from tui.inert import inert, one_line
from tui.screens.settling import settled
from tui.sitting.screen import Keys


class WritingScreen(ModalScreen[str | None]):
    """Gives back the text, or None where it was left. ``wrong`` says why a text cannot be used, "" where it can."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", priority=True),
        Binding("escape", "leave", priority=True),
    ]

    def __init__(self, heading: str, text: str, wrong: Callable[[str], str] = lambda text: "") -> None:
        super().__init__()
        self._heading = heading
        self._text = text
        self._wrong = wrong

    def compose(self) -> ComposeResult:
        yield Static(f" {one_line(self._heading)}", id="head", markup=False)
        yield TextArea(self._text, soft_wrap=True)
        yield Static("", id="wrong", markup=False)
        yield Keys(("ctrl+s", "save", "save"), ("esc", "back, nothing is kept", "leave"))

    async def action_save(self) -> None:
        await settled(self)
        text = self.query_one(TextArea).text
        why = self._wrong(text)
        if why:
            self.query_one("#wrong", Static).update(inert(f" {why}"))
        else:
            self.dismiss(text)

    async def action_leave(self) -> None:
        await settled(self)
        self.dismiss(None)
