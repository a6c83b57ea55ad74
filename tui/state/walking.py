"""Looking at one item at a time: its trajectories, a cursor on a step, and the news of what is asked meanwhile.

Nothing in this half of the state asks anybody. Where a command cannot do anything it says why through ``note``.
Nothing here knows how it is shown: ``on_change`` is called after every change, also many times a second while text
arrives, and may be called from another thread then.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence

from core.events import Asked, Delta, Event, Loading, StepDone, Waiting
from core.forking import ForkingEngine
from core.journal import Journal
from core.plan import Plan
from core.records import Item, Progress, SentPicture, Show, Step, Trajectory, Turn, first_wrong
from core.tally import Tally
from sessions.drafts import Drafts, Place
from sessions.left import LeftAt
from sessions.shelf import Shelf
from tui.key_names import key
from tui.state import accuracy
from tui.state.archive import Archive
from tui.state.choices import Choices, choices
from tui.state.costs import Costs
from tui.state.crew import Crew
from tui.state.family import Family, Row
from tui.state.form import Filling
from tui.state.gate import Gate
from tui.state.halting import Halted, Kept, path_of
from tui.state.look import Look, Running, Stopped
from tui.state.roster import Roster, shelved
from tui.state.standing import UNKNOWN, standing


class Walking:
    """Walks about the items of one plan and what is stored on them.

    ``items`` are on a shelf, which may still be filling while ``first``, the item to begin with, is looked at; or
    some items, begun at ``start``. ``tally`` comes filled with what is stored; steps are added as they come. ``gate``
    says what may not be done, ``drafts`` keep what was typed and ``left`` what was looked at, under the
    name of the ``run``.
    """

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        items: Shelf | Sequence[Item],
        tally: Tally | None = None,
        *,
        first: Item | None = None,
        start: int = 0,
        base: Callable[[Item, int], Awaitable[Sequence[Step]]] | None = None,
        gate: Gate | None = None,
        drafts: Drafts | None = None,
        left: LeftAt | None = None,
        run: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.plan = plan
        known = plan.benchmark
        shelf = items if isinstance(items, Shelf) else shelved(known, items)
        self.roster = Roster(shelf, complete=first is None)
        self.roster.steps = plan.protocol.steps
        self.gate = gate or Gate()
        self.tally = tally if tally is not None else Tally(known.layout, parts=known.parts, pooled=known.pooled)
        self._strip_steps = accuracy.strip_steps(known, plan.protocol.steps)
        self.engine = ForkingEngine(plan, journal, self._hear, stream=True, base=base)
        self.scorer = plan.scorers[0].name if plan.scorers else ""
        self.position = start if first is None else shelf.position_of(first.id)
        self.family = Family(shelf[start] if first is None else first)
        self.current = self.family.main
        self.cursor = 0
        self.opened = False
        self._beginning = asyncio.Lock()
        self.running: Running | None = None
        self.stopped: Stopped | None = None
        self.note = ""
        self.drafts = drafts if drafts is not None else Drafts()
        self.halted = Halted(self.drafts, run)
        self.left = left if left is not None else LeftAt()
        self.counted = 0
        self._lanes: tuple[tuple[Tally, int], tuple[accuracy.Lane, ...]] | None = None
        self.touched: set[int] = set()
        self.to_recount = False
        self.crew: Crew | None = None
        self.archive: Archive | None = None
        self.costs = Costs(journal)
        self.filled: dict[Place, Filling] = {}
        self.on_change: Callable[[], None] = lambda: None
        self._journal = journal
        self._run = run
        here = self.left.step(run, self.item.id)
        self._places: dict[str, tuple[int, int]] = {} if here is None else {self.item.id: here}
        self._clock = clock

    # -- what is there

    @property
    def items(self) -> Shelf:
        return self.roster.items

    @property
    def item(self) -> Item:
        return self.family.item

    @property
    def place(self) -> Place:
        """The cursor's place, under which a draft is kept."""
        return Place(self._run, self.item.id, path_of(self.current), self.cursor)

    @property
    def end(self) -> int:
        """The last place of the cursor: the next turn's, or the last step where nothing more is asked."""
        count = len(self.current.steps)
        return count - 1 if self.current.progress is Progress.DONE and count else count

    def rows(self) -> tuple[Row, ...]:
        """The tree of steps and forks."""
        return self.family.rows(self.current, self.halted.on(self.item.id))

    def row_index(self, rows: Sequence[Row]) -> int:
        """Which of the rows the cursor is on."""
        steps = self.current.steps
        for index, row in enumerate(rows):
            if self.cursor < len(steps):
                if row.kind == "step" and row.index == self.cursor and row.on_path:
                    return index
            elif row.kind in ("next", "failed", "stopped") and row.trajectory.id == self.current.id:
                return index
        return 0

    def look(self) -> Look:
        """What is under the cursor."""
        here = (self.current.id, self.cursor)
        running, stopped = self.running, self.stopped
        if running is not None and ((running.trajectory, running.index) != here or running.item != self.item.id):
            running = None
        if stopped is not None and (stopped.trajectory, stopped.index) != here:
            stopped = None
        if self.cursor < len(self.current.steps):
            step = self.current.steps[self.cursor]
            return Look(self.current, self.cursor, step.turn, step, running, stopped)
        kept, failed = self.kept_of(self.current), self.current.progress is Progress.FAILED
        if stopped is None and (kept is not None or failed):
            kept = kept or Kept()
            stopped = Stopped(*here, "", kept.text, self.current.reason if failed else "", kept.deed.whom)
        return Look(self.current, self.cursor, self._next_turn(), None, running, stopped)

    def kept_of(self, trajectory: Trajectory) -> Kept | None:
        """What is kept of a call for the next turn of a trajectory on this item that ended before its answer."""
        return self.halted.get(self.item.id, path_of(trajectory), len(trajectory.steps))

    def shows(self) -> tuple[tuple[Show, ...], bool]:
        """The pictures to show beside the turn under the cursor, and whether the respondent was shown them."""
        turns = [step.turn for step in self.current.steps[: self.cursor + 1]]
        turn = self.look().turn
        for each in reversed([*turns, turn] if turn is not None else turns):
            if own := tuple(show for show in each.shows if not show.source):  # not those of worked examples
                return own, True
            if each.afresh:
                break  # what was shown before was another conversation
        return tuple(Show((index,)) for index in range(len(self.item.pictures))), False

    def pictures(self) -> tuple[tuple[Show | SentPicture, ...], bool]:
        """The same, and after them the picture that the step under the cursor was answered with."""
        shows, sent = self.shows()
        look = self.look()
        made = look.step.answer.picture if look.step is not None and look.running is None else None
        return (shows if made is None else (*shows, made)), sent

    def draft_of(self, what: str) -> Place:
        """Under which a draft of something else than the answer is kept here."""
        return self.place._replace(run=f"{what} {self._run}")

    def chosen_ids(self) -> tuple[str, ...] | None:
        """The ids of the items that a filter leaves, None where none is set."""
        keys, chosen = self.items.keys, self.roster.view.chosen
        return None if chosen is None else tuple(keys[position] for position in chosen)

    def choices(self) -> Choices | None:
        """The options of the turn under the cursor, None where it is no choice of one."""
        look = self.look()
        step = look.step if look.running is None else None
        if look.turn is None:
            return None
        return choices(self.plan.benchmark, self.item, look.turn, step, self.scorer)

    def lanes(self) -> tuple[accuracy.Lane, ...]:
        """Accuracy of the whole run: the plain lane first, then every what-if. Worked out when more is counted."""
        counted = (self.tally, self.counted)
        if self._lanes is None or self._lanes[0] != counted:
            self._lanes = (counted, self.lanes_of(self.tally))
        return self._lanes[1]

    def lanes_of(self, tally: Tally) -> tuple[accuracy.Lane, ...]:
        """The same of another count. May be called in a thread, for one that nobody adds to."""
        return accuracy.lanes(tally.cells(), self._strip_steps, self.scorer)

    def elsewhere(self) -> str:
        """What is being asked on another item than the one looked at, "" where nothing is."""
        running = self.running
        if running is None or running.item == self.item.id:
            return ""
        if running.held:
            return f"on {running.item} {running.words}"
        doing = f"{running.step}{' loading' if running.loading else ''}"
        return f"1 call running on {running.item}: {doing} {running.seconds:.0f} s"

    # -- moving about: asks nobody

    async def begin(self) -> None:
        """Look at the first item with all that is stored on it; done once, however many want it. Where it was not
        left at a step, its first wrong one is looked at, and where there is none its first."""
        async with self._beginning:
            if not self.opened:
                await self._look_at(self.item, self.position, at_wrong=self.item.id not in self._places, first=True)

    async def open_item(self, position: int, *, at_wrong: bool = False) -> None:
        """Look at the item of that index with all that is stored on it; ``at_wrong``: at its first wrong step."""
        if not 0 <= position < len(self.items):
            self._say("there is no further item")
            return
        if self.opened:
            self._places[self.item.id] = (self.current.id, self.cursor)
        await self._look_at(self.items[position], position, at_wrong=at_wrong)

    async def _look_at(self, item: Item, position: int, *, at_wrong: bool = False, first: bool = False) -> None:
        family = Family(item, await self._journal.all_on(item))
        self.family, self.position, self.opened, self.stopped = family, position, True, None
        self._came_out(item.id, family.all())
        trajectory_id, cursor = self._places.get(item.id, (family.main.id, -1))
        self.current = family.get(trajectory_id) or family.main
        wrong = first_wrong(self.current.steps, self.scorer) if at_wrong else None
        failed = self.current.progress is Progress.FAILED
        start = self.end if failed else 0 if first else max(len(self.current.steps) - 1, 0)
        self.cursor = wrong if wrong is not None else min(cursor if cursor >= 0 else start, self.end)
        self._keep_place()
        await self.costs.read(self.current.steps[: self.cursor + 1])  # else the screen is drawn once more for them
        self.on_change()

    async def next_item(self, direction: int = 1) -> None:
        """The next of the items chosen by the filter (-1: the one before)."""
        position = next(self.roster.following(self.position, direction), None)
        if position is None:
            more = "the rest is still being read" if not self.roster.complete else ""
            self._say(more or f"there is no further item{' in this filter' if self.roster.view.text else ''}")
        else:
            await self.open_item(position)

    async def next_failing(self, direction: int = 1) -> None:
        """The next chosen item (-1: the one before) with a wrong step or a failed call on its plain path."""
        start, roster, keys = self.position, self.roster, self.items.keys
        for looked, position in enumerate(roster.following(start, direction)):
            name = keys[position]
            if roster.standing(name) is UNKNOWN:
                self._came_out(name, await self._journal.all_on(self.items[position]))
            elif looked % 2000 == 1999:
                await asyncio.sleep(0)
            if self.position != start:
                return  # another item was opened meanwhile
            if roster.standing(name).failing:
                await self.open_item(position, at_wrong=True)
                return
        where = "after" if direction > 0 else "before"
        among = "in this filter" if roster.view.text else "among those asked"
        onward = f"{key('items.next')} and {key('items.previous')} go to the next of all"
        self._say(f"no failing item {where} this one {among}; {onward}")

    def back(self) -> None:
        """One step back along the stored ones."""
        self._place(max(self.cursor - 1, 0))

    def forward(self) -> None:
        """One step forward along the stored ones, and on to the place of the next turn."""
        self._place(min(self.cursor + 1, self.end))

    def move(self, by: int) -> None:
        """Up or down the tree of steps, into forks as well."""
        rows = self.rows()
        places = [index for index, row in enumerate(rows) if row.kind != "head"]
        at = places.index(self.row_index(rows)) if self.row_index(rows) in places else 0
        self.select(rows[places[min(max(at + by, 0), len(places) - 1)]])

    def select(self, row: Row) -> None:
        """Look at that row of the tree."""
        if not (row.kind == "step" and row.on_path):
            self.current = row.trajectory
        self._place(min(row.index, self.end))

    def switch_trajectory(self, by: int) -> None:
        """To the next fork (-1: the one before), at the same step where it has one."""
        members = list({row.trajectory.id: row.trajectory for row in self.rows()}.values())
        ids = [t.id for t in members]
        if len(members) < 2:
            self._say("no forks yet")
            return
        self.current = members[(ids.index(self.current.id) + by) % len(members)]
        self._place(min(max(self.cursor, self.current.fork), self.end))

    # -- parts

    def _count(self, trajectory: Trajectory) -> None:
        forked = trajectory.parent is not None
        self.tally.add_last(trajectory.steps, cluster=trajectory.item.id, forked=forked)
        self.counted += 1
        self.touched.add(trajectory.id)

    def _hear(self, event: Event) -> None:
        running = self.running
        match event:
            case Delta(text=text) if running is not None:
                running.pieces.append(text)
                running.waits = None
            case Loading(what=what) if running is not None:
                running.loads(what, self._clock())
            case Waiting() if running is not None:
                running.waits = event
            case Asked(trajectory=trajectory, step=step) if running is not None:
                running.step, running.started, running.pieces, running.waits = step, self._clock(), [], None
                running.loading = ""
                running.trajectory, running.index = trajectory.id, len(trajectory.steps)
                running.asked, running.path = True, path_of(trajectory)
                for path in {running.path, running.anew}:
                    self.halted.drop(running.item, path, running.index)
                self._arrived(trajectory, running, asked=True)
            case StepDone(trajectory=trajectory):
                self._count(trajectory)
                if running is not None:
                    running.asked = False
                    self._arrived(trajectory, running)
            case _:
                pass
        self.on_change()

    def _arrived(self, trajectory: Trajectory, running: Running, *, asked: bool = False) -> None:
        if trajectory.item.id != self.item.id:
            if trajectory.parent is None and trajectory.repeat == 0:
                self._came_out(trajectory.item.id, (trajectory,))
            return
        self.family.put(trajectory)
        self._came_out(self.item.id, self.family.all())
        if running.follow:
            self.current = trajectory
            self.cursor = len(trajectory.steps) if asked else max(len(trajectory.steps) - 1, 0)
            self._keep_place()
        else:
            self.current = self.family.get(self.current.id) or self.family.main

    def _came_out(self, key: str, trajectories: Iterable[Trajectory]) -> None:
        self.roster.take_standings({key: standing(trajectories, self.scorer)})

    def _next_turn(self) -> Turn | None:
        return None if self.current.progress is Progress.DONE else self.engine.next_turn(self.current)

    def _place(self, cursor: int, *, follow: bool = False) -> None:
        self.cursor = cursor
        self._keep_place()
        if self.running is not None:
            self.running.follow = follow
        self.on_change()

    def _keep_place(self) -> None:
        self.left.note(self._run, self.item.id, self.current.id, self.cursor)

    def _say(self, note: str) -> None:
        self.note = note
        self.on_change()
