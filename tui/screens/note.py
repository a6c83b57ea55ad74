"""A note on a step, a path or an item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static, TextArea

from sessions.notebook import Target
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.notebook import NOTE
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.edit import DRAFT_S
from tui.screens.settling import settled
from tui.widgets.keybar import KeyBar

WORDS = {"step": "this step", "trajectory": "this path", "item": "the item"}


class NoteScreen(Dialog[tuple[Target, str] | None]):
    """Gives back what was written and on what, None where it was left with Esc. ``read`` gives what there is on a
    target, ``keep`` is told what was typed there and is not saved."""

    CSS_PATH = "edit.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(NOTE, priority=True)

    def __init__(
        self, item: str, targets: Sequence[Target], read: Callable[[Target], str], keep: Callable[[Target, str], None]
    ) -> None:
        super().__init__()
        self._item, self._targets, self._read, self._keep = item, targets, read, keep
        self._at = 0

    def compose(self) -> ComposeResult:
        yield Static("", classes="heading", markup=False)
        yield TextArea(self._read(self._targets[0]), soft_wrap=True)
        others = ", ".join(WORDS[target.word] for target in self._targets)
        keys = [replace(one, label=others) if one.id == "note_text.other" else one for one in SCOPES["note"]]
        keys = [one for one in keys if len(self._targets) > 1 or one.id != "note_text.other"]
        yield KeyBar(keys, typed=True)

    def on_mount(self) -> None:
        self._show()
        self.set_interval(DRAFT_S, lambda: self._keep(*self._typed))

    def _show(self) -> None:
        target = self._targets[self._at]
        self.query_one(".heading", Static).update(f" your note on {WORDS[target.word]} of {one_line(self._item)}")
        area = self.query_one(TextArea)
        area.move_cursor(area.document.end)

    @property
    def _typed(self) -> tuple[Target, str]:
        return self._targets[self._at], self.query_one(TextArea).text

    async def action_other(self) -> None:
        await settled(self)
        self._keep(*self._typed)
        self._at = (self._at + 1) % len(self._targets)
        self.query_one(TextArea).load_text(self._read(self._targets[self._at]))
        self._show()

    async def action_save(self) -> None:
        await settled(self)
        self._keep(*self._typed)
        self.dismiss(self._typed)

    async def action_leave(self) -> None:
        await settled(self)
        self._keep(*self._typed)
        self.dismiss(None)
