"""The runs of the store: found by typing, and one of them opened in the place of the one on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key
from textual.widgets import Input, Static

from core.errors import PhoropterError
from core.records import named
from sessions.lanes import put_in
from sessions.overview import Glance, glances
from sessions.runs import Run
from sessions.store import Store
from tui.counting import counted
from tui.inert import inert, one_line
from tui.scopes import SCOPES
from tui.scopes.runs import RUNS
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines

WIDE = 100
_NARROW = (27, 8, 20)
_FULL = (40, 12, 24)
"""Columns of a run's name, benchmark and respondent."""


class RunRows(Lines):
    """Runs, one a row: name, benchmark, respondent, items, and how much of the last step is right. ``opened`` is the
    uid of the one on the screen."""

    def __init__(self, opened: str) -> None:
        super().__init__(id="runs")
        self._opened = opened
        self.all: Sequence[Glance] = ()
        self.chosen: list[Glance] = []
        self.empty = ("reading the store …",)

    @property
    def count(self) -> int:
        return len(self.chosen)

    def narrow(self, wanted: str) -> None:
        """Keep the runs with all of these words in their row."""
        words = wanted.casefold().split()
        self.chosen = [one for one in self.all if all(word in _searched(one) for word in words)]
        self.empty = ("no run has these words",)
        self.recount()

    def line(self, index: int, width: int) -> Text:
        one = self.chosen[index]
        run = one.summary.run
        columns = _FULL if width >= WIDE else _NARROW
        text = Text(no_wrap=True, end="")
        text.append("▌" if run.uid == self._opened else " ", self.style("strong"))
        said = (_shortened(one_line(run.name), columns[0]), _benchmark(run), _respondent(run))
        for words, room, style in zip(said, columns, ("strong", "muted", "muted"), strict=True):
            cell = Text(one_line(words), self.style(style))
            cell.truncate(room, overflow="ellipsis", pad=True)
            text.append_text(cell).append(" ")
        text.append(f"{one.summary.items:>6,}  {_right(one)}")
        text.truncate(width, overflow="ellipsis")
        return text


def _benchmark(run: Run) -> str:
    return named(run.config.benchmark, run.config.subset)


def _respondent(run: Run) -> str:
    kinds = {"baseline": " (baseline)", "human": " (person)"}
    return f"{run.config.respondent}{kinds.get(run.config.respondent_kind, '')}"


def _right(one: Glance) -> str:
    return f"{one.step} {100 * one.right / one.scored:.0f}%" if one.scored else "not scored"


def _searched(one: Glance) -> str:
    run = one.summary.run
    return " ".join([run.name, _benchmark(run), run.config.protocol, _respondent(run), put_in(run.config)]).casefold()


def _shortened(name: str, room: int) -> str:
    """What tells a run from its like stands at the end of its name, so that the middle goes."""
    if cell_len(name) <= room or room < 20:
        return name
    return f"{name[:8]}…{name[len(name) - (room - 9) :]}"


class RunsScreen(Dialog[str | None]):
    """Gives back the uid of the run to be opened, None where it was left."""

    CSS_PATH = "runs.tcss"
    AUTO_FOCUS = "#runs"
    BINDINGS: ClassVar[list[BindingType]] = bindings(RUNS)
    HELP = "▌ the run on the screen. Right: of the last step that has answers, how many are wholly right by the rule."

    def __init__(self, store: Store, opened: str) -> None:
        super().__init__()
        self._store = store
        self._opened = opened

    def compose(self) -> ComposeResult:
        yield Static(
            " runs of this store   batches go on when another one is opened", classes="heading", markup=False
        )
        yield Input(placeholder="words: a name, a benchmark, a respondent, an intervention", id="search")
        yield RunRows(self._opened)
        yield Static("", id="run-words", markup=False)
        yield KeyBar(SCOPES["runs"], enter="open")

    def on_mount(self) -> None:
        self._read()

    @work(name="runs", group="runs", exclusive=True, exit_on_error=False)
    async def _read(self) -> None:
        rows = self.query_one(RunRows)
        try:
            rows.all = await asyncio.to_thread(glances, self._store)
        except PhoropterError as error:
            self.notify(inert(str(error)), severity="error", markup=False)
        rows.narrow(self.query_one("#search", Input).value)
        uids = [one.summary.run.uid for one in rows.chosen]
        rows.cursor = uids.index(self._opened) if self._opened in uids else 0
        self._tell()

    def _tell(self) -> None:
        """All of the run under the cursor."""
        rows, said = self.query_one(RunRows), ""
        if rows.cursor < rows.count:
            one = rows.chosen[rows.cursor]
            summary, run = one.summary, one.summary.run
            parts = [f"{_benchmark(run)} {run.config.protocol}", _respondent(run), put_in(run.config)]
            counts = [counted(summary.items, "item"), f"{summary.done:,} finished"]
            counts += [f"{summary.failed:,} failed"] if summary.failed else []
            counts += [f"{summary.open:,} open"] if summary.open else []
            right = f"{one.step}: {one.right:,} of {one.scored:,} answers right" if one.scored else "not scored"
            said = "\n".join(
                [one_line(run.name), one_line(", ".join(filter(None, parts))), ", ".join([*counts, right])]
            )
        self.query_one("#run-words", Static).update(said)

    # -- keys

    def on_lines_pointed(self) -> None:
        self._tell()

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.dismiss(self.query_one(RunRows).chosen[message.index].summary.run.uid)

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(RunRows).narrow(event.value)
        self._tell()

    def on_input_submitted(self) -> None:
        rows = self.query_one(RunRows)
        if rows.count == 1:
            rows.action_choose()
        else:
            rows.focus()

    def on_key(self, event: Key) -> None:
        """Down leaves the field for the list."""
        if event.key == "down" and self.query_one("#search").has_focus:
            self.query_one(RunRows).focus()

    def action_search(self) -> None:
        self.query_one("#search").focus()

    def action_leave(self) -> None:
        if self.query_one("#search").has_focus:
            self.query_one(RunRows).focus()
        else:
            self.dismiss(None)
