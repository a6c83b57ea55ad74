"""Leads a participant through a session: what is shown after what, and each answer on disk before the next."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from textual._time import get_time

from core.errors import PhoropterError, UsageError
from core.records import Json, Trajectory, Turn, digest
from core.study.definition import Question
from core.study.display import Ruler
from core.study.orders import Planned
from core.study.texts import Wording, fold
from sessions.studies.people import SamePersonError
from sessions.studies.said import Trial
from sessions.studies.sitting import HandedOnError, Sitting
from tui.imaging import Imaging
from tui.sitting.asking import Put, QuestionScreen, scale
from tui.sitting.card import CardScreen
from tui.sitting.desk import Desk
from tui.sitting.examples import Worked, worked
from tui.sitting.pages import PageScreen, PauseScreen, StoppedScreen
from tui.sitting.pictures import sight
from tui.sitting.replying import feedback, replied
from tui.sitting.scenes import Scene, laid_out, scene_of, shown_of
from tui.sitting.screen import SittingScreen
from tui.sitting.state_flow import pause_between, progress
from tui.sitting.trial import TrialScreen
from tui.widgets.pictures import Scaler

if TYPE_CHECKING:
    from tui.sitting.app import SittingApp

T = TypeVar("T")

LISTEN_S = 2.0
"""So often the monitor's wishes are heard."""

LAST_WORDS_S = 1.0
"""As long may it take to note what was typed when a signal ends the session."""

ALIVE_EVERY = 5
"""Every so many times a sign of life is given."""


class EndedError(Exception):
    """The session goes no further, for a reason that the participant is told in ``words``."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


class Conductor:
    """One participant's way through the study of ``desk``. ``failure`` is why nothing could be saved, "" else."""

    app: SittingApp

    def __init__(self, desk: Desk, imaging: Imaging) -> None:
        self.desk = desk
        self.study = desk.prepared.study
        self.wording = Wording(self.study)
        self.scaler = Scaler(desk.prepared.pictures, imaging)
        self.sitting: Sitting | None = None
        self.failure = ""
        self._happened: frozenset[str] = frozenset()
        self._worked: dict[str, tuple[Worked, ...]] = {}
        self._instructions = digest(self.wording.texts.instructions)
        self._over: SittingScreen[None] | None = None
        self._unlocking = False

    # -- the session

    async def lead(self) -> None:
        """From arrival to the end. Returns when the application may end."""
        await asyncio.to_thread(self.scaler.imaging.load)
        sitting = self.sitting = await self._arrive()
        self._happened = sitting.happened()
        self.app.run_worker(self._listen(sitting), name="listening", group="listening", exit_on_error=False)
        try:
            await self._before(sitting)
            await self._trials(sitting)
            await self._questionnaire(sitting, "after", self.study.after)
            await self._page("debrief", self.wording.texts.debrief)
            await self.saved(lambda: sitting.end("ended"))
            await self._read(self.wording.ui("end"), self.wording.ui("saved"))
        except EndedError as ended:
            await self.saved(lambda: sitting.end("left"))
            await self._read(self.wording.texts.title, ended.words)

    async def _arrive(self) -> Sitting:
        """Who sits there; a code that cannot be used is asked for again, and one that has been here, whether it is
        the same person."""
        words, title = self.wording, self.wording.texts.title
        code, problem, same = self.desk.participant, "", self.desk.same_person
        while True:
            if not code:
                put = Put(words.ui("code"), "line", title, problem=problem)
                code, same = await self.app.ask(QuestionScreen(put, words)) or "", None
            try:
                person = self.desk.person(code)
            except UsageError as error:
                code, problem = "", f"{words.ui('code_unknown')} ({error.what})"
                continue
            except (PhoropterError, sqlite3.Error, OSError) as error:
                await self._stopped(error)
                continue
            try:
                return self.desk.sit(person, same_person=same)
            except SamePersonError:
                put = Put(words.ui("same_person", code=person.pseudonym), "choice", title, self._yes_no)
                same = await self.app.ask(QuestionScreen(put, words)) == "yes"
                if not same:
                    code, problem = "", words.ui("code_other")
            except UsageError as error:
                code, problem = "", f"{words.ui('stopped')} ({error.what})"
            except (PhoropterError, sqlite3.Error, OSError) as error:
                await self._stopped(error)

    @property
    def _yes_no(self) -> dict[str, str]:
        return {"yes": self.wording.ui("yes"), "no": self.wording.ui("no")}

    async def _before(self, sitting: Sitting) -> None:
        texts, words = self.wording.texts, self.wording
        if texts.consent and "consent" not in self._happened:
            choices = {"agree": words.ui("agree"), "decline": words.ui("decline")}
            put = Put(texts.consent, "choice", texts.title, choices)
            said = await self.app.ask(QuestionScreen(put, words))
            kind = "consent" if said == "agree" else "consent_declined"
            await self._note(kind, {"text": digest(texts.consent)})
            if said != "agree":
                raise EndedError(words.ui("gone_on"))
        if "before" not in self._happened:
            await self._questionnaire(sitting, "before", self.study.before)
            await self._note("before")
        await self._instruct(sitting)
        if self.study.display.card:
            columns = await self.app.ask(CardScreen(words))
            ruler = Ruler(columns or 1, self.scaler.imaging.cell)
            await self._note("card", ruler.to_json(distance_cm=self.study.display.distance_cm))

    async def _instruct(self, sitting: Sitting) -> None:
        """Once; after a long absence again."""
        away = sitting.resumed and sitting.gap_s > self.study.timing.resume_gap_s
        if away:
            await self._read(self.wording.texts.title, self.wording.ui("welcome_back"))
        if away or "instructions" not in self._happened:
            await self._page("instructions", self.wording.texts.instructions)
            await self._note("instructions", {"text": self._instructions, "again": away})

    async def _questionnaire(self, sitting: Sitting, part: str, questions: Sequence[Question]) -> None:
        for question in questions:
            value = await self.app.ask(QuestionScreen(self._put(question), self.wording)) or ""
            await self.saved(lambda q=question, v=value: sitting.questionnaire(part, q.id, v))  # type: ignore[misc]

    def _put(self, question: Question, problem: str = "") -> Put:
        words = self.wording.question(question)
        options = None
        if question.kind == "choice":
            options = {option: self.wording.option(question, option) for option in question.options}
        elif question.kind == "scale":
            options = scale(question.points)
        kind = {"choice": "choice", "scale": "choice", "number": "number", "text": "text"}[question.kind]
        return Put(words, kind, self.wording.texts.title, options, required=question.required, problem=problem)  # type: ignore[arg-type]

    async def _gate(self, sitting: Sitting) -> None:
        """Every question right in one go, or the instructions once more; EndedError after the last attempt."""
        if not self.study.gate or "gate_passed" in self._happened:
            return
        for attempt in range(1, max(self.study.gate_attempts, 1) + 1):
            wrong = []
            for question in self.study.gate:
                value = await self.app.ask(QuestionScreen(self._put(question), self.wording)) or ""
                await self.saved(lambda q=question, v=value: sitting.questionnaire("gate", q.id, v))  # type: ignore[misc]
                if fold(value) != fold(question.answer):
                    wrong.append(question.id)
            if not wrong:
                await self._note("gate_passed", {"attempt": attempt})
                return
            await self._note("gate_failed", {"attempt": attempt, "wrong": wrong})
            if attempt < self.study.gate_attempts:
                await self._read(self.wording.texts.title, self.wording.ui("gate_wrong"))
                await self._page("instructions", self.wording.texts.instructions)
        raise EndedError(self.wording.ui("gate_failed"))

    # -- trials

    async def _trials(self, sitting: Sitting) -> None:
        planned = sitting.planned
        before: Planned | None = None
        practices = sum(each.kind == "practice" for each in sitting.plan)
        for place, each in enumerate(planned):
            if each.kind == "practice" and before is None:
                await self._page("practice", self.wording.texts.practice)
            if each.kind != "practice" and (before is None or before.kind == "practice"):
                if before is not None:
                    await self._read(self.wording.texts.title, self.wording.ui("practice_over"))
                await self._gate(sitting)
            match pause_between(self.study, before, each, practices):
                case "break":
                    await self._break()
                case "part":
                    await self._read(self.wording.texts.title, self.wording.ui("part"))
                case None:
                    pass
            try:
                await self._trial(sitting, planned, place, practices)
            except HandedOnError as error:
                await self._note("handed_on")
                raise EndedError(self.wording.ui("stopped")) from error
            before = each

    async def _break(self) -> None:
        words = self.wording
        await self._note("break")
        await self.app.ask(
            PageScreen(
                words.texts.title,
                words.texts.pause or words.ui("break"),
                words.ui("next"),
                wait=self.study.timing.break_s,
                waiting=lambda seconds: words.ui("break_wait", seconds=seconds),
            )
        )
        await self._note("break_over")

    async def _trial(self, sitting: Sitting, planned: Sequence[Planned], place: int, practices: int) -> None:
        """One item in one condition, turn by turn."""
        each = planned[place]
        turn = self.desk.prepared.protocols[each.condition].next_turn(each.item, ())
        scene = await self.saved(lambda: self._scene(planned, place, practices, turn, Trajectory(each.item)))
        size = (self.app.size.width, self.app.size.height)
        shown = await asyncio.to_thread(shown_of, scene, self.scaler, size, self._instructions)
        trial = await self.saved(lambda: sitting.begin(each, shown))
        trajectory = await self.saved(lambda: sitting.take_up(trial))
        if each is planned[place] and place + 1 < len(planned):
            self._prefetch(planned, place + 1, practices)
        timed_out, given = False, dict[str, dict[str, str]]()
        while (turn := sitting.next_turn(trial, trajectory)) is not None:
            if trajectory.steps or scene.state.clock.onset is not None:
                known, now = trajectory, turn
                scene = await self.saved(lambda: self._scene(planned, place, practices, now, known))  # noqa: B023
                scene.state.recall(given.get(turn.step, {}))
            ended = await self.app.ask(TrialScreen(scene, self.scaler))
            given[turn.step] = scene.state.values
            if ended == "problem":
                await self._problem(sitting, trial, scene)
                return
            if ended == "back":
                known = trajectory
                trajectory = await self.saved(lambda: sitting.back(trial, known))  # noqa: B023
                continue
            late = ended == "timed out"
            timed_out = timed_out or late
            trajectory = await self._answered(sitting, trial, trajectory, scene, timed_out=late)
            if late:
                await self._read(self.wording.texts.title, self.wording.ui("time_up"))
            elif self.study.practice.feedback if each.kind == "practice" else self.study.answers.feedback:
                said = feedback(self.desk.prepared.benchmark, trajectory, self.wording)
                await self._read(self.wording.ui("practice") if each.kind == "practice" else "", said)
        await self.saved(lambda: sitting.end_trial(trial, timed_out=timed_out))

    async def _answered(
        self, sitting: Sitting, trial: Trial, trajectory: Trajectory, scene: Scene, *, timed_out: bool
    ) -> Trajectory:
        """On disk when it returns; after the last turn of an item, with how sure the person is, and why."""
        early = self.app.guard.taken()
        confidence, why = None, ""
        asked = self.study.answers
        last = sitting.is_last(trial, trajectory, scene.state.values, scene.state.text)
        if last and not timed_out and (asked.confidence or asked.why != "no") and trial.planned.kind != "practice":
            await self._note("answered", {"values": scene.state.values, "text": scene.state.text}, trial)
            confidence, why = await self._sure()
        reply = replied(scene.state, sitting.clock, early, timed_out=timed_out, confidence=confidence, why=why)
        return await self.saved(lambda: sitting.answer(trial, trajectory, reply))

    async def _sure(self) -> tuple[float | None, str]:
        words, asked = self.wording, self.study.answers
        confidence, why = None, ""
        if asked.confidence:
            put = Put(
                words.ui("confidence"),
                "choice",
                words.texts.title,
                scale(asked.confidence),
                low=words.ui("confidence_low"),
                high=words.ui("confidence_high"),
            )
            said = await self.app.ask(QuestionScreen(put, words))
            confidence = float(said) if said else None
        if asked.why != "no":
            put = Put(words.ui("why"), "text", words.texts.title, required=asked.why == "required")
            why = await self.app.ask(QuestionScreen(put, words)) or ""
        return confidence, why

    async def _problem(self, sitting: Sitting, trial: Trial, scene: Scene) -> None:
        """Something is wrong with the item: on record, and on to the next one."""
        state = scene.state
        told = {"reason": state.reason, "step": state.turn.step, "typed": state.words}
        await self._note("problem", told, trial)
        await self.saved(lambda: sitting.end_trial(trial, problem=f"problem: {state.reason}"))

    async def _scene(
        self, planned: Sequence[Planned], place: int, practices: int, turn: Turn | None, known: Trajectory
    ) -> Scene:
        """The turn with its pictures, scaled to the screen as it is now. Raises PictureError."""
        each = planned[place]
        assert turn is not None
        scene = scene_of(
            self.desk.prepared,
            self.study.ways[each.condition],
            each.item,
            turn,
            known.steps,
            self.wording,
            progress(planned, place, practices),
            self._examples(each.condition),
        )
        scene.layout = laid_out(scene, (self.app.size.width, self.app.size.height), self.scaler.imaging)
        seen = scene.seen
        scene.seen = await sight(self.scaler, seen.item, seen.shows, seen.captions, scene.layout)
        return scene

    def _prefetch(self, planned: Sequence[Planned], place: int, practices: int) -> None:
        """The next trial's pictures, while this one is looked at; what is wrong with them shows when they are."""

        async def ahead() -> None:
            each = planned[place]
            turn = self.desk.prepared.protocols[each.condition].next_turn(each.item, ())
            with suppress(PhoropterError):
                await self._scene(planned, place, practices, turn, Trajectory(each.item))

        self.app.run_worker(ahead(), name="ahead", group="ahead", exclusive=True, exit_on_error=False)

    def _examples(self, condition: str) -> tuple[Worked, ...]:
        if condition not in self._worked:
            prepared = self.desk.prepared
            self._worked[condition] = tuple(
                worked(prepared.benchmark, prepared.protocols[condition], prepared.pool.examples[id_], self.wording)
                for id_ in self.study.ways[condition].examples
            )
        return self._worked[condition]

    # -- pages

    async def _page(self, name: str, text: str) -> None:
        """One of the study's texts; nothing where it is empty."""
        if text:
            await self._read(self.wording.texts.title, text)

    async def _read(self, heading: str, text: str) -> None:
        await self.app.ask(PageScreen(heading, text, self.wording.ui("next"), read_on=self.wording.ui("page")))

    async def _note(self, kind: str, details: Mapping[str, Json] | None = None, trial: Trial | None = None) -> None:
        sitting = self.sitting
        if sitting is not None:
            await self.saved(lambda: sitting.event(kind, trial=trial, details=details))

    # -- nothing is asked on while nothing is saved

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

    # -- what lies over the session

    async def pause(self, by: str) -> None:
        """Everything hidden; the participant goes on with a key, unless the monitor paused it."""
        sitting = self.sitting
        if self._over is not None or sitting is None:
            return
        screen = self._over = PauseScreen(self.wording.ui("paused", key="Ctrl+P"), held=by == "monitor")
        saving = asyncio.create_task(sitting.pause(True))
        try:
            await self.app.ask(screen)
        finally:
            self._over = None
        await self.saved(lambda: saving)
        await self.saved(lambda: sitting.pause(False))

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
            screen = self.app.screen
            if isinstance(screen, TrialScreen):
                screen.hold(get_time())
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
        self._unlocking, under = True, self.app.screen
        try:
            if isinstance(under, TrialScreen):
                under.hold(get_time())
            if await self._word():
                await self._experimenter(under)
        finally:
            self._unlocking = False

    async def _word(self) -> bool:
        problem = ""
        while self.desk.locked:
            put = Put(self.wording.ui("locked"), "secret", required=False, problem=problem)
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
            put = Put("", "choice", "Experimenter", choices)
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
        note = await self.app.ask(QuestionScreen(Put("Note", "line", "Experimenter", required=False), self.wording))
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
                    await sitting.event("stopped", details={"by": "experimenter"})
        self.app.exit(return_code=2 if self.failure else 0)
