"""Whatever a shell, a pipe or a file does to a command: one message, a status of the contract, never a traceback."""

from __future__ import annotations

import json
import os
import shlex
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.end_to_end.commands import COMMAND, environment, phoropter, told

RUN = ("run", "voila:WD", "--respondent", "oracle", "--limit", "4")
NOISE = ("Traceback", "Exception ignored", "fault of Phoropter")
BAD = os.fsdecode(b"\xff")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run, and the run of a replay that holds what no encoding has."""
    folder = tmp_path_factory.mktemp("home")
    assert phoropter(folder, *RUN, "--name", "mine").returncode == 0
    replies = [
        {"item": f"voila-{number}", "step": step, "text": "\ud800 \x1b[31mred\x1b[0m \x9b31m caf\u00e9 \u202e"}
        for number in range(1, 15)
        for step in ("describe", "relate", "apply")
    ]
    (folder / "odd.jsonl").write_text("\n".join(map(json.dumps, replies)), encoding="ascii")
    done = phoropter(folder, "run", "voila:WD", "--respondent", "replay:odd.jsonl", "--name", "odd", "--limit", "2")
    assert done.returncode == 0, done.stderr
    return folder


def shell(home: Path, line: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """A line of bash in which P is the command; ``${PIPESTATUS[0]}`` is its exit status."""
    program = f'P() {{ {shlex.join(COMMAND)} "$@"; }}\n{line}'
    return subprocess.run(
        ["bash", "-c", program],
        cwd=home,
        env=environment(home, **more),
        capture_output=True,
        timeout=120,
        check=False,
    )


def names_in(home: Path) -> list[str]:
    """The names of the runs in the store."""
    with closing(sqlite3.connect(home / "data" / "phoropter" / "phoropter.db")) as db:
        return [name for (name,) in db.execute("SELECT name FROM runs ORDER BY id")]


def quiet(done: subprocess.CompletedProcess[str] | subprocess.CompletedProcess[bytes]) -> str:
    """stderr, which holds no traceback."""
    text = done.stderr if isinstance(done.stderr, str) else done.stderr.decode("utf-8", "backslashreplace")
    assert not [word for word in NOISE if word in text], text
    return text


# -- readers and streams


@pytest.mark.parametrize(
    "command",
    [
        "report",
        "report --json",
        "report --published voila",
        "show voila-3",
        "show voila-3 --run mine --json",
        "runs",
        "items voila:WD",
        "items voila:WD --json",
        "--help",
        "respondents",
        "doctor --json",
    ],
)
@pytest.mark.parametrize("reader", ["head -c 1 >/dev/null", "true"])
def test_a_reader_that_goes_away_ends_quietly(home: Path, command: str, reader: str) -> None:
    done = shell(home, f"P {command} | {reader}; exit ${{PIPESTATUS[0]}}")
    assert done.returncode == 0, done.stderr
    told_ = quiet(done)
    assert "rror" not in told_
    assert "Broken" not in told_


def test_a_run_whose_reader_goes_away_is_run_to_its_end(home: Path) -> None:
    done = shell(home, "P run voila:ND --respondent random --name gone | true; exit ${PIPESTATUS[0]}")
    assert done.returncode == 0, done.stderr
    assert "14 finished" in quiet(done)


def test_a_run_with_failures_says_so_to_whoever_stopped_reading(home: Path) -> None:
    (home / "short.jsonl").write_text('{"item": "voila-1", "step": "describe", "text": "x"}\n', encoding="utf-8")
    done = shell(home, "P run voila:WD --respondent replay:short.jsonl --limit 2 | true; exit ${PIPESTATUS[0]}")
    assert done.returncode == 1
    quiet(done)


@pytest.mark.parametrize("command", ["report", "report --json", "show voila-3", "runs", "run voila:WD --limit 1"])
def test_a_full_disk_is_one_message_and_status_2(home: Path, command: str) -> None:
    done = shell(home, f"P {command} > /dev/full")
    assert done.returncode == 2
    assert "could not be written (No space left on device)" in quiet(done)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["report", "run voila:WD --limit 3 --json", "show voila-3", "doctor --json"])
def test_closed_streams_are_no_fault(home: Path, command: str, closed: str) -> None:
    done = shell(home, f"P {command} {closed}")
    assert done.returncode == 0, done.stderr
    quiet(done)
    assert phoropter(home, "doctor").returncode == 0


def test_a_full_or_gone_stderr_loses_messages_alone(home: Path) -> None:
    assert shell(home, "P run voila:WD --limit 3 --json 2> /dev/full").returncode == 0
    assert shell(home, "P report nothing 2> /dev/full").returncode == 2
    done = shell(home, "P run voila:WD --limit 3 --json 2>&1 >/dev/null | true; exit ${PIPESTATUS[0]}")
    assert done.returncode == 0


@pytest.mark.parametrize(
    "command", ["show voila-3", "show voila-1 --run odd --json", "report", "runs", "items voila:WD"]
)
def test_ascii_is_enough(home: Path, command: str) -> None:
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = shell(home, f"P {command}", **plain)
    assert done.returncode == 0, done.stderr
    quiet(done)
    assert done.stdout.isascii()


def test_what_others_wrote_is_inert(home: Path) -> None:
    for command in ("show voila-1 --run odd", "show voila-1 --run odd --json", "report odd --format csv"):
        done = shell(home, f"P {command}")
        assert done.returncode == 0, done.stderr
        text = done.stdout.decode("utf-8")
        assert not set(text) & {"\x1b", "\x9b", "\u202e", "\r"}
    (trajectory,) = told(home, "show", "voila-1", "--run", "odd")["trajectories"]
    assert trajectory["steps"][0]["text"].startswith("\ud800 \x1b[31mred")


def test_a_dry_run_and_csv_are_inert(home: Path) -> None:
    words = '[voila]\n"describe" = "Look \\u001b[2J \\u009b5m here"\n'
    (home / "loud.toml").write_text(words, encoding="utf-8")
    done = phoropter(home, "run", "voila:WD", "--dry-run", "--prompts", "loud.toml")
    assert done.returncode == 0, done.stderr
    assert "␛[2J" in done.stdout
    assert not set(done.stdout + done.stderr) & {"\x1b", "\x9b"}


def test_a_wrong_argument_is_told_inert(home: Path) -> None:
    done = phoropter(home, "run", "voila:WD", "--limit", "\x1b[2Jx" + "9" * 5000)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert len(done.stderr) < 2000


def test_a_removed_working_folder(home: Path) -> None:
    line = "mkdir gone && cd gone && rmdir ../gone && "
    code = "from tui.cli import main; main()"
    program = f"{shlex.quote(sys.executable)} -P -c {shlex.quote(code)}"
    for command, status in (("report", 0), ("run voila:WD --limit 1", 0), ("runs", 0), ("doctor", 0)):
        done = shell(home, f"{line} {program} {command}")
        assert done.returncode == status, done.stderr
        quiet(done)
    done = shell(home, f"{line} {program} run voila:WD --data x.csv")
    assert done.returncode == 2
    assert "the working folder is gone" in quiet(done)


def test_an_unexpected_fault_is_one_line_and_its_traceback_can_be_had(home: Path) -> None:
    code = (
        "import sys, tui.cli.runs as r\n"
        "def broken(*_, **__): raise ValueError('odd\\x1b thing')\n"
        "r.list_runs = broken\n"
        "from tui.cli import run\nsys.exit(run(['runs']))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code], cwd=home, env=environment(home), capture_output=True, text=True, check=False
    )
    assert plain.returncode == 2
    assert plain.stderr.count("\n") == 1
    assert "please report it" in plain.stderr
    assert "Traceback" not in plain.stderr
    loud = subprocess.run(
        [sys.executable, "-c", code],
        cwd=home,
        env=environment(home, PHOROPTER_DEBUG="1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" in loud.stderr


# -- numbers, names and paths

NINES = "9" * 40


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "voila:WD", "--limit", NINES],
        ["run", "voila:WD", "--limit", "-1"],
        ["run", "voila:WD", "--sample", NINES],
        ["run", "voila:WD", "--sample", "-5"],
        ["run", "voila:WD", "--seed", NINES],
        ["run", "voila:WD", "--seed", "9" * 5000],
        ["run", "voila:WD", "--repeats", NINES],
        ["run", "voila:WD", "--repeats", "0"],
        ["run", "voila:WD", "--concurrency", NINES],
        ["run", "voila:WD", "--concurrency", "4097"],
        ["run", "voila:WD", "--concurrency", "-1"],
        ["run", "voila:WD", "--respondent", "noisy:nan"],
        ["items", "voila:WD", "--limit", NINES],
        ["make", "voila", "--count", NINES, "--dry-run"],
        ["make", "voila", "--seed", NINES, "--dry-run"],
        ["show", NINES],
        ["show", "9" * 5000],
        ["show", "a" * 60000],
        ["show", "-1"],
        ["show", BAD],
        ["show", "voila-3", "--run", BAD],
        ["report", BAD],
        ["report", "--by", BAD],
        ["report", "--scorer", BAD],
        ["report", "--scorer", "nosuch"],
        ["score", BAD],
        ["score", "mine", "--scorer", BAD],
        ["runs", "rename", BAD, "x"],
        ["runs", "rename", "mine", BAD],
        ["runs", "delete", BAD, "--yes"],
        ["run", "voila:WD", "--name", BAD],
        ["run", "voila:WD", "--from", BAD],
        ["run", "voila:WD", "--where", f"rule={BAD}"],
        ["run", "voila:WD", "--set", f"{BAD}=1"],
        ["run", "voila:WD", "--protocol", BAD],
        ["run", "voila:WD", "--respondent", BAD],
        ["run", "voila:WD", "--respondent-at", f"describe={BAD}"],
        ["run", "voila:WD", "--intervene", BAD],
        ["run", BAD],
        ["items", "voila:WD", BAD],
        ["demo", BAD],
        ["demo", "nonsense"],
        ["demo", "voila:XX"],
        ["respondents", "check", BAD],
        ["fetch", BAD],
        ["report", "--published", BAD],
        [BAD],
        ["run", "voila:WD", "--name", "x", "--respondent", "oracle", "--respondent", "random"],
    ],
)
def test_absurd_arguments_are_refused(home: Path, arguments: list[str]) -> None:
    before = names_in(home)
    done = phoropter(home, *arguments)
    assert done.returncode == 2, done.stderr
    assert quiet(done).strip()
    assert len(done.stderr) < 3000
    assert done.stdout == ""
    assert names_in(home) == before


ODD_PATHS = ["deep", "long", "home", "circle"]
TAKES_A_PATH = [
    ["run", "voila:WD", "--store"],
    ["run", "voila:WD", "--config"],
    ["run", "voila:WD", "--data"],
    ["run", "voila:WD", "--pictures"],
    ["run", "voila:WD", "--prompts"],
    ["items", "voila:WD", "--data"],
    ["items", "voila:WD", "--pictures"],
    ["report", "--store"],
    ["report", "--config"],
    ["runs", "--store"],
    ["runs", "list", "--config"],
    ["show", "voila-1", "--store"],
    ["score", "mine", "--store"],
    ["respondents", "--config"],
    ["demo", "--store"],
    ["fetch", "voila", "--source"],
    ["--store"],
]


@pytest.mark.parametrize("path", ["d/" * 3000 + "f", "x" * 5000, "~nosuchuser/x", "loop"], ids=ODD_PATHS)
@pytest.mark.parametrize("option", TAKES_A_PATH, ids=" ".join)
def test_paths_that_no_file_can_have(home: Path, option: list[str], path: str) -> None:
    if not (home / "loop").is_symlink():
        (home / "loop").symlink_to("pool")
        (home / "pool").symlink_to("loop")
    done = phoropter(home, *option, path)
    assert done.returncode == 2, done.stderr
    assert quiet(done).count("\n") <= 5
    assert len(done.stderr) < 2000


@pytest.mark.parametrize("path", ["x" * 5000, "~nosuchuser/x", "loop/x", "loop"], ids=ODD_PATHS)
@pytest.mark.parametrize(
    "spec", ["--respondent=replay:{}", "--intervene=describe=text:{}", "--intervene=apply=prompt:{}"]
)
def test_paths_within_other_options(home: Path, spec: str, path: str) -> None:
    if not (home / "loop").is_symlink():
        (home / "loop").symlink_to("pool")
        (home / "pool").symlink_to("loop")
    done = phoropter(home, "run", "voila:WD", spec.format(path))
    assert done.returncode == 2, done.stderr
    assert len(quiet(done)) < 2000


@pytest.mark.parametrize("stored", ['path = "a\\u0000b"', 'path = "~nosuchuser/x"', f'path = "{"x" * 5000}"'])
def test_a_store_in_the_configuration_that_no_file_can_be(tmp_path: Path, stored: str) -> None:
    (tmp_path / "phoropter.toml").write_text(f"[store]\n{stored}\n", encoding="utf-8")
    for command in (["report"], ["runs"], ["run", "voila:WD", "--limit", "1"], ["show", "x"], ["score", "x"]):
        done = phoropter(tmp_path, *command)
        assert done.returncode == 2
        assert "store" in quiet(done)
    assert phoropter(tmp_path, "doctor").returncode == 1


# -- what is no regular file

READS = [
    "run voila:WD --prompts {}",
    "run voila:WD --config {}",
    "run voila:WD --data {}",
    "run voila:WD --store {}",
    "run voila:WD --respondent replay:{}",
    "run voila:WD --intervene describe=text:{}",
    "run voila:WD --intervene apply=prompt:{}",
    "report --config {}",
    "report --store {}",
    "respondents --config {}",
    "items voila:WD --data {}",
    "items vrex --data {}",
    "items mmra --data {}",
    "fetch voila --source {}",
]


@pytest.mark.parametrize("line", READS)
def test_pipes_devices_sockets_and_folders_are_refused_at_once(tmp_path: Path, line: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(tmp_path)  # the address of a socket is short
        try:
            listening.bind("socket")
        finally:
            os.chdir(here)
        for what in ("pipe", "folder", "/dev/zero", *(("socket", "/dev/null") if "prompts" in line else ())):
            done = phoropter(tmp_path, *line.format(what).split())
            assert done.returncode == 2, (what, done.stderr)
            assert quiet(done).strip()
    assert not list(tmp_path.rglob("*.db"))


@pytest.mark.parametrize("option", ["--prompts", "--config", "--intervene=describe=text:"])
def test_a_huge_text_is_refused(tmp_path: Path, option: str) -> None:
    with (tmp_path / "huge").open("wb") as out:
        out.truncate(65 * 1024 * 1024)
    given = [f"{option}huge"] if option.endswith(":") else [option, "huge"]
    done = phoropter(tmp_path, "run", "voila:WD", *given)
    assert done.returncode == 2
    assert "larger than 64 MB" in quiet(done)


def test_a_pipe_in_the_place_of_a_picture_blocks_nothing(tmp_path: Path) -> None:
    from tests.voila_data import small_voila_file

    file = small_voila_file(tmp_path, 14, "ND")
    text = file.read_text(encoding="utf-8").splitlines()
    os.mkfifo(tmp_path / text[1].split(",")[0])
    looks = "openai:model@http://127.0.0.1:9/v1"
    done = phoropter(tmp_path, "run", "voila:ND", "--data", file, "--respondent", looks)
    assert done.returncode == 2
    assert "a pipe, not a file" in quiet(done)


def test_unreadable_files_are_told(tmp_path: Path) -> None:
    file = tmp_path / "closed"
    file.write_text("x", encoding="utf-8")
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("this user may read everything")
    for line in READS:
        done = phoropter(tmp_path, *line.format(file).split())
        assert done.returncode == 2
        quiet(done)


# -- addresses and secrets


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1",
        "http://h:99999/v1",
        "http://h:abc/v1",
        "http://",
        "http:///v1",
        "ftp://h/v1",
        "h:8000/v1",
        "http://u:geheim@h/v1",
        "https://geheim@h/v1",
        "http//u:geheim@h/v1",
        "u:geheim@h",
        "http://h/v1?key=geheim",
        "http://h/v1#geheim",
        "http://u:geheim?x@h/v1",
        "http://a b/v1",
        "http://h/\u00e9",
        f"http://h/{BAD}",
        "http://u:ge@heim@http://h/v1",
    ],
)
def test_addresses_that_are_none_are_refused_before_a_run_is_made(tmp_path: Path, url: str) -> None:
    for arguments in (
        ["run", "voila:WD", "--respondent", f"openai:m@{url}"],
        ["run", "voila:WD", "--respondent-at", f"describe=openai:m@{url}"],
        ["respondents", "check", f"openai:m@{url}"],
    )[: 3 if "key" in url else 1]:
        done = phoropter(tmp_path, *arguments)
        assert done.returncode == 2, done.stderr
        said = quiet(done)
        assert "heim" not in said
        if "heim" in url:
            assert "api_key_env" in said
    assert not (tmp_path / "data").exists()


# -- places and packs


def test_the_store_of_the_configuration_is_everybodys(tmp_path: Path) -> None:
    (tmp_path / "phoropter.toml").write_text('[store]\npath = "kept/own.db"\n', encoding="utf-8")
    (tmp_path / "other.toml").write_text('[store]\npath = "other.db"\n', encoding="utf-8")
    assert phoropter(tmp_path, *RUN, "--name", "mine").returncode == 0
    assert phoropter(tmp_path, *RUN, "--name", "theirs", "--config", "other.toml").returncode == 0
    assert not (tmp_path / "data").exists()
    assert (tmp_path / "kept" / "own.db").exists()
    names = {
        (): ["mine"],
        ("--config", "other.toml"): ["theirs"],
        ("--store", "kept/own.db", "--config", "other.toml"): ["mine"],
    }
    for options, expected in names.items():
        for command in (["runs"], ["runs", "list"]):
            assert [run["run"] for run in told(tmp_path, *command, *options)] == expected
        assert {cell["run"] for cell in told(tmp_path, "report", *options)["cells"]} == set(expected)
        assert told(tmp_path, "score", *expected, *options)["run"] == expected[0]
        shown = told(tmp_path, "show", "1", *options)
        assert [trajectory["run"] for trajectory in shown["trajectories"]] == expected
        where = options[1] if "--store" in options else "other.db" if options else "kept/own.db"
        doctor = phoropter(tmp_path, "doctor", *options)
        assert "1 runs" in doctor.stdout, where
    assert phoropter(tmp_path, "--config", "other.toml", "runs", "rename", "theirs", "ours").returncode == 0
    assert phoropter(tmp_path, "runs", "delete", "ours", "--yes", "--config", "other.toml").returncode == 0
    assert told(tmp_path, "runs", "--config", "other.toml") == []


def test_demo_takes_the_pack_it_is_given(tmp_path: Path) -> None:
    done = phoropter(tmp_path, "demo", "voila:ND")
    assert done.returncode == 0, done.stderr
    assert "voila:ND" in done.stdout
    assert "voila:WD" not in done.stdout
    whole = phoropter(tmp_path, "demo")
    assert whole.returncode == 0, whole.stderr
    for name in ("voila:ND", "voila:WD", "vrex", "mmra"):
        assert name in whole.stdout


def test_several_items_of_one_id_are_no_document(home: Path) -> None:
    assert phoropter(home, "run", "voila:ND", "--respondent", "oracle", "--name", "nd").returncode == 0
    done = phoropter(home, "show", "voila-3", "--json")
    assert done.returncode == 2
    for word in ("voila:ND/voila-3 in ", "nd", "voila:WD/voila-3 in ", "mine", "--run"):
        assert word in quiet(done)
    for place, subset in (("voila:ND/voila-3", "ND"), ("voila:WD/voila-3", "WD")):
        document = told(home, "show", place)
        assert document["item"]["subset"] == subset
        (item,) = told(home, "items", f"voila:{subset}", "voila-3")
        assert document["item"] == item | {"notes": [], "disputes": []}
    assert told(home, "show", "voila-3", "--run", "nd")["item"]["subset"] == "ND"
    both = phoropter(home, "show", "voila-3").stdout
    assert "voila:ND" in both
    assert "voila:WD" in both


def test_an_unknown_scorer_is_told_with_those_there_are(home: Path) -> None:
    done = phoropter(home, "report", "--scorer", "nosuch")
    assert done.returncode == 2
    assert "rule" in done.stderr


def test_a_run_that_was_stopped_tells_failed_from_open(tmp_path: Path) -> None:
    nobody = 'kind = "openai"\nmodel = "model"\nbase_url = "http://127.0.0.1:9/v1"\nattempts = 1\nconcurrency = 1\n'
    (tmp_path / "phoropter.toml").write_text(f"[respondents.nobody]\n{nobody}", encoding="utf-8")
    done = phoropter(tmp_path, "run", "voila:ND", "--respondent", "nobody", "--json")
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    counts = (document["trajectories"], document["finished"], document["failed"], document["open"])
    assert counts == (14, 0, 1, 13)
