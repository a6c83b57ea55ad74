"""Whole sessions of simulated people, through the same claims and sittings as everybody's, on clocks of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.errors import UsageError
from core.records import Turn
from core.study.preparing import Prepared
from core.study.simulating import Simulated
from sessions.store import Store
from sessions.studies.book import StudyRecord
from sessions.studies.claims import claim
from sessions.studies.clock import SetClock
from sessions.studies.people import Participant, issue_simulated
from sessions.studies.runs import SessionKind
from sessions.studies.said import Reply, Shown
from sessions.studies.sitting import Sitting

READ_MS = 800.0
"""From one answer to the next turn."""


@dataclass(frozen=True, slots=True)
class Sat:
    """A session that was simulated: who, on which slot, and how many items were answered."""

    pseudonym: str
    session: int
    slot: int
    answered: int


def simulate(
    store: Store,
    record: StudyRecord,
    prepared: Prepared,
    count: int,
    skill: float,
    *,
    seed: int = 0,
    told: Callable[[Sat], None] | None = None,
) -> tuple[Sat, ...]:
    """Let ``count`` simulated people sit, fewer where no slot is left; raises UsageError where there is none at all.

    Their sessions are of kind ``simulated`` and fill a quota of their own.
    """
    first = claim_all(store, record, prepared, issue_simulated(store, count), kind="simulated")
    return asyncio.run(_all(first, skill, seed, told))


def claim_all(
    store: Store,
    record: StudyRecord,
    prepared: Prepared,
    people: Sequence[Participant],
    *,
    kind: SessionKind,
) -> list[Sitting]:
    """A sitting for each of the people as long as slots are free; raises what the first claim raises."""
    sittings: list[Sitting] = []
    for person in people:
        try:
            sittings.append(claim(store, record, person, kind=kind, prepared=prepared, clock=SetClock()))
        except UsageError:
            if not sittings:
                raise
            break
    return sittings


async def _all(
    sittings: Sequence[Sitting], skill: float, seed: int, told: Callable[[Sat], None] | None
) -> tuple[Sat, ...]:
    async def one(sitting: Sitting) -> Sat:
        try:
            person = Simulated(sitting.record.study, skill, f"{seed}/{sitting.person.pseudonym}")
            sat = await sit_through(sitting, person)
        finally:
            sitting.close()
        if told is not None:
            told(sat)
        return sat

    return tuple(await asyncio.gather(*map(one, sittings)))


async def sit_through(sitting: Sitting, person: Simulated, *, stop_after: int | None = None) -> Sat:
    """A whole session, or one that is left after ``stop_after`` items. The sitting's clock has to be set by hand."""
    study, clock = sitting.record.study, sitting.clock
    if not isinstance(clock, SetClock):
        raise TypeError("simulated people have clocks of their own")
    for question in study.gate:
        await sitting.questionnaire("gate", question.id, person.replies("gate", question))
    for question in study.before:
        await sitting.questionnaire("before", question.id, person.replies("before", question))
    answered = 0
    for planned in sitting.planned:
        if answered == stop_after:
            await sitting.end("left")
            return Sat(sitting.person.pseudonym, sitting.session, sitting.slot, answered)
        trial = await sitting.begin(planned, Shown(terminal="simulated"))
        path = await sitting.take_up(trial)
        while (turn := sitting.next_turn(trial, path)) is not None:
            path = await sitting.answer(trial, path, _reply(clock, person, planned.item.id, turn))
        await sitting.end_trial(trial)
        answered += planned.kind == "main"
    for question in study.after:
        await sitting.questionnaire("after", question.id, person.replies("after", question))
    await sitting.end("ended")
    return Sat(sitting.person.pseudonym, sitting.session, sitting.slot, answered)


def _reply(clock: SetClock, person: Simulated, item: str, turn: Turn) -> Reply:
    """What the person says, the clock going on by the time that takes."""
    said, onset = person.says(item, turn), clock.ms()
    clock.go_on(said.final_s * 1000 + READ_MS)
    return Reply(
        said.values,
        said.text,
        onset_ms=onset,
        first_ms=onset + said.first_s * 1000,
        final_ms=onset + said.final_s * 1000,
        changes=tuple((onset + at * 1000, name, value) for at, name, value in said.changes),
        confidence=said.confidence,
        why=said.why,
    )
