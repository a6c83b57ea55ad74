"""What the keys do and what the signs mean."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.actions import ACTIONS, Action

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
    ("underlined", "read by the scorer, and right"),
    ("reversed", "read by the scorer, and wrong"),
)


class HelpScreen(ModalScreen[None]):
    """The live keys by group. Esc closes it."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss", "close"),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
    ]

    def __init__(self, actions: Sequence[Action] = ACTIONS) -> None:
        super().__init__()
        self._actions = actions

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help"):
            yield Static(self._words(), markup=False)
        yield Static(" esc back   ↑ ↓ scroll", classes="keys", markup=False)

    def action_scroll(self, by: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def _words(self) -> Content:
        lines: list[Content] = []
        for group, actions in groupby(self._actions, key=lambda action: action.group):
            lines.append(Content.styled(group, "bold $text-accent"))
            lines.extend(self._line(action) for action in actions)
            lines.append(Content(""))
        lines.append(Content.styled("Signs", "bold $text-accent"))
        lines.extend(Content.assemble((f"  {sign:<14}", "bold"), words) for sign, words in SIGNS)
        return Content("\n").join(lines)

    def _line(self, action: Action) -> Content:
        return Content.assemble((f"  {action.shown:<14}", "bold"), action.help)
