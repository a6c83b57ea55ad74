"""The reviewer's screen: accept, edit or reject with one key each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from core.curation.review import Draft, Reviewable, VerdictName
from core.errors import PhoropterError
from tui.grading.case_screen import CaseScreen
from tui.grading.pictures import CasePictures
from tui.inert import one_line, pruned
from tui.reviewing.writing import ReasonScreen, WritingScreen
from tui.sitting.screen import Keys

if TYPE_CHECKING:
    from tui.reviewing.app import ReviewingApp

Key = tuple[str, str, str]
QUIT: Final = ("q", "quit", "leave")
AROUND: Final = 4
"""Rows of the heading, the pictures' numbers, the line above the question, and the keys."""
WIDEST: Final = 122
"""Columns of the item's words, as the style sheet has it."""


def keys_for(draft: Draft, *, longer: bool) -> Iterator[Key]:
    """Those that do something here; ``longer``: than the screen shows."""
    if not (draft.writes or draft.faults):
        yield ("a", "accept", "accept")
    if draft.text:
        yield ("e", "write" if draft.writes else "edit", "edit")
    yield ("r", "nothing fits" if draft.writes else "reject", "reject")
    yield ("s", "later", "later")
    yield ("z", "zoom", "zoom")
    if longer:
        yield ("space", "read on", "read(1)")
    yield QUIT


class ReviewScreen(CaseScreen):
    """One item at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "accept", "accept"),
        Binding("e", "edit", "edit"),
        Binding("r", "reject", "reject"),
        Binding("s", "later", "later"),
    ]

    @property
    def judging(self) -> ReviewingApp:
        return cast("ReviewingApp", self.app)

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield CasePictures(self.judging.scaler)
        with VerticalScroll(id="case", can_focus=False):
            yield Static("", id="item", markup=False)
        yield Static("", id="asked", markup=False)
        yield Keys(QUIT)

    async def _draw(self) -> None:
        """What waits now."""
        app = self.judging
        waiting = await app.current()
        self.query_one("#head", Static).update(f" {one_line(app.heading())}")
        item, asked, keys = self.query_one("#item", Static), self.query_one("#asked", Static), self.query_one(Keys)
        asked.display = waiting is not None
        if waiting is None or app.case is None:
            self.query_one(CasePictures).display = False
            item.update(app.at_the_end())
            keys.say(QUIT)
            return
        shown = pruned(app.case.answer)
        words = Content(shown.text + (f"\n{shown.note}" if shown.note else ""))
        question = Content(one_line(app.case.question))
        item.update(words)
        asked.update(question)
        width = max(self.size.width - 3, 1)
        lines, left = words.get_height({}, min(width, WIDEST)), self.size.height - AROUND
        left -= min(question.get_height({}, width), 4)
        rows = min(max(self.size.height // 2 - 4, left - lines), left)
        pictures = self.query_one(CasePictures)
        await pictures.show(app.case, self.size.width, rows)
        keys.say(*keys_for(waiting.draft, longer=lines > left - (rows if pictures.display else -1)))

    # -- keys

    async def action_accept(self) -> None:
        await self._keep("accept")

    @work(name="edit", group="dialogs")
    async def action_edit(self) -> None:
        app, waiting = self.judging, self.judging.waiting
        if waiting is None or app.case is None:
            return
        if not waiting.draft.text:
            self.notify("there are no words to edit: accept it, or reject it", markup=False)
            return
        trajectory = waiting.trajectory

        def wrong(text: str) -> str:
            try:
                cast(Reviewable, app.desk.plan.protocol).edited(trajectory.item, trajectory.steps, text)
            except PhoropterError as error:
                return str(error)
            return ""

        draft = app.draft("edit", waiting.draft.text)
        groups = ", ".join(trajectory.item.groups.values())
        heading = f"{trajectory.item.id} in your words{f' ({groups})' if groups else ''}"
        screen = WritingScreen(
            heading, draft.original, draft.text, draft.keep, wrong, case=app.case, scaler=app.scaler
        )
        text, put_in = await app.push_screen_wait(screen)
        if put_in:
            await self._keep("edit", text=text)

    @work(name="reject", group="dialogs")
    async def action_reject(self) -> None:
        app = self.judging
        if app.waiting is None or app.case is None:
            return
        draft = app.draft("reject")
        writes = app.waiting.draft.writes
        heading = "Why does nothing fit?" if writes else "Why is it rejected?"
        verdict = "nothing fits" if writes else "reject"
        screen = ReasonScreen(f"{heading} (may stay empty)", verdict, draft.text, draft.keep)
        reason, put_in = await app.push_screen_wait(screen)
        if put_in:
            await self._keep("reject", reason=" ".join(reason.split()))

    def action_later(self) -> None:
        """It comes again when the screen is opened anew."""
        if self.judging.waiting is not None:
            self.judging.next(later=True)
            self._fresh()

    async def _keep(self, verdict: VerdictName, *, text: str = "", reason: str = "") -> None:
        app = self.judging
        if app.waiting is None:
            return
        app.presses.open = False
        if await app.keep(verdict, text=text, reason=reason):
            self._fresh()
        else:
            self._open()

    def _fresh(self) -> None:
        """Another item stands here, from its beginning."""
        self.query_one("#case").scroll_home(animate=False)
        self.draw()
