"""A reviewer's desk: what waits for them, and each verdict on disk before the next is asked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

from core.benchmarks.base import ProtocolLike
from core.curation.review import Draft, Picking, Reviewable, Verdict, VerdictName
from core.errors import UsageError
from core.plan import Plan
from core.records import Answer, Origin, Progress, Step, Trajectory, Turn
from core.respondents.people import People
from sessions.curating.state import ACCEPTED, WAITING, Standing, rows_of, standings
from sessions.journal import StoreJournal
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store

LONGEST: Final = 40


@dataclass(frozen=True, slots=True)
class Waiting:
    """An item that waits for a person, as it stands, and the turn that asks them."""

    trajectory: Trajectory
    turn: Turn
    draft: Draft


class Desk:
    """One reviewer on one run, who never reviews what they wrote or reviewed before."""

    def __init__(self, store: Store, run: Run, plan: Plan, reviewer: str) -> None:
        self.store = store
        self.run = run
        self.reviewer = checked_name(reviewer)
        self.plan = plan
        self.done = 0
        protocol = plan.protocol
        if not isinstance(protocol, Reviewable):
            raise UsageError("nobody reviews this run", where=run.name, remedy="Name a run of `phoropter make`")
        self._protocol: ProtocolLike = protocol
        self._reviewing: Reviewable = protocol
        self._journal = StoreJournal(store, run, full=True)
        self._kept: Counter[str] = Counter()

    def rows(self) -> list[int]:
        """The trajectories that wait for this person now, in the order in which they are to be looked at.

        That order is the reviewer's own, so that two do not meet at each item. Where candidates are picked, those of
        an item come one after the other, the likeliest first.
        """
        protocol = self._protocol
        if not isinstance(protocol, Picking):
            found = [row for row in rows_of(self.store, self.run, open_only=True) if self.take(row) is not None]
            random.Random(f"desk/{self.reviewer}").shuffle(found)
            return found
        standing = list(standings(self.store, self.run, protocol))
        self._kept = Counter(one.trajectory.item.id for one in standing if one.state == ACCEPTED)
        order = dict.fromkeys(one.trajectory.item.id for one in standing)
        places = {item: place for place, item in enumerate(order)}
        waiting = [one for one in standing if self._is_theirs(one) and not self._full(one.trajectory)]

        def place(one: Standing) -> tuple[int, int, int]:
            trajectory = one.trajectory
            return places[trajectory.item.id], protocol.rank(trajectory.steps), trajectory.repeat

        return [one.trajectory.id for one in sorted(waiting, key=place)]

    def _is_theirs(self, one: Standing) -> bool:
        return one.state == WAITING and isinstance(self.plan.respondent_for(one.step), People)

    def _full(self, trajectory: Trajectory) -> bool:
        """As many are kept of this item as are wanted."""
        protocol = self._protocol
        return isinstance(protocol, Picking) and self._kept[trajectory.item.id] >= protocol.kept

    def all(self) -> Iterator[Waiting]:
        """The same, as they stand when each comes."""
        for row in self.rows():
            if (waiting := self.take(row)) is not None:
                yield waiting

    def take(self, row: int) -> Waiting | None:
        """The trajectory as it stands by now; None where nothing of it waits for this person."""
        trajectory = Replay(self.store.reader()).trajectory(row)
        if trajectory.progress is not Progress.OPEN or self._full(trajectory):
            return None
        turn = self._protocol.next_turn(trajectory.item, trajectory.steps)
        if turn is None or not isinstance(self.plan.respondent_for(turn.step), People):
            return None
        draft = self._reviewing.draft(trajectory.item, trajectory.steps)
        if draft.closed or (not draft.writes and self.reviewer in self._reviewing.forbidden(trajectory.steps)):
            return None
        return Waiting(trajectory, turn, draft)

    async def keep(self, waiting: Waiting, verdict: VerdictName, *, text: str = "", reason: str = "") -> bool:
        """Store a verdict; ``text`` is the edited form. False where somebody else was faster: theirs stands.

        Raises UsageError for an accepted item that has faults, and for a text that cannot be used; nothing is stored
        then.
        """
        answer = self._answer(waiting, verdict, text, reason)
        step = Step(
            waiting.turn,
            Answer(answer),
            origin=Origin.PERSON,
            lane=waiting.trajectory.lane,
            repeat=waiting.trajectory.repeat,
        )
        item = waiting.trajectory.item
        last = self._protocol.next_turn(item, (*waiting.trajectory.steps, step)) is None
        kept = await self._journal.add_step(waiting.trajectory, step, last=last)
        self.done += 1
        if kept.steps[-1].answer.text != answer:
            return False
        self._kept[item.id] += verdict == "accept"
        return True

    def _answer(self, waiting: Waiting, verdict: VerdictName, text: str, reason: str) -> str:
        item, steps, draft = waiting.trajectory.item, waiting.trajectory.steps, waiting.draft
        if verdict == "accept" and draft.writes:
            raise UsageError("there is nothing to accept yet", where=item.id, remedy="Write it, or reject the item")
        if verdict == "accept" and draft.faults:
            raise UsageError(draft.faults[0], where=item.id, remedy="Edit it, or reject it")
        if verdict == "edit" and not draft.text:
            raise UsageError("there are no words to edit", where=item.id, remedy="Accept it, or reject it")
        edit = self._reviewing.edited(item, steps, text) if verdict == "edit" else None
        if draft.writes:
            return self._reviewing.written(self.reviewer, edit, reason)
        return Verdict(self.reviewer, verdict, reason.strip(), edit).text()


def checked_name(name: str) -> str:
    """A pseudonym. Raises UsageError for what is none."""
    said = name.strip()
    if not said or len(said) > LONGEST or not said.isprintable():
        raise UsageError(
            f"a pseudonym has 1 to {LONGEST} characters", where="--reviewer", remedy="For example --reviewer R1"
        )
    return said


def verdict_named(name: str, where: str) -> VerdictName:
    """``accept``, ``edit`` or ``reject``. Raises UsageError."""
    if name not in ("accept", "edit", "reject"):
        raise UsageError(f"{name[:40]!r} is no verdict", where=where, remedy="Known: accept, edit, reject")
    return cast(VerdictName, name)
