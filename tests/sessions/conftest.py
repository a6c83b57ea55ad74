from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.store import Store
from tests.damaging import fill


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "phoropter.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A small store with all kinds of rows, as a file's bytes, to be damaged."""
    path = tmp_path_factory.mktemp("whole") / "phoropter.db"
    fill(path)
    return path.read_bytes()
