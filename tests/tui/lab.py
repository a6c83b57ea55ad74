"""A lab that is being watched: people sitting in a real store, on clocks set by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from core.study.definition import Catch, Design, Study
from core.study.preparing import Prepared
from sessions.store import Store
from sessions.studies.book import StudyRecord
from sessions.studies.claims import claim
from sessions.studies.clock import SetClock
from sessions.studies.people import issue
from sessions.studies.sitting import Sitting
from tests.sessions.studies.sitting import SHOWN, answer_some
from tests.studies import kept, voila_study

START = 1_790_000_000_000
"""A moment in 2026, in milliseconds since 1970."""


@dataclass
class Lab:
    """``clock`` is the monitor's. Every session has a clock of its own that is set to it before anything is done."""

    store: Store
    record: StudyRecord
    prepared: Prepared
    clock: SetClock = field(default_factory=lambda: SetClock(START))
    sittings: list[Sitting] = field(default_factory=list)

    def arrive(self, count: int, kind: str = "main", station: str = "") -> list[Sitting]:
        """So many people sit down now, at stations 1, 2 ..."""
        made = []
        for number, person in enumerate(issue(self.store, count), len(self.sittings) + 1):
            sitting = claim(
                self.store,
                self.record,
                person,
                kind=kind,  # type: ignore[arg-type]
                station=station or f"station{number}",
                experimenter="AB",
                prepared=self.prepared,
                clock=SetClock(self.clock.now()),
            )
            made.append(sitting)
        self.sittings += made
        return made

    async def answer(self, sitting: Sitting, count: int) -> None:
        """The next ``count`` trials, two seconds each."""
        await answer_some(sitting, count)

    async def begin(self, sitting: Sitting) -> None:
        """The next trial stands on the screen."""
        await sitting.begin(sitting.planned[0], SHOWN)

    def close(self) -> None:
        for sitting in self.sittings:
            sitting.close()


def study(tmp: Path, items: int = 20, **changes: object) -> Study:
    """Twenty items by two people each, five a session, and a catch trial after every two."""
    fields = {
        "design": Design(raters=2, per_session=5, no_picture_twice="off"),
        "catch": Catch(ids=("voila-1", "voila-2"), every=2),
    }
    return voila_study(tmp, items + 2, **{**fields, **changes})


def lab(store: Store, tmp: Path, items: int = 20, **changes: object) -> Lab:
    record, prepared = kept(store, study(tmp, items, **changes))
    return Lab(store, record, prepared)


async def busy(made: Lab) -> None:
    """Five who arrived one after another: one is done, one left, one paused, one silent, one just begun a trial."""
    done, left, silent, paused, fresh = made.arrive(5)
    await made.answer(done, 20)
    await done.end("ended")
    await made.answer(left, 2)
    await left.end("left")
    await made.answer(silent, 1)
    made.clock.go_on(90_000)
    for each in (paused, fresh):
        each.clock.go_on(88_000)
    await made.answer(paused, 4)
    await paused.pause(True)
    await made.answer(fresh, 3)
    await made.begin(fresh)
    made.clock.go_on(20_000)
