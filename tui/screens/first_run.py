"""What a newcomer sees who has nothing stored yet: three ways to begin, each taken here or by a command."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.setting_up import FIRST
from tui.screens.bindings import bindings
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines

DEMO, DATA, MODEL = range(3)
CHOICES: Final = (
    ("first.demo", "try the demo", "built-in questions, a small model with bad eyes: all keys"),
    ("first.data", "point at data", "VOILA, V-REX or MMRA as published, or a file of that form"),
    ("first.model", "set up a model", "a server of the OpenAI kind, or one on this machine"),
)
DETAILS: Final = (
    (
        ("", "{enter} opens it here. The same from the shell:"),
        ("phoropter demo", "or: phoropter demo vrex, phoropter demo mmra"),
        ("", "Everything you do is stored, in a store of its own; {quit} leaves."),
    ),
    (
        ("", "{enter} looks at a path as you type it, and opens it. From the shell:"),
        ("phoropter fetch voila", "the published data, checked (or vrex, mmra)"),
        ("phoropter run voila:ND --data FILE.csv --pictures FOLDER", "your file, the oracle baseline answers"),
        ("phoropter run voila:ND --data FILE.csv --pictures drawn", "without pictures: drawings instead"),
        ("phoropter", "then opens that run here"),
    ),
    (
        ("", "{enter} opens a form; {models} lists and checks models. From the shell:"),
        ("phoropter respondents check NAME", "asks one question and says what came back"),
        ("phoropter run voila:ND --respondent NAME", "then phoropter alone opens that run here"),
        ("phoropter run voila:ND --respondent openai:MODEL@URL", "any server; nothing to configure"),
    ),
)


class ChoiceLines(Lines):
    """The three choices, one a row."""

    @property
    def count(self) -> int:
        return len(CHOICES)

    def line(self, index: int, width: int) -> Text:
        action, name, words = CHOICES[index]
        text = Text(no_wrap=True, end="")
        text.append(f" {key(action)}  ", self.style("muted"))
        text.append(f"{name:<16}", self.style("strong"))
        text.append(words)
        text.truncate(width, overflow="ellipsis")
        return text


class FirstRunScreen(Screen[None]):
    """The choice under the cursor says how; Enter (or its number) takes it. q leaves, and so does ctrl+c twice."""

    CSS_PATH = "first_run.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(FIRST)

    class Wanted(Message):
        """One of the ways is to be gone: ``DEMO``, ``DATA`` or ``MODEL``."""

        def __init__(self, choice: int) -> None:
            super().__init__()
            self.choice = choice

    def compose(self) -> ComposeResult:
        yield Static(
            Content.assemble(
                ("Phoropter shows where visual reasoning breaks, one step at a time.\n", "bold"),
                "There is nothing in the store yet. Begin with one of these:",
            ),
            id="first",
            markup=False,
        )
        yield ChoiceLines(id="choices")
        yield Static("", id="how", markup=False)
        yield KeyBar(
            SCOPES["first"], before=f"↑ ↓, or {' '.join(key(action) for action, _, _ in CHOICES)}", enter="take it"
        )

    def on_mount(self) -> None:
        lines = self.query_one(ChoiceLines)
        lines.recount()
        lines.focus()
        self._tell(DEMO)

    def action_choose(self, index: int) -> None:
        self.query_one(ChoiceLines).cursor = index
        self._tell(index)
        self.post_message(self.Wanted(index))

    def on_lines_pointed(self, message: Lines.Pointed) -> None:
        self._tell(message.index)

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.action_choose(message.index)

    def _tell(self, index: int) -> None:
        named = {"enter": key("list.choose").capitalize(), "quit": key("first.quit"), "models": key("app.models")}
        lines = []
        for command, words in DETAILS[index]:
            if not command:
                lines.append(Content(words.format(**named)))
            elif len(command) <= 24:
                lines.append(Content.assemble((f"{command:<26}", "bold"), (words, "dim")))
            else:
                lines.append(Content.assemble((command, "bold"), (f"\n{'':<26}{words}" if words else "", "dim")))
        self.query_one("#how", Static).update(Content("\n").join(lines))
