"""Asked before the app is closed while a call or batches run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from sessions.background import Batch
from tui.counting import counted
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.runs import CLOSING
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state.batch_words import progress
from tui.widgets.keybar import KeyBar

Leaving = Literal["now", "settled"]


class ClosingScreen(Dialog[Leaving | None]):
    """Says what closing stops and what is kept; ``call`` is the one that runs beside the batches, in words. None:
    stay."""

    CSS_PATH = "closing.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings(CLOSING)

    def __init__(self, batches: Sequence[Batch], call: str = "") -> None:
        super().__init__()
        self._batches = batches
        self._call = call

    def compose(self) -> ComposeResult:
        lines = [*self._of_the_call(), *([""] if self._call and self._batches else []), *self._of_batches()]
        with Vertical(id="closing"):
            what = "batches are running" if self._batches else "a call is running"
            yield Static(f" {what}", classes="heading", markup=False)
            yield Static("\n".join(lines), id="closing-words", markup=False)
            yield KeyBar(SCOPES["closing"])

    def _of_the_call(self) -> Sequence[str]:
        if not self._call:
            return ()
        return (
            f"{one_line(self._call)}. Closing at once stops it: what has arrived of the answer is kept, and shown"
            " there until the step is asked anew. A server may charge it all the same.",
        )

    def _of_batches(self) -> Sequence[str]:
        if not self._batches:
            return ()
        under_way = sum(batch.under_way for batch in self._batches)
        calls = f"{counted(under_way, 'call')} {'is' if under_way == 1 else 'are'} under way"
        charged = any(batch.under_way and batch.may_charge for batch in self._batches)
        return (
            *(f"{progress(batch)}  {one_line(batch.name)}" for batch in self._batches),
            "",
            "Batches run in this app: closing it stops them. Every answer that came is kept; start the"
            " same batch again here, or run the same command, and it goes on from there.",
            f"{calls}: closing at once drops what has not come back{' (it may be charged)' if charged else ''}.",
        )
