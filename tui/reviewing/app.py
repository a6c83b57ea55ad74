"""Reviewing in a terminal: who reviews, what waits for them, and every verdict on disk before the next is asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.screen import Screen

from core.curation.review import VerdictName
from sessions.curating.desk import Desk, Waiting
from sessions.drafts import Drafts, Place, drafts_beside
from tui.counting import counted
from tui.grading.case_screen import FAULTS, CaseApp
from tui.imaging import Imaging
from tui.reviewing.case import case_of
from tui.reviewing.screen import ReviewScreen
from tui.screens.edit import EditScreen
from tui.widgets.pictures import PicturesLike

WRITTEN: Final[tuple[VerdictName, ...]] = ("edit", "reject")
"""Verdicts that something is written for."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What was typed for a verdict and not saved; ``original`` is what stood there before, and no draft."""

    drafts: Drafts
    place: Place
    original: str

    @property
    def text(self) -> str | None:
        return self.drafts.get(self.place)

    def keep(self, text: str) -> None:
        if text == self.original:
            self.drop()
        else:
            self.drafts[self.place] = text

    def drop(self) -> None:
        self.drafts.pop(self.place, None)


class ReviewingApp(CaseApp):
    """Leads a reviewer through what waits at their ``desk``."""

    CSS_PATH: ClassVar = ["../grading/case.tcss", "reviewing.tcss"]
    JUDGING = ("a", "e", "r", "s")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "stop", show=False, priority=True)]

    def __init__(self, desk: Desk, pictures: PicturesLike, imaging: Imaging, *, theme: object = "") -> None:
        super().__init__(desk.store, pictures, imaging, theme=theme)
        self.desk = desk
        self.waiting: Waiting | None = None
        self.later = 0
        self._drafts = drafts_beside(desk.store)
        self._rows = desk.rows()

    def first_screen(self) -> Screen[None]:
        return ReviewScreen()

    async def action_stop(self) -> None:
        """Whoever writes goes back to the item, and the text is kept; else it ends."""
        if isinstance(self.screen, EditScreen):
            await self.screen.action_leave()
        else:
            self.exit()

    def heading(self) -> str:
        """Who reviews what, and how far they are."""
        far = f"{self.desk.done} done, {len(self._rows)} left" + (f", {self.later} for later" if self.later else "")
        waiting = self.waiting
        what = f" reviews {waiting.trajectory.item.id} at {waiting.turn.step}; " if waiting is not None else ": "
        return f"{self.desk.reviewer}{what}{far}; {self.desk.run.name}"

    def at_the_end(self) -> str:
        """What is said where nothing is left."""
        if self.later:
            return f"Nothing else waits for you. {counted(self.later, 'item')} for later: open this again for them."
        return "Nothing waits for you any more. The `phoropter make` command that began the run goes on from here."

    async def current(self) -> Waiting | None:
        """The first item that still waits for this person, as it stands by now."""
        while self.waiting is None and self._rows:
            self.waiting = await asyncio.to_thread(self.desk.take, self._rows[0])
            if self.waiting is None:
                self._rows.pop(0)
            else:
                self.case = case_of(self.waiting)
        return self.waiting

    def next(self, *, later: bool = False) -> None:
        """On to the next item."""
        self.waiting = self.case = None
        self.later += later
        if self._rows:
            self._rows.pop(0)

    def draft(self, verdict: VerdictName, original: str = "") -> Begun:
        """What this reviewer began to write of the item as it stands; another round is another item."""
        assert self.waiting is not None
        trajectory = self.waiting.trajectory
        run = f"{self.desk.run.name}, {verdict} by {self.desk.reviewer}"
        place = Place(run, trajectory.item.id, trajectory.id, len(trajectory.steps))
        return Begun(self._drafts, place, original)

    async def keep(self, verdict: VerdictName, *, text: str, reason: str) -> bool:
        """Whether it is on disk; said on the screen where it is not, and nothing moves on then."""
        assert self.waiting is not None
        try:
            own = await self.desk.keep(self.waiting, verdict, text=text, reason=reason)
        except FAULTS as error:
            self.not_kept(error)
            return False
        if not own:
            self.notify("somebody else was faster: their verdict stands", markup=False)
        for decided in WRITTEN:
            self.draft(decided).drop()
        self.next()
        return True
