"""``--on``, ``--workers`` and ``--shard`` in the words of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.config import Config
from core.errors import UsageError
from core.planning import Request, prepare
from core.selection import Filter
from sessions.extents import asked_for
from sessions.store import Store
from tui.cli import options
from tui.cli import run as phoropter
from tui.cli.elsewhere import On


@pytest.mark.parametrize(
    ("text", "workers", "meant"),
    [
        ("", 0, ("", "", 0)),
        ("processes", 0, ("processes", "", 0)),
        ("processes", 3, ("processes", "", 3)),
        ("processes:12", 0, ("processes", "", 12)),
        ("ray", 2, ("ray", "", 2)),
        ("ray:auto", 0, ("ray", "auto", 0)),
        ("ray:head.cluster:6379", 0, ("ray", "head.cluster:6379", 0)),
    ],
)
def test_where_a_run_goes(text: str, workers: int, meant: tuple[str, str, int]) -> None:
    on = On.of(text, workers)
    assert (on.kind, on.address, on.workers) == meant


@pytest.mark.parametrize(
    ("text", "workers", "what"),
    [
        ("processes:none", 0, "that is no number of processes"),
        ("processes:0", 0, "that is no number of processes"),
        ("processes:5000", 0, "that is no number of processes"),
        ("processes:²", 0, "that is no number of processes"),
        ("processes:2", 2, "that is no number of processes"),
        ("processes:", 0, "nothing runs there"),
        ("ray:", 0, "nothing runs there"),
        ("somewhere", 0, "nothing runs there"),
        ("", 2, "workers are somewhere else"),
        ("ray:ray://head:10001", 0, "a driver outside of the cluster is too far away"),
    ],
)
def test_what_is_nowhere(text: str, workers: int, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        On.of(text, workers)


def test_batches_of_a_server_go_nowhere_else() -> None:
    with pytest.raises(UsageError, match="nothing of it can run elsewhere"):
        On.of("processes:2").refuse_others(batched=True)
    On().refuse_others(batched=True)


@pytest.mark.parametrize("text", ["4/3", "0/3", "1", "/", "1/0", "-1/3", "1/3/3", "¹/3", "1/99999999"])
def test_what_is_no_part(text: str) -> None:
    with pytest.raises(UsageError, match="that is no part of the items"):
        options.shard(text)


def test_parts_are_the_whole_and_no_part_of_the_identity() -> None:
    def chosen(shard: str, **more: Any) -> list[str]:
        filtered = Filter(**{"where": {}, **more}, shard=options.shard(shard))
        assert filtered.to_json() == Filter(**{"where": {}, **more}).to_json()
        made = prepare(Request("voila:ND", filter=filtered), Config())
        assert len(made.selection) == len(list(made.selection))
        return [item.id for item in made.selection]

    whole = chosen("")
    parts = [chosen(f"{part}/4") for part in range(1, 5)]
    assert sorted(item for part in parts for item in part) == sorted(whole)
    assert parts[1] == whole[1::4]
    assert chosen("2/2", limit=5) == whole[:5][1::2]
    assert chosen("15/15") == []
    with pytest.raises(UsageError, match="no item"):
        chosen("1/2", where={"id": ("voila-99",)})


def test_parts_in_stores_of_their_own_are_merged_to_the_whole(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))

    def ran(store: str, *more: str) -> Any:
        run = ["run", "voila:ND", "--respondent", "seeing:0.7", "--store", str(tmp_path / store), "--json", *more]
        capfd.readouterr()
        assert phoropter(run) == 0
        return json.loads(capfd.readouterr().out)

    assert [ran(f"{part}.db", "--shard", f"{part}/3")["trajectories"] for part in (1, 2, 3)] == [5, 5, 4]
    with Store.open(tmp_path / "2.db", read_only=True) as second:
        assert asked_for(second.reader()) == {1: 5}
    for part in ("2.db", "3.db"):
        assert phoropter(["merge", str(tmp_path / "1.db"), str(tmp_path / part)]) == 0
    with Store.open(tmp_path / "1.db", read_only=True) as first:
        assert asked_for(first.reader()) == {1: 14}, "the parts together"
    nothing = ran("15.db", "--shard", "15/15")
    assert (nothing["trajectories"], nothing["finished"], nothing["cells"]) == (0, 0, [])
    for more in ([], ["--dry-run"], ["--estimate"], ["--on", "processes:2"]):
        assert phoropter(["run", "voila:ND", "--respondent", "random", "--shard", "15/15", *more]) == 0
        assert "none for this one; nothing is to be done" in capfd.readouterr().err
    assert phoropter(["merge", str(tmp_path / "1.db"), str(tmp_path / "15.db")]) == 0
    merged, plain = ran("1.db"), ran("plain.db")
    assert (merged["finished"], merged["steps"]) == (14, 0)
    assert merged["cells"] == plain["cells"]
