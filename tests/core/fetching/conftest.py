"""A user's data folder of its own, no network, and what was told."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from core.fetching.fetching import Fetched, Wanted, fetch


class Asking:
    """Fetches as the command does and keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, benchmark: str, source: Path | None = None, **more: object) -> Fetched:
        return fetch(Wanted(benchmark, source, **more), self.told.append, lambda *_: None)  # type: ignore[arg-type]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))
    return tmp_path / "home" / "data" / "phoropter" / "benchmarks"


@pytest.fixture
def asking(home: Path) -> Asking:
    return Asking()


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a fetch from a source at hand touched the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
