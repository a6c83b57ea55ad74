"""Sittings go out and come in whole, whichever of their runs was named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import UsageError
from core.study.definition import Catch, Practice
from sessions import doctor
from sessions.exchange.writing import write_lines
from sessions.runs import delete_run, find_run
from sessions.store import Store
from sessions.studies.book import amend
from sessions.studies.claims import claim
from sessions.studies.people import find
from tests.sessions.exchange.lines import take_lines
from tests.sitting import STUDY, a_study, sit

FULL = replace(STUDY, practice=Practice(("lo-002",)), catch=Catch(("env-001",), every=2))


async def test_one_run_of_a_sitting_brings_all_of_it_its_study_and_what_that_amends(tmp_path: Path) -> None:
    file, counts = tmp_path / "run.jsonl", []
    with Store.open(tmp_path / "ours.db") as store:
        record, prepared = a_study(store, FULL)
        await sit(store, record, prepared, "P01")
        changed = replace(prepared.study, gate_attempts=5)
        _, newer = amend(store, changed, record.content, keep_quota=True, reason="misprint")
        await sit(store, newer, replace(prepared, study=changed), "P02")
        for number, name in enumerate(("", " practice", " catch")):
            with file.open("w") as stream:
                run = find_run(store, f"mmra-people/P02{name}", exact=True)
                assert len(write_lines(store, [run.id], stream.write).runs) == 3
            with Store.open(tmp_path / f"{number}.db") as copy:
                take_lines(copy, file)
                found = doctor.examine(copy.path)
                assert found.sound
                counts.append(found.counts)
    assert counts[0] == counts[1] == counts[2]
    assert {name: counts[0][name] for name in ("studies", "sessions", "participants", "runs")} == {
        "studies": 2, "sessions": 1, "participants": 1, "runs": 3,
    }  # fmt: skip
    assert counts[0]["trials"] == counts[0]["responses"] > 4


def test_a_run_of_a_sitting_that_has_just_begun_is_not_deleted(tmp_path: Path) -> None:
    with Store.open(tmp_path / "ours.db") as store:
        record, prepared = a_study(store, FULL)
        claim(store, record, find(store, "P01"), prepared=prepared).close()
        with pytest.raises(UsageError, match="sittings belong to this run"):
            delete_run(store, "mmra-people/P01 catch")
