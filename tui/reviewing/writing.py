"""A text to be changed: it is given back only when it can be used, and what is wrong with it stands below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static, TextArea
from textual.widgets.text_area import Location

from tui.grading.cases import Case
from tui.grading.pictures import CasePictures
from tui.inert import inert, one_line
from tui.screens.edit import EditScreen
from tui.screens.settling import settled
from tui.sitting.screen import Keys
from tui.widgets.pictures import Scaler

AROUND: Final = 4
"""Rows of the heading, the pictures' numbers, what is wrong, and the keys."""
SPARE: Final = 4
"""More lines than there are may be typed before the text has to be scrolled."""


class WritingScreen(EditScreen, inherit_bindings=False):
    """The item's words below its pictures. ``wrong`` says why a text cannot be used, "" where it can; ``original`` is
    the text as it was before anything was typed."""

    CSS_PATH = "writing.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "put_in", priority=True),
        Binding("ctrl+n", "anew", priority=True),
        Binding("escape", "leave", priority=True),
    ]

    def __init__(
        self,
        heading: str,
        original: str,
        draft: str | None,
        on_draft: Callable[[str], None],
        wrong: Callable[[str], str] = lambda text: "",
        *,
        case: Case,
        scaler: Scaler,
    ) -> None:
        super().__init__("", original if draft is None else draft, on_draft)
        self._heading = heading if draft is None else f"{heading}, as you left it"
        self._original = original
        self._wrong = wrong
        self._case = case
        self._scaler = scaler

    def compose(self) -> ComposeResult:
        yield Static(f" {one_line(self._heading)}", id="head", markup=False)
        yield CasePictures(self._scaler)
        yield TextArea(self._text, soft_wrap=True)
        yield Static("", id="wrong", markup=False)
        yield Keys(
            ("ctrl+s", "save", "put_in"), ("esc", "back, kept as a draft", "leave"), ("ctrl+n", "as it was", "anew")
        )

    def _start(self, area: TextArea) -> Location:
        return area.document.start[0], len(area.document.get_line(0))

    async def on_resize(self) -> None:
        width, height = self.size
        lines = self.query_one(TextArea).document.line_count
        rows = max(height // 2 - 4, height - AROUND - lines - SPARE)
        await self.query_one(CasePictures).show(self._case, width, rows)

    async def action_put_in(self) -> None:
        await settled(self)
        why = self._wrong(self.query_one(TextArea).text)
        if why:
            self.query_one("#wrong", Static).update(inert(why))
        else:
            await super().action_put_in()

    async def action_anew(self) -> None:
        """The text as it was before anything was typed; the field's own undo brings back what was."""
        await settled(self)
        area = self.query_one(TextArea)
        area.replace(self._original, area.document.start, area.document.end)


class ReasonScreen(EditScreen, inherit_bindings=False):
    """A line or two over the item, which stays in sight."""

    CSS_PATH = "writing.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,ctrl+s", "put_in", priority=True),
        Binding("escape", "leave", priority=True),
    ]

    def __init__(self, heading: str, verdict: str, draft: str | None, on_draft: Callable[[str], None]) -> None:
        super().__init__("", draft or "", on_draft)
        self._heading = heading
        self._verdict = verdict

    def compose(self) -> ComposeResult:
        with Vertical(id="reason"):
            yield Static(one_line(self._heading), id="why", markup=False)
            yield TextArea(self._text, soft_wrap=True)
            yield Keys(("enter", self._verdict, "put_in"), ("esc", "back, kept as a draft", "leave"))
