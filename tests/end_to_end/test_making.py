"""Each pipeline from pictures to a set that loads, against a server that fails now and then, killed midway."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.end_to_end.commands import COMMAND, ROOT, cells
from tests.making import chain, chains_file, everybody, serving, words_of
from tests.servers import FaultServer, Received, Reply

Run = Callable[..., Any]


@pytest.fixture
def told(command: Any) -> Run:
    """Runs a command and gives its document, or (not ``document``) what it said."""

    def call(*arguments: object, status: int = 0, document: bool = True) -> Any:
        code, out, err = command(*map(str, arguments), *(["--json"] if document else []))
        assert code == status, err
        assert "Traceback" not in err
        return json.loads(out) if document and out.strip() else err

    return call


def configure(home: Path, url: str) -> None:
    (home / "phoropter.toml").write_text(
        f'[respondents.llm]\nkind = "openai"\nmodel = "m"\nbase_url = "{url}"\nconcurrency = 2\nattempts = 4\n'
        f'[respondents.painter]\nkind = "openai-images"\nmodel = "p"\nbase_url = "{url}"\nconcurrency = 2\n'
        'size = "1024x1024"\nattempts = 4\n',
        encoding="utf-8",
    )


def killed_at(
    home: Path, server: FaultServer, after: int, arguments: list[object], number: int = signal.SIGKILL
) -> tuple[int, bytes]:
    """Run a command, let the server fall silent after so many answers, and end it there by that signal; its exit
    status and what it put out."""
    silent = asyncio.Event()

    async def script(received: Received) -> Reply:
        if received.number > after:
            silent.set()
            await received.left.wait()
        return everybody(received)

    server.script = script
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # the home that the fixture set
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not silent.is_set() and process.poll() is None:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.05)
        assert process.poll() is None, "it ended before it was killed"
    finally:
        process.send_signal(number)
        out = process.communicate()[0]
    server.script = everybody
    return process.returncode, out


def answered(server: FaultServer) -> list[Received]:
    """The requests that no fault met."""
    return [received for received in server.received if received.number % 7 != 3]


def asked_twice(server: FaultServer) -> int:
    """How many requests were answered more often than once."""
    counts = Counter(json.dumps(received.body, sort_keys=True) for received in answered(server))
    return sum(count - 1 for count in counts.values())


def review(told: Run, run: str, who: str, home: Path, **other: dict[str, str]) -> int:
    """Accept what waits for this reviewer, but for the items named in ``other``. Returns how many waited."""
    waiting = told("make", "review", run, "--reviewer", who)["waiting"]
    accept = {"verdict": "accept"}
    lines = [{"item": one["item"], **other.get(one["item"].replace("-", "_"), accept)} for one in waiting]
    file = home / f"{who}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    kept = told("make", "review", run, "--reviewer", who, "--verdicts", file)
    assert (kept["kept"], kept["left"]) == (len(lines), 0)
    return len(lines)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FaultServer]:
    with serving(everybody) as served:
        configure(tmp_path, served.url)
        yield served


def test_a_pipeline_that_a_signal_ends_gives_its_document(tmp_path: Path, server: FaultServer) -> None:
    chains = chains_file(tmp_path / "in", [chain(number, 1) for number in range(1, 4)])
    make = ["make", "vrex", chains, "--respondent", "llm", "--confuser", "llm", "--judge", "llm", "--json"]
    status, out = killed_at(tmp_path, server, 2, make, signal.SIGTERM)
    document = json.loads(out)
    assert (status, document["signal"]) == (128 + signal.SIGTERM, signal.SIGTERM)
    assert (document["run"], document["so_far"]["trajectories"]) == (document["so_far"]["run"], 3)


def test_vrex_from_gold_chains_to_a_set_that_the_oracle_solves(
    tmp_path: Path, told: Run, server: FaultServer
) -> None:
    chains = chains_file(tmp_path / "in", [chain(number, 1 + number % 2) for number in range(1, 5)])
    make = ["make", "vrex", chains, "--respondent", "llm", "--confuser", "llm", "--judge", "llm", "--seed", "3"]
    make += ["--selector", "random", "--out", tmp_path / "set", "--licence", "CC0-1.0"]
    killed_at(tmp_path, server, 11, make)
    document = told(*make)
    assert document["waiting"] == {"review.1": 4}
    assert asked_twice(server) <= 2, "only what was in flight is asked again"
    asked = len(server.received)
    assert review(told, document["run"], "R1", tmp_path, c_02={"verdict": "reject", "reason": "dull"}) == 4
    assert told(*make)["waiting"] == {"review.2": 3}
    assert review(told, document["run"], "R2", tmp_path) == 3
    done = told(*make)
    assert done["counts"] == {"accepted": 3, "rejected": 1, "edited": 0}
    assert done["rejected"] == {"c-02": "dull"}
    assert len(server.received) == asked, "reviews ask no model"
    card = json.loads((tmp_path / "set" / "card.json").read_text(encoding="utf-8"))
    assert card["reviewers"] == {"review.1": ["R1"], "review.2": ["R2"]}
    assert (card["seed"], card["licence"], card["counts"]["items"]) == (3, "CC0-1.0", 3)
    assert card["respondents"]["default"]["name"] == "llm"
    assert {"make-vrex.step_1", "make-vrex.chain_2"} <= set(card["prompts"])
    assert server.url not in json.dumps(card)
    for protocol in ("planning", "following"):
        solved = told("run", "vrex", "--data", tmp_path / "set", "--protocol", protocol, "--respondent", "oracle")
        assert {cell["accuracy"] for cell in solved["cells"]} == {1.0}
    assert "not empty" in told(*make, status=2)
    # every step can be looked at, and forked, as any other run's
    shown = told("show", "c-01", "--run", document["run"])
    steps = [step["step"] for step in shown["trajectories"][0]["steps"]]
    assert steps[:3] == ["step.1", "step.1.again", "step.2"]
    assert steps[-2:] == ["review.1", "review.2"]


def test_mmra_from_a_folder_of_pictures_to_a_set_without_leaks(
    tmp_path: Path, told: Run, server: FaultServer
) -> None:
    (tmp_path / "pictures").mkdir()
    for number in range(6):
        Image.new("RGB", (24, 24), (40 * number, 9, 9)).save(tmp_path / "pictures" / f"p{number}.png")
    make = ["make", "mmra", tmp_path / "pictures", "--captioner", "llm", "--annotator", "llm"]
    make += ["--text-only", "random", "--each", "8", "--subtask", "UsageSimilarity", "--out", tmp_path / "set"]
    killed_at(tmp_path, server, 12, make)
    document = told(*make)
    assert document["waiting"] == {"review.1": 8}
    assert asked_twice(server) <= 2 + 5, "only what was in flight; six pictures have one caption between them"
    assert review(told, document["run"], "R1", tmp_path) == 8
    leaky = told(*make)
    assert {flag["guesser"] for flag in leaky["leakage"]["flagged"]} >= {"the longest option"}
    assert leaky["waiting"] == {"review.2": 8}
    again = [words for received in server.received if "can be answered without" in (words := words_of(received))]
    assert "right in 8 of 8 (US; chance is 25%)" in again[0]
    assert review(told, document["run"], "R1", tmp_path) == 8
    done = told(*make)
    assert done["leakage"]["flagged"] == []
    assert done["counts"] == {"accepted": 8, "edited": 0}
    card = json.loads((tmp_path / "set" / "card.json").read_text(encoding="utf-8"))
    assert card["reviewers"] == {"review.1": ["R1"], "review.2": ["R1"]}
    assert card["similarity"]["least"] == 0.5
    assert card["subtasks"] == {"US": 8}
    solved = told("run", "mmra", "--data", tmp_path / "set", "--respondent", "oracle")
    assert {cell["accuracy"] for cell in solved["cells"]} == {1.0}
    assert told("make", "leakage", tmp_path / "set")["flagged"] == []


def three_pictures(folder: Path) -> Path:
    folder.mkdir()
    for number in range(3):
        Image.new("RGB", (24, 24), (40 * number, 9, 9)).save(folder / f"p{number}.png")
    return folder


def captioned(folder: Path) -> Path:
    captions = [{"picture": f"p{n}.png", "text": "A red car stands in a city street."} for n in range(3)]
    (folder / "descriptions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in captions), encoding="utf-8")
    return folder


def test_a_set_of_which_nothing_is_left_is_no_success(tmp_path: Path, told: Run) -> None:
    folder = captioned(three_pictures(tmp_path / "pictures"))
    make = ["make", "mmra", folder, "--each", "2", "--subtask", "Env", "--out", tmp_path / "set"]
    done = told(*make, "--annotator", "random", status=1)
    assert done["counts"] == {"rejected": 2, "edited": 0}
    assert done["file"] is None
    assert not (tmp_path / "set").exists()


def test_a_person_annotates_and_another_reviews(tmp_path: Path, told: Run) -> None:
    folder = three_pictures(tmp_path / "pictures")
    make = ["make", "mmra", folder, "--each", "2", "--subtask", "Env", "--out", tmp_path / "set"]
    assert "3 pictures have no caption" in told(*make, status=2, document=False)
    captioned(folder)
    document = told(*make)
    assert document["waiting"] == {"annotate.1": 2}
    written = "question: Are both in a city?\nright: Yes\n"
    (tmp_path / "v.jsonl").write_text(
        json.dumps({"item": "env-001", "verdict": "edit", "text": written})
        + "\n"
        + json.dumps({"item": "env-002", "verdict": "reject", "reason": "nothing in common"}),
        encoding="utf-8",
    )
    kept = told("make", "review", document["run"], "--reviewer", "P1", "--verdicts", tmp_path / "v.jsonl")
    assert kept["kept"] == 2
    assert told("make", "review", document["run"], "--reviewer", "P1", "--pictures", folder)["waiting"] == []
    elsewhere = ("--reviewer", "P2", "--pictures", "nowhere")
    refused = told("make", "review", document["run"], *elsewhere, status=2, document=False)
    assert "there is no such folder of pictures" in refused
    (waiting,) = told("make", "review", document["run"], "--reviewer", "P2")["waiting"]
    assert waiting["text"] == "question: Are both in a city?\nright: Yes"
    assert review(told, document["run"], "P2", tmp_path) == 1
    done = told(*make)
    assert done["counts"] == {"accepted": 1, "rejected": 1, "edited": 0}
    card = json.loads((tmp_path / "set" / "card.json").read_text(encoding="utf-8"))
    assert card["reviewers"] == {"annotate.1": ["P1"], "review.1": ["P2"]}
    solved = told("run", "mmra", "--data", tmp_path / "set", "--respondent", "oracle")
    assert {cell["accuracy"] for cell in solved["cells"]} == {1.0}


def test_voila_with_pictures_of_a_maker_judged_and_picked(tmp_path: Path, told: Run, server: FaultServer) -> None:
    make = ["make", "voila", "--maker", "painter", "--judge", "llm", "--subset", "ND", "--count", "7", "--needed"]
    make += ["--made", "3", "--kept", "2", "--out", tmp_path / "set"]
    killed_at(tmp_path, server, 20, make)
    document = told(*make)
    contents = document["waiting"]["review.1"] // 3
    painted = [words_of(received) for received in answered(server) if "prompt" in received.body]
    again = sum(Counter(painted).values()) - 3 * contents
    assert 0 <= again <= 2, "three of each, and again only what was broken off"
    assert all(words[0].isupper() for words in painted)
    waiting = told("make", "review", document["run"], "--reviewer", "R1")["waiting"]
    assert waiting[0]["notes"] == ["llm judged: number right, subject right, action right"]
    first = waiting[0]["item"]
    assert [one["repeat"] for one in waiting[:3]] == [0, 1, 2]
    lines = [
        {"item": one["item"], "repeat": one["repeat"], "verdict": "accept"}
        | ({"verdict": "reject"} if (one["item"], one["repeat"]) == (first, 0) else {})
        for one in waiting
    ]
    (tmp_path / "v.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    kept = told("make", "review", document["run"], "--reviewer", "R1", "--verdicts", tmp_path / "v.jsonl")
    assert (kept["kept"], kept["left"]) == (2 * contents + 1, 0)
    done = told(*make)
    assert done["counts"]["accepted"] == 2 * contents
    card = json.loads((tmp_path / "set" / "card.json").read_text(encoding="utf-8"))
    assert card["counts"]["contents with 2 kept"] == contents
    assert card["respondents"]["judge"]["name"] == "llm"
    assert card["respondents"]["default"]["parameters"]["size"] == "1024x1024"
    solved = told("run", "voila:ND", "--data", tmp_path / "set", "--respondent", "oracle")
    assert {cell["accuracy"] for cell in cells(solved, property="all")} == {1.0}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("vrex", "none.jsonl", "--respondent", "oracle"), "none.jsonl"),
        (("mmra", "nowhere", "--out", "set"), "there is no such folder of pictures"),
        (("mmra", "nowhere"), "where to?"),
        (("voila", "--maker", "oracle"), "where to?"),
        (("voila", "--maker", "replay:x", "--out", "set"), "replay:x"),
        (("voila", "--maker", "random", "--out", "set", "--kept", "31"), "more cannot be kept than are made"),
        (("review", "none", "--reviewer", "R1"), "there is no store here"),
        (("leakage", "none.json"), "there is no such file"),
    ],
)
def test_bad_making_gets_one_line(told: Run, arguments: tuple[str, ...], says: str) -> None:
    assert says in told("make", *arguments, status=2, document=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("items", "make-vrex"),
        ("run", "make-mmra"),
        ("demo", "make-voila"),
        ("respondents", "check", "oracle", "--for", "make-vrex"),
        ("study", "new", "x.toml", "--benchmark", "make-vrex"),
        ("run", "vrex", "--respondent", "people"),
    ],
)
def test_a_pipeline_is_no_benchmark_to_be_tested_on(told: Run, arguments: tuple[str, ...]) -> None:
    said = told(*arguments, status=2, document=False)
    assert "and no benchmark" in said or "people answer in a study" in said
