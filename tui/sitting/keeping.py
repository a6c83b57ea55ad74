"""What the parts of a session stand on: showing and waiting, and that nothing is asked while nothing is saved."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from core.errors import PhoropterError
from core.records import Json, digest
from core.study.texts import Wording
from sessions.studies.said import Trial
from sessions.studies.sitting import HandedOnError, Sitting
from tui.imaging import Imaging
from tui.sitting.desk import Desk
from tui.sitting.pages import PageScreen, StoppedScreen
from tui.sitting.screen import SittingScreen
from tui.widgets.pictures import Scaler

if TYPE_CHECKING:
    from tui.sitting.app import SittingApp

T = TypeVar("T")


class EndedError(Exception):
    """The session goes no further, for a reason that the participant is told in ``words``."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class Keeper:
    """One participant at ``desk``. ``failure`` is why nothing could be saved, "" else."""

    app: SittingApp

    def __init__(self, desk: Desk, imaging: Imaging) -> None:
        self.desk = desk
        self.study = desk.prepared.study
        self.wording = Wording(self.study)
        self.scaler = Scaler(desk.prepared.pictures, imaging)
        self.sitting: Sitting | None = None
        self.failure = ""
        self._happened: frozenset[str] = frozenset()
        self._instructions = digest(self.wording.texts.instructions)

    async def _page(self, text: str) -> None:
        """One of the study's texts; nothing where it is empty."""
        if text:
            await self._read(self.wording.texts.title, text)

    async def _read(self, heading: str, text: str) -> None:
        await self._ask(PageScreen(heading, text, self.wording.ui("next"), read_on=self.wording.ui("page")))

    async def _ask(self, screen: SittingScreen[T]) -> T | None:
        """A page or a question between trials: keys that came too early for it are none that answer an item."""
        said = await self.app.ask(screen)
        self.app.guard.taken()
        return said

    async def _note(self, kind: str, details: Mapping[str, Json] | None = None, trial: Trial | None = None) -> None:
        sitting = self.sitting
        if sitting is not None:
            await self.saved(lambda: sitting.event(kind, trial=trial, details=details))

    async def saved(self, doing: Callable[[], Awaitable[T]]) -> T:
        """What is to be done before anything else is shown. Where it fails, the experimenter is called, and it is
        tried again when they say so."""
        while True:
            try:
                return await doing()
            except HandedOnError:
                raise
            except (PhoropterError, sqlite3.Error, OSError) as error:
                await self._stopped(error)

    async def _stopped(self, error: Exception) -> None:
        self.failure = f"{error}" or type(error).__name__
        why = f"{self.wording.ui('unsaved')}\n\n{self.failure}"
        await self.app.ask(StoppedScreen(self.wording.ui("stopped"), why))
        self.failure = ""
