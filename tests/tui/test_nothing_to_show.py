"""``show`` where there is nothing to show says which of the several reasons it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from sessions import notebook
from sessions.journal import StoreJournal
from sessions.store import Store
from tests.stored import a_run, an_item, walk
from tui.cli.show import show_transcripts


async def test_each_reason_is_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "phoropter.db"
    with Store.open(path) as store:
        full = a_run(store, name="full")
        a_run(store, name="empty", seed=1)
        trajectory = await walk(StoreJournal(store, full), an_item(0))
        notebook.write(store, an_item(7), notebook.Target(), "ann", "looked at")

    def refused(what: str, run: str) -> str:
        with pytest.raises(UsageError) as told:
            show_transcripts(path, None, what, run, raw=False, save=None, save_pictures=None, as_json=False)
        return str(told.value)

    elsewhere = "nothing of it is stored in run empty. It is in full; without --run all are shown"
    assert refused("voila-0", "empty") == f"voila-0: {elsewhere}"
    assert refused(str(trajectory.id), "empty") == f"{trajectory.id}: {elsewhere}"
    assert refused("voila-7", "empty").startswith("voila-7: nothing is stored of this item but what people wrote")
    assert refused("voila-9", "full").startswith("voila-9: the store holds no such item or trajectory. Did you mean")
    show_transcripts(path, None, "voila-0", "full", raw=False, save=None, save_pictures=None, as_json=False)
    assert "of full" in capsys.readouterr().out
