"""What every dialog is made from: help, palette, the shell and ctrl+c work in it as everywhere."""

from __future__ import annotations

from typing import ClassVar, Final, TypeVar

from textual import on
from textual.binding import BindingType
from textual.events import Key
from textual.screen import ModalScreen
from textual.widget import Widget

from tui.keymap import writes
from tui.scopes.common import DIALOG
from tui.screens.bindings import bindings, means

Result = TypeVar("Result")
FIELDS: Final = "Input, TextArea"


class Dialog(ModalScreen[Result]):
    """Base of all modal screens: Textual shuts the application's own keys out of them."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(DIALOG)

    @on(Key)
    def _leave_to_fields(self, event: Key) -> None:
        """A key that writes opens no palette where something can be written: it may belong to a name begun there."""
        if writes(event.key) and means(self, event.key, "app.palette") and any(w.display for w in self.query(FIELDS)):
            event.stop()


class Scrolling(Dialog[Result]):
    """A dialog with one part, of the id ``AREA``, that may be longer than the screen."""

    AREA: ClassVar[str]

    @property
    def area(self) -> Widget:
        return self.query_one(f"#{self.AREA}")

    def action_scroll(self, by: int) -> None:
        self.area.scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        self.area.scroll_relative(y=by * max(self.area.size.height - 2, 1), animate=False)

    def action_end(self, by: int) -> None:
        if by > 0:
            self.area.scroll_end(animate=False)
        else:
            self.area.scroll_home(animate=False)
