"""The notebook's dialogs over the stepping screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, cast

from core.records import Turn
from tui.screens.dialogs import Dialogs
from tui.screens.dispute import DisputeScreen
from tui.screens.grade import GradeScreen
from tui.screens.note import NoteScreen
from tui.screens.tag import TagScreen
from tui.screens.tags import TagsScreen
from tui.widgets.detail_text import answered
from tui.widgets.turn_pictures import TurnPictures

if TYPE_CHECKING:
    from tui.screens.picturing import PicturingScreen
    from tui.state.stepping import Stepping


class NotebookDialogs(Dialogs):
    """Scores, tags, notes and disputes of what lies under the cursor."""

    def _write(self, dialog: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self.stepping.may_write():
            self._begin(dialog)

    def action_grade(self) -> None:
        self._write(self._grade)

    async def _grade(self) -> None:
        stepping, here = self.stepping, self.stepping.here()
        form = stepping.grade_form()
        if form is None or here is None:
            return
        name, scorer = here.step.turn.step, stepping.scorer
        said = answered(here.step, stepping.plan.benchmark, scorer)
        screen = GradeScreen(name, form, said, author=stepping.author, scorer=scorer)
        if await self.app.push_screen_wait(screen):
            await stepping.grade(here.step, form)

    def action_tag(self) -> None:
        self._write(self._tag)

    async def _tag(self) -> None:
        stepping = self.stepping
        found = [place for place in (stepping.wrong(), stepping.here()) if place is not None]
        places = list({place.step.id: place for place in found}.values())
        if not places:
            self.notify("there is no step here to tag", markup=False)
            return
        tags = await asyncio.to_thread(stepping.tags)
        given = [stepping.page.tags_of(place.step.id) for place in places]
        chosen = await self.app.push_screen_wait(TagScreen(places, given, tags))
        if chosen is not None:
            await stepping.tag(chosen[0].step, chosen[1])

    def action_note(self) -> None:
        self._write(self._note)

    async def _note(self) -> None:
        stepping = self.stepping
        screen = NoteScreen(stepping.item.id, stepping.targets(), stepping.note_on, stepping.keep_note)
        written = await self.app.push_screen_wait(screen)
        if written is not None:
            await stepping.write_note(*written)

    def action_dispute(self) -> None:
        self._write(self._dispute)

    async def _dispute(self) -> None:
        stepping, turn = self.stepping, self.stepping.look().turn
        step = turn.step if turn is not None else ""
        before, typed = stepping.own_dispute(step), stepping.disputed(step)
        seen = cast("PicturingScreen", self)
        pictures = TurnPictures(seen.scaler, stepping.item, seen.pictures()[0])
        screen = DisputeScreen(stepping.item.id, turn, before, typed, _saver(stepping, turn), pictures)
        if await self.app.push_screen_wait(screen):
            await stepping.withdraw(turn)

    def action_tags(self) -> None:
        self._write(self._tags)

    async def _tags(self) -> None:
        counts = await asyncio.to_thread(self.stepping.tag_counts)
        await self.app.push_screen_wait(TagsScreen(counts))


def _saver(stepping: Stepping, turn: Turn | None) -> Callable[[str, Mapping[str, str]], Awaitable[str]]:
    async def save(reason: str, values: Mapping[str, str]) -> str:
        return await stepping.dispute(turn, reason, values)

    return save
