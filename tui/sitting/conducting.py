"""Leads a participant through a session: what is shown after what."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence

from core.errors import PhoropterError, UsageError
from core.records import digest
from core.study.definition import Question
from core.study.display import Ruler
from core.study.texts import fold
from sessions.studies.people import SamePersonError
from sessions.studies.sitting import Sitting
from tui.sitting.asking import Put, QuestionScreen, scale
from tui.sitting.card import CardScreen
from tui.sitting.keeping import EndedError
from tui.sitting.overseeing import Overseer
from tui.sitting.trials import Trials


class Conductor(Trials, Overseer):
    """One participant's way through the study: arrival, consent, instructions, gate, items, questionnaires, end."""

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
            await self._page(self.wording.texts.debrief)
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
                code, same = await self._ask(QuestionScreen(put, words)) or "", None
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
                same = await self._ask(QuestionScreen(put, words)) == "yes"
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
            said = await self._ask(QuestionScreen(put, words))
            kind = "consent" if said == "agree" else "consent_declined"
            await self._note(kind, {"text": digest(texts.consent)})
            if said != "agree":
                raise EndedError(words.ui("gone_on"))
        if "before" not in self._happened:
            await self._questionnaire(sitting, "before", self.study.before)
            await self._note("before")
        await self._instruct(sitting)
        if self.study.display.card:
            columns = await self._ask(CardScreen(words))
            ruler = Ruler(columns or 1, self.scaler.imaging.cell)
            await self._note("card", ruler.to_json(distance_cm=self.study.display.distance_cm))

    async def _instruct(self, sitting: Sitting) -> None:
        """Once; after a long absence again."""
        away = sitting.resumed and sitting.gap_s > self.study.timing.resume_gap_s
        if away:
            await self._read(self.wording.texts.title, self.wording.ui("welcome_back"))
        if away or "instructions" not in self._happened:
            await self._page(self.wording.texts.instructions)
            await self._note("instructions", {"text": self._instructions, "again": away})

    async def _questionnaire(self, sitting: Sitting, part: str, questions: Sequence[Question]) -> None:
        for question in questions:
            value = await self._ask(QuestionScreen(self._put(question), self.wording)) or ""
            await self.saved(lambda q=question, v=value: sitting.questionnaire(part, q.id, v))  # type: ignore[misc]

    def _put(self, question: Question, problem: str = "") -> Put:
        words = self.wording.question(question)
        options = None
        if question.kind == "choice":
            options = {option: self.wording.option(question, option) for option in question.options}
        elif question.kind == "scale":
            options = scale(question.points)
        kind = {"choice": "choice", "scale": "choice", "number": "number", "text": "text"}[question.kind]
        return Put(
            words,
            kind,  # type: ignore[arg-type]
            self.wording.texts.title,
            options,
            required=question.required,
            problem=problem,
            optional="" if question.required else self.wording.ui("optional"),
        )

    async def _gate(self, sitting: Sitting) -> None:
        """Every question right in one go, or the instructions once more; EndedError after the last attempt."""
        if not self.study.gate or "gate_passed" in self._happened:
            return
        for attempt in range(1, max(self.study.gate_attempts, 1) + 1):
            wrong = []
            for question in self.study.gate:
                value = await self._ask(QuestionScreen(self._put(question), self.wording)) or ""
                await self.saved(lambda q=question, v=value: sitting.questionnaire("gate", q.id, v))  # type: ignore[misc]
                if fold(value) != fold(question.answer):
                    wrong.append(question.id)
            if not wrong:
                await self._note("gate_passed", {"attempt": attempt})
                return
            await self._note("gate_failed", {"attempt": attempt, "wrong": wrong})
            if attempt < self.study.gate_attempts:
                await self._read(self.wording.texts.title, self.wording.ui("gate_wrong"))
                await self._page(self.wording.texts.instructions)
        raise EndedError(self.wording.ui("gate_failed"))
