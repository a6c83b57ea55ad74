"""Stepping in: the dialogs over the stepping screen that make forks, and those that set paths side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual import work

from core.errors import PhoropterError, UsageError
from core.interventions import Intervention, another_prompt, as_asked, rearranged
from core.placeholders import drafted, unplaced, unplaced_words
from core.records import Step, Turn
from sessions.drafts import Place
from tui.key_names import key
from tui.screens.choose import ChooseScreen, Row
from tui.screens.compare import CompareScreen
from tui.screens.edit import EditScreen, PromptScreen
from tui.screens.form import FormScreen
from tui.screens.repeats import RepeatsScreen
from tui.screens.sweeps import SweepDialogs
from tui.state import sweeping
from tui.state.form import Filling
from tui.state.menu import Entry, ahead, entries
from tui.state.own_ways import on_screen
from tui.state.partners import here, partners, side

if TYPE_CHECKING:
    from tui.screens.picturing import PicturingScreen


class ForkDialogs(SweepDialogs):
    """Everything that can be done at the step under the cursor. Each makes a fork; nothing is overwritten."""

    # -- the menu

    def action_what_if(self) -> None:
        self._begin(self._what_if)

    async def _what_if(self) -> None:
        found = entries(self.stepping)
        if not found or self._busy():
            if not found:
                self._tell("there is no turn here to step in at: this path is complete")
            return
        look = self.stepping.look()
        rows = [Row(entry.label, f"asks {entry.asks}" if entry.asks else "", entry.against) for entry in found]
        title = f"at {look.index + 1} {look.turn.step if look.turn else ''}, as a fork"
        picked = await self.app.push_screen_wait(ChooseScreen(title, rows, search=True))
        if picked is not None:
            await self._do(found[picked.index])

    async def _do(self, entry: Entry) -> None:
        stepping, turn = self.stepping, self.stepping.look().turn
        if turn is None or self._busy():
            return
        match entry.doing:
            case "gold":
                self._run(lambda: stepping.gold(entry.property_name))
            case "wrong":
                wrong = Intervention(turn.step, "wrong", entry.property_name)
                self._run(lambda: stepping.intervene(wrong))
            case "again":
                self._run(stepping.ask_again)
            case "edit":
                await self._edit()
            case "pick":
                await self._pick()
            case "prompt":
                await self._prompt(turn)
            case "pictures":
                await self._pictures(turn)
            case "other":
                await self._other(turn)
            case "person":
                await self._person(turn)

    async def _prompt(self, turn: Turn) -> None:
        stepping = self.stepping
        look = stepping.look()
        own = stepping.engine.plain_turn(look.trajectory, look.index)
        try:
            place, plain = stepping.draft_of("prompt"), drafted(turn, own)
        except UsageError as error:
            self._tell(on_screen(error))
            return
        screen = PromptScreen(turn.step, stepping.drafts.get(place, plain), self._keeper(place, plain))
        text, put_in = await self.app.push_screen_wait(screen)
        if not put_in:
            return
        if not text.strip():
            self._tell("a prompt without words cannot be asked")
            return
        wanted = another_prompt(turn.step, text)
        try:
            unchanged = as_asked(own, wanted) == turn
        except UsageError as error:
            self._tell(on_screen(error))
            return
        if unchanged:
            self._tell(f"the prompt is as it was; {key('fork.again')} asks the same again")
            return
        if missing := unplaced(own, text):
            self._tell(unplaced_words(missing))
        self._run(lambda: self._put_in(wanted, place))

    async def _pictures(self, turn: Turn) -> None:
        stepping, offered = self.stepping, sweeping.orders(turn)
        rows = [Row(order, sweeping.order_words(order)) for order in offered]
        screen = ChooseScreen(f"pictures of {turn.step}", rows, typing="or type an order, such as 2,1,blank")
        picked = await self.app.push_screen_wait(screen)
        if picked is None:
            return
        order = picked.typed or offered[picked.index]
        try:
            rearranged(turn, order)
        except UsageError as error:
            self._tell(on_screen(error))
            return
        if turn.made_by == "person":
            self._tell("the question's own words go with them, not what was changed on this fork")
        self._run(lambda: stepping.intervene(Intervention(turn.step, "pictures", text=order)))

    async def _other(self, turn: Turn) -> None:
        stepping, crew = self.stepping, self.stepping.crew
        name = await self._whom(turn, f"{turn.step} to somebody else, this once")
        if name is None or crew is None:
            return
        try:
            respondent = await asyncio.to_thread(crew.get, name)
        except PhoropterError as error:
            self._tell(on_screen(error))
            return
        self._run(lambda: stepping.ask_other(respondent))

    async def _person(self, turn: Turn) -> None:
        """Its form, an option's letter, or own words."""
        stepping = self.stepping
        place = stepping.draft_of("person")
        fields = [field for field in turn.form if field.options]
        if fields and len(fields) == len(turn.form):
            filling = stepping.filled.setdefault(place, Filling(fields))
            seen = cast("PicturingScreen", self)
            form = FormScreen(turn, filling, seen.scaler, stepping.item, seen.pictures()[0])
            ended = await self.app.push_screen_wait(form)
            if ended is None:
                return
            if ended == "done":
                text = filling.text(stepping.plan.benchmark, stepping.item, turn)
                stepping.filled.pop(place, None)
                self._run(lambda: stepping.intervene(Intervention(turn.step, "person", text=text)))
                return
        screen = EditScreen(turn.step, stepping.drafts.get(place, ""), self._keeper(place, ""), asked=turn.text)
        text, put_in = await self.app.push_screen_wait(screen)
        if put_in:
            self._run(lambda: self._put_in(Intervention(turn.step, "person", text=text), place))

    def _keeper(self, place: Place, before: str) -> Callable[[str], None]:
        """Keeps what is typed until it is put in."""

        def keep(text: str) -> None:
            if text != before:
                self.stepping.drafts[place] = text

        return keep

    async def _put_in(self, intervention: Intervention, draft: Place) -> None:
        if await self.stepping.intervene(intervention):
            self.stepping.drafts.pop(draft, None)

    # -- walking to a step, repeats, comparing

    def action_to_step(self) -> None:
        self._begin(self._to_step)

    async def _to_step(self) -> None:
        stepping, found = self.stepping, ahead(self.stepping)
        if self._busy():
            return
        rows = [Row(f"{one.index + 1} {one.name}", "stored" if one.stored else "asks up to here") for one in found]
        picked = await self.app.push_screen_wait(ChooseScreen("to a step of this path", rows, search=True))
        if picked is not None:
            self._run(lambda: stepping.to_step(found[picked.index].index))

    def action_repeats(self) -> None:
        self._begin(self._repeats)

    async def _repeats(self) -> None:
        stepping = self.stepping
        if self._busy():
            return
        look = stepping.look()
        if look.step is None:
            self._tell("this step has no answer yet")
            return
        paths = stepping.family.asked_beside(look.trajectory, look.index)
        if not paths:
            self._tell(
                f"nobody has been asked this turn yet: what stands here was put in; {key('fork.again')} asks it"
            )
            return
        steps = [path.steps[look.index] for path in paths]
        more = await self.app.push_screen_wait(RepeatsScreen(steps, stepping.plan, stepping.scorer))
        if more:
            self._run(lambda: self._ask_more(more))

    async def _ask_more(self, more: int) -> None:
        """Ask the same so many times more, then show all answers; a failure or a stop ends it."""
        for _ in range(more):
            before = self.stepping.current.id
            await self.stepping.ask_again()
            if self.stepping.stopped is not None or self.stepping.current.id == before:
                return
        self.action_repeats()

    def action_compare(self) -> None:
        self._begin(self._compare)

    async def _compare(self) -> None:
        stepping = self.stepping
        if not stepping.current.steps:
            self._tell("this path has no steps yet to compare")
            return
        found = await partners(stepping)
        if not found:
            self._tell("there is nothing to compare with: no fork, and no other run in the store on this item")
            return
        rows = [Row(one.title, one.note) for one in found]
        while True:
            title = f"compare {here(stepping).title} with"
            picked = await self.app.push_screen_wait(ChooseScreen(title, rows, search=True))
            if picked is None:
                return
            other = await side(stepping, found[picked.index])
            if other is None:
                self._tell("that run was deleted meanwhile")
                return
            sides = (here(stepping), other)
            while (ended := await self._compared(*sides)) == "swap":
                sides = (sides[1], sides[0])
            if ended != "other":
                return

    async def _compared(self, left: object, right: object) -> str | None:
        screen = CompareScreen(left, right, self.stepping.plan, self.stepping.scorer)  # type: ignore[arg-type]
        return await self.app.push_screen_wait(screen)

    # -- parts

    def unread_costs(self) -> list[Step]:
        """Of the steps up to the cursor those of which nobody knows what they took; none while one is asked."""
        stepping, look = self.stepping, self.stepping.look()
        return stepping.costs.unread(look.trajectory.steps[: look.index + 1]) if stepping.running is None else []

    @work(name="costs", group="costs", exclusive=True)
    async def read_costs(self) -> None:
        """Read what they took, and draw it."""
        await self.stepping.costs.read(self.unread_costs())
        self.stepping.on_change()
