"""Own words in the place of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static, TextArea
from textual.widgets.text_area import Location

from tui.inert import inert, one_line
from tui.scopes import SCOPES
from tui.scopes.forks import EDIT
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.settling import settled
from tui.widgets.keybar import KeyBar

DRAFT_S: Final = 1.0


class EditScreen(Dialog[tuple[str, bool]]):
    """Gives back the text and whether it is to be put in; what was typed comes back with Esc as well.

    ``selected``: all of the text is selected at first, so that the first character typed takes its place.
    ``asked`` is what the words are an answer to.
    ``on_draft`` hears what was typed, at most once a second and when the screen goes, however it goes.
    """

    CSS_PATH = "edit.tcss"
    HEADING: ClassVar[str] = "your answer to {step}, as a fork"
    BINDINGS: ClassVar[list[BindingType]] = bindings(EDIT, priority=True)

    def __init__(
        self,
        step: str,
        text: str,
        on_draft: Callable[[str], None] = lambda text: None,
        *,
        selected: bool = False,
        asked: str = "",
    ) -> None:
        super().__init__()
        self._asked = asked
        self._selected = selected and bool(text)
        self._on_draft = on_draft
        self._told = text
        self._ended = False
        self._step = step
        self._text = text

    def compose(self) -> ComposeResult:
        how = "   typing replaces it all, ← → keep it" if self._selected else ""
        yield Static(f" {self.HEADING.format(step=one_line(self._step))}{how}", classes="heading", markup=False)
        if self._asked:
            yield Static(inert(self._asked), id="asked", markup=False)
        yield TextArea(self._text, soft_wrap=True, tab_behavior="indent")
        yield KeyBar(SCOPES["edit"], typed=True)

    def on_mount(self) -> None:
        area = self.query_one(TextArea)
        area.move_cursor(self._start(area))
        if self._selected:
            area.select_all()
        self.set_interval(DRAFT_S, self._tell)

    def _start(self, area: TextArea) -> Location:
        """Where the cursor stands at first."""
        return area.document.end

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self._text = event.text_area.text

    def _tell(self) -> None:
        if self._text != self._told and not self._ended:
            self._told = self._text
            self._on_draft(self._text)

    def on_unmount(self) -> None:
        self._tell()

    async def action_put_in(self) -> None:
        await self._end(put_in=True)

    async def action_empty(self) -> None:
        """Nothing stands in the field any more; the field's own undo brings it back."""
        await settled(self)
        self.query_one(TextArea).clear()

    async def action_leave(self) -> None:
        await self._end(put_in=False)

    async def _end(self, *, put_in: bool) -> None:
        await settled(self)
        self._text = self.query_one(TextArea).text
        self._tell()
        self._ended = True
        self.dismiss((self._text, put_in))


class PromptScreen(EditScreen):
    """The same for the words of a turn."""

    HEADING = "your prompt for {step}, as a fork; pictures stay at their lines"
