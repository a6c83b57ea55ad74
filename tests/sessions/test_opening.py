"""Opening: who may read the file, what is refused, how an older one comes up to date."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import StoreError
from sessions import migrations
from sessions.journal import StoreJournal
from sessions.runs import runs
from sessions.spending import spent_by
from sessions.store import Store
from tests.stored import a_run, an_item, walk

NOW = len(migrations.MIGRATIONS)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_store_log_and_shared_memory_are_readable_by_their_owner_only(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "new folder" / "deeper" / "phoropter.db"
    before = os.umask(umask)
    try:
        with Store.open(path) as store:
            a_run(store)
            found = {file.name: mode(file) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert {"phoropter.db", "phoropter.db-wal", "phoropter.db-shm"} <= set(found)
    assert set(found.values()) == {0o600}
    assert mode(path.parent) == mode(path.parent.parent) == 0o700


def test_a_store_that_others_could_read_is_made_private_when_opened_for_writing(path: Path) -> None:
    Store.open(path).close()
    path.chmod(0o644)
    Store.open(path, read_only=True).close()
    assert mode(path) == 0o644
    Store.open(path).close()
    assert mode(path) == 0o600


@pytest.mark.parametrize("content", [b"item,step\n1,describe\n", b"\x89PNG\r\n\x1a\n" * 300, b"S"])
def test_a_file_that_is_no_database_is_refused_and_not_touched(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o640)
    before = path.stat()
    with pytest.raises(StoreError, match="not a store") as caught:
        Store.open(path)
    assert caught.value.where == str(path)
    assert "--store" in caught.value.remedy
    assert path.read_bytes() == content
    assert (path.stat().st_mtime_ns, mode(path)) == (before.st_mtime_ns, 0o640)
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_database_of_another_program_is_refused_and_keeps_its_journal_mode(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE contacts (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_folder_a_missing_store_and_a_path_through_a_file_are_refused(path: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="folder"):
        Store.open(tmp_path)
    with pytest.raises(StoreError, match="no store here"):
        Store.open(path, create=False)
    with pytest.raises(StoreError, match="no store here"):
        Store.open(path, read_only=True)
    assert not path.exists()
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="not a folder"):
        Store.open(tmp_path / "file" / "phoropter.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store.open(tmp_path / "phoropter.db")
    tmp_path.chmod(0o700)


def test_no_permission_is_said_as_such(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StoreError, match="Permission denied") as caught:
        Store.open(path)
    assert "permission" in caught.value.remedy


def test_a_newer_store_is_refused_with_both_versions(path: Path) -> None:
    Store.open(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=rf"99.* {NOW}") as caught:
        Store.open(path)
    assert "Update" in caught.value.remedy


def test_a_network_file_system_is_refused_with_the_way_round(path: Path) -> None:
    mounts = f"/dev/sda1 / ext4 rw 0 0\nserver:/home {path.parent} nfs4 rw 0 0\n"
    with pytest.raises(StoreError, match="nfs4") as caught:
        Store.open(path, mounts=mounts)
    assert "merge" in caught.value.remedy
    assert not path.exists()


# -- migrations


def extra(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE runs ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'")


def broken(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE half (id INTEGER)")
    raise sqlite3.OperationalError("disk I/O error")


NEXT = (*migrations.MIGRATIONS, ("9998_colour", extra))


async def test_an_older_store_is_migrated_after_a_private_backup(path: Path) -> None:
    with Store.open(path) as store:
        run = a_run(store)
        await walk(StoreJournal(store, run), an_item())
    with Store.open(path, schema=NEXT) as store:
        assert store.reader().execute("SELECT colour FROM runs").fetchall() == [("blue",)]
        assert store.reader().execute("SELECT count(*) FROM steps").fetchone() == (3,)
    backups = list(path.parent.glob(f"phoropter.db.backup-{NOW}-*"))
    assert len(backups) == 1
    assert mode(backups[0]) == 0o600
    with sqlite3.connect(backups[0]) as db:
        assert migrations.version_of(db) == NOW
        assert db.execute("SELECT count(*) FROM steps").fetchone() == (3,)
    Store.open(path, schema=NEXT).close()
    assert len(list(path.parent.glob("*.backup-*Z"))) == 1
    with pytest.raises(StoreError, match="newer"):
        Store.open(path)


async def test_a_store_of_the_first_version_is_brought_up_to_date_and_goes_on(path: Path) -> None:
    with Store.open(path, schema=migrations.MIGRATIONS[:1]) as store:
        await walk(StoreJournal(store, a_run(store)), an_item())
    with Store.open(path) as store:
        assert migrations.version_of(store.reader()) == NOW
        (summary,) = runs(store)
        assert (summary.done, summary.spent) == (1, None)
        assert spent_by(store, summary.run) == (0.0, 0.0)


def _schema(path: Path) -> list[tuple[str, ...]]:
    with sqlite3.connect(path) as db:
        return db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()


def test_a_migrated_store_has_the_schema_of_a_new_one_and_sqlite_utils_knows_all_its_migrations(
    path: Path, tmp_path: Path
) -> None:
    for schema in (migrations.MIGRATIONS[:1], migrations.MIGRATIONS[:3], migrations.MIGRATIONS, NEXT):
        Store.open(path, schema=schema).close()  # the first without it, the others through it
    with sqlite3.connect(path) as db:
        told = db.execute("SELECT migration_set, name FROM _sqlite_migrations ORDER BY id").fetchall()
    assert told == [("phoropter", name) for name, _ in NEXT]
    Store.open(tmp_path / "new.db", schema=NEXT).close()
    assert [row for row in _schema(path) if "_sqlite_migrations" not in row[1]] == _schema(tmp_path / "new.db")


def test_a_migration_that_fails_leaves_the_store_as_it_was(path: Path) -> None:
    Store.open(path).close()
    with pytest.raises(StoreError, match="I/O"):
        Store.open(path, schema=(*NEXT, ("9999_broken", broken)))
    with Store.open(path) as store:
        tables = {row[0] for row in store.reader().execute("SELECT name FROM sqlite_master")}
        assert "half" not in tables
        assert migrations.version_of(store.reader()) == NOW


def test_an_empty_file_is_no_older_store_to_a_reader(path: Path) -> None:
    path.touch()
    with pytest.raises(StoreError, match="there is nothing in this file yet"):
        Store.open(path, read_only=True)
    assert path.read_bytes() == b""


def test_an_older_store_is_not_migrated_by_a_reader(path: Path) -> None:
    Store.open(path).close()
    with pytest.raises(StoreError, match="older schema"):
        Store.open(path, read_only=True, schema=NEXT)


def _open_at_once(path: Path, barrier: object, results: object, newer: bool) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    try:
        with Store.open(path, schema=NEXT if newer else migrations.MIGRATIONS) as store:
            run = a_run(store, f"run {os.getpid()}")
            results.put(run.name)  # type: ignore[attr-defined]
    except BaseException as error:
        results.put(repr(error))  # type: ignore[attr-defined]


@pytest.mark.parametrize("newer", [False, True], ids=["created", "migrated"])
def test_four_processes_open_it_at_once_and_all_succeed(path: Path, newer: bool) -> None:
    if newer:
        Store.open(path).close()
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(4), context.Queue()
    processes = [context.Process(target=_open_at_once, args=(path, barrier, results, newer)) for _ in range(4)]
    for process in processes:
        process.start()
    names = [results.get(timeout=60) for _ in processes]
    for process in processes:
        process.join(30)
    assert all(name.startswith("run ") for name in names), names
    assert len(list(path.parent.glob("*.backup-*Z"))) == int(newer)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM runs").fetchone() == (4,)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_backup_that_fails_leaves_no_half_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sessions import store as module

    Store.open(path).close()
    real = module.connect

    def full(place: Path, **how: bool) -> sqlite3.Connection:
        if ".backup-" in place.name:
            raise sqlite3.OperationalError("database or disk is full")
        return real(place, **how)

    monkeypatch.setattr(module, "connect", full)
    with pytest.raises(StoreError, match="full"):
        Store.open(path, schema=NEXT)
    assert list(path.parent.glob("*.backup-*")) == []
    with sqlite3.connect(path) as db:
        assert migrations.version_of(db) == NOW


@pytest.mark.parametrize("name", ["with space.db", "a?b#c%41.db", "猫.db", "no suffix"])
async def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    with Store.open(tmp_path / name) as store:
        await walk(StoreJournal(store, a_run(store)), an_item())
    assert (tmp_path / name).is_file()
    with Store.open(tmp_path / name, read_only=True) as store:
        assert store.reader().execute("SELECT count(*) FROM steps").fetchone() == (3,)


async def test_a_closed_store_is_one_file(path: Path) -> None:
    with Store.open(path) as store:
        await walk(StoreJournal(store, a_run(store)), an_item())
        store.reader().execute("SELECT count(*) FROM steps").fetchone()
    assert sorted(file.name for file in path.parent.iterdir()) == ["phoropter.db", "phoropter.db.lock"]


# -- reading only, and what is imported


def test_a_store_opened_for_reading_cannot_be_written(path: Path) -> None:
    with Store.open(path) as store:
        a_run(store)
    with Store.open(path, read_only=True) as store:
        assert store.reader().execute("SELECT count(*) FROM runs").fetchone() == (1,)
        with pytest.raises(StoreError, match="reading only"):
            a_run(store)
        with pytest.raises(sqlite3.OperationalError):
            store.reader().execute("DELETE FROM runs")


@pytest.mark.parametrize(("made", "loaded"), [(True, "[]"), (False, "['filelock']")], ids=["up to date", "new"])
def test_a_store_is_made_and_opened_without_sqlite_utils_or_numpy(path: Path, made: bool, loaded: str) -> None:
    if made:
        Store.open(path).close()
    code = (
        "import sys; from pathlib import Path\n"
        "from sessions.store import Store; from sessions import reading, runs, journal, scoring, doctor\n"
        f"store = Store.open(Path({str(path)!r})); runs.runs(store); store.close()\n"
        "print(sorted({'sqlite_utils', 'numpy', 'pandas', 'filelock', 'textual', 'openai', 'pydantic'} &"
        " set(sys.modules)))"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == loaded
