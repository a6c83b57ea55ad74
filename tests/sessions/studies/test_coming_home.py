"""Stations' stores joined with the store that dealt to them, through the study's own rooms."""

from __future__ import annotations

from pathlib import Path

from core.study.content import content_of
from core.study.definition import Study
from core.study.preparing import Prepared
from sessions import doctor
from sessions.exchange.merging import merge
from sessions.exchange.writing import write_lines
from sessions.runs import runs
from sessions.store import Store
from sessions.studies import excluding, people, reading, withdrawing
from sessions.studies.book import StudyRecord, keep_draft
from sessions.studies.claims import claim
from sessions.studies.clock import SetClock
from sessions.studies.coverage import coverage
from sessions.studies.reporting import report
from sessions.studies.stations import deal_stations
from tests.sessions.exchange.lines import take_lines
from tests.sessions.studies.sitting import answer_some


async def test_stations_come_home_and_who_withdrew_does_not(
    store: Store, record: StudyRecord, prepared: Prepared, study: Study, tmp_path: Path
) -> None:
    stations = deal_stations(store, record, prepared, ["north", "south"], tmp_path)
    answered = 0
    for station, person in zip(stations, ("A01", "B01"), strict=True):
        with Store.open(station.path) as there:
            known = keep_draft(there, study, content_of(prepared))
            sitting = claim(there, known, people.find(there, person), prepared=prepared, clock=SetClock())
            await answer_some(sitting)
            await sitting.end("ended")
            sitting.close()
            answered += coverage(there, known).done
        carried = merge(store, station.path)
        assert not carried.conflicting
        again = merge(store, station.path)
        assert not again.added
        assert not again.renewed
    assert coverage(store, record).done == answered
    assert doctor.examine(store.path).sound

    file = tmp_path / "all.jsonl"
    with file.open("w") as stream:
        write_lines(store, None, stream.write)
    with Store.open(tmp_path / "again.db") as copy:
        take_lines(copy, file)
        assert doctor.examine(copy.path).counts == doctor.examine(store.path).counts

    withdrawing.withdraw(store, "A01")
    left = doctor.examine(store.path).counts
    for _ in range(2):
        assert merge(store, stations[0].path).notices == [
            "one sitting that had been removed here stayed where they were"
        ]
        take_lines(store, file)
    found = doctor.examine(store.path)
    assert {name: count for name, count in found.counts.items() if left.get(name) != count} == {}
    assert not [summary for summary in runs(store) if "A01" in summary.run.name]
    assert found.sound


async def test_a_session_that_its_station_excluded_fills_no_quota_at_home(
    store: Store, record: StudyRecord, prepared: Prepared, study: Study, tmp_path: Path
) -> None:
    """Its answers had come home before that."""
    (north,) = deal_stations(store, record, prepared, ["north"], tmp_path)
    with Store.open(north.path) as there:
        known = keep_draft(there, study, content_of(prepared))
        sitting = claim(there, known, people.find(there, "A01"), prepared=prepared, clock=SetClock())
        await answer_some(sitting)
        await sitting.end("ended")
        sitting.close()
        merge(store, north.path)
        assert coverage(store, record).done == 5
        excluding.exclude(there, reading.find(there, record.name).sessions[0], "fire", "AB")
    merge(store, north.path)
    report(store, record.name)
    assert (coverage(store, record).done, coverage(store, record).free) == (0, 5)
    with Store.open(north.path) as there:
        excluding.lift(there, reading.find(there, record.name).sessions[0])
    merge(store, north.path)
    assert coverage(store, record).done == 5
    assert not merge(store, north.path).renewed
