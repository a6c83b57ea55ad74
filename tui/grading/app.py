"""The grader's screen: one answer, one property at a key, each verdict on disk before the next is asked."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Final, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from sessions.store import Store
from sessions.studies.grading import Verdict, keeping
from sessions.studies.grading_pool import Gradable
from tui.grading.case_screen import FAULTS, CaseApp, CaseScreen
from tui.grading.cases import Case, Cases
from tui.grading.pictures import CasePictures, OfRuns
from tui.grading.state import WORDS, Place, Way
from tui.imaging import Imaging
from tui.inert import one_line, pruned
from tui.sitting.screen import Keys

KEYS: Final = (
    ("r", "right", "judge('right')"),
    ("w", "wrong", "judge('wrong')"),
    ("c", "cannot tell", "judge('cannot tell')"),
    ("u", "one back", "back"),
    ("z", "zoom", "zoom"),
    ("q", "quit", "leave"),
)
VERDICTS: Final[dict[str, Verdict]] = {words: verdict for verdict, words in WORDS.items()}


class GradingScreen(CaseScreen):
    """One answer at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, action, words) for key, words, action in KEYS if action.startswith("judge")),
        Binding("u,backspace,left", "back", "one back"),
        Binding("right", "on", "one on"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._case: Case | None = None

    @property
    def judging(self) -> GradingApp:
        return cast("GradingApp", self.app)

    @property
    def case(self) -> Case | None:
        return self._case

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield CasePictures(self.judging.scaler)
        with VerticalScroll(id="case", can_focus=False):
            yield Static("", id="answer", markup=False)
            yield Static("", id="gold", markup=False)
            yield Static("", id="question", markup=False)
        yield Static("", id="strip", markup=False)
        yield Static("", id="asked", markup=False)
        yield Keys(*KEYS)

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self._open)

    async def _draw(self) -> None:
        app, way = self.judging, self.judging.way
        place = way.place
        self.query_one("#head", Static).update(f" {one_line(way.heading())}")
        if place is None:
            self._case = app.case = None
            self.query_one(CasePictures).display = False
            for name in ("question", "gold", "strip", "asked"):
                self.query_one(f"#{name}", Static).update("")
            self.query_one("#answer", Static).update(f"That was all: {way.of} judged. u goes back, q ends.")
            return
        if app.case is None or app.shown is not place.answer:
            app.case = await app.read(place.answer)
            app.shown = place.answer
        case = app.case
        if case is not self._case:
            self._case = case
            self._words(case)
            self.query_one("#case").scroll_home(animate=False)
        await self.query_one(CasePictures).show(case, self.size.width, max(self.size.height // 2 - 5, 0))
        self._ask(case, place)

    def _words(self, case: Case) -> None:
        question = pruned(case.question)
        words = question.text + (f"\n{question.note}" if question.note else "")
        self.query_one("#question", Static).update(Content.assemble(("question  ", "$text-muted"), words))
        gold = one_line(case.gold_text) or "-"
        self.query_one("#gold", Static).update(Content.assemble(("right     ", "$text-muted"), gold))
        answer = pruned(case.answer)
        words = answer.text + (f"\n{answer.note}" if answer.note else "")
        if case.made is not None:
            words = f"{words}\n(the picture above)".strip()
        self.query_one("#answer", Static).update(Content.assemble(("answered  ", "$text-muted"), (words, "bold")))

    def _ask(self, case: Case, place: Place) -> None:
        way = self.judging.way
        pieces = [(words, "reverse bold") if here else words for words, here in way.strip()]
        self.query_one("#strip", Static).update(Content.assemble(*pieces))
        value = case.right_value(place.unit, place.property)
        told, verdict = way.verdict(place.answer, place.bit)
        words = way.asked() + (f"  {one_line(value)}" if value else "")
        words += f"   (you said {WORDS[verdict]}; right arrow leaves it so)" if told else ""
        self.query_one("#asked", Static).update(words)

    # -- keys

    async def action_judge(self, words: str) -> None:
        place = self.judging.way.place
        if place is not None and self._case is not None:
            self.judging.presses.open = False
            if await self.judging.keep(place, VERDICTS[words]):
                self.draw()
            else:
                self._open()

    def action_back(self) -> None:
        self.judging.way.back()
        self.draw()

    def action_on(self) -> None:
        if self.judging.way.on():
            self.draw()


class GradingApp(CaseApp):
    """Leads a grader along ``way``."""

    CSS_PATH: ClassVar = ["case.tcss", "grading.tcss"]
    JUDGING = ("r", "w", "c")

    def __init__(self, store: Store, cases: Cases, way: Way, imaging: Imaging, *, theme: object = "") -> None:
        self._of_runs = OfRuns(cases)
        super().__init__(store, self._of_runs, imaging, theme=theme)
        self.way = way
        self.shown: Gradable | None = None
        self._cases = cases

    def first_screen(self) -> Screen[None]:
        return GradingScreen()

    async def read(self, answer: Gradable) -> Case:
        self._of_runs.answer = answer
        return await asyncio.to_thread(self._cases.read, answer)

    async def keep(self, place: Place, verdict: Verdict) -> bool:
        """Whether it is on disk; said on the screen where it is not, and nothing moves on then."""
        way = self.way
        change = keeping(self.store.vocabulary, place.answer, way.author, place.bit, verdict, settles=way.settles)
        try:
            await self.store.writer.submit(change, full=True)
        except FAULTS as error:
            self.not_kept(error)
            return False
        way.said(place, verdict)
        return True
