"""What lies over a session: the pause, the monitor's wishes, signals, and the experimenter's key."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress

from textual._time import get_time

from core.errors import PhoropterError
from sessions.studies.sitting import Sitting
from tui.imaging import Imaging
from tui.sitting.asking import Put, QuestionScreen
from tui.sitting.desk import Desk
from tui.sitting.examples import ExamplesScreen
from tui.sitting.keeping import Keeper
from tui.sitting.pages import PauseScreen, StoppedScreen
from tui.sitting.pictures import SittingZoom
from tui.sitting.scenes import Scene
from tui.sitting.trial import TrialScreen

LISTEN_S = 2.0
"""So often the monitor's wishes are heard."""

LAST_WORDS_S = 1.0
"""As long may it take to note what was typed when a signal ends the session."""

ALIVE_EVERY = 5
"""Every so many times a sign of life is given."""


class Overseer(Keeper):
    """Whatever is on the screen, these can come over it."""

    def __init__(self, desk: Desk, imaging: Imaging) -> None:
        super().__init__(desk, imaging)
        self._over: PauseScreen | None = None
        self._unlocking = False

    async def pause(self, by: str) -> None:
        """Everything hidden; the participant goes on with a key, unless the monitor wants it paused."""
        sitting = self.sitting
        if self._over is not None and by == "monitor":
            self._over.hold()
        if self._over is not None or sitting is None:
            return
        covered = self._stand_still()
        screen = self._over = PauseScreen(self.wording.ui("paused", key="Ctrl+P"), held=by == "monitor")
        saving = asyncio.create_task(sitting.pause(True))
        try:
            await self.app.ask(screen)
        finally:
            self._over = None
        try:
            await saving
        except (PhoropterError, sqlite3.Error, OSError) as error:  # what failed once is no answer to trying again
            await self._stopped(error)
            await self.saved(lambda: sitting.pause(True))
        await self.saved(lambda: sitting.pause(False))
        if covered is not None:
            covered.painted(get_time())

    async def _stopped(self, error: Exception) -> None:
        """Nobody can answer under it, so no time is counted."""
        covered = self._stand_still()
        try:
            await super()._stopped(error)
        finally:
            if covered is not None:
                covered.painted(get_time())

    def _stand_still(self) -> TrialScreen | None:
        """The clock of the trial stops. The trial comes back where a picture or the examples lie over it: it is not
        painted when they are seen again, and has to be told."""
        trial = next((one for one in self.app.screen_stack if isinstance(one, TrialScreen)), None)
        if trial is None or not trial.hold(get_time()):
            return None
        return trial if isinstance(self.app.screen, SittingZoom | ExamplesScreen) else None

    def resized(self, scene: Scene) -> None:
        """Noted with the sizes that its pictures have now."""
        sitting, cell = self.sitting, self.scaler.imaging.cell
        if sitting is not None:
            cells = [scaled.cells for scaled in scene.seen.scaled]
            told = {
                "cells": [self.app.size.width, self.app.size.height],
                "pictures": [[columns * cell.width, rows * cell.height] for columns, rows in cells],
            }
            self.app.run_worker(self._note("resized", told), name="note", group="notes", exit_on_error=False)

    async def _listen(self, sitting: Sitting) -> None:
        """Wishes of the monitor, and signs of life; what fails here shows at the next answer."""
        count = 0
        while True:
            await asyncio.sleep(LISTEN_S)
            count += 1
            with suppress(PhoropterError, sqlite3.Error, OSError):
                if count % ALIVE_EVERY == 0:
                    await sitting.alive()
                for wish in await sitting.wishes():
                    await self._grant(wish.wish)

    async def _grant(self, wish: str) -> None:
        if wish == "pause":
            self.app.pause_over("monitor")
        elif wish == "go_on" and self._over is not None:
            self._over.answer(None)
        elif wish == "end":
            self.app.end_early(self.wording.ui("gone_on"))

    async def end_early(self, words: str) -> None:
        """Ended from outside: what is answered is kept, and the participant is told."""
        sitting = self.sitting
        if sitting is not None:
            await self.saved(lambda: sitting.end("left"))
        await self._read(self.wording.texts.title, words)

    async def interrupted(self, number: int) -> None:
        """A signal: what was typed so far is on record, where that is possible at once."""
        screen = next((one for one in self.app.screen_stack if isinstance(one, TrialScreen)), None)
        told = {"signal": number, "typed": screen.state.words if screen is not None else ""}
        if self.sitting is not None:
            with suppress(PhoropterError, sqlite3.Error, OSError, TimeoutError):
                await asyncio.wait_for(self.sitting.event("interrupted", details=told), LAST_WORDS_S)

    async def unlock(self) -> None:
        """The experimenter's word, and then what is to be done."""
        if self._unlocking:
            return
        self._unlocking, under, covered = True, self.app.screen, self._stand_still()
        try:
            if await self._word():
                await self._experimenter(under)
        finally:
            self._unlocking = False
            if covered is not None:
                covered.painted(get_time())

    async def _word(self) -> bool:
        problem = ""
        while self.desk.locked:
            put = Put(self.wording.ui("locked"), "secret", required=False, problem=problem, leave="")
            word = await self.app.ask(QuestionScreen(put, self.wording)) or ""
            if not word:
                return False
            if self.study.unlocked_by(word):
                return True
            problem = self.wording.ui("locked_wrong")
            with suppress(PhoropterError, sqlite3.Error, OSError):
                if self.sitting is not None:
                    await self.sitting.event("wrong_key")
        return True

    async def _experimenter(self, under: object) -> None:
        choices = {"back": "back to the session"}
        if isinstance(under, StoppedScreen):
            choices = {"again": "try again to save"}
        choices |= {"note": "write a note", "stop": "stop here, to be gone on with later"}
        choices |= {"end": "end this session; what is not answered is free again"}
        while True:
            put = Put("", "choice", "Experimenter", choices, leave="back")
            said = await self.app.ask(QuestionScreen(put, self.wording))
            if said == "note":
                await self._remark()
                continue
            if said == "again" and isinstance(under, StoppedScreen):
                under.answer(None)
            elif said == "stop":
                await self._leave("stopped")
            elif said == "end":
                await self._leave("left")
            return

    async def _remark(self) -> None:
        put = Put("Note", "line", "Experimenter", required=False, leave="")
        note = await self.app.ask(QuestionScreen(put, self.wording))
        if note and self.sitting is not None:
            with suppress(PhoropterError, sqlite3.Error, OSError):
                await self.sitting.event("note", details={"text": note, "author": self.desk.experimenter})

    async def _leave(self, how: str) -> None:
        """Out, by the experimenter; what could not be saved was told on the screen."""
        sitting = self.sitting
        if sitting is not None:
            with suppress(PhoropterError, sqlite3.Error, OSError):
                if how == "left":
                    await sitting.end("left")
                else:
                    await sitting.stop(by="experimenter")
        self.app.exit(return_code=2 if self.failure else 0)
