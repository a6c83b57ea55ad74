"""Request and reply as they went, over the whole screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from tui.inert import one_line, pruned
from tui.rawtext import Raw
from tui.scopes import SCOPES
from tui.scopes.looking import RAW
from tui.screens.bindings import bindings
from tui.screens.dialog import Scrolling
from tui.widgets.keybar import KeyBar

if TYPE_CHECKING:
    from tui.mannered import Mannered


class RawScreen(Scrolling[None]):
    """Scrolls through the parts of a call; what is copied is whole and inert, also where only its head is shown."""

    CSS_PATH = "raw.tcss"
    AREA = "raw"
    BINDINGS: ClassVar[list[BindingType]] = bindings(RAW)

    def __init__(self, title: str, raw: Raw) -> None:
        super().__init__()
        self._title = title
        self._raw = raw
        self._sections = raw.sections()

    def compose(self) -> ComposeResult:
        yield Static(f" {one_line(self._title)}", classes="heading", markup=False)
        with VerticalScroll(id="raw"):
            for label, text in self._sections:
                shown = pruned(text)
                yield Static(label, classes="raw-label", markup=False)
                note = f"\n({shown.note})" if shown.note else ""
                yield Static(f"{shown.text}{note}", classes="raw-body", markup=False)
        there = [action for action in SCOPES["raw"] if action.id != "raw.curl" or self._raw.address is not None]
        yield KeyBar(there, before="↑ ↓ scroll")

    def on_mount(self) -> None:
        self.query_one("#raw").focus()

    def action_copy_curl(self) -> None:
        if self._raw.address is None:
            self.notify("no server was asked: there is no line for curl", timeout=3, markup=False)
        else:
            self._copy(self._raw.curl(), "the curl line")

    def action_copy_all(self) -> None:
        self._copy("\n\n".join(f"{label}:\n{text}" for label, text in self._sections), "all of it")

    def _copy(self, text: str, what: str) -> None:
        cast("Mannered", self.app).copy(text, what)
