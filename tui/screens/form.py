"""A turn answered by whoever sits at the screen: the values of its form, or own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Literal, TypeAlias

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.widgets import Static

from core.records import Item, Show, Turn
from core.records import Text as Words
from tui.inert import inert, one_line
from tui.key_names import key
from tui.scopes import SCOPES
from tui.scopes.forks import FORM
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.settling import settled
from tui.state.form import Filling
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines
from tui.widgets.pictures import Scaler, Shown
from tui.widgets.turn_pictures import TurnPictures

ROWS_OF_WORDS: Final = 3

Ended: TypeAlias = Literal["done", "words"]


class FieldLines(Lines):
    """The fields with what was chosen for each."""

    def __init__(self, filling: Filling) -> None:
        super().__init__(id="fields")
        self._filling = filling
        self._wide = max(len(one_line(f.label or f.name)) for f in filling.fields)

    @property
    def count(self) -> int:
        return len(self._filling.fields)

    @property
    def name_here(self) -> str:
        """The field under the cursor."""
        return self._filling.fields[self.cursor].name

    def line(self, index: int, width: int) -> Text:
        field = self._filling.fields[index]
        text = Text(no_wrap=True, end="")
        value = one_line(self._filling.value(field.name))
        text.append(f" {one_line(field.label or field.name):<{self._wide}}  ")
        text.append(f"‹ {value} ›" if value else "‹ … ›", self.style("strong" if value else "muted"))
        text.append(f"  {len(field.options)} to choose from", self.style("muted"))
        text.truncate(width, overflow="ellipsis")
        return text


class FormScreen(Dialog[Ended | None]):
    """Fills ``filling``; gives back ``done``, ``words`` where own words are wanted instead, None after Esc. What was
    chosen stays in ``filling``."""

    CSS_PATH = "form.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(FORM, priority=True)

    def __init__(
        self,
        turn: Turn,
        filling: Filling,
        scaler: Scaler | None = None,
        item: Item | None = None,
        shows: Sequence[Shown] = (),
    ) -> None:
        """The pictures that the turn ``shows`` of ``item`` stand above its words."""
        super().__init__()
        self._turn = turn
        self._filling = filling
        self._scaler, self._item, self._shows = scaler, item, shows
        self._told_empty: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static(f" you answer {one_line(self._turn.step)}, as a fork", classes="heading", markup=False)
        if self._scaler is not None and self._item is not None:
            yield TurnPictures(self._scaler, self._item, self._shows)
        with VerticalScroll(id="asked"):
            yield Static(inert(self._words()), markup=False)
        yield FieldLines(self._filling)
        yield KeyBar(SCOPES["form"], before="a letter: that value", typed=True)

    def _words(self) -> str:
        """All that is asked; where its pictures stand above it, what comes after them."""
        turn = self._turn
        last = max((at for at, part in enumerate(turn.content) if isinstance(part, Show)), default=-1)
        if not self._shows or last < 0:
            return turn.text
        after = [part.text for part in turn.content[last + 1 :] if isinstance(part, Words)]
        return "\n".join([*after, turn.answer_format] if turn.answer_format else after)

    def on_mount(self) -> None:
        lines = self.query_one(FieldLines)
        lines.styles.height = min(lines.count, max(self.size.height - 6, 3))
        lines.recount()
        lines.focus()

    async def on_resize(self) -> None:
        """The pictures have the room that the fields and a few lines of words leave."""
        for pictures in self.query(TurnPictures):
            await pictures.fit(self.size.height - self.query_one(FieldLines).count - ROWS_OF_WORDS - 3)

    def on_key(self, event: Key) -> None:
        """A letter chooses the next value that begins with it; Enter goes on to the next field."""
        lines = self.query_one(FieldLines)
        if event.character and event.character.isalpha():
            event.stop()
            event.prevent_default()
            self._filling.type(lines.name_here, event.character)
            lines.refresh()

    def on_lines_chosen(self) -> None:
        lines = self.query_one(FieldLines)
        lines.cursor = min(lines.cursor + 1, lines.count - 1)

    async def action_turn(self, by: int) -> None:
        await settled(self)
        lines = self.query_one(FieldLines)
        self._filling.turn(lines.name_here, by)
        lines.refresh()

    async def action_done(self) -> None:
        """What is left empty is named first; the same key again puts it in so."""
        await settled(self)
        values = self._filling.values
        empty = [one_line(f.label or f.name) for f in self._filling.fields if f.name not in values]
        if not values:
            self.notify("nothing is chosen yet", timeout=2, markup=False)
        elif empty and empty != self._told_empty:
            self._told_empty = empty
            again = f"{key('form.done')} again leaves {'it' if len(empty) == 1 else 'them'} unsaid"
            self.notify(f"still empty: {', '.join(empty)}; {again}", timeout=6, markup=False)
        else:
            self.dismiss("done")

    def action_words(self) -> None:
        self.dismiss("words")
