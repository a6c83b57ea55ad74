"""What has changed is told from what has not, also where size and time were put back."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import stamps
from core.stamps import Seen, stamp
from tests.changing import overwritten, until_noted


def test_bytes_overwritten_in_place_are_another_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"one")
    before = stamp(file)
    assert before == stamp(str(file))
    overwritten(file, b"one", b"two")
    after = stamp(file)
    assert before is not None
    assert after is not None
    assert after != before
    assert after._replace(changed=before.changed) == before


def test_what_cannot_be_looked_at_has_none(tmp_path: Path) -> None:
    assert [stamp(path) for path in (tmp_path / "none", "a\0b", "\ud800")] == [None] * 3


def test_what_was_seen_is_the_same_until_any_of_it_changes(tmp_path: Path) -> None:
    file, missing, folder = tmp_path / "a", tmp_path / "b", tmp_path / "c"
    file.write_bytes(b"one")
    folder.mkdir()
    for change in (
        lambda: until_noted(file, lambda: file.write_bytes(b"two")),
        missing.touch,
        lambda: until_noted(folder, lambda: (folder / "new").touch() or (folder / "new").rename(folder / "newer")),
    ):
        seen = Seen()
        seen.look(file, str(missing), folder)
        assert seen.same()
        change()
        seen.look(file, missing, folder)  # it is the first look that counts
        assert not seen.same()


def test_of_nothing_and_of_too_much_nobody_can_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamps, "MOST", 2)
    seen = Seen()
    assert not seen
    assert not seen.same()
    seen.look("x", "y", "x")
    assert seen
    assert seen.same()
    seen.look("z", "w")
    assert not seen
    assert not seen.same()
