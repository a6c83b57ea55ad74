"""Several processes on one store: eight that claim at once, and one that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from core.study.definition import Design
from sessions.store import Store
from sessions.studies import people
from sessions.studies.claims import claim, deal_out
from sessions.studies.clock import SetClock
from sessions.studies.coverage import coverage
from tests.studies import kept, voila_study

ROOT = Path(__file__).parents[3]

BEGIN = """
import asyncio, sys
from pathlib import Path
from core.study.definition import Design
from sessions.store import Store
from sessions.studies import people
from sessions.studies.book import find
from sessions.studies.claims import claim
from sessions.studies.clock import SetClock
from core.study.preparing import prepare_study
from tests.sessions.studies.sitting import answer_some
store = Store.open(Path(sys.argv[1]))
record = find(store, "test")
prepared = prepare_study(record.study)
"""

MANY = (
    BEGIN
    + """
print("ready", flush=True)
sys.stdin.readline()
for number in range(3):
    person = people.find(store, f"P{sys.argv[2]}-{number}")
    sitting = claim(store, record, person, prepared=prepared, clock=SetClock())
    asyncio.run(answer_some(sitting, None if number % 2 else 2))
    if number % 2:
        asyncio.run(sitting.end("ended"))
    print(sitting.slot, flush=True)
store.close()
"""
)

ONE = (
    BEGIN
    + """
sitting = claim(store, record, people.find(store, "P17"), prepared=prepared, clock=SetClock())
for _ in range(int(sys.argv[2])):
    asyncio.run(answer_some(sitting, 1))
print("answered", flush=True)
sys.stdin.readline()
"""
)


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_eight_processes_that_claim_at_once_give_exactly_k_claims_an_item(path: Path, tmp_path: Path) -> None:
    """Twenty-four arrivals on as many slots; two in three leave after two items, and the rest comes free again."""
    with Store.open(path) as store:
        design = Design(raters=2, per_session=4, no_picture_twice="session")
        record, prepared = kept(store, voila_study(tmp_path, 48, design=design))
        deal_out(store, record, prepared)
    processes = [start(MANY, path, number) for number in range(8)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    slots: list[int] = []
    for process in processes:
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        slots += map(int, out.split())
    assert sorted(slots) == list(range(24))
    with Store.open(path) as store:
        record, prepared = kept(store, record.study)
        claims = Counter(
            row for row in store.reader().execute("SELECT item, condition FROM assignments WHERE session IS NOT NULL")
        )
        assert len(claims) == 48
        assert set(claims.values()) == {2}
        sessions = store.reader().execute(
            "SELECT session, count(*), count(DISTINCT slot) FROM assignments GROUP BY session"
        )
        assert all((count, slots) == (4, 1) for _, count, slots in sessions)
        assert coverage(store, record).done == 8 * (2 * 2 + 1 * 4)
        later = SetClock()
        later.go_on(121 * 60_000)
        given = [
            claim(store, record, people.find(store, f"L{number}"), prepared=prepared, clock=later)
            for number in range(16)
        ]
        assert {len(sitting.planned) for sitting in given} == {2}
        for sitting in given:
            sitting.close()


def test_a_process_killed_after_n_trials_leaves_n_answers_and_the_person_goes_on(path: Path, tmp_path: Path) -> None:
    with Store.open(path) as store:
        design = Design(raters=1, per_session=6, no_picture_twice="session")
        record, prepared = kept(store, voila_study(tmp_path, 12, design=design))
    process = start(ONE, path, 4)
    assert process.stdout is not None
    assert process.stdout.readline() == "answered\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.communicate()
    with Store.open(path) as store:
        db = store.reader()
        assert [db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("trials", "responses")] == [
            4,
            4,
        ]
        assert db.execute("SELECT count(*) FROM trials WHERE ended IS NULL").fetchone()[0] == 0
        record, prepared = kept(store, record.study)
        sitting = claim(
            store, record, people.find(store, "P17"), prepared=prepared, clock=SetClock(), same_person=True
        )
        assert sitting.resumed
        assert [each.position for each in sitting.planned] == [4, 5]
        sitting.close()
