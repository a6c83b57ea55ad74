"""What every dialog is made from: help, palette, the shell and ctrl+c work in it as everywhere."""

from __future__ import annotations

from typing import ClassVar, Final, TypeVar

from textual import on
from textual.binding import BindingType
from textual.events import Key
from textual.screen import ModalScreen

from tui.keymap import writes
from tui.scopes import DIALOG
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
