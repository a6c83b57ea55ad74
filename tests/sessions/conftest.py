from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "phoropter.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened
