"""The items of a session, one after the other, turn by turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from core.errors import PhoropterError
from core.records import Trajectory, Turn
from core.study.orders import Planned
from sessions.studies.said import Trial
from sessions.studies.sitting import HandedOnError, Sitting
from tui.imaging import Imaging
from tui.sitting.asking import Put, QuestionScreen, scale
from tui.sitting.desk import Desk
from tui.sitting.examples import Worked, worked
from tui.sitting.keeping import EndedError, Keeper
from tui.sitting.pages import PageScreen
from tui.sitting.pictures import sight
from tui.sitting.replying import feedback, replied
from tui.sitting.scenes import Scene, laid_out, scene_of, shown_of
from tui.sitting.state.flow import pause_between, progress
from tui.sitting.trial import TrialScreen


class Trials(Keeper):
    """Practice, what counts, and catch trials; ``_gate`` stands between practice and the rest."""

    def __init__(self, desk: Desk, imaging: Imaging) -> None:
        super().__init__(desk, imaging)
        self._worked: dict[str, tuple[Worked, ...]] = {}

    async def _gate(self, sitting: Sitting) -> None:
        """Asked before the first item that counts."""

    async def _trials(self, sitting: Sitting) -> None:
        planned = sitting.planned
        before: Planned | None = None
        practices = sum(each.kind == "practice" for each in sitting.plan)
        for place, each in enumerate(planned):
            if each.kind == "practice" and before is None:
                await self._page(self.wording.texts.practice)
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
        await self._ask(
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
            said = await self._ask(QuestionScreen(put, words))
            confidence = float(said) if said else None
        if asked.why != "no":
            required = asked.why == "required"
            optional = "" if required else words.ui("optional")
            put = Put(words.ui("why"), "text", words.texts.title, required=required, optional=optional)
            why = await self._ask(QuestionScreen(put, words)) or ""
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
