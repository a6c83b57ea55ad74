"""What people hold against scores and golds, tags and notes, from where the cursor stands. Asks nobody."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from core.disputes import Dispute, proposal
from core.errors import PhoropterError
from core.records import Item, Step, Turn, first_wrong
from sessions.browsing import Remarks
from sessions.drafts import Fields
from sessions.drafts import Place as Draft
from sessions.grading import against_grading
from sessions.notebook import Page, TagCount, Target
from tui.state.family import Family
from tui.state.grading import GradeForm
from tui.state.notebook import Notebook
from tui.state.reading import readings
from tui.state.walking import Walking

NOTHING: Page = Page()


@dataclass(frozen=True, slots=True)
class Place:
    """A stored step by its number on its path (from 0)."""

    index: int
    step: Step


class Noting(Walking):
    """Walks about, and writes into ``notebook`` where there is one. What was typed or set and not saved yet is kept
    with the ``drafts``."""

    notebook: Notebook | None = None
    _page: tuple[Item, Page] | None = None

    @cached_property
    def forms(self) -> dict[int, GradeForm]:
        """Scores begun and not saved, by step."""
        return {}

    @property
    def page(self) -> Page:
        """What people wrote about the item looked at."""
        if self.notebook is None:
            return NOTHING
        if self._page is None or self._page[0] is not self.item:
            self._page = (self.item, self.notebook.page(self.item))
        return self._page[1]

    @property
    def author(self) -> str:
        """Whose words they are."""
        return self.notebook.author if self.notebook is not None else ""

    def tags(self) -> list[str]:
        """The tags offered; may be called in a thread."""
        return self.notebook.tags() if self.notebook is not None else []

    def tag_counts(self) -> list[TagCount]:
        """How often each tag stands at each step, of all runs; may be called in a thread."""
        return self.notebook.counts() if self.notebook is not None else []

    def here(self) -> Place | None:
        """The stored step under the cursor, None where there is none."""
        steps = self.current.steps
        return Place(self.cursor, steps[self.cursor]) if self.cursor < len(steps) else None

    def wrong(self) -> Place | None:
        """The first wrong step of the path looked at."""
        index = first_wrong(self.current.steps, self.scorer)
        return None if index is None else Place(index, self.current.steps[index])

    def targets(self) -> tuple[Target, ...]:
        """What a note can be on, the nearest first."""
        here, trajectory = self.here(), self.current.id
        out = [Target(step=here.step.id)] if here is not None else []
        out += [Target(trajectory)] if trajectory else []
        return (*out, Target())

    def may_write(self) -> bool:
        """Whether anything can be stored here; where not, it is said why."""
        against = self.gate.writing or ("nothing can be stored here" if self.notebook is None else "")
        if against:
            self._say(against)
        return not against

    # -- scores

    def grade_form(self) -> GradeForm | None:
        """Your score of the step under the cursor as it stands; None, and a word why, where it has none."""
        here = self.here()
        if not self.may_write():
            return None
        if here is None or not (here.step.turn.form and here.step.scores):
            self._say("there is no answer here to score")
            return None
        if why := against_grading(here.step.origin):
            self._say(why)
            return None
        if here.step.id not in self.forms:
            mine = [one for one in self.page.latest(here.step.id) if one.author == self.author]
            score = here.step.score(self.scorer)
            benchmark, turn = self.plan.benchmark, here.step.turn
            read = readings(benchmark, turn, score)
            form = GradeForm(benchmark.layout(turn.step), score, mine[0] if mine else None, read)
            form.take(self._form_draft(here.step))
            self.forms[here.step.id] = form
        return self.forms[here.step.id]

    async def grade(self, step: Step, form: GradeForm) -> None:
        """Your score of that step, beside the others."""
        if await self._write(lambda book: book.grade(step.id, form.bits, form.reason, form.note.strip())):
            self.forms.pop(step.id, None)
            self._form_draft(step).clear()

    def keep_form(self, step: Step) -> None:
        """What was set and is not saved yet."""
        if (form := self.forms.get(step.id)) is not None:
            self._form_draft(step).put(form.changed)

    def _form_draft(self, step: Step) -> Fields:
        return Fields(self.drafts, Draft(f"score {self._run}", self.item.id, 0, step.id))

    # -- tags and notes

    async def tag(self, step: Step, tag: str) -> None:
        """Give it a tag, or take it away again."""
        await self._write(lambda book: book.toggle(step.id, tag))

    async def write_note(self, target: Target, text: str) -> bool:
        """Your words on the item, a path or a step; "" takes them away."""
        item, draft = self.item, self.note_draft(target)
        if not await self._write(lambda book: book.write(item, target, text)):
            return False
        self.drafts.pop(draft, None)
        return True

    def note_on(self, target: Target) -> str:
        """Your words on it, the unsaved ones first."""
        own = self.notebook.own_note(self.page, target) if self.notebook is not None else None
        return self.drafts.get(self.note_draft(target), own.text if own is not None else "")

    def note_draft(self, target: Target) -> Draft:
        """Under which unsaved words on it are kept."""
        return Draft(f"note {self._run}", self.item.id, target.trajectory, target.step)

    def keep_note(self, target: Target, text: str) -> None:
        """Words that are not saved yet."""
        if text != self.note_on(target):
            self.drafts[self.note_draft(target)] = text

    # -- golds

    def own_dispute(self, step: str) -> Dispute | None:
        """What you hold against the gold of a step."""
        return next((one for one in self.page.disputes if (one.author, one.step) == (self.author, step)), None)

    def disputed(self, step: str) -> Fields:
        """What was typed against the gold of a step and is not saved: by field, the reason under ""."""
        return Fields(self.drafts, Draft(f"dispute {step} {self._run}", self.item.id, 0, 0))

    async def dispute(self, turn: Turn | None, reason: str, values: Mapping[str, str]) -> str:
        """Hold something against the gold of a turn, or of the item as a whole. Why it could not be, else ""."""
        try:
            corrected = proposal(self.plan.benchmark, self.item, turn, values) if turn is not None else {}
            step = turn.step if turn is not None else ""
            if self.notebook is not None:
                await self.notebook.dispute(self.item, step, reason, corrected)
        except PhoropterError as error:
            return str(error)
        await self._reread()
        return ""

    async def withdraw(self, turn: Turn | None) -> None:
        """Hold nothing against it any more."""
        step = turn.step if turn is not None else ""
        await self._write(lambda book: book.withdraw(self.item, step))

    # -- parts

    async def _write(self, change: Callable[[Notebook], Awaitable[object]]) -> bool:
        if not self.may_write() or self.notebook is None:
            return False
        try:
            await change(self.notebook)
        except PhoropterError as error:
            self._say(str(error))
            return False
        await self._reread()
        return True

    async def _reread(self) -> None:
        """Take over what is stored on the item now: scores are part of its steps."""
        item, self._page = self.item, None
        found = Family(item, await self._journal.all_on(item))
        if item is self.item:
            self.family = found
            self.current = found.get(self.current.id) or found.main
            self.cursor = min(self.cursor, self.end)
            self.roster.put_remarks(item.id, self._remarks())
        self.on_change()

    def _remarks(self) -> Remarks:
        """What the list of items says of this one."""
        page = self.page
        tags = dict.fromkeys(tag.tag for given in page.tags.values() for tag in given)
        return Remarks(len(page.notes), tuple(tags), disputed=bool(page.disputes), graded=len(page.gradings))
