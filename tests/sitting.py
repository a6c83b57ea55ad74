"""People for the tests of studies: whole sessions through the same path as real ones, with a clock that is set."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from core.records import Turn
from core.study.content import content_of
from core.study.definition import Design, Items, Study, Texts
from core.study.orders import Planned
from core.study.preparing import Prepared, prepare_study
from sessions.store import Store
from sessions.studies.book import StudyRecord, keep_draft
from sessions.studies.claims import SessionKind, claim
from sessions.studies.clock import SetClock
from sessions.studies.people import SIMULATED, Participant, find, issue_simulated
from sessions.studies.said import Reply, Shown, ShownPicture

Say = Callable[[Planned, Turn], Mapping[str, str]]
"""What somebody answers to a turn, by field."""

SHOWN = Shown("kitty", (120, 40), (1200, 800), "kitty", (ShownPicture("ab" * 32, 320, 240),), "cd" * 32)
STUDY = Study(
    name="mmra-people",
    benchmark="mmra",
    seed=4,
    experimenter_key="open",
    text={"en": Texts(consent="I agree.", instructions="Look, then answer.")},
    items=Items(sample=8),
    design=Design(raters=2, per_session=4, no_picture_twice="off"),
)


def a_study(store: Store, study: Study = STUDY) -> tuple[StudyRecord, Prepared]:
    """A draft in the store, and what it is made of."""
    prepared = prepare_study(study)
    return keep_draft(store, study, content_of(prepared)), prepared


def says(chance: float, seed: int = 0) -> Say:
    """Each field right with that chance, else another of its values."""
    random_ = random.Random(seed)

    def say(_: Planned, turn: Turn) -> dict[str, str]:
        return {field.name: _value(field.name, field.options, turn, random_, chance) for field in turn.form}

    return say


def _value(name: str, options: Any, turn: Turn, random_: random.Random, chance: float) -> str:
    gold = turn.gold[name]
    return gold if random_.random() < chance else random_.choice([value for value in options if value != gold])


async def sit(
    store: Store,
    record: StudyRecord,
    prepared: Prepared,
    person: str = "",
    say: Say | None = None,
    *,
    kind: SessionKind = "main",
    trials: int = 10_000,
    seconds: float = 3.0,
    reply: Callable[[Reply], Reply] = lambda reply: reply,
) -> str:
    """One session, of so many trials at most (then it is left open); its uid."""
    say = say or says(1.0)
    participant: Participant
    if kind == "simulated":
        participant = issue_simulated(store, 1)[0]
        assert participant.pseudonym.startswith(SIMULATED)
    else:
        participant = find(store, person)
    clock = SetClock()
    sitting = claim(store, record, participant, kind=kind, prepared=prepared, clock=clock, experimenter="AB",
                    station="lab 1", same_person=True)  # fmt: skip
    try:
        for planned in sitting.planned[:trials]:
            trial = await sitting.begin(planned, SHOWN)
            path = await sitting.take_up(trial)
            while (turn := sitting.next_turn(trial, path)) is not None:
                onset = clock.ms()
                clock.go_on(1000 * seconds)
                told = Reply(
                    dict(say(planned, turn)), "", onset, onset + 400 * seconds, onset + 1000 * seconds, confidence=3
                )
                path = await sitting.answer(trial, path, reply(told))
            await sitting.end_trial(trial)
        if trials >= len(sitting.plan):
            await sitting.end("ended")
    finally:
        sitting.close()
    return sitting.uid


__all__ = ["SHOWN", "STUDY", "a_study", "replace", "says", "sit"]
