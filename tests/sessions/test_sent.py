"""Pictures of a stored run that lie in another folder now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.benchmarks.folders import Inside
from core.errors import PictureError
from core.pictures import NotAtHandError
from core.records import Item, Picture, Show
from sessions import sent
from sessions.sent import StoredPictures
from sessions.store import Store
from tests.stored import a_run

ONE = Show((0,))


def painted(path: Path, colour: str) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (4, 4), colour).save(path)
    return path.read_bytes()


@pytest.fixture
def pictures(store: Store, tmp_path: Path) -> StoredPictures:
    (tmp_path / "new").mkdir()
    return StoredPictures(store, a_run(store).id, folder=tmp_path / "new")


@pytest.fixture
def item(tmp_path: Path) -> Item:
    """Its picture lay in ``old/sub``."""
    return Item("voila", "ND", "1", (Picture("sub/a.png", str(tmp_path / "old" / "sub" / "a.png")),), {}, {})


def test_a_picture_that_was_found_is_not_looked_for_again(
    pictures: StoredPictures, item: Item, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = painted(tmp_path / "new" / "a.png", "red")
    with pytest.raises(NotAtHandError):
        pictures.sent(item, ONE, load=False)
    found = pictures.sent(item, ONE)
    assert found.data == new

    def looks(*_: Any) -> bool:
        raise AssertionError

    monkeypatch.setattr(Inside, "named", looks)
    monkeypatch.setattr(Inside, "holds", looks)
    monkeypatch.setattr(sent.os.path, "isfile", looks)
    assert pictures.sent(item, ONE, load=False) is found
    shown = Show((0,), source=item.pictures)
    assert pictures.sent(item, shown, load=False) is found


def test_a_picture_that_was_not_found_is_looked_for_where_it_is_loaded_alone(
    pictures: StoredPictures, item: Item, tmp_path: Path
) -> None:
    old = painted(Path(item.pictures[0].path), "red")
    found = pictures.sent(item, ONE)
    assert found.data == old
    new = painted(tmp_path / "new" / "sub" / "a.png", "blue")
    assert pictures.sent(item, ONE, load=False) is found
    assert pictures.sent(item, ONE).data == new


def test_the_name_alone_decides_and_a_file_that_is_gone_is_looked_for_elsewhere(
    pictures: StoredPictures, item: Item, tmp_path: Path
) -> None:
    painted(Path(item.pictures[0].path), "red")
    first, second = tmp_path / "new" / "sub" / "a.png", tmp_path / "new" / "a.png"
    blue, green = painted(first, "blue"), painted(second, "green")
    assert pictures.sent(item, ONE).data == blue
    first.unlink()
    with pytest.raises(NotAtHandError):
        pictures.sent(item, ONE, load=False)
    assert pictures.sent(item, ONE).data == green


def test_a_file_that_has_become_a_link_out_of_the_folder_is_not_shown(
    pictures: StoredPictures, item: Item, tmp_path: Path
) -> None:
    file = tmp_path / "new" / "sub" / "a.png"
    blue = painted(file, "blue")
    assert pictures.sent(item, ONE).data == blue
    painted(tmp_path / "secret.png", "black")
    file.unlink()
    file.symlink_to(tmp_path / "secret.png")
    with pytest.raises(PictureError, match="old"):
        pictures.sent(item, ONE)
