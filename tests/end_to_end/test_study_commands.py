"""``study new``, ``check`` and ``amend`` and ``run --study`` as commands: what they print, write and refuse."""

from __future__ import annotations

import asyncio
import base64
import fcntl
import io
import json
import os
import pty
import stat
import struct
import subprocess
import termios
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.config import Config
from core.records import Show
from core.study.checking import check
from core.study.reading import read_file
from core.study.told import Telling
from core.study.wanted import lacking
from sessions.reading import finished
from sessions.reopening import reopen
from sessions.runs import find_run
from sessions.store import Store
from sessions.studies import book
from tests.end_to_end.commands import COMMAND, environment, phoropter
from tests.servers import FaultServer, says
from tui.cli import run as run_here


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a new study's file."""
    home = tmp_path_factory.mktemp("study")
    done = phoropter(
        home, "study", "new", "people.toml", "--benchmark", "voila:WD", "--seed", "3", "--language", "de"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "people.toml\n"
    assert "22 blanks to fill in" in done.stderr
    return home


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "people.toml").write_bytes((made / "people.toml").read_bytes())
    return tmp_path


@dataclass(frozen=True, slots=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Done]


@pytest.fixture
def command(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command in this process: a new one takes half a second to start."""
    monkeypatch.chdir(home)
    for name, value in environment(home).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> Done:
        status = run_here(arguments)
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return run


def change(home: Path, old: str, new: str) -> None:
    file = home / "people.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def ready(home: Path) -> None:
    """Everything filled in."""
    file = home / "people.toml"
    text = file.read_text(encoding="utf-8").replace("<FILL IN", "<filled in")
    file.write_text(text.replace('experimenter_key = ""', 'experimenter_key = "blue"'), encoding="utf-8")


def frozen(home: Path) -> book.StudyRecord:
    """The study in the home's store, live."""
    dry = check(read_file(home / "people.toml"))
    with Store.open(home / "s.db") as store:
        return book.freeze(store, book.keep_draft(store, dry.study, dry.content))


def test_a_new_file_is_the_owners_and_nothing_is_written_over(made: Path) -> None:
    assert stat.S_IMODE((made / "people.toml").stat().st_mode) == 0o600
    again = phoropter(made, "study", "new", "people.toml", "--benchmark", "voila:WD")
    assert again.returncode == 2
    assert again.stderr.splitlines()[-1] == "phoropter: people.toml: there is a file of that name. Name another one"
    wrong = phoropter(made, "study", "new", "x.toml", "--benchmark", "voila:WD", "--protocol", "l2n")
    assert wrong.returncode == 2
    assert not (made / "x.toml").exists()


def test_check_says_what_would_be_asked_of_whom(home: Path, command: Command) -> None:
    done = command("study", "check", "people.toml")
    assert done.returncode == 0, done.stderr
    said = done.stdout
    for words in (
        "people: voila:WD, digest",
        "34 items asked about; 2 practice items, 0 catch items, 2 worked examples",
        "direct: direct, 1 step an item, examples ",
        "sessions of 17 items, 102 answers: each item by 3",
        "min a session at a guess",
        "en (in use): complete",
        f"de: {len(lacking(read_file(home / 'people.toml').study, 'de'))} words missing",
        "17 blanks; a live session needs 9 of them filled in, a report the others",
        "text.en.consent (line ",
    ):
        assert words in said, said
    assert "store" not in said
    document = json.loads(command("study", "check", "people.toml", "--json").stdout)
    assert (document["items"], document["answers"], document["sessions"]) == (34, 102, 6)
    assert document["items_a_session"] == [17, 17]
    assert not document["live"]
    assert {"line", "place", "what"} == set(document["blanks"][0])
    assert document["kept"] is None
    assert not (home / "data").exists(), "a dry run makes no store"
    ready(home)
    assert json.loads(command("study", "check", "people.toml", "--json").stdout)["live"]


def test_everything_that_the_data_lacks_is_told_together_with_lines(home: Path, command: Command) -> None:
    change(home, "ids = []                            # these items; or:", 'ids = ["voila-1", "voila-99"]')
    change(home, 'ids = ["voila-', 'ids = ["viola-')
    change(home, '# rule = ["1", "2"]', 'rule = ["1"]')
    done = command("study", "check", "people.toml")
    assert done.returncode == 2
    assert "not both" in done.stderr
    change(home, 'rule = ["1"]', "")
    done = command("study", "check", "people.toml")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "items.ids (line 20): there is no item viola-1; the nearest is voila-1" in done.stderr
    assert "there is no item voila-99" in done.stderr
    assert "Traceback" not in done.stderr


def test_missing_pictures_and_impossible_designs_are_refused(home: Path, command: Command) -> None:
    (home / "empty").mkdir()
    change(home, 'pictures = ""', 'pictures = "empty"')
    missing = command("study", "check", "people.toml")
    assert missing.returncode == 2
    assert "problems in the data" in missing.stderr
    change(home, 'pictures = "empty"', 'pictures = "nowhere"')
    nowhere = command("study", "check", "people.toml")
    assert nowhere.returncode == 2
    assert "pictures = " in nowhere.stderr
    assert "--pictures" not in nowhere.stderr, "what is to be changed is in the file"
    change(home, 'pictures = "nowhere"', 'pictures = ""')
    change(home, "per_session = 20", "per_session = 400")
    impossible = command("study", "check", "people.toml")
    assert impossible.returncode == 2
    assert "design (line " in impossible.stderr
    assert "At most 34 items a session (per_session)" in impossible.stderr


def test_a_frozen_study_is_amended_and_both_hashes_are_told(home: Path, command: Command) -> None:
    ready(home)
    live = frozen(home)
    same = command("study", "check", "people.toml", "--store", "s.db")
    assert "version 1, frozen" in same.stdout
    assert ": the same" in same.stdout
    early = command("study", "amend", "people.toml", "--keep-quota", "--reason", "x", "--store", "s.db")
    assert early.returncode == 2
    assert "as it was when the study was frozen" in early.stderr
    change(home, "limit_s = 0 ", "limit_s = 90 ")
    changed = command("study", "check", "people.toml", "--store", "s.db")
    assert changed.returncode == 0
    assert "the file differs: timing.limit_s 0.0 -> 90.0" in changed.stdout
    assert "study amend FILE" in changed.stdout
    amend = ("study", "amend", "people.toml", "--keep-quota", "--reason", "too slow", "--store", "s.db")
    document = json.loads(command(*amend, "--json").stdout)
    assert document["old"] == {"version": 1, "digest": live.digest}
    assert document["new"]["version"] == 2
    assert document["new"]["digest"] not in ("", live.digest)
    assert (document["keeps_quota"], document["reason"]) == (True, "too slow")
    assert document["changed"] == ["timing.limit_s 0.0 -> 90.0"]
    change(home, "limit_s = 90 ", "limit_s = 60 ")
    printed = command(*amend)
    assert printed.returncode == 0
    assert "version 3 in place of version 2; what was collected so far counts" in printed.stdout
    assert document["new"]["digest"] in printed.stdout
    nowhere = command("study", "amend", "people.toml", "--reason", "x", "--store", "none.db")
    assert nowhere.returncode == 2
    assert "no store here" in nowhere.stderr
    assert not (home / "none.db").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run",), "nothing is named to be run"),
        (("run", "--condition", "direct", "voila:WD"), "conditions are those of a study"),
        (("run", "voila:ND", "--study", "people.toml"), "the study is on voila:WD"),
        (("run", "--study", "people.toml", "--condition", "dirct"), "Did you mean direct?"),
        (("run", "--study", "people.toml", "--set", "images=collage"), "--set with --study"),
        (("run", "--study", "people.toml", "--sample", "3"), "--sample with --study"),
        (("run", "--study", "people.toml", "--pictures", "drawn"), "--pictures with --study"),
        (("run", "--study", "nobody.toml"), "No such file"),
    ],
)
def test_what_contradicts_the_study_is_refused(command: Command, arguments: tuple[str, ...], said: str) -> None:
    done = command(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def sizes_and_words(body: Any) -> tuple[list[tuple[int, int]], str]:
    (message,) = [message for message in body["messages"] if message["role"] == "user"]
    sizes, words = [], []
    for part in message["content"]:
        if part["type"] == "image_url":
            data = base64.b64decode(part["image_url"]["url"].partition(",")[2])
            sizes.append(Image.open(io.BytesIO(data)).size)
        else:
            words.append(part["text"])
    return sizes, "\n".join(words)


async def test_a_model_gets_the_participants_items_examples_lists_and_picture_sizes(home: Path) -> None:
    change(home, "picture_px = 0", "picture_px = 80")
    change(home, "sample = 0", "sample = 12")
    change(home, "per_session = 20", "per_session = 12")
    dry = check(read_file(home / "people.toml"))
    async with FaultServer(lambda _: says("The answer is number = one, subject = cat, action = walking")) as server:
        lines = ["[respondents.m]", 'kind = "openai"', 'model = "m"', f'base_url = "{server.url}"']
        (home / "phoropter.toml").write_text("\n".join(lines), encoding="utf-8")
        command = ("run", "--study", "people.toml", "--respondent", "m", "--store", "s.db", "--json")
        done = await asyncio.to_thread(phoropter, home, *command)
        assert done.returncode == 0, done.stderr
        again = await asyncio.to_thread(phoropter, home, *command)
    assert again.returncode == 0
    assert "resuming people-voila-WD-direct-m 12/12" in again.stderr
    assert len(server.bodies) == 12
    for body in server.bodies:
        sizes, words = sizes_and_words(body)
        assert len(sizes) == 9
        assert all(max(size) == 80 for size in sizes)
        assert words.count("Worked example") == 2
        assert "Subject: cat, dog, fox" in words
    document = json.loads(done.stdout)
    with Store.open(home / "s.db") as store:
        run = find_run(store, document["run"])
        asked = [row[0] for row in store.reader().execute("SELECT key FROM items ORDER BY id")]
        assert sorted(asked) == sorted(dry.prepared.pool.items)
        assert run.config.told == {
            "lists": "yes",
            "worked": ",".join(dry.study.ways["direct"].examples),
            "picture_px": "80",
        }
        opened = reopen(store, run, Config())
        assert isinstance(opened.plan.protocol, Telling)
        assert opened.plan.protocol.told == replace(opened.plan.protocol.told, study="people", digest=dry.digest)
        assert opened.pictures.max_side == 80
        for trajectory in finished(store, run.id):
            assert trajectory.steps[0].turn == opened.plan.protocol.next_turn(trajectory.item, ())
            own, example = opened.pictures.sent(trajectory.item, Show((0,))), trajectory.steps[0].turn.shows[0]
            assert opened.pictures.sent(trajectory.item, example).hash != own.hash
    shown = phoropter(home, "show", asked[0], "--store", "s.db")
    assert shown.returncode == 0
    assert "Worked example 2" in shown.stdout
    raw = phoropter(home, "show", asked[0], "--store", "s.db", "--raw")
    assert raw.returncode == 0


def test_a_station_is_measured_in_its_own_terminal(home: Path) -> None:
    change(home, "smallest_px = 0", "smallest_px = 300")
    assert "no terminal to look at" in phoropter(home, "study", "check", "people.toml", "--display").stderr
    command = ("check", "people.toml", "--display", "--images", "halfcell")
    large, small = (in_a_terminal(home, size, *command) for size in ((60, 200), (24, 80)))
    assert large[0] == 0, large[1]
    assert "display     200x60 cells of 10x20 px, pictures as half blocks, the smallest at " in large[1]
    assert "every item can be shown as asked" in large[1]
    assert small[0] == 2
    assert "this station cannot be used: " in small[1]
    assert "the study asks for at least 300" in small[1].replace("\r\n", "")


def test_nobody_sits_with_a_file_that_was_changed_after_it_was_frozen(home: Path) -> None:
    ready(home)
    live = frozen(home)
    change(home, "limit_s = 0 ", "limit_s = 90 ")
    status, said = in_a_terminal(home, (40, 120), "sit", "people.toml", "--participant", "P1", "--store", "s.db")
    said = " ".join(said.split())
    assert status == 2
    assert f"has changed since version 1 of the study was frozen (digest {live.digest[:12]})" in said
    assert "timing.limit_s 0.0 -> 90.0" in said
    assert "phoropter study amend FILE --keep-quota --reason TEXT" in said
    with Store.open(home / "s.db") as store:
        assert store.reader().execute("SELECT count(*) FROM sessions").fetchone()[0] == 0
        assert [record.digest for record in book.versions(store, "people")] == [live.digest]


def test_nobody_sits_at_a_station_that_falls_short(home: Path) -> None:
    ready(home)
    change(home, "pictures = []  ", 'pictures = ["kitty"]')
    status, said = in_a_terminal(home, (40, 120), "sit", "people.toml", "--participant", "P1", "--images", "halfcell")
    said = " ".join(said.split())
    assert status == 2
    assert "pictures are shown as halfcell here, and the study asks for kitty" in said
    assert not (home / "data").exists()


def test_a_hostile_file_is_refused_in_one_message(home: Path, command: Command) -> None:
    for content in (
        b"",
        b"\x00\x01\x02",
        b"\xff\xfe[\x00",
        b"[" * 5000,
        b'name = "a"\n' * 2,
        "é = 1".encode("latin-1"),
    ):
        (home / "people.toml").write_bytes(content)
        for words in (("study", "check"), ("study", "amend", "--reason", "x"), ("run", "--study")):
            done = command(*words, "people.toml")
            assert done.returncode == 2
            assert "people.toml" in done.stderr
            assert len(done.stderr) < 1000
            assert "fault of Phoropter" not in done.stderr


def in_a_terminal(home: Path, size: tuple[int, int], *arguments: str) -> tuple[int, str]:
    """Status and words of a command of ``study`` in a terminal of that many rows and columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    environ = {**environment(home), "TERM": "dumb"}
    whole = [*COMMAND, "study", *arguments]
    with subprocess.Popen(whole, cwd=home, env=environ, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            said += piece
    os.close(ours)
    return process.returncode, said.decode()
