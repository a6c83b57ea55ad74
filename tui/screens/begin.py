"""What a new batch asks: this run's plan, somebody else, or an intervention with its sham; and what it may cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.widgets import Input, Label, Static

from tui.counting import counted
from tui.inert import one_line
from tui.screens.dialog import Dialog
from tui.state.bench import Bench
from tui.widgets.lines import Lines

BASELINES = ("oracle", "random", "noisy:0.6", "seeing:0.8")
Kind = Literal["here", "respondent", "intervention"]


@dataclass(frozen=True, slots=True)
class Beginning:
    """What to begin. ``value`` is a respondent's name or an intervention as it is written: ``describe=gold``."""

    kind: Kind
    value: str = ""
    budget: float | None = None


def typed(text: str) -> tuple[Kind, str]:
    """What somebody typed stands for: ``STEP=...`` is an intervention, anything else a respondent's name."""
    text = text.strip()
    return ("intervention" if "=" in text else "respondent", text)


def offered(bench: Bench) -> list[tuple[Kind, str, str]]:
    """What can be chosen, with a line for each."""
    plan = bench.asked.plan
    name = one_line(plan.respondent.name)
    out: list[tuple[Kind, str, str]] = [
        ("here", "", f"this run: {name}, {plan.protocol.name}; asks what is not done")
    ]
    who = [other for other in (*bench.config.respondents, *BASELINES) if other != plan.respondent.name]
    if not plan.interventions:
        steps = [step for step in plan.protocol.steps if step.partition(".")[0] not in plan.benchmark.unscored]
        out += [
            ("intervention", f"{step}=gold", f"what if {step}=gold, from this run's steps, and its sham beside it")
            for step in steps[:-1]
            if step not in plan.protocol.draws
        ]
    return [*out, *(("respondent", other, f"the same asked of {one_line(other)}") for other in who)]


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
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "back")]

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench

    def compose(self) -> ComposeResult:
        items = self._bench.items()
        among = "all" if self._bench.chosen() is None else "in the filter"
        repeats = self._bench.asked.plan.repeats
        times = f", {counted(repeats, 'repeat')} each" if repeats > 1 else ""
        with Vertical(id="begin"):
            yield Static(
                f" a batch on {counted(len(items), 'item')} ({among}){times}", classes="heading", markup=False
            )
            yield ChoiceLines(offered(self._bench))
            with Horizontal(classes="given"):
                yield Label("or typed", markup=False)
                yield Input(placeholder="a respondent's name, or STEP=gold, STEP=wrong:PROPERTY ...", id="typed")
            with Horizontal(classes="given"):
                yield Label("budget", markup=False)
                yield Input(placeholder="USD for the run; empty: no limit", id="budget")
            yield Static(" enter start   Tab next field   esc back", classes="keys", markup=False)

    def on_mount(self) -> None:
        lines = self.query_one(ChoiceLines)
        lines.styles.height = min(lines.count, 12)
        lines.recount()
        lines.focus()

    def on_key(self, event: Key) -> None:
        """Up and down walk the fields as well."""
        if isinstance(self.focused, Input) and event.key in ("up", "down"):
            self.focus_next() if event.key == "down" else self.focus_previous()

    def on_input_submitted(self) -> None:
        written = self.query_one("#typed", Input).value.strip()
        if written:
            self._begin(*typed(written))
        else:
            self._chosen(self.query_one(ChoiceLines).cursor)

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self._chosen(message.index)

    def _chosen(self, index: int) -> None:
        kind, value, _ = self.query_one(ChoiceLines).offered[index]
        self._begin(kind, value)

    def _begin(self, kind: Kind, value: str) -> None:
        given = self.query_one("#budget", Input).value.strip().removeprefix("$")
        try:
            budget = float(given) if given else None
        except ValueError:
            budget = math.nan
        if budget is not None and not (math.isfinite(budget) and budget > 0):
            self.notify("a budget is a sum of USD above 0, such as 2.50", severity="error", timeout=5, markup=False)
            self.query_one("#budget").focus()
            return
        self.dismiss(Beginning(kind, value, budget))
