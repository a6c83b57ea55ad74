"""What every dialog is made from: help, palette, the shell and ctrl+c work in it as everywhere."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import BindingType
from textual.screen import ModalScreen

from tui.scopes import DIALOG
from tui.screens.bindings import bindings

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """Base of all modal screens: Textual shuts the application's own keys out of them."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(DIALOG)
