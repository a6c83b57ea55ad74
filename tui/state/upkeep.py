"""What is found out behind the screen, or stored by others, taken over into what is looked at."""

from __future__ import annotations

from dataclasses import replace

from core.events import Event, Failed, Judged, StepDone, TrajectoryDone
from core.records import Step, Trajectory
from core.tally import Tally
from tui.state.accuracy import Lane
from tui.state.family import Family
from tui.state.roster import View
from tui.state.walking import Walking


class Upkeep(Walking):
    """Walks, and keeps up with what is new. All of it belongs to the event loop's thread."""

    def take_view(self, view: View) -> None:
        """Walk these items from now on."""
        self.roster.take_view(view)
        self.on_change()

    def found_more(self, *, complete: bool) -> None:
        """Further items are on the shelf, or (``complete``) all are."""
        self.roster.complete = complete
        self.roster.version += 1
        if self.position < 0:
            self.position = self.items.position_of(self.item.id)
        self.on_change()

    async def stored_elsewhere(self) -> None:
        """Take in what others stored on the item that is looked at; the cursor stays where it is."""
        item, running = self.item, self.running
        if not self.opened or (running is not None and running.item == item.id):
            return
        found = await self._journal.all_on(item)
        if self.item is not item or self.running is not running:
            return
        known = {t.id: t for t in self.family.all() if t.id}
        gone = known.keys() - {t.id for t in found}
        news = [t for t in found if t.id not in known or _moved_on(known[t.id], t)]
        if gone:
            self.family = Family(item, found)
        for trajectory in news:
            self.family.put(trajectory)
        if news or gone:
            was_end = self.cursor >= len(self.current.steps)
            main = self.family.main
            self.current = self.family.get(self.current.id) or main
            self.cursor = self.end if was_end and self.stopped is None else min(self.cursor, self.end)
            self._came_out(item.id, self.family.all())
            self.on_change()

    def heard_beside(self, event: Event) -> bool:
        """Take in what a batch on the same run tells; True where what is looked at has changed by it."""
        match event:
            case StepDone(trajectory=trajectory):
                self._count(trajectory)
            case TrajectoryDone(trajectory=trajectory) | Failed(trajectory=trajectory):
                pass
            case _:
                return False
        if trajectory.parent is None and trajectory.repeat == 0:
            self._came_out(trajectory.item.id, (trajectory,))
        asking_here = self.running is not None and self.running.item == self.item.id
        if trajectory.item.id != self.item.id or not self.opened or asking_here:
            return False
        at_end = self.cursor >= len(self.current.steps)
        self.family.put(trajectory)
        self.current = self.family.get(self.current.id) or self.family.main
        self.cursor = self.end if at_end else min(self.cursor, self.end)
        return True

    def judged(self, event: Judged) -> None:
        """A judge's score of a stored answer, beside the others on the item that is looked at."""
        if event.score is None or event.item.id != self.item.id:
            return
        for path in self.family.all():
            scored = tuple(_with_score(step, event) for step in path.steps)
            if scored != path.steps:
                self.family.put(replace(path, steps=scored))
        self.current = self.family.get(self.current.id) or self.current
        self.on_change()

    def take_tally(self, tally: Tally, lanes: tuple[Lane, ...]) -> None:
        """The whole run counted anew, and the lanes of that."""
        self.tally, self.to_recount = tally, False
        self._lanes = ((tally, self.counted), lanes)


def _with_score(step: Step, event: Judged) -> Step:
    if step.id != event.step.id or event.score is None or event.score in step.scores:
        return step
    return replace(step, scores=(*step.scores, event.score))


def went_on(known: Trajectory, stored: Trajectory) -> bool:
    """Whether a stored trajectory is the known one, which need not have been stored yet, with other steps."""
    alike = (stored.parent, stored.repeat) == (known.parent, known.repeat) if not known.id else stored.id == known.id
    return alike and [step.id for step in stored.steps] != [step.id for step in known.steps]


def _moved_on(known: Trajectory, stored: Trajectory) -> bool:
    """Whether somebody else changed a trajectory; what is known of it may hold more than the store reads back."""
    return (len(known.steps), known.progress) != (len(stored.steps), stored.progress) or [
        step.id for step in known.steps
    ] != [step.id for step in stored.steps]
