from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from core.study.content import content_of
from core.study.definition import Study
from core.study.preparing import Prepared
from sessions.exchange.merging import merge
from sessions.store import Store
from sessions.studies import excluding, people, reading
from sessions.studies.book import StudyRecord, keep_draft
from sessions.studies.claims import claim
from sessions.studies.clock import SetClock
from sessions.studies.coverage import coverage
from sessions.studies.stations import deal_stations, new_names, take_back
from tests.sessions.studies.sitting import answer_some


def slots_of(path: Path) -> set[int]:
    with Store.open(path) as station:
        return {row[0] for row in station.reader().execute("SELECT slot FROM assignments")}


async def test_stations_have_slots_and_pseudonyms_of_their_own(
    store: Store, record: StudyRecord, prepared: Prepared, study: Study, tmp_path: Path
) -> None:
    here = claim(store, record, people.find(store, "P1"), prepared=prepared, clock=SetClock())
    await answer_some(here, 2)
    await here.end("left")
    stations = deal_stations(store, record, prepared, ["north", "south", "west"], tmp_path)
    assert [(one.slots, one.answers) for one in stations] == [(3, 13), (3, 15), (2, 10)]
    dealt = [slots_of(one.path) for one in stations]
    assert set().union(*dealt) == set(range(8))
    assert sum(map(len, dealt)) == 8
    names = [name for one in stations for name in one.pseudonyms]
    assert names == ["A01", "A02", "A03", "A04", "B01", "B02", "B03", "B04", "C01", "C02", "C03"]
    found = coverage(store, record)
    assert (found.done, found.dealt, found.free) == (2, 38, 0)
    with pytest.raises(UsageError, match="no slot is free: 2 answered, 38 dealt to stations"):
        claim(store, record, people.find(store, "A01"), prepared=prepared)

    with Store.open(stations[0].path) as north:
        there = keep_draft(north, study, content_of(prepared))
        assert (there.digest, there.version, there.live) == (record.digest, record.version, True)
        with pytest.raises(UsageError, match="was not issued"):
            people.find(north, "B01")
        sitting = claim(north, there, people.find(north, "A01"), prepared=prepared, clock=SetClock())
        assert (sitting.slot, len(sitting.planned)) == (0, 3)
        assert not {each.item.id for each in sitting.planned} & {each.item.id for each in here.plan[:2]}
        await answer_some(sitting)
        await sitting.end("ended")
        sitting.close()
        assert coverage(north, there).free == 10

    assert take_back(store, record, "south") == 15
    assert coverage(store, record).free == 15
    with pytest.raises(UsageError, match=r"nothing was dealt.*Stations: north, west"):
        take_back(store, record, "east")


def test_what_came_back_from_a_station_half_way_is_given_out_there_alone_until_it_is_taken_back(
    store: Store, record: StudyRecord, prepared: Prepared, tmp_path: Path
) -> None:
    deal_stations(store, record, prepared, ["a", "b"], tmp_path)
    store.write(
        lambda db: db.execute(
            "UPDATE assignments SET state = 'claimed', lease_until = 1 WHERE station = 'a' AND part = 0"
        )
    )
    found = coverage(store, record)
    assert (found.dealt, found.sitting, found.free) == (40, 0, 0)
    with pytest.raises(UsageError, match="no slot is free"):
        claim(store, record, people.find(store, "A01"), prepared=prepared)
    assert take_back(store, record, "a") == 20
    assert claim(store, record, people.find(store, "A01"), prepared=prepared).slot == 0


def test_nothing_is_dealt_where_it_cannot_be(
    store: Store, record: StudyRecord, prepared: Prepared, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="only 8 slots are free, and there are 9 stations"):
        deal_stations(store, record, prepared, [str(number) for number in range(9)], tmp_path)
    (tmp_path / "test-a.db").write_bytes(b"mine")
    with pytest.raises(UsageError, match="a file of that name already"):
        deal_stations(store, record, prepared, ["b", "a"], tmp_path)
    with pytest.raises(UsageError, match="the folder cannot be made"):
        deal_stations(store, record, prepared, ["b"], tmp_path / "test-a.db" / "inside")
    assert not (tmp_path / "test-b.db").exists()
    assert (tmp_path / "test-a.db").read_bytes() == b"mine"
    assert coverage(store, record).dealt == 0
    (made,) = deal_stations(store, record, prepared, ["b"], tmp_path / "new" / "stick")
    assert made.path.exists(), "the folder is made"


async def test_what_another_station_holds_is_dealt_to_nobody_else(
    store: Store, record: StudyRecord, prepared: Prepared, study: Study, tmp_path: Path
) -> None:
    """An exclusion freed some of its slot, and the rest of that is still there."""
    (north,) = deal_stations(store, record, prepared, new_names(store, record, 1), tmp_path)
    with Store.open(north.path) as there:
        sitting = claim(
            there, keep_draft(there, study, content_of(prepared)), people.find(there, "A01"), clock=SetClock()
        )
        await answer_some(sitting, 2)
        await sitting.end("left")
        sitting.close()
    merge(store, north.path)
    excluding.exclude(store, reading.find(store, record.name).sessions[0], "fire", "AB")
    (south,) = deal_stations(store, record, prepared, new_names(store, record, 1), tmp_path)
    assert (north.name, south.name, south.answers) == ("station1", "station2", 2)
    with Store.open(south.path) as there:
        found = there.reader().execute("SELECT count(*) FROM assignments WHERE state = 'free'").fetchone()
    assert found == (2,)


async def test_what_a_station_was_told_is_answered_fills_no_quota_when_it_comes_back(
    store: Store, record: StudyRecord, prepared: Prepared, tmp_path: Path
) -> None:
    here = claim(store, record, people.find(store, "P1"), prepared=prepared, clock=SetClock())
    await answer_some(here, 2)
    await here.end("left")
    here.close()
    (north,) = deal_stations(store, record, prepared, ["north"], tmp_path)
    excluding.exclude(store, reading.find(store, record.name).sessions[0], "fire", "AB")
    merge(store, north.path)
    found = coverage(store, record)
    assert (found.done, found.free) == (0, 2)
