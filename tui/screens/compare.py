"""Two trajectories side by side, step by step."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from core.plan import Plan
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.looking import COMPARE
from tui.screens.bindings import bindings
from tui.screens.dialog import Scrolling
from tui.state.comparing import Pair, Side, difference_words, pairs
from tui.widgets import compare_text as words
from tui.widgets.keybar import KeyBar

Ended: TypeAlias = Literal["other", "swap"]


class PairBlock(Vertical):
    """One step of both."""

    def __init__(self, pair: Pair, number: int, sides: tuple[Side, Side], plan: Plan, scorer: str) -> None:
        super().__init__(classes="pair")
        self.pair = pair
        self._number = number
        self._sides = sides
        self._plan = plan
        self._scorer = scorer

    def compose(self) -> ComposeResult:
        yield Static(words.heading(self.pair, self._number), classes="pair-heading", markup=False)
        with Container(classes="cells"):
            yield Static("", classes="cell left", markup=False)
            yield Static("", classes="cell", markup=False)
        found = words.differing(self.pair.changes)
        if found is not None:
            yield Static(found, classes="pair-changes", markup=False)

    def on_mount(self) -> None:
        self.show(whole=False)

    def show(self, *, whole: bool) -> None:
        """Both answers, their beginnings or all of them."""
        steps = (self.pair.left, self.pair.right)
        for side, step, cell in zip(self._sides, steps, self.query(".cell").results(Static), strict=True):
            who = words.who_of(step, side.asked)
            unasked = self.pair.unasked
            cell.update(words.cell(step, self._plan.benchmark, self._scorer, who, whole=whole, unasked=unasked))


class CompareScreen(Scrolling[Ended | None]):
    """Gives back ``other`` where another partner is wanted, ``swap`` to change sides, None after Esc."""

    CSS_PATH = "compare.tcss"
    AREA = "pairs"
    HORIZONTAL_BREAKPOINTS = [(0, "-stacked"), (60, "-beside")]  # noqa: RUF012  as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMPARE)

    def __init__(self, left: Side, right: Side, plan: Plan, scorer: str) -> None:
        super().__init__()
        self._sides = (left, right)
        self._plan = plan
        self._scorer = scorer
        self._pairs = pairs(plan.benchmark, left.trajectory, right.trajectory, scorer)
        self._at = -1
        self._whole = False

    def compose(self) -> ComposeResult:
        item = self._sides[0].trajectory.item
        head = f" {one_line(item.id)}  {difference_words(self._pairs)}"
        yield Static(head, classes="heading", markup=False)
        with Container(classes="cells titles"):
            for side, where in zip(self._sides, ("left", ""), strict=True):
                title = Content.assemble((f" {one_line(side.title)}", "bold"))
                yield Static(title, classes=f"cell {where}".strip(), markup=False)
        with VerticalScroll(id="pairs"):
            for number, pair in enumerate(self._pairs):
                yield PairBlock(pair, number + 1, self._sides, self._plan, self._scorer)
        yield KeyBar(SCOPES["compare"])

    def on_mount(self) -> None:
        self.query_one("#pairs").focus()
        self.call_after_refresh(self.action_difference, 0)

    def action_difference(self, by: int) -> None:
        found = [index for index, pair in enumerate(self._pairs) if pair.differs]
        if not found:
            self.notify("no step differs", timeout=2, markup=False)
            return
        if by == 0 or self._at not in found:
            self._at = found[0]
        else:
            self._at = found[min(max(found.index(self._at) + by, 0), len(found) - 1)]
        block = list(self.query(PairBlock))[self._at]
        self.query_one("#pairs").scroll_to_widget(block, top=True, animate=False)

    def action_unfold(self) -> None:
        self._whole = not self._whole
        for block in self.query(PairBlock):
            block.show(whole=self._whole)
