"""Worked examples: their pictures and their answers, step by step, beside a trial or over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from core.benchmarks.base import Benchmark, ProtocolLike
from core.planning import gold_walk
from core.records import Item, Show
from core.study.texts import Wording
from tui.inert import inert, one_line
from tui.sitting.pictures import SightRow, sight
from tui.sitting.screen import Keys, SittingScreen
from tui.sitting.state.layout import shared_out
from tui.sitting.state.turn import put
from tui.widgets.pictures import Scaler

WORDS_ROWS = 8


@dataclass(frozen=True, slots=True)
class Worked:
    """An item with its right answers: ``about`` says in words what it shows, ``steps`` what is asked and answered."""

    item: Item
    shows: tuple[Show, ...]
    captions: tuple[str, ...]
    about: str
    steps: tuple[tuple[str, str], ...]


def worked(benchmark: Benchmark, protocol: ProtocolLike, item: Item, wording: Wording) -> Worked:
    """The item as it is asked when every answer is right."""
    walk = gold_walk(benchmark, protocol, item)
    first = put(benchmark, item, walk[0].turn, (), wording)
    steps = []
    for place, step in enumerate(walk):
        texts = put(benchmark, item, step.turn, walk[:place], wording).texts
        said = [
            f"{wording.label(name)} {texts.get(value) or wording.label(value)}"
            for name, value in step.turn.gold.items()
        ]
        steps.append((wording.label(step.turn.step), ", ".join(said) or step.turn.gold_text))
    return Worked(item, walk[0].turn.shows, first.captions, benchmark.title(item), tuple(steps))


def told(each: Worked, number: int, wording: Wording) -> Content:
    """One example in words."""
    lines = [Content.styled(f"{wording.ui('example')} {number}", "bold"), Content(inert(each.about))]
    lines += [
        Content.assemble((f"{one_line(asked)}: " if len(each.steps) > 1 else "", "$text-muted"), one_line(answer))
        for asked, answer in each.steps
    ]
    return Content("\n").join(lines)


class ExamplesScreen(SittingScreen[None]):
    """One example after the other with its pictures; the trial's clock goes on meanwhile."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,ctrl+e,q", "leave"),
        Binding("right,space,down,tab", "turn(1)"),
        Binding("left,up,shift+tab", "turn(-1)"),
    ]

    def __init__(self, examples: Sequence[Worked], scaler: Scaler, wording: Wording) -> None:
        super().__init__()
        self._examples, self._scaler, self._wording = examples, scaler, wording
        self._index = 0

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="example", can_focus=False):
            yield Static(told(self._examples[0], 1, self._wording), id="told", markup=False)
        yield Keys(("esc", self._wording.ui("back"), "leave"), ("← →", self._wording.ui("example"), "turn(1)"))

    def on_mount(self) -> None:
        self._show()

    def action_leave(self) -> None:
        self.answer(None)

    def action_turn(self, by: int) -> None:
        self._index = (self._index + by) % len(self._examples)
        self._show()

    @work(name="example", group="pictures", exclusive=True)
    async def _show(self) -> None:
        each = self._examples[self._index]
        self.query_one("#told", Static).update(told(each, self._index + 1, self._wording))
        size = (self.size.width, self.size.height)
        layout = shared_out(size, len(each.shows), words=WORDS_ROWS, form=0, cell=self._scaler.imaging.cell)
        seen = await sight(self._scaler, each.item, each.shows, each.captions, layout)
        await self.query(SightRow).remove()
        await self.mount(SightRow(seen, self._scaler.imaging, layout.rows), before=0)
