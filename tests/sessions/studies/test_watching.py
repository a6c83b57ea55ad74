"""What a monitor sees of a store: sessions, coverage, health; and never how accurate anybody is on what is asked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.store import Store
from sessions.studies import claims, watched, wishes
from sessions.studies.book import find
from sessions.studies.coverage import coverage
from sessions.studies.watching import Watcher
from tests.sessions.studies.sitting import answer_some
from tests.tui.lab import Lab, busy, lab


@pytest.fixture
def made(store: Store, tmp_path: Path) -> Iterator[Lab]:
    one = lab(store, tmp_path)
    yield one
    one.close()


@pytest.fixture
def watcher(made: Lab) -> Iterator[Watcher]:
    one = Watcher(made.store.path, made.record.name, clock=made.clock)
    yield one
    one.close()


async def test_who_sits_where_and_how_fast(made: Lab, watcher: Watcher) -> None:
    await busy(made)
    seen = watcher.look()
    by_person = {one.person: one for one in seen.sessions}
    assert [one.person for one in seen.sessions][:3] == ["P03", "P04", "P05"]
    assert {one.person: one.state for one in seen.sessions} == {
        "P01": "ended", "P02": "left", "P03": "open", "P04": "paused", "P05": "open",
    }  # fmt: skip
    fresh = by_person["P05"]
    assert (fresh.at, fresh.station, fresh.experimenter, fresh.given) == ("main", "station5", "AB", 5)
    assert fresh.number == 3  # two items and a catch trial are done
    assert (fresh.catch_right, fresh.catch_seen) == (1, 1)
    assert fresh.median_s == 1.5
    assert fresh.trial_since is not None
    assert [one.person for one in seen.quiet] == ["P03"]
    assert (seen.sitting, seen.over) == (3, {"ended": 1, "left": 1})
    assert seen.free_bytes
    assert not seen.trouble
    assert seen.coverage is not None
    assert (
        seen.coverage.to_json()
        == coverage(made.store, find(made.store, made.record.name), clock=made.clock).to_json()
    )
    assert sum(seen.coverage.by_answers().values()) == 20


async def test_catch_trials_tell_and_items_do_not(made: Lab, watcher: Watcher) -> None:
    """All wrong: the catch trials say so, and nothing in the document says it of the items."""
    (sitting,) = made.arrive(1)
    await answer_some(sitting, None, lambda turn: dict.fromkeys(turn.gold, "nonsense"))
    document = watcher.look().to_json()
    (one,) = document["sessions"]
    assert one["catch"] == {"right": 0, "of": 2}
    assert set(one) == {
        "session", "uid", "person", "kind", "state", "station", "experimenter", "version", "trial", "last_event",
        "seen", "seen_seconds_ago", "quiet", "began", "median_seconds_an_item", "catch", "wishes_waiting",
    }  # fmt: skip
    assert "accuracy" not in str(document)


async def test_nobody_and_nothing(store: Store, tmp_path: Path) -> None:
    watcher = Watcher(store.path, "nothing yet")
    seen = watcher.look()
    watcher.close()
    assert (seen.sessions, seen.coverage, seen.trouble) == ((), None, "")
    assert seen.to_json()["coverage"] is None


async def test_thirty_sessions(store: Store, tmp_path: Path) -> None:
    made = lab(store, tmp_path, 80)
    sat = made.arrive(30)
    for each in sat[::3]:
        await made.answer(each, 3)
    watcher = Watcher(store.path, made.record.name, clock=made.clock)
    seen = watcher.look()
    watcher.close()
    made.close()
    assert seen.sitting == 30
    assert seen.coverage is not None
    assert seen.coverage.sitting + seen.coverage.done == 150


async def test_a_store_that_vanishes_is_told_and_found_again(made: Lab, watcher: Watcher, tmp_path: Path) -> None:
    await busy(made)
    before = watcher.look()
    away = tmp_path / "away"
    made.close()
    made.store.close()
    path = made.store.path
    away.mkdir()
    for file in path.parent.glob(f"{path.name}*"):
        shutil.move(file, away / file.name)
    gone = watcher.look()
    assert "not there any more" in gone.trouble
    assert gone.sessions == before.sessions  # what was known still stands there
    assert gone.to_json()["health"]["reachable"] is False
    path.write_bytes(b"no store at all, but something lies in its place")
    assert watcher.look().trouble
    path.unlink()
    for file in away.iterdir():
        shutil.move(file, path.parent / file.name)
    back = watcher.look()
    assert back.trouble == ""
    assert back.sessions == before.sessions


async def test_what_is_wished_waits_until_it_is_heard(made: Lab, watcher: Watcher) -> None:
    (sitting,) = made.arrive(1)
    wishes.ask(watcher.store, sitting.session, "pause", author="AB")
    made.clock.go_on(1000)
    assert watcher.look().sessions[0].waiting == ("pause",)
    assert [wish.wish for wish in await sitting.wishes()] == ["pause"]
    await sitting.pause(True)
    made.clock.go_on(1000)
    (one,) = watcher.look().sessions
    assert (one.state, one.waiting) == ("paused", ())


async def test_handed_back_its_items_are_free_for_somebody_else(made: Lab, watcher: Watcher) -> None:
    (sitting,) = made.arrive(1)
    await made.answer(sitting, 1)
    assert claims.hand_back(watcher.store, sitting.session) == 4
    seen = watcher.look()
    assert (seen.sessions[0].state, seen.sitting) == ("left", 0)
    assert seen.coverage is not None
    assert (seen.coverage.done, seen.coverage.sitting, seen.coverage.free) == (1, 0, 39)


async def test_signs_of_life_are_not_missed_where_nothing_else_is_written(made: Lab, watcher: Watcher) -> None:
    (sitting,) = made.arrive(1)
    assert not watcher.look().quiet
    made.clock.go_on(watched.QUIET_MS + 1)
    assert watcher.look().quiet
    sitting.clock.go_on(watched.QUIET_MS + 1)  # type: ignore[attr-defined]
    await sitting.alive()
    assert not watcher.look().quiet
