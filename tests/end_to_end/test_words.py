"""What commands say, of a store that holds runs of several benchmarks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.commands import phoropter, told
from tui.cli import doctor
from tui.counting import counted, more_than

VOILA = "voila-WD-l2m-seeing-0.8"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first line of the README's tour, and a run of another benchmark."""
    home = tmp_path_factory.mktemp("home")
    assert told(home, "run", "voila:WD", "--respondent", "seeing:0.8", "--limit", 4)["run"] == VOILA
    assert told(home, "run", "mmra", "--limit", 4)["run"] == "mmra-iq-oracle"
    return home


def test_a_report_by_a_group_takes_the_runs_that_have_it_and_names_the_rest(home: Path) -> None:
    done = phoropter(home, "report", "--by", "subtask", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, f"left out, having no group 'subtask': {VOILA}\n")
    assert "mmra-iq-oracle" in done.stdout
    assert VOILA not in done.stdout
    for arguments in (("--by", "subtask", VOILA), ("--by", "nothing")):
        refused = phoropter(home, "report", *arguments)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"no group '{arguments[1]}'" in refused.stderr


def test_somebody_else_at_a_step_is_no_intervention_to_miss_a_plain_run_of(home: Path) -> None:
    run = ("run", "voila:WD", "--limit", 2, "--set", "generate=yes", "--respondent-at", "generate=oracle")
    for arguments in ((*run, "--name", "drawn"), ("report", "drawn")):
        done = phoropter(home, *arguments)
        assert done.returncode == 0, done.stderr
        assert "no plain run" not in done.stderr


def test_pictures_stand_between_the_words_as_they_are_sent(home: Path) -> None:
    shown = phoropter(home, "show", "voila-3", "--run", VOILA).stdout.splitlines()
    dry = phoropter(home, "run", "voila:WD", "--dry-run").stdout.splitlines()
    for lines in (shown, dry):
        first = next(index for index, line in enumerate(lines) if line.endswith("Image 1:"))
        words = [line.strip(" >").split(" ")[0] for line in lines[first : first + 6]]
        assert words == ["Image", "[picture"] * 3
        assert "You are shown three images." in lines[first + 6]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("run", "voila:WD", "--respondent", "replay:empty"), "the file holds no answers"),
        (("run", "voila:WD", "--judge", "replay:empty"), "the file holds no answers"),
        (("run", "voila:WD", "--name", ""), "--name '': an empty text says nothing"),
        (("run", "voila:WD", "--name=-x"), "cannot begin with -"),
        (("run", "voila:WD", "--intervene", "describe=text:empty"), "the file holds no words"),
        (("notes", "write", "voila-3", "", "--run", VOILA), "take it away with --delete"),
        (("run", "voila"), "Name one: voila:ND or voila:WD"),
        (("run", "voila:WD", "--data", "empty"), "the file is empty (0 bytes)\nMend the file"),
    ],
)
def test_what_holds_nothing_is_refused_before_anything_is_written(
    home: Path, arguments: tuple[str, ...], says: str
) -> None:
    (home / "empty").touch()
    before = told(home, "runs")
    done = phoropter(home, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert "--skip-bad" not in done.stderr
    assert told(home, "runs") == before


def test_doctor_says_that_a_store_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda place, _: place != tmp_path)
    for store in (tmp_path / "runs.sqlite", tmp_path / "new" / "runs.sqlite"):
        (found,) = doctor._store(store)
        assert (found.state, found.what) == (doctor.BAD, f"{tmp_path} cannot be written")


def test_one_of_anything_is_no_plural_and_a_list_that_is_cut_says_how_much_is_missing() -> None:
    assert [counted(count, "item") for count in (0, 1, 1200)] == ["0 items", "1 item", "1,200 items"]
    assert [more_than(10, count, "reason") for count in (10, 11, 12)] == [
        "",
        "and 1 more reason",
        "and 2 more reasons",
    ]


def test_who_answers_where_nobody_is_named_is_said(home: Path) -> None:
    said = "nobody is named: gold is answered, by oracle"
    assert said in phoropter(home, "run", "mmra", "--limit", 1).stderr
    assert said not in phoropter(home, "run", "mmra", "--limit", 1, "--respondent", "oracle").stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("run", "mmra", "--respondent", "seeing:2"), "For example seeing:0.9"),
        (("run", "mmra", "--respondent", "noisy:x"), "For example noisy:0.9"),
        (("run", "mmra", "--seed", "abc"), "Invalid value for '--seed': 'abc' is not a whole number."),
        (("run", "mmra", "--limit", "-1"), "Invalid value for '--limit': -1 is not from 0 to "),
        (("study", "plan", "--accuracy", "x"), "'x' is not a number."),
        (("runs", "rename", "mmra-iq-oracle", "a/b"), "cannot hold / or \\. Choose another\n"),
        (("runs", "rename", "mmra-iq-oracle", ""), "cannot be empty. Say what it is to be called\n"),
    ],
)
def test_a_remedy_names_what_was_asked_for(home: Path, arguments: tuple[str, ...], says: str) -> None:
    done = phoropter(home, *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "--name" not in done.stderr
