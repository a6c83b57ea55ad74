"""A judge behind a server: while a run goes and afterwards, sound, down, talking nonsense, killed."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sessions.grading import grade
from sessions.store import Store
from tests.end_to_end.commands import COMMAND, cells, environment, phoropter
from tests.servers import FaultServer, Received, Reply, fails, says
from tests.voila_data import small_voila_file
from tui.cli import run as run_here

ITEMS = 7
RUN = "voila-ND-l2m-asked"
ANSWER = "The answer is number = two, subject = dogs, action = walking"


def config(home: Path, url: str, **judge: object) -> None:
    """A respondent and a judge at one server, a dollar and two for a million tokens in."""
    lines = []
    for name, price, more in (("asked", 1_000, {}), ("judge", 2_000, judge)):
        fields = {
            "kind": "openai",
            "model": name,
            "base_url": url,
            "attempts": 1,
            "price_in": price,
            "price_out": 0,
            **more,
        }
        lines += [f"[respondents.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in fields.items())]
    (home / "phoropter.toml").write_text("\n".join(lines), encoding="utf-8")


def is_judge(received: Received) -> bool:
    return bool(received.body["model"] == "judge")


def verdicts(received: Received, value: int = 1) -> str:
    schema = received.body["response_format"]["json_schema"]["schema"]
    return json.dumps(dict.fromkeys(schema["required"], value))


def judging(reply: Callable[[Received], Reply]) -> Callable[[Received], Reply]:
    """Ordinary answers from the respondent, and from the judge what ``reply`` says."""
    return lambda received: reply(received) if is_judge(received) else says(ANSWER)


def asked(server: FaultServer, model: str) -> int:
    return sum(body["model"] == model for body in server.bodies)


async def run(home: Path, *arguments: object) -> Any:
    return await asyncio.to_thread(phoropter, home, *arguments)


@dataclass(frozen=True, slots=True)
class Done:
    returncode: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        assert self.returncode == 0, self.stderr
        return json.loads(self.stdout)


Here = Callable[..., Done]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """A command that asks no server, in this process."""
    monkeypatch.chdir(tmp_path)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)

    def command(*arguments: object) -> Done:
        status = run_here([str(argument) for argument in arguments])
        return Done(status, *capsys.readouterr())

    return command


async def test_a_budget_pays_the_judge_too_and_its_end_ends_the_judging_alone(tmp_path: Path) -> None:
    data = small_voila_file(tmp_path, 1, "ND")
    command = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", "asked", "--judge", "judge"]
    async with FaultServer(judging(lambda received: says(verdicts(received)))) as server:
        config(tmp_path, server.url)
        first = await run(tmp_path, *command, "--json")
        assert "$0.066 for it" in first.stderr
        resumed = json.loads((await run(tmp_path, *command, "--budget", "1", "--json")).stdout)
        assert resumed["budget"]["spent"] == pytest.approx(11 * 3 * 3 / 1000)
        config(tmp_path, server.url, price_in=1e9)
        before = asked(server, "judge")
        broke = await run(tmp_path, *command, "--name", "broke", "--fresh", "--budget", "1e6", "--json")
        document = json.loads(broke.stdout)
        assert (broke.returncode, document["finished"], document["stopped"]) == (1, 1, False)
        assert "the budget of $1,000,000.00 is reached" in document["judge"]["stopped"]
        assert (document["judge"]["left"], document["judge"]["judged"]) == (3, 0)
        assert document["budget"]["reached"]
        assert asked(server, "judge") == before


async def test_a_judge_with_a_graders_pseudonym_is_refused_in_a_line(tmp_path: Path, here: Here) -> None:
    data = small_voila_file(tmp_path, 1, "ND")
    command = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", "asked"]
    async with FaultServer(lambda _: says(ANSWER)) as server:
        config(tmp_path, server.url)
        await run(tmp_path, *command)
        with Store.open(tmp_path / "data" / "phoropter" / "phoropter.db") as store:
            grade(store, 1, "judge", 1, 1)
        for refused in (["score", RUN, "--judge", "judge"], [*command, "--judge", "judge", "--name", "other"]):
            done = await run(tmp_path, *refused)
            assert done.returncode == 2
            assert "judge is the pseudonym of somebody who graded steps in this store" in done.stderr
    assert [one["run"] for one in here("runs", "--json").json] == [RUN]


async def test_a_judge_scores_beside_the_rule_and_costs_apart(tmp_path: Path, here: Here) -> None:
    data = small_voila_file(tmp_path, ITEMS, "ND")
    command = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", "asked", "--judge", "judge"]
    async with FaultServer(judging(lambda received: says(f"```json\n{verdicts(received)}\n```"))) as server:
        config(tmp_path, server.url)
        done = await run(tmp_path, *command, "--json")
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert (asked(server, "asked"), asked(server, "judge")) == (3 * ITEMS, 3 * ITEMS)
        assert document["tokens"] == {"prompt": 11 * 3 * ITEMS, "completion": 7 * 3 * ITEMS}
        assert document["tokens"] == document["judge"]["tokens"]
        assert round(document["cost"], 6) == 11 * 3 * ITEMS / 1000
        assert round(document["judge"]["cost"], 6) == 2 * 11 * 3 * ITEMS / 1000
        assert (document["judge"]["judged"], document["judge"]["errors"]) == (3 * ITEMS, 0)
        (by_judge,) = cells(document, scorer="judge", step="apply", property="all")
        (by_rule,) = cells(document, scorer="rule", step="apply", property="all")
        assert (by_judge["accuracy"], by_judge["n"]) == (1.0, ITEMS)
        assert by_rule["right"] < ITEMS
        again = await run(tmp_path, *command)
        assert again.returncode == 0
        assert len(server.bodies) == 6 * ITEMS  # nothing is asked, or judged, twice
        once_more = await run(tmp_path, "score", RUN, "--judge", "judge", "--again")
        assert once_more.returncode == 0
        assert asked(server, "judge") == 6 * ITEMS
    report = here("report", RUN, "--agreement", "judge", "--json").json
    (row,) = [r for r in report["agreement"] if (r["step"], r["property"]) == ("apply", "all")]
    assert (row["n"], row["tp"], row["fp"], row["agree"]) == (
        ITEMS,
        by_rule["right"],
        ITEMS - by_rule["right"],
        row["tp"],
    )
    with sqlite3.connect(tmp_path / "data" / "phoropter" / "phoropter.db") as db:
        purposes = dict(db.execute("SELECT purpose, count(*) FROM calls GROUP BY purpose").fetchall())
    assert purposes == {"answer": 3 * ITEMS, "judge": 6 * ITEMS}


async def test_a_judge_that_is_down_or_babbles_is_named_and_asked_again_later(tmp_path: Path, here: Here) -> None:
    data = small_voila_file(tmp_path, ITEMS, "ND")
    command = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", "asked", "--judge", "judge"]

    def bad(received: Received) -> Reply:
        words = received.messages[-1]["content"]
        if "three images" in words:
            return fails(503)
        return says("Right, I'd say: 1/1") if "fourth image" in words else says(verdicts(received, 0))

    async with FaultServer(judging(bad)) as server:
        config(tmp_path, server.url)
        first = await run(tmp_path, *command)
        assert first.returncode == 1
        assert f"{ITEMS} finished" in first.stderr
        assert f"{ITEMS} answers judged by judge, {2 * ITEMS} judge_error" in first.stderr
        assert f"{ITEMS} x the judge's reply holds no JSON object: " in first.stderr
        assert "HTTP 503" in first.stderr
        assert "judge_error" in here("report").stdout
        document = here("report", "--json").json
        (lost,) = cells(document, scorer="judge", step="apply", property="all")
        assert (lost["n"], lost["accuracy"], lost["judge_errors"]) == (0, None, ITEMS)
        (kept,) = cells(document, scorer="rule", step="apply", property="all")
        assert (kept["n"], kept["judge_errors"]) == (ITEMS, 0)
        still = await run(tmp_path, "score", RUN, "--judge", "judge", "--json")
        assert still.returncode == 1
        failed = json.loads(still.stdout)["judge"]["failed"]
        assert len(failed) == 2 * ITEMS
        assert {entry["status"] for entry in failed} == {"judge_error"}
        server.script = judging(lambda received: says(verdicts(received, 0)))
        mended = await run(tmp_path, "score", RUN, "--judge", "judge", "--json")
        assert mended.returncode == 0
        assert json.loads(mended.stdout)["added"] == 2 * ITEMS
        assert asked(server, "judge") == (3 + 2 + 2) * ITEMS
        server.script = judging(lambda _: fails(401, "no such key"))
        wrong_key = await run(tmp_path, "score", RUN, "--judge", "judge", "--again")
        assert wrong_key.returncode == 1
        assert "no such key" in wrong_key.stderr
        assert f"{3 * ITEMS} not asked about" in wrong_key.stderr
    whole = [cell for cell in here("report", "--json").json["cells"] if cell["scorer"] == "judge"]
    assert all(cell["judge_errors"] == 0 for cell in whole)
    assert {cell["right"] for cell in whole} == {0}


async def test_a_run_and_its_judge_killed_go_on_where_they_were(tmp_path: Path) -> None:
    items, at_once = 30, 4
    data = small_voila_file(tmp_path, items, "ND")
    command = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", "asked", "--judge", "judge"]
    seen: Counter[str] = Counter()
    enough = asyncio.Event()

    async def script(received: Received) -> Reply:
        if not is_judge(received):
            return says(ANSWER + f" ({received.number})")  # so that no two judgements are alike
        seen[str(received.messages)] += 1
        if len(seen) > 20:
            enough.set()
        await asyncio.sleep(0.01)
        return says(verdicts(received))

    async with FaultServer(script) as server:
        config(tmp_path, server.url, concurrency=at_once)
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *map(str, command),
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        await asyncio.wait_for(enough.wait(), 60)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        done = await run(tmp_path, *command, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["finished"] == items
    assert 0 < document["judge"]["judged"] < 3 * items
    (whole,) = cells(document, scorer="judge", step="apply", property="all")
    assert whole["n"] == items
    assert len(seen) >= 3 * items
    assert sum(seen.values()) <= 3 * items + at_once


async def test_an_interrupted_judge_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    data = small_voila_file(tmp_path, ITEMS, "ND")
    await run(tmp_path, "run", "voila:ND", "--data", data, "--respondent", "noisy:0.7", "--name", "mine")
    enough = asyncio.Event()

    def script(received: Received) -> Reply:
        if received.number > 6:
            enough.set()
            return Reply(hang=True)
        return says(verdicts(received))

    async with FaultServer(script) as server:
        config(tmp_path, server.url, concurrency=2)
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *["score", "mine", "--judge", "judge", "--json"],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        await asyncio.wait_for(enough.wait(), 60)
        await asyncio.sleep(0.1)
        process.send_signal(signal.SIGINT)
        output, errors = await asyncio.wait_for(process.communicate(), 10)
        assert process.returncode == 130
        first = json.loads(output)
        assert (first["run"], first["signal"]) == ("mine", signal.SIGINT)
        assert "everything so far is kept" in errors.decode()
        assert "Traceback" not in errors.decode()
        server.script = lambda received: says(verdicts(received))
        rest = json.loads((await run(tmp_path, "score", "mine", "--judge", "judge", "--json")).stdout)
    assert 3 * ITEMS - 6 <= rest["judge"]["judged"] < 3 * ITEMS
    assert first["judge"]["judged"] + rest["judge"]["judged"] == 3 * ITEMS


def test_what_cannot_be_judged_is_refused_in_one_line(here: Here) -> None:
    assert here("run", "voila:ND", "--name", "mine").returncode == 0
    for arguments, why in (
        (["score", "mine", "--judge", "oracle"], "nobody holds the right judgement"),
        (["score", "mine", "--judge", "nobody"], "no respondent"),
        (["score", "mine", "--judge", "random", "--scorer", "rule"], "one scores at a time"),
        (["score", "mine", "--again"], "Add --judge"),
        (["run", "voila:ND", "--judge", "seeing:1"], "answers from the gold"),
        (["report", "--agreement", "gpt"], "There are: rule"),
        (["report", "--agreement", "rule"], "agrees with itself"),
        (["report", "--agreement", "rule", "--by", "rule"], "not broken down"),
        (["report", "--agreement", "rule", "--format", "docx"], "no format"),
    ):
        done = here(*arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert why in done.stderr
        assert len(done.stderr.strip().splitlines()) <= 2, done.stderr


def test_a_baseline_judges_without_a_server_and_the_tables_come_in_all_formats(here: Here) -> None:
    command = ["run", "voila:WD", "--respondent", "seeing:0.8", "--judge", "noisy:0.9", "--limit", "20", "--json"]
    done = here(*command).json
    assert done["judge"]["judged"] == done["steps"]
    shown = here("show", "voila-1").stdout
    assert "noisy:0.9 (version " in shown
    table = here("report", "--agreement", "noisy:0.9").stdout
    assert "TP + TN" in table
    assert "noisy:0.9 against rule" in table
    markdown = here("report", "--agreement", "noisy:0.9", "--format", "md").stdout
    assert "| all (question) |" in markdown
    lines = here("report", "--agreement", "noisy:0.9", "--format", "csv").stdout.splitlines()
    rows = here("report", "--agreement", "noisy:0.9", "--json").json["agreement"]
    assert len(lines) - 1 == len(rows) == 3 * 4
    assert all(row["n"] == row["agree"] + row["fp"] + row["fn"] for row in rows)
    (same,) = [r for r in rows if (r["step"], r["property"]) == ("apply", "number")]
    assert 0.6 <= same["accuracy"] <= 1.0
