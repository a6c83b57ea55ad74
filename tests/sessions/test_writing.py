"""The writer: one commit for what waits, failures that stay alone, other processes, a full disk, a kill."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.errors import StoreError
from core.records import Progress
from sessions.journal import StoreJournal
from sessions.runs import runs
from sessions.store import Store, connect
from tests.stored import STEPS, a_run, a_step, an_item, walk

ROOT = Path(__file__).parents[2]


def scorer(name: str) -> object:
    return lambda db: db.execute("INSERT INTO scorers (name, version, created) VALUES (?, '1', 0)", (name,)).lastrowid


def names(store: Store) -> list[str]:
    return [row[0] for row in store.reader().execute("SELECT name FROM scorers ORDER BY id")]


async def test_what_waits_together_is_committed_together(store: Store) -> None:
    commits: list[str] = []
    await store.writer.submit(lambda db: db.set_trace_callback(commits.append))
    release = threading.Event()
    first = asyncio.ensure_future(store.writer.submit(lambda _: release.wait(10)))
    await asyncio.sleep(0.05)
    waiting = [asyncio.ensure_future(store.writer.submit(scorer(str(number)))) for number in range(50)]
    await asyncio.sleep(0)
    release.set()
    await asyncio.gather(first, *waiting)
    await store.writer.submit(lambda db: db.set_trace_callback(None))
    assert len(names(store)) == 50
    assert commits.count("COMMIT") <= 4


async def test_what_one_turn_of_the_loop_submits_is_one_commit_and_goes_in_its_order(store: Store) -> None:
    commits: list[str] = []
    await store.writer.submit(lambda db: db.set_trace_callback(commits.append))
    commits.clear()
    await asyncio.gather(*(store.writer.submit(scorer(str(number))) for number in range(20)))
    assert commits.count("COMMIT") == 1
    waiting = asyncio.ensure_future(store.writer.submit(scorer("before")))
    await asyncio.sleep(0)
    store.write(scorer("after"))  # a thread that waits never overtakes what was submitted before
    await waiting
    assert names(store) == [*map(str, range(20)), "before", "after"]


def test_what_a_loop_submitted_before_it_ended_is_kept(tmp_path: Path) -> None:
    async def leave() -> None:
        waiting = asyncio.ensure_future(store.writer.submit(scorer("left")))
        asyncio.get_running_loop().call_soon(asyncio.get_running_loop().stop)
        await waiting

    with Store.open(tmp_path / "s.db") as store:
        ended, other = asyncio.new_event_loop(), asyncio.new_event_loop()
        leaving = ended.create_task(leave())
        ended.run_forever()
        assert not leaving.done()
        other.run_until_complete(store.writer.submit(scorer("another loop's")))
        assert names(store) == ["left", "another loop's"]
        ended.run_until_complete(leaving)
        for loop in (ended, other):
            loop.close()


async def test_a_change_that_fails_fails_alone(store: Store) -> None:
    def wrong(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO scorers (name, version, created) VALUES ('half', '1', 0)")
        raise ValueError("mine")

    jobs = [store.writer.submit(scorer("a")), store.writer.submit(wrong), store.writer.submit(scorer("b"))]
    first, second, third = await asyncio.gather(*jobs, return_exceptions=True)
    assert isinstance(second, ValueError)
    assert not isinstance(first, BaseException)
    assert not isinstance(third, BaseException)
    assert names(store) == ["a", "b"]


async def test_words_learnt_in_an_undone_transaction_are_forgotten(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))

    def wrong(_: sqlite3.Connection) -> None:
        raise ValueError("mine")

    await asyncio.gather(
        walk(journal, an_item(0), steps=("new word",)), store.writer.submit(wrong), return_exceptions=True
    )
    await walk(journal, an_item(1), steps=("new word",))
    db = store.reader()
    assert db.execute("SELECT count(*) FROM steps").fetchone() == (2,)
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []


async def test_a_cancelled_waiter_disturbs_nobody(store: Store) -> None:
    task = asyncio.ensure_future(store.writer.submit(scorer("a")))
    await asyncio.sleep(0)
    task.cancel()
    await store.writer.submit(scorer("b"))
    assert names(store) == ["a", "b"]


async def test_whoever_is_cancelled_while_it_is_written_hears_of_it_and_then_ends(
    store: Store,
) -> None:
    heard = list[int]()

    async def work() -> None:
        for number in range(3):
            heard.append(await store.writer.submit(lambda _, number=number: number))  # type: ignore[misc]

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard == [0]


async def test_whoever_is_cancelled_waits_for_no_slow_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.writer.LATE_S", 0.01)
    slow = threading.Event()
    task = asyncio.create_task(store.writer.submit(lambda _: slow.wait()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    slow.set()


async def test_a_full_disk_reaches_the_waiters_and_writing_goes_on_once_there_is_room(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    kept = await walk(journal, an_item(0))
    pages = await store.writer.submit(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await store.writer.submit(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchone())
    with pytest.raises(StoreError, match="full") as caught:
        await asyncio.gather(*(walk(journal, an_item(number), text="long " * 5000) for number in range(1, 9)))
    assert "space" in caught.value.remedy
    await store.writer.submit(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone())
    assert (await walk(journal, an_item(99))).progress is Progress.DONE
    assert (await journal.take_up(an_item(0), 0)).id == kept.id
    assert store.reader().execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_another_process_that_holds_the_store_is_waited_for(store: Store, path: Path) -> None:
    other = connect(path)
    other.execute("BEGIN IMMEDIATE")
    task = asyncio.ensure_future(store.writer.submit(scorer("late")))
    await asyncio.sleep(0.2)
    assert not task.done()
    other.execute("COMMIT")
    other.close()
    await task
    assert names(store) == ["late"]


async def test_a_persons_answer_waits_for_the_disk_itself(store: Store) -> None:
    def level(db: sqlite3.Connection) -> int:
        found: int = db.execute("PRAGMA synchronous").fetchone()[0]
        return found

    assert await store.writer.submit(level) == 1
    assert await store.writer.submit(level, full=True) == 2
    assert await store.writer.submit(level) == 1


async def test_a_closed_store_writes_what_was_queued_and_then_refuses(path: Path) -> None:
    store = Store.open(path)
    writer = store.writer
    tasks = [asyncio.ensure_future(writer.submit(scorer(str(number)))) for number in range(5)]
    await asyncio.sleep(0)
    store.close()
    await asyncio.gather(*tasks)
    with pytest.raises(StoreError, match="closed"):
        await writer.submit(scorer("late"))
    with pytest.raises(StoreError, match="closed"):
        store.reader()
    store.close()
    with Store.open(path) as again:
        assert len(names(again)) == 5


# -- several processes

PROGRAM = """
import asyncio, sys
from pathlib import Path
from core.records import Progress
from sessions.store import Store
from sessions.journal import StoreJournal
from tests.stored import a_run, a_step, an_item, walk, STEPS

async def main(path, name, first, last):
    with Store.open(Path(path)) as store:
        journal = StoreJournal(store, a_run(store, name))
        async def one(number):
            trajectory = await journal.take_up(an_item(number), 0)
            if trajectory.progress is Progress.DONE:
                return
            for step in STEPS[len(trajectory.steps):]:
                trajectory = await journal.add_step(trajectory, a_step(step))
                print(trajectory.steps[-1].id, flush=True)
            await journal.finish(trajectory, Progress.DONE)
        for start in range(first, last, 8):
            await asyncio.gather(*(one(number) for number in range(start, min(start + 8, last))))

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
"""


def start(path: Path, name: str, first: int, last: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path), name, str(first), str(last)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("other", ["left", "right"], ids=["the same run", "two runs"])
def test_two_processes_write_one_store_at_once(path: Path, other: str) -> None:
    processes = [start(path, "left", 0, 150), start(path, other, 0, 150)]
    for process in processes:
        process.communicate(timeout=120)
    assert [process.returncode for process in processes] == [0, 0]
    with Store.open(path) as store:
        db = store.reader()
        assert [(summary.items, summary.done) for summary in runs(store)] == [(150, 150)] * len({"left", other})
        expected = 450 * len({"left", other})
        assert db.execute("SELECT count(*) FROM steps").fetchone() == (expected,)
        assert db.execute("SELECT count(*) FROM scores").fetchone() == (expected,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_killed_process_loses_no_acknowledged_step_and_the_run_goes_on(path: Path) -> None:
    acknowledged: set[int] = set()
    for _ in range(3):
        process = start(path, "killed", 0, 400)
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if len(lines) == 60:
                break
        os.kill(process.pid, signal.SIGKILL)
        lines += process.stdout.readlines()
        process.wait(10)
        acknowledged |= {int(line) for line in lines if line.endswith("\n")}
        with Store.open(path) as store:
            stored = {row[0] for row in store.reader().execute("SELECT id FROM steps")}
        assert acknowledged <= stored
    last = start(path, "killed", 0, 400)
    rest, _ = last.communicate(timeout=120)
    assert last.returncode == 0
    asked_again = {int(line) for line in rest.split()} & acknowledged
    assert asked_again == set()
    with Store.open(path) as store:
        (summary,) = runs(store)
        assert (summary.done, summary.open, summary.failed) == (400, 0, 0)
        assert store.reader().execute("SELECT count(*) FROM steps").fetchone() == (400 * len(STEPS),)


async def test_a_row_swept_by_another_process_is_made_again(store: Store, path: Path) -> None:
    from sessions.runs import delete_run

    first = StoreJournal(store, a_run(store, "first"))
    await walk(first, an_item(0))
    with Store.open(path) as other:  # its own idea of which prompts exist
        second = StoreJournal(other, a_run(other, "second"))
        await walk(second, an_item(1))
        await asyncio.to_thread(delete_run, other, "second")
        delete_run(other, "first")
    third = StoreJournal(store, a_run(store, "third"))
    trajectory = await third.take_up(an_item(2), 0)
    trajectory = await third.add_step(trajectory, a_step())
    assert store.reader().execute("PRAGMA foreign_key_check").fetchall() == []
    assert (await third.all_on(an_item(2)))[0].steps == trajectory.steps
