"""What the keys do where the user is, and what the signs mean."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import ItemGrid, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from tui.scopes import SCOPES
from tui.scopes.looking import HELP
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.keys_here import keys_here
from tui.widgets.keybar import KeyBar
from tui.widgets.words import after

SIGNS = (
    ("N✓ S✗ A·", "a property right, wrong, not scored"),
    ("8/9", "so many values right of so many, over all pictures"),
    ("▌", "the path you look at"),
    ("╰", "a fork: what was done there, and what follows from it"),
    ("what if", "the accuracy behind what was changed; it never counts as plain accuracy"),
    ("gold, edited", "an answer that was put in, not given; it counts in no accuracy"),
    ("you, @name", "answered by you, or by another respondent that was sent in"),
    ("▸✗ ✓", "an option that was picked and is wrong, and the right one; ▸✓ where they are the same"),
    ("B✗ ?✗", "a step that picked B, wrongly; one in which no letter could be read"),
    ("mean", "of the numbered steps of each item, then over items"),
    ("you N✗ #tag ✎", "your own score of a step, its tags, a note; where there is no room, ✎ stands for all of them"),
    ("! gold", "somebody holds the gold wrong"),
    ("! ±2 ✎3", "in the list of items: a disputed gold, two steps that people scored, three notes"),
    ("underlined", "read by the scorer, and right"),
    ("reversed", "read by the scorer, and wrong"),
)
SIGNS_GROUP = "Signs"
KEYS_WIDTH = 14

Line = tuple[str, str, str]
"""Group, keys or sign, words."""


class HelpScreen(Dialog[None]):
    """The live keys of ``below``, the nearest to the focus first; ``/`` looks for words. Esc closes it."""

    CSS_PATH = "help.tcss"
    AUTO_FOCUS = "#help"
    BINDINGS: ClassVar[list[BindingType]] = bindings(HELP)

    def __init__(self, below: Screen[object]) -> None:
        super().__init__()
        self._lines: list[Line] = [(key.group, key.shown, key.help) for key in keys_here(below)]
        if getattr(below, "HELP_SIGNS", False):
            self._lines += [(SIGNS_GROUP, sign, words) for sign, words in SIGNS]
        self._about = str(below.HELP or "")

    def compose(self) -> ComposeResult:
        yield Input(placeholder="words", id="find")
        with VerticalScroll(id="help"):
            yield Static(self._about, id="about", markup=False)
            yield ItemGrid(min_column_width=56, stretch_height=False)
        yield KeyBar(SCOPES["help"], before="↑ ↓ scroll")

    async def on_mount(self) -> None:
        self.query_one("#about").display = bool(self._about)
        self.query_one("#find").display = False
        await self._show("")

    async def _show(self, wanted: str) -> None:
        words = wanted.casefold().split()
        lines = [line for line in self._lines if all(word in " ".join(line).casefold() for word in words)]
        grid = self.query_one(ItemGrid)
        await grid.remove_children()
        groups: dict[str, list[Line]] = {}
        for group, found in groupby(lines, key=lambda line: line[0]):
            groups.setdefault(group, []).extend(found)
        await grid.mount_all(Section(name, found) for name, found in groups.items())

    @on(Input.Changed, "#find")
    async def _looked_for(self, event: Input.Changed) -> None:
        await self._show(event.value)

    def on_input_submitted(self) -> None:
        self.query_one("#help").focus()

    def action_find(self) -> None:
        self.query_one("#find").display = True
        self.query_one("#find").focus()

    def action_scroll(self, by: int) -> None:
        self.query_one("#help").scroll_relative(y=by, animate=False)


class Section(Static):
    """A heading and its lines, their words under one another."""

    def __init__(self, name: str, lines: list[Line]) -> None:
        super().__init__("", markup=False)
        self._name_shown, self._lines = name, lines

    def on_resize(self) -> None:
        out = [Content.styled(self._name_shown, "bold $text-accent")]
        for _, keys, words in self._lines:
            head = Content.styled(f"  {keys:<{KEYS_WIDTH}} ", "bold")
            out.append(after(head, Content(words), self.size.width))
        self.update(Content("\n").join([*out, Content("")]))
