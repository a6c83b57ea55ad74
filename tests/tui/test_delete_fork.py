"""``phoropter runs delete-fork``: what the key does, from the shell."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sessions import reading
from sessions.store import Store
from tests.tui.stored import a_file, batch, opened
from tui.cli import run as phoropter


def test_a_fork_is_deleted_from_the_shell_and_a_main_path_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "store.db"

    async def forked() -> tuple[int, int]:
        with Store.open(path) as store:
            state = (await opened(store, await batch(store, a_file(tmp_path, 2)))).stepping
            main = state.current.id
            await state.gold()
            return main, state.current.id

    main, fork = asyncio.run(forked())
    assert phoropter(["runs", "delete-fork", str(main), "--yes", "--store", str(path)]) == 2
    assert "only forks are removed" in capsys.readouterr().err
    assert phoropter(["runs", "delete-fork", str(fork), "--store", str(path)]) == 2
    assert "--yes" in capsys.readouterr().err
    assert phoropter(["runs", "delete-fork", str(fork), "--yes", "--store", str(path)]) == 0
    with Store.open(path) as store:
        assert [t.id for _, t in reading.trajectories_on(store, "voila-1")] == [main]
