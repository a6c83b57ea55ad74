"""Where a browser finds the pictures, over ssh or where there is no desktop."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from tui.counting import counted
from tui.outside.showing import Address
from tui.scopes import SCOPES
from tui.scopes.looking import OUTSIDE
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.widgets.keybar import KeyBar


class OutsideScreen(Dialog[None]):
    """The line for ssh and the address, each to be copied."""

    CSS_PATH = "outside.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings(OUTSIDE)

    def __init__(self, address: Address, pictures: int) -> None:
        super().__init__()
        self._address = address
        self._pictures = pictures

    def compose(self) -> ComposeResult:
        count = "this picture" if self._pictures == 1 else f"these {counted(self._pictures, 'picture')}"
        with Vertical(id="outside"):
            yield Static(f" {count}, in a browser", classes="heading", markup=False)
            if self._address.ssh:
                yield Static("In a shell at your end, and leave it running:", classes="said", markup=False)
                yield Static(self._address.ssh, id="ssh", classes="copied", markup=False)
                yield Static("Then open there:", classes="said", markup=False)
            else:
                yield Static("Open on this machine:", classes="said", markup=False)
            yield Static(self._address.url, id="address", classes="copied", markup=False)
            yield Static(
                "The address holds a key: whoever has it and reaches this machine's port sees these pictures, until "
                "others are shown this way or the app ends.",
                classes="said",
                markup=False,
            )
            yield KeyBar([one for one in SCOPES["outside"] if one.id != "outside.ssh" or self._address.ssh])

    def action_copy_address(self) -> None:
        self._copy(self._address.url, "the address")

    def action_copy_ssh(self) -> None:
        if self._address.ssh:
            self._copy(self._address.ssh, "the line for ssh")

    def _copy(self, text: str, what: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(f"copied {what}", timeout=2, markup=False)
