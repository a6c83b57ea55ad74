"""A store where nobody can write, with commits in its log, is read all the same, and it is said how."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from sessions import unwritable
from sessions.doctor import State, examine
from sessions.runs import runs
from sessions.store import Store
from tests.stored import a_run


@pytest.fixture
def stuck(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The run's second name lies in the log alone."""
    place = tmp_path / "stuck" / "phoropter.db"
    place.parent.mkdir()
    with Store.open(path) as store:
        a_run(store, "folded in")
        store.writer.run(lambda db: db.execute("SELECT 1"), full=True)
    with Store.open(path) as store:
        store.write(lambda db: db.execute("UPDATE runs SET name = 'in the log'"))
        for end in ("", "-wal"):
            place.with_name(place.name + end).write_bytes(path.with_name(path.name + end).read_bytes())
            place.with_name(place.name + end).chmod(0o600)
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return place


@pytest.mark.parametrize(("most", "name", "notice"), [(2**30, "in the log", "COPIED"), (0, "folded in", "UNSEEN")])
def test_what_can_be_read_is_read_and_the_truth_is_told(
    stuck: Path, monkeypatch: pytest.MonkeyPatch, most: int, name: str, notice: str
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(unwritable, "MOST", most)
    monkeypatch.setattr(unwritable, "_listeners", [heard.append])
    with Store.open(stuck, create=False, read_only=True) as store:
        assert [each.run.name for each in runs(store)] == [name]
        assert store.path == stuck
    (line,) = heard
    assert line.startswith(f"{stuck}: {getattr(unwritable, notice)}")
    examination = examine(stuck)
    assert examination.sound
    (finding,) = (each for each in examination if each.state is State.WARN)
    assert (finding.check, finding.what) == ("log", getattr(unwritable, notice))
    assert sorted(each.name for each in stuck.parent.iterdir()) == ["phoropter.db", "phoropter.db-wal"]
    assert list(Path(tempfile.gettempdir()).iterdir()) == []


def test_a_store_whose_log_is_empty_or_gone_is_read_where_it_lies(stuck: Path) -> None:
    stuck.with_name("phoropter.db-wal").write_bytes(b"")
    with unwritable.place_of(stuck) as place:
        assert place == unwritable.Place(stuck)
    stuck.with_name("phoropter.db-wal").unlink()
    with unwritable.place_of(stuck) as place:
        assert place == unwritable.Place(stuck)
