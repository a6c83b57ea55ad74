"""A tag for a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static

from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.notebook import TAG
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.settling import settled
from tui.state.noting import Place
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines


class TagLines(Lines):
    """The tags offered that hold what was typed, those of the step marked."""

    can_focus = False

    def __init__(self, tags: Sequence[str]) -> None:
        super().__init__(id="tags")
        self._all = tags
        self.shown: list[str] = list(tags)
        self.given: Sequence[str] = ()

    @property
    def count(self) -> int:
        return len(self.shown)

    def narrow(self, typed: str) -> None:
        """Only those that hold these letters; those that begin so come first."""
        wanted = typed.strip().lstrip("#").casefold()
        self.shown = sorted((tag for tag in self._all if wanted in tag), key=lambda tag: not tag.startswith(wanted))
        self.empty = ("no tag holds this; enter gives it as a new one",)
        self.cursor = 0
        self.recount()

    def line(self, index: int, width: int) -> Text:
        tag = self.shown[index]
        text = Text(no_wrap=True, end="")
        text.append(" ◉ " if tag in self.given else " ○ ", self.style("right" if tag in self.given else "muted"))
        text.append(f"#{one_line(tag)}")
        text.truncate(width, overflow="ellipsis")
        return text


class TagScreen(Dialog[tuple[Place, str] | None]):
    """Gives back a step and the tag to give it, or to take away. ``places`` are the steps in question, the first one
    first; ``given`` their tags."""

    CSS_PATH = "tag.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(TAG, priority=True)

    def __init__(self, places: Sequence[Place], given: Sequence[Sequence[str]], tags: Sequence[str]) -> None:
        super().__init__()
        self._places, self._given, self._tags = places, given, tags
        self._at = 0
        self._narrowed = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="tag"):
            yield Static("", classes="heading", markup=False)
            yield Input(
                placeholder="a tag: type a few letters, or a new one",
                suggester=SuggestFromList(self._tags, case_sensitive=False),
                id="typed",
            )
            yield TagLines(self._tags)
            keys = [one for one in SCOPES["tag"] if len(self._places) > 1 or one.id != "tag.other"]
            yield KeyBar(keys, before="enter gives it, or takes it away", typed=True)

    def on_mount(self) -> None:
        lines = self.query_one(TagLines)
        lines.styles.height = max(min(lines.count, 12), 1)
        lines.recount()
        self.set_focus(self.query_one(Input))
        self._show()

    def _show(self) -> None:
        place = self._places[self._at]
        lines = self.query_one(TagLines)
        lines.given = self._given[self._at]
        lines.refresh()
        self.query_one(".heading", Static).update(f" tag step {place.index + 1}, {one_line(place.step.turn.step)}")

    def on_input_changed(self, event: Input.Changed) -> None:
        self._narrow(event.value)

    def _narrow(self, typed: str) -> None:
        if typed != self._narrowed:
            self._narrowed = typed
            self.query_one(TagLines).narrow(typed)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The tag under the cursor where it goes on as typed, else what was typed."""
        self._narrow(event.value)
        lines, typed = self.query_one(TagLines), event.value.strip()
        pointed = lines.shown[lines.cursor] if lines.count else ""
        if tag := (
            pointed if pointed and (not typed or lines.cursor or pointed.startswith(typed.lower())) else typed
        ):
            self._choose(tag)

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self._choose(self.query_one(TagLines).shown[message.index])

    def _choose(self, tag: str) -> None:
        self.dismiss((self._places[self._at], tag))

    async def action_point(self, by: int) -> None:
        await settled(self)
        self.query_one(TagLines).action_point(by)

    async def action_other(self) -> None:
        await settled(self)
        self._at = (self._at + 1) % len(self._places)
        self._show()

    def action_leave(self) -> None:
        self.dismiss(None)
