"""Another option in the place of the one that was picked."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.widgets import Static

from tui.inert import one_line
from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.forks import PICK
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state.choices import Choices
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines


class OptionLines(Lines):
    """The options of a turn, one a row."""

    def __init__(self, choices: Choices) -> None:
        super().__init__(id="options")
        self._choices = choices

    @property
    def count(self) -> int:
        return len(self._choices.lines)

    def line(self, index: int, width: int) -> Text:
        line = self._choices.lines[index]
        text = Text(no_wrap=True, end="")
        text.append(f"{line.signs} ", self.style("right" if line.right else "wrong"))
        text.append(f"{one_line(line.letter)}  ", self.style("strong"))
        text.append(one_line(line.option.text))
        text.truncate(width, overflow="ellipsis")
        return text


class PickScreen(Dialog[str | None]):
    """Gives back the letter of the chosen option, None where it was left with Esc. A letter's own key chooses it."""

    CSS_PATH = "pick.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PICK)

    def __init__(self, step: str, choices: Choices) -> None:
        super().__init__()
        self._step = step
        self._choices = choices

    def compose(self) -> ComposeResult:
        with Vertical(id="pick"):
            yield Static(f" another answer to {one_line(self._step)}, as a fork", classes="heading", markup=False)
            yield OptionLines(self._choices)
            yield KeyBar(SCOPES["pick"], before=f"{key('list.choose')} or its letter")

    def on_mount(self) -> None:
        lines = self.query_one(OptionLines)
        lines.styles.height = max(lines.count, 1)
        lines.recount()
        at = next((index for index, line in enumerate(self._choices.lines) if not line.picked), 0)
        lines.cursor = at
        lines.focus()

    def on_key(self, event: Key) -> None:
        """The first sign of a letter, where no other option begins with it."""
        typed = (event.character or "").casefold()
        found = [line.letter for line in self._choices.lines if typed and line.letter.casefold().startswith(typed)]
        if len(found) == 1:
            event.stop()
            event.prevent_default()
            self.dismiss(found[0])

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.dismiss(self._choices.lines[message.index].letter)
