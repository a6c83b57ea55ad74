"""``run --estimate``: a few are asked, what they cost is said, and the rest comes to what was said."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import StoreError
from tests.end_to_end.test_judge import verdicts
from tests.servers import Received, Reply, fails, in_a_thread, says, texts

STEPS = 3
PROBE = 8


def counted(received: Received) -> Reply:
    """An answer whose tokens go with what was asked, as they would."""
    reply = says("two dogs walking" if received.body["model"] == "m" else verdicts(received))
    asked, said = tokens(received)
    return replace(reply, body=reply.body | {"usage": {"prompt_tokens": asked, "completion_tokens": said}})


def tokens(received: Received) -> tuple[int, int]:
    """Of what was asked, without the pictures, and of the answer."""
    asked = len(str(texts(received.messages))) // 4
    return asked, 5 + asked % 11


def configured(home: Path, url: str, **fields: Any) -> None:
    """Two respondents: one answers, one judges."""
    tables = []
    for name, model in (("answers", "m"), ("judges", "j")):
        lines = {"kind": "openai", "model": model, "base_url": url, "price_in": 2.0, "price_out": 10.0}
        lines |= {"picture_tokens": 100, "max_tokens": 50, **fields}
        tables.append("\n".join([f"[respondents.{name}]", *(f"{k} = {json.dumps(v)}" for k, v in lines.items())]))
    (home / "phoropter.toml").write_text("\n".join(tables), encoding="utf-8")


RUN = ("run", "voila:WD", "--respondent", "answers")


def test_the_rest_comes_to_what_the_estimate_said(command: Any, tmp_path: Path) -> None:
    def run(*more: str) -> Any:
        return json.loads(command(*RUN, "--json", *more)[1])

    with in_a_thread(counted) as server:
        configured(tmp_path, server.url, concurrency=4)
        probe = run("--estimate", "--judge", "judges")
        told = probe["estimate"]
        asked = len(server.received)
        items = told["asked_for"]
        assert (told["left"], told["seen"], probe["finished"]) == (items - PROBE, PROBE, PROBE)
        assert told["probe"]["calls"] == asked >= 2 * STEPS * PROBE - PROBE
        assert told["probe"]["tokens"] == sum(sum(tokens(each)) for each in server.received)
        items_asked = {item for (item,) in _items(tmp_path)}
        assert len({int(item.removeprefix("voila-")) * 3 // items for item in items_asked}) >= 3, "all of the first"

        again = run("--estimate", "--judge", "judges")
        assert len(server.received) == asked, "what is stored is enough"
        assert again["estimate"]["probe"]["trajectories"] == 0
        assert again["estimate"]["answers"]["calls"] == told["answers"]["calls"]
        assert (again["trajectories"], again["finished"], again["open"]) == (PROBE, PROBE, 0)

        rest = run("--judge", "judges")
        assert rest["finished"] == items
        answers = [each for each in server.received[asked:] if each.body["model"] == "m"]
        assert len(answers) == told["answers"]["calls"]["value"] == (items - PROBE) * STEPS
        for name in ("prompt", "completion"):
            found = told["answers"]["tokens"][name]
            assert found["low"] * 0.97 <= rest["tokens"][name] <= found["high"] * 1.03
        assert rest["cost"] == pytest.approx(told["answers"]["cost"]["value"], rel=0.1)
        assert rest["judge"]["cost"] == pytest.approx(told["judge"]["cost"]["value"], rel=0.1)
        assert told["cost"] == pytest.approx(told["answers"]["cost"]["value"] + told["judge"]["cost"]["value"])


def _items(home: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(home / "phoropter" / "phoropter.db")) as db:
        return db.execute("SELECT i.key FROM trajectories AS t JOIN items AS i ON i.id = t.item").fetchall()


def test_the_estimate_for_a_person(command: Any, tmp_path: Path) -> None:
    with in_a_thread(counted) as server:
        configured(tmp_path, server.url, requests_per_minute=6000)
        status, out, err = command(*RUN, "--estimate", "--budget", "0.9")
    assert status == 0, err
    for words in (
        "38 trajectories, 30 of them still to be asked",
        "8 trajectories asked now, and kept: 24 calls",
        "two standard errors",
        "calls       90",
        "budget",
        "fits into $0.90",
    ):
        assert words in out


@pytest.mark.parametrize(
    "more", [("--via", "batch"), ("--dry-run",), ("--respondent", "random"), ("--on", "processes:2")]
)
def test_what_an_estimate_does_not_go_with(more: tuple[str, ...], command: Any, tmp_path: Path) -> None:
    status, _, err = command("run", "voila:WD", "--respondent", "oracle", "--estimate", *more)
    assert status == 2
    assert "--estimate" in err
    assert not (tmp_path / "phoropter").exists()


def test_where_nothing_comes_to_its_end_there_is_no_estimate(command: Any, tmp_path: Path) -> None:
    with in_a_thread(lambda _: fails(413, "too large for anything")) as server:
        configured(tmp_path, server.url, attempts=1)
        status, out, err = command(*RUN, "--estimate")
    assert status == 1
    assert "no estimate" in out
    assert "too large for anything" in err


def test_scoring_that_an_error_ends_says_how_far_it_came(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document, the error in it, and the error's own line and status."""
    with in_a_thread(counted) as server:
        configured(tmp_path, server.url)
        assert command("run", "voila:WD", "--respondent", "oracle", "--limit", "2")[0] == 0

        def full(*_: object) -> None:
            raise StoreError("nothing could be written: database or disk is full", where="/q.db")

        monkeypatch.setattr("sessions.judging.Judging.run", full)
        status, out, err = command("score", "voila-WD-l2m-oracle", "--judge", "judges", "--json")
    assert status == 2
    found = json.loads(out)
    assert (found["steps"], found["signal"]) == (0, None)
    assert found["stopped_by"] == "/q.db: nothing could be written: database or disk is full"
    assert found["stopped_by"] in err
