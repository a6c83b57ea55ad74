"""The notebook's dialogs over the stepping screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from textual import work
from textual.screen import Screen

from core.records import Turn
from sessions.notebook import Target
from tui.screens.dispute import DisputeScreen
from tui.screens.grade import GradeScreen
from tui.screens.note import NoteScreen
from tui.screens.tag import TagScreen
from tui.screens.tags import TagsScreen

if TYPE_CHECKING:
    from tui.state.stepping import Stepping


class NotebookDialogs(Screen[None]):
    """Scores, tags, notes and disputes of what lies under the cursor."""

    stepping: Stepping

    @work(name="grade", group="dialogs")
    async def action_grade(self) -> None:
        stepping, here = self.stepping, self.stepping.here()
        form = stepping.grade_form()
        if form is None or here is None or stepping.notebook is None:
            return
        author = stepping.notebook.author
        screen = GradeScreen(here.step.turn.step, form, author=author, scorer=stepping.scorer)
        if await self.app.push_screen_wait(screen):
            await stepping.grade(here.step, form)

    @work(name="tag", group="dialogs")
    async def action_tag(self) -> None:
        stepping = self.stepping
        if not stepping.may_write() or stepping.notebook is None:
            return
        found = [place for place in (stepping.wrong(), stepping.here()) if place is not None]
        places = list({place.step.id: place for place in found}.values())
        if not places:
            self.notify("there is no step here to tag", markup=False)
            return
        tags = await asyncio.to_thread(stepping.notebook.tags)
        given = [stepping.page.tags_of(place.step.id) for place in places]
        chosen = await self.app.push_screen_wait(TagScreen(places, given, tags))
        if chosen is not None:
            await stepping.tag(chosen[0].step, chosen[1])

    @work(name="note", group="dialogs")
    async def action_note(self) -> None:
        stepping = self.stepping
        if not stepping.may_write():
            return

        def keep(target: Target, text: str) -> None:
            key = stepping.note_key(target)
            if text != stepping.note_on(target):
                stepping.unsaved[key] = text

        written = await self.app.push_screen_wait(
            NoteScreen(stepping.item.id, stepping.targets(), stepping.note_on, keep)
        )
        if written is not None:
            await stepping.write_note(*written)

    @work(name="dispute", group="dialogs")
    async def action_dispute(self) -> None:
        stepping, turn = self.stepping, self.stepping.look().turn
        if not stepping.may_write():
            return
        step = turn.step if turn is not None else ""
        before, typed = stepping.own_dispute(step), stepping.disputed(step)
        screen = DisputeScreen(stepping.item.id, turn, before, typed, _saver(stepping, turn))
        if await self.app.push_screen_wait(screen):
            await stepping.withdraw(turn)

    @work(name="tags", group="dialogs")
    async def action_tags(self) -> None:
        notebook = self.stepping.notebook
        if self.stepping.may_write() and notebook is not None:
            await self.app.push_screen_wait(TagsScreen(await asyncio.to_thread(notebook.counts)))


def _saver(stepping: Stepping, turn: Turn | None) -> Callable[[str, Mapping[str, str]], Awaitable[str]]:
    async def save(reason: str, values: Mapping[str, str]) -> str:
        return await stepping.dispute(turn, reason, values)

    return save
