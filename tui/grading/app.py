"""The grader's screen: one answer, one property at a key, each verdict on disk before the next is asked."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import ClassVar, Final, cast

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from core.errors import PhoropterError
from sessions.replay import Replay
from sessions.store import Store
from sessions.studies.grading import Verdict, keeping
from sessions.studies.grading_pool import Gradable
from tui.grading.case_screen import CaseScreen
from tui.grading.cases import Case, Cases
from tui.grading.pictures import CasePictures, OfRuns
from tui.grading.state import WORDS, Place, Presses, Way
from tui.grounded import Grounded
from tui.imaging import Imaging
from tui.inert import inert, one_line, pruned
from tui.sitting.screen import Keys
from tui.widgets.pictures import Scaler

KEYS: Final = (
    ("r", "right", "judge('right')"),
    ("w", "wrong", "judge('wrong')"),
    ("c", "cannot tell", "judge('cannot tell')"),
    ("u", "one back", "back"),
    ("z", "zoom", "zoom"),
    ("q", "quit", "leave"),
)
JUDGING: Final = ("r", "w", "c")
VERDICTS: Final[dict[str, Verdict]] = {words: verdict for verdict, words in WORDS.items()}


class GradingScreen(CaseScreen):
    """One answer at a time."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, action, words) for key, words, action in KEYS if key != "u"),
        Binding("u,backspace,left", "back", "one back"),
        Binding("right", "on", "one on"),
        Binding("pagedown,space,down", "read(1)"),
        Binding("pageup,up", "read(-1)"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._case: Case | None = None
        self._drawing = False
        self._again = False

    @property
    def grading(self) -> GradingApp:
        return cast("GradingApp", self.app)

    @property
    def case(self) -> Case | None:
        return self._case

    @property
    def scaler(self) -> Scaler:
        return self.grading.scaler

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield CasePictures(self.grading.scaler)
        with VerticalScroll(id="case", can_focus=False):
            yield Static("", id="answer", markup=False)
            yield Static("", id="gold", markup=False)
            yield Static("", id="question", markup=False)
        yield Static("", id="strip", markup=False)
        yield Static("", id="asked", markup=False)
        yield Keys(*KEYS)

    def on_mount(self) -> None:
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def on_screen_resume(self) -> None:
        self.call_after_refresh(self._open)

    def draw(self) -> None:
        """What is asked now; once more where something changes meanwhile, and never two at once."""
        self._again = True
        if not self._drawing:
            self._drawing = True
            self._draw_on()

    @work(name="draw", group="draw")
    async def _draw_on(self) -> None:
        try:
            while self._again:
                self._again = False
                await self._draw()
        finally:
            self._drawing = False

    async def _draw(self) -> None:
        app, way = self.grading, self.grading.way
        place = way.place
        self.query_one("#head", Static).update(f" {one_line(way.heading())}")
        if place is None:
            self._case = app.case = None
            self.query_one(CasePictures).display = False
            for name in ("question", "gold", "strip", "asked"):
                self.query_one(f"#{name}", Static).update("")
            self.query_one("#answer", Static).update(f"That was all: {way.of} judged. u goes back, q ends.")
            self._open()
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
        self.call_after_refresh(self._open)

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
        way = self.grading.way
        pieces = [(words, "reverse bold") if here else words for words, here in way.strip()]
        self.query_one("#strip", Static).update(Content.assemble(*pieces))
        value = case.right_value(place.unit, place.property)
        told, verdict = way.verdict(place.answer, place.bit)
        words = way.asked() + (f"  {one_line(value)}" if value else "")
        words += f"   (you said {WORDS[verdict]}; right arrow leaves it so)" if told else ""
        self.query_one("#asked", Static).update(words)

    def _open(self) -> None:
        self.grading.presses.open = True

    # -- keys

    async def action_judge(self, words: str) -> None:
        place = self.grading.way.place
        if place is not None and self._case is not None:
            self.grading.presses.open = False
            if await self.grading.keep(place, VERDICTS[words]):
                self.draw()
            else:
                self._open()

    def action_back(self) -> None:
        self.grading.way.back()
        self.draw()

    def action_on(self) -> None:
        if self.grading.way.on():
            self.draw()


class GradingApp(Grounded):
    """Leads a grader along ``way``."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "grading.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, store: Store, cases: Cases, way: Way, imaging: Imaging, *, theme: object = "") -> None:
        super().__init__(theme)
        self.store = store
        self.way = way
        self.presses = Presses()
        self.case: Case | None = None
        self.shown: Gradable | None = None
        self._cases = cases
        self._of_runs = OfRuns(cases)
        self.scaler = Scaler(self._of_runs, imaging, self._stored)

    def first_screen(self) -> Screen[None]:
        return GradingScreen()

    async def on_event(self, event: events.Event) -> None:
        """A key that is held, or was pressed before the property stood there, judges nothing."""
        if (
            isinstance(event, events.Key)
            and not event.is_forwarded
            and event.key in JUDGING
            and not self.presses.counts(event.key, event.time)
        ):
            return
        await super().on_event(event)

    async def read(self, answer: Gradable) -> Case:
        self._of_runs.answer = answer
        return await asyncio.to_thread(self._cases.read, answer)

    async def keep(self, place: Place, verdict: Verdict) -> bool:
        """Whether it is on disk; said on the screen where it is not, and nothing moves on then."""
        way = self.way
        change = keeping(self.store.vocabulary, place.answer, way.author, place.bit, verdict, settles=way.settles)
        try:
            await self.store.writer.submit(change, full=True)
        except (PhoropterError, sqlite3.Error, OSError) as error:
            self.notify(inert(f"not kept: {error}"), severity="error", markup=False)
            return False
        way.said(place, verdict)
        return True

    def _stored(self, digest: str) -> bytes | None:
        return Replay(self.store.reader()).picture(digest)
