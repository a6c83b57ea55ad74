"""The dialogs that put an intervention in over the items, and those that ask whom a turn is to go to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.errors import PhoropterError, UsageError
from core.records import Turn
from tui.inert import one_line
from tui.key_names import key
from tui.screens.choose import ChooseScreen, Row
from tui.screens.notebook import NotebookDialogs
from tui.screens.sweep import SweepScreen
from tui.state import sweeping
from tui.state.own_ways import on_screen

if TYPE_CHECKING:
    from tui.state.archive import Archive
    from tui.state.bench import Bench


class SweepDialogs(NotebookDialogs):
    """The same intervention over many items."""

    _bench: Bench | None

    def action_sweep(self) -> None:
        self._begin(self._sweep)

    async def _sweep(self) -> None:
        stepping, archive = self.stepping, self.stepping.archive
        request = archive.request if archive is not None else None
        if archive is None or request is None:
            self._tell("this run does not say how it was asked, so it cannot be run with an intervention")
            return
        if request.interventions or request.respondents_at:
            self._tell("this run has interventions of its own: open the plain run it was made from")
            return
        turn = stepping.look().turn
        own = sweeping.own(stepping)
        other = sweeping.to_other(turn) if turn is not None and stepping.crew is not None else ""
        if not own and not other and not sweeping.specs(stepping):
            self._tell("nothing can be put in here over all items")
            return
        ids = sweeping.over(await asyncio.to_thread(archive.finished), stepping.chosen_ids(), len(stepping.items))
        if ids == ():
            self._tell(sweeping.unfinished())
            return
        try:
            spec = await self._spec(archive, own, turn if other else None)
            if spec is None:
                return
            made = sweeping.sweep(request, archive.run.name, spec, ids or ())
        except UsageError as error:
            self._tell(on_screen(error))
            return
        results = sweeping.outcomes(await asyncio.to_thread(archive.intervened, made.label))
        bench = self._bench
        screen = SweepScreen(made, archive.store_file, results, can_start=bench is not None)
        if await self.app.push_screen_wait(screen) and bench is not None:
            try:
                await bench.begin_sweep(made)
            except PhoropterError as error:
                self._tell(on_screen(error))
            else:
                self._tell(f"{made.label} and its sham have begun; {key('run.batches')} shows them")

    async def _spec(self, archive: Archive, own: tuple[sweeping.Own, ...], turn: Turn | None) -> str | None:
        """What is to be put in, as it was chosen; None where nothing was. ``turn``: it can be somebody else's.
        Raises UsageError where a prompt cannot be kept."""
        offered = sweeping.specs(self.stepping)
        rows = [Row(one.spec, one.words) for one in own]
        rows += [Row(spec, sweeping.spec_words(spec)) for spec in offered]
        rows += [Row(f"{turn.step} to another respondent", "you choose whom")] if turn is not None else []
        picked = await self.app.push_screen_wait(ChooseScreen("over all items: put in", rows, search=True))
        if picked is None:
            return None
        if picked.index < len(own):
            chosen = own[picked.index]
            if not chosen.text:
                return chosen.spec
            step = chosen.spec.partition("=")[0]
            return f"{chosen.spec}:{await asyncio.to_thread(archive.keep_prompt, step, chosen.text)}"
        if picked.index < len(own) + len(offered):
            return offered[picked.index - len(own)]
        assert turn is not None
        name = await self._whom(turn, f"{turn.step} to somebody else, over all items")
        return None if name is None else f"{sweeping.to_other(turn)}{name}"

    async def _whom(self, turn: Turn, title: str) -> str | None:
        """The name of somebody else for that turn, None where nobody was chosen."""
        crew = self.stepping.crew
        if crew is None:
            return None
        usual = self.stepping.plan.respondent_for(turn.step).name
        asked_anyway = f"it is the one asked here; {key('fork.again')} asks again"
        rows = [
            Row(name, "to be written out" if head else "", asked_anyway if name == usual else "", head)
            for name, head in crew.names()
        ]
        screen = ChooseScreen(title, rows, typing="or type a name, such as noisy:0.5")
        picked = await self.app.push_screen_wait(screen)
        if picked is None:
            return None
        return picked.typed or rows[picked.index].words

    # -- parts

    def _busy(self) -> bool:
        running = self.stepping.running
        if running is not None:
            self._tell(f"{running.words}; {key('step.stop')} stops it")
        return running is not None

    def _tell(self, words: str) -> None:
        self.notify(one_line(words), timeout=4, markup=False)
