"""The reviewer's screen: accept, edit or reject with one key each, every verdict on disk before the next is asked."""

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

from core.curation.review import Reviewable, VerdictName
from core.errors import PhoropterError
from sessions.curating.desk import Desk, Waiting
from sessions.replay import Replay
from tui.grading.case_screen import CaseScreen
from tui.grading.cases import Case
from tui.grading.pictures import CasePictures
from tui.grading.state import Presses
from tui.grounded import Grounded
from tui.imaging import Imaging
from tui.inert import inert, one_line, pruned
from tui.reviewing.case import case_of
from tui.reviewing.writing import WritingScreen
from tui.sitting.screen import Keys
from tui.widgets.pictures import PicturesLike, Scaler

KEYS: Final = (
    ("a", "accept", "accept"),
    ("e", "edit", "edit"),
    ("r", "reject", "reject"),
    ("s", "later", "later"),
    ("z", "zoom", "zoom"),
    ("q", "quit", "leave"),
)
JUDGING: Final = ("a", "e", "r", "s")


class ReviewScreen(CaseScreen):
    """One item at a time."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, action, words) for key, words, action in KEYS),
        Binding("pagedown,space,down,j", "read(1)"),
        Binding("pageup,up,k", "read(-1)"),
    ]

    @property
    def reviewing(self) -> ReviewingApp:
        return cast("ReviewingApp", self.app)

    @property
    def case(self) -> Case | None:
        return self.reviewing.case

    @property
    def scaler(self) -> Scaler:
        return self.reviewing.scaler

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield CasePictures(self.reviewing.scaler)
        with VerticalScroll(id="case", can_focus=False):
            yield Static("", id="item", markup=False)
        yield Static("", id="asked", markup=False)
        yield Keys(*KEYS)

    def on_mount(self) -> None:
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    @work(name="draw", group="draw", exclusive=True)
    async def draw(self) -> None:
        """What waits now."""
        app = self.reviewing
        waiting = await app.current()
        self.query_one("#head", Static).update(f" {one_line(app.heading())}")
        if waiting is None or app.case is None:
            self.query_one(CasePictures).display = False
            self.query_one("#asked", Static).update("")
            self.query_one("#item", Static).update("Nothing waits for you any more. q ends.")
        else:
            shown = pruned(app.case.answer)
            words = shown.text + (f"\n{shown.note}" if shown.note else "")
            self.query_one("#item", Static).update(Content(words))
            self.query_one("#asked", Static).update(one_line(app.case.question))
            await self.query_one(CasePictures).show(app.case, self.size.width, max(self.size.height // 2 - 4, 0))
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        self.reviewing.presses.open = True

    # -- keys

    async def action_accept(self) -> None:
        await self._keep("accept")

    @work
    async def action_edit(self) -> None:
        waiting = self.reviewing.waiting
        if waiting is None or not waiting.draft.text:
            self.notify("there are no words to edit: accept it, or reject it", markup=False)
            self._open()
            return
        reviewing = self.reviewing

        def wrong(text: str) -> str:
            try:
                cast(Reviewable, reviewing.desk.plan.protocol).edited(
                    waiting.trajectory.item, waiting.trajectory.steps, text
                )
            except PhoropterError as error:
                return str(error)
            return ""

        heading = f"{waiting.trajectory.item.id} in your words"
        text = await self.app.push_screen_wait(WritingScreen(heading, waiting.draft.text, wrong))
        if text is not None:
            await self._keep("edit", text=text)
        self._open()

    @work
    async def action_reject(self) -> None:
        if self.reviewing.waiting is None:
            return
        reason = await self.app.push_screen_wait(WritingScreen("why is it rejected? (may stay empty)", ""))
        if reason is not None:
            await self._keep("reject", reason=" ".join(reason.split()))
        self._open()

    def action_later(self) -> None:
        """It comes again when the screen is opened anew."""
        self.reviewing.next()
        self.draw()

    async def _keep(self, verdict: VerdictName, *, text: str = "", reason: str = "") -> None:
        app = self.reviewing
        if app.waiting is None:
            return
        app.presses.open = False
        if await app.keep(verdict, text=text, reason=reason):
            self.query_one("#case").scroll_home(animate=False)
            self.draw()
        else:
            self._open()


class ReviewingApp(Grounded):
    """Leads a reviewer through what waits at their ``desk``."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "reviewing.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, desk: Desk, pictures: PicturesLike, imaging: Imaging, *, theme: object = "") -> None:
        super().__init__(theme)
        self.desk = desk
        self.presses = Presses()
        self.waiting: Waiting | None = None
        self.case: Case | None = None
        self.scaler = Scaler(pictures, imaging, self._stored)
        self._rows = desk.rows()
        self._of = len(self._rows)

    def first_screen(self) -> Screen[None]:
        return ReviewScreen()

    async def on_event(self, event: events.Event) -> None:
        """A key that is held, or was pressed before the item stood there, decides nothing."""
        if (
            isinstance(event, events.Key)
            and not event.is_forwarded
            and event.key in JUDGING
            and isinstance(self.screen, ReviewScreen)
            and not self.presses.counts(event.key, event.time)
        ):
            return
        await super().on_event(event)

    def heading(self) -> str:
        """Who reviews what, and how far they are."""
        if self.waiting is None:
            return f"{self.desk.reviewer} reviews {self.desk.run.name}: {self.desk.done} done"
        place = f"{self.waiting.trajectory.item.id} at {self.waiting.turn.step}"
        return f"{self.desk.reviewer} reviews {self.desk.run.name}: {place}; {self.desk.done} of {self._of} done"

    async def current(self) -> Waiting | None:
        """The first item that still waits for this person, as it stands by now."""
        while self.waiting is None and self._rows:
            self.waiting = await asyncio.to_thread(self.desk.take, self._rows[0])
            if self.waiting is None:
                self._rows.pop(0)
            else:
                self.case = case_of(self.waiting)
        return self.waiting

    def next(self) -> None:
        """On to the next item."""
        self.waiting = self.case = None
        if self._rows:
            self._rows.pop(0)

    async def keep(self, verdict: VerdictName, *, text: str, reason: str) -> bool:
        """Whether it is on disk; said on the screen where it is not, and nothing moves on then."""
        assert self.waiting is not None
        try:
            own = await self.desk.keep(self.waiting, verdict, text=text, reason=reason)
        except (PhoropterError, sqlite3.Error, OSError) as error:
            self.notify(inert(f"not kept: {error}"), severity="error", markup=False)
            return False
        if not own:
            self.notify("somebody else was faster: their verdict stands", markup=False)
        self.next()
        return True

    def _stored(self, digest: str) -> bytes | None:
        return Replay(self.desk.store.reader()).picture(digest)
