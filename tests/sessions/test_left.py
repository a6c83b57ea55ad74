"""Where a run was left is there again, in a file that only its owner reads."""

from __future__ import annotations

import stat
from pathlib import Path

from sessions.drafts import Drafts, Place
from sessions.left import LeftAt


def test_the_last_item_of_each_run_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "store.db.left"
    left = LeftAt(file)
    for item in ("voila-1", "voila-2", "voila-\ud800"):
        left.note("run", item)
    left.note("other", "mmra-1")
    left.flush()
    again = LeftAt(file)
    assert (again.item("run"), again.item("other"), again.item("third")) == ("voila-\ud800", "mmra-1", None)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again.note("run", "voila-2")
    again.flush()
    assert LeftAt(file).item("run") == "voila-2"


def test_the_path_and_the_step_are_kept_for_the_item_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "store.db.left"
    left = LeftAt(file)
    left.note("run", "voila-1", 17, 2)
    left.note("run", "voila-2", 0, 1)
    left.flush()
    again = LeftAt(file)
    assert (again.step("run", "voila-2"), again.step("run", "voila-1"), again.step("other", "")) == (
        (0, 1),
        None,
        None,
    )
    Drafts(file).update({Place("run", "", 0, 1): "torn"})
    assert LeftAt(file).step("run", "voila-2") is None


def test_without_a_file_or_a_folder_nothing_is_kept_and_nothing_stops(tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("")
    for file in (None, tmp_path / "no-folder" / "left"):
        left = LeftAt(file)
        left.note("run", "voila-1")
        left.flush()
    assert [path.name for path in tmp_path.iterdir()] == ["no-folder"]
