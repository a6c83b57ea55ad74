"""The dialog for a new batch: what it asks, who judges it, what it may cost; and the same as a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.suggester import SuggestFromList
from textual.widgets import Input, Label, Static

from core.errors import UsageError
from tui.counting import counted
from tui.inert import inert, one_line
from tui.scopes import SCOPES
from tui.scopes.runs import BEGIN
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state.beginning import WAYS, Beginning, Kind, commands, completed, judges, offered, sum_of, typed, way_of
from tui.state.bench import Bench
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines

if TYPE_CHECKING:
    from tui.mannered import Mannered


class ChoiceLines(Lines):
    """What is offered, one a row."""

    def __init__(self, offered: list[tuple[Kind, str, str]]) -> None:
        super().__init__(id="choices")
        self.offered = offered

    @property
    def count(self) -> int:
        return len(self.offered)

    def line(self, index: int, width: int) -> Text:
        text = Text(self.offered[index][2], no_wrap=True, end="")
        text.truncate(width, overflow="ellipsis")
        return text


class BeginScreen(Dialog[Beginning | None]):
    """Gives back what to begin, None where it was left with Esc."""

    CSS_PATH = "begin.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(BEGIN)

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench

    def compose(self) -> ComposeResult:
        items = self._bench.items()
        among = "all" if self._bench.chosen() is None else "in the filter"
        repeats = self._bench.asked.plan.repeats
        times = f", {counted(repeats, 'repeat')} each" if repeats > 1 else ""
        heading = f" a batch on {counted(len(items), 'item')} ({among}){times}"
        names = judges(self._bench)
        fields = (
            (
                "or typed",
                "typed",
                "a respondent's name, or STEP=gold, STEP=wrong:PROPERTY, STEP=@NAME ...",
                SuggestFromList(completed(self._bench)),
            ),
            ("judge", "judge", f"nobody; or one of {', '.join(map(one_line, names))}", SuggestFromList(names)),
            ("budget", "budget", "USD for the run, its judge included; empty: no limit", None),
            (
                "via",
                "via",
                "live; batch: the server's Batch API, submitted now, collected later",
                SuggestFromList(WAYS),
            ),
        )
        given = {"via": WAYS[1] if self._bench.out else ""}
        with Vertical(id="begin"):
            yield Static(heading, classes="heading", markup=False)
            yield ChoiceLines(offered(self._bench))
            for label, name, hint, suggester in fields:
                with Horizontal(classes="given"):
                    yield Label(label, markup=False)
                    whole = name != "typed"  # what a row puts in there is to be ended, not replaced
                    yield Input(
                        given.get(name, ""),
                        placeholder=hint,
                        suggester=suggester,
                        select_on_focus=whole,
                        id=name,
                    )
            yield Static("", id="command", markup=False)
            yield KeyBar(SCOPES["begin"], enter="start", before="tab next field")

    def on_mount(self) -> None:
        lines = self.query_one(ChoiceLines)
        lines.styles.height = min(lines.count, max(self.size.height - 10, 3), 12)
        lines.recount()
        lines.focus()
        self._tell()

    def on_key(self, event: Key) -> None:
        """Up and down walk the fields as well."""
        if isinstance(self.focused, Input) and event.key in ("up", "down"):
            self.focus_next() if event.key == "down" else self.focus_previous()

    @on(Input.Changed)
    @on(Lines.Pointed)
    def _tell(self) -> None:
        """The same as a command."""
        self.query_one("#command", Static).update(
            "\n".join(["in a shell, over all items of the run:", *map(inert, self._commands())])
            if self._commands()
            else ""
        )

    def _commands(self) -> tuple[str, ...]:
        try:
            return commands(self._bench, self._wanted())
        except UsageError:
            return ()

    def _field(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value.strip()

    def _wanted(self) -> Beginning:
        """What stands there now. Raises UsageError for a budget that is none, and a way that there is not."""
        lines = self.query_one(ChoiceLines)
        kind, value, _ = lines.offered[lines.cursor]
        if written := self._field("typed"):
            kind, value = typed(written)
        if value.endswith("=@"):
            raise UsageError(f"say whom that step is to be asked of: {value}NAME")
        carried = way_of(self._field("via"))
        return Beginning(kind, value, sum_of(self._field("budget")), self._field("judge"), carried)

    def on_input_submitted(self) -> None:
        self._begin()

    def on_lines_chosen(self) -> None:
        """The row, whatever was typed; one that is to be ended in words goes into the field for that."""
        lines, field = self.query_one(ChoiceLines), self.query_one("#typed", Input)
        value = lines.offered[lines.cursor][1]
        field.value = value if value.endswith("=@") else ""
        if field.value:
            field.focus()
            field.cursor_position = len(value)
        else:
            self._begin()

    def _begin(self) -> None:
        try:
            self.dismiss(self._wanted())
        except UsageError as error:
            self.notify(str(error), severity="error", timeout=5, markup=False)
            unended = "#typed" if self._field("typed").endswith("=@") else "#budget"
            self.query_one("#via" if self._field("via") not in ("", *WAYS) else unended).focus()

    def action_copy(self) -> None:
        lines = self._commands()
        if lines:
            cast("Mannered", self.app).copy("\n".join(lines), "the command")
        else:
            self.notify("this run does not say how it was asked: there is no command", timeout=3, markup=False)

    def action_leave(self) -> None:
        self.dismiss(None)
