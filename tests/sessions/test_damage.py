"""What a hand changed in the store is found by the doctor, and no reading command takes it for its own fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import StoreError
from sessions import damage
from sessions.doctor import Examination, State, examine
from sessions.store import Store
from tests.damaging import by_hand, fill
from tui.cli import run as command


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "phoropter.db"
    fill(path)
    return path.read_bytes()


@pytest.fixture
def store(whole: bytes, path: Path) -> Path:
    path.write_bytes(whole)
    path.chmod(0o600)
    return path


def found(examination: Examination, state: State = State.BAD) -> list[str]:
    return [f"{finding.check}: {finding.what}" for finding in examination if finding.state is state]


def test_the_store_is_whole_before_anybody_touches_it(store: Path) -> None:
    examination = examine(store)
    assert found(examination) == found(examination, State.WARN) == []
    assert damage.found_in(store) == ""


# statement, what the doctor says of it
VALUES = [
    ("UPDATE runs SET recipe = '{' WHERE id = 1", "runs: 1 rows hold values that cannot be read"),
    ("UPDATE runs SET configuration = '[]' WHERE id = 1", "runs: 1 rows hold values that cannot be read"),
    ("UPDATE runs SET options = '{\"cot\": 1}' WHERE id = 1", "runs: 1 rows hold values that cannot be read"),
    ("UPDATE runs SET versions = '7' WHERE id = 1", "runs: 1 rows hold values that cannot be read"),
    ("UPDATE items SET groups = '{' WHERE id = 2", "items: 1 rows hold values that cannot be read"),
    ("UPDATE items SET groups = '[]' WHERE id = 2", "items: 1 rows hold values that cannot be read"),
    ("UPDATE readings SET parsed = '{oops' WHERE step = 1", "readings: 1 rows hold values that cannot be read"),
    ("UPDATE readings SET spans = '[[' WHERE step = 1", "readings: 1 rows hold values that cannot be read"),
    ("UPDATE readings SET spans = '[1]' WHERE step = 1", "readings: 1 rows hold values that cannot be read"),
    ("UPDATE prompts SET content = '{}' WHERE id = 1", "prompts: 1 rows hold values that cannot be read"),
    ("UPDATE golds SET content = '{}' WHERE id = 1", "golds: 1 rows hold values that cannot be read"),
    (
        "INSERT INTO exports (kind, target, details, created) VALUES ('csv', 'x', '{', 0)",
        "exports: 1 rows hold values that cannot be read",
    ),
    ("UPDATE calls SET seconds = 'abc' WHERE id = 1", "calls: 1 rows hold what is no seconds"),
    ("UPDATE calls SET cost = -5 WHERE id = 1", "calls: 1 rows hold what is no cost"),
    ("UPDATE calls SET prompt_tokens = -5", "calls: 9 rows hold what is no prompt_tokens"),
    ("UPDATE steps SET created = 'abc' WHERE id = 1", "steps: 1 rows hold what is no time they were made at"),
    ("UPDATE steps SET created = created * 1000", "rows hold what is no time they were made at"),
    ("UPDATE steps SET text = x'ff00' WHERE id = 2", "steps: 1 rows hold what is no text"),
    ("UPDATE steps SET text = x'6162' WHERE id = 2", "steps: 1 rows hold what is no text"),
    ("UPDATE trajectories SET progress = 'x' WHERE id = 1", "trajectories: 1 rows hold what is no progress"),
]


@pytest.mark.parametrize(("statement", "told"), VALUES)
def test_a_cell_that_holds_something_else_is_found(store: Path, statement: str, told: str) -> None:
    assert by_hand(store, statement)
    assert any(told in line for line in found(examine(store)))
    assert told in damage.found_in(store)


def test_a_lone_surrogate_is_kept_as_its_bytes_and_is_no_damage(store: Path) -> None:
    by_hand(store, "UPDATE step_names SET name = name || '', id = id", "UPDATE trajectories SET reason = NULL")
    by_hand(store, "INSERT INTO notes (item, text, created, updated) VALUES (1, x'eda080', 1, 1)")
    assert found(examine(store)) == []


COMMANDS = (["runs"], ["report", "--json"], ["show", "1"])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET recipe = '{' WHERE id = 1",
        "UPDATE runs SET configuration = '{' WHERE id = 1",
        "UPDATE items SET groups = '{'",
        "UPDATE prompts SET content = content || 'x'",
        "UPDATE step_names SET name = 'nothing of the kind' WHERE id = 1",
        "UPDATE lanes SET label = x'ff' WHERE id = 2",
        "DELETE FROM runs WHERE id = 1",
        "UPDATE steps SET status = 77",
    ],
)
def test_what_breaks_at_a_damaged_value_is_no_fault_of_the_program(
    store: Path, statement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    by_hand(store, statement)
    broke = 0
    for words in COMMANDS:
        status = command([*words, "--store", str(store)])
        said = capsys.readouterr().err
        assert "fault of Phoropter" not in said, said
        if status:
            broke += "the store is damaged" in said
            assert said.count("\n") == 1 or "the store is damaged" not in said
            assert status == 2
    assert broke, "no command met it"


def test_what_breaks_beside_a_whole_store_stays_what_it_is(store: Path) -> None:
    with pytest.raises(ZeroDivisionError), Store.open(store, read_only=True):
        raise ZeroDivisionError


def test_a_large_store_is_not_looked_through_before_it_is_told(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "MOST", 100)
    with pytest.raises(StoreError, match="may be damaged"), Store.open(store, read_only=True):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("statement", "state", "told"),
    [
        (
            "CREATE TRIGGER helpful AFTER INSERT ON scores BEGIN DELETE FROM scores; END",
            State.BAD,
            "schema: the trigger helpful is no part of a store: it acts on whatever is written",
        ),
        ("CREATE UNIQUE INDEX one ON scores (run)", State.BAD, "schema: the index one is no part of a store"),
        ("CREATE VIEW best AS SELECT 1", State.WARN, "schema: the view best is no part of a store"),
        ("CREATE TABLE mine (id INTEGER)", State.WARN, "schema: the table mine is no part of a store"),
        ("ALTER TABLE steps ADD COLUMN extra", State.WARN, "schema: the column steps.extra is no part of a store"),
    ],
)
def test_what_is_no_part_of_a_store_is_a_finding(store: Path, statement: str, state: State, told: str) -> None:
    by_hand(store, *(["DELETE FROM scores WHERE step > 1"] if "UNIQUE" in statement else []), statement)
    (finding,) = (each for each in examine(store) if each.check == "schema" and each.state is not State.OK)
    assert (finding.state, f"{finding.check}: {finding.what}") == (state, told)
    by_hand(store, finding.remedy.partition('sqlite3 STORE "')[2].removesuffix('"'))
    assert not [each for each in examine(store) if each.check == "schema" and each.state is not State.OK]


def test_what_sqlite_keeps_for_itself_is_no_finding(store: Path) -> None:
    by_hand(store, "ANALYZE")
    assert found(examine(store)) == found(examine(store), State.WARN) == []


def test_a_name_that_a_shell_would_run_is_put_into_no_command(store: Path) -> None:
    by_hand(store, 'CREATE VIEW "a\'; `touch /tmp/x`" AS SELECT 1')
    (finding,) = (each for each in examine(store) if each.state is State.WARN)
    assert "touch" not in finding.remedy


@pytest.mark.parametrize(
    ("statements", "told"),
    [
        (
            ("DROP TABLE verdicts", "DROP TABLE gone_sessions", "PRAGMA user_version = 11"),
            "it says version 11, but the table gone_sessions is missing",
        ),
        (("DROP TABLE extents", "PRAGMA user_version = 10"), "but the index steps_not_ok is of a later version"),
    ],
)
def test_half_a_migration_is_said_as_such_and_touched_by_nobody(
    store: Path, statements: tuple[str, ...], told: str
) -> None:
    by_hand(store, *statements)
    before = store.read_bytes()
    assert any(told in line for line in found(examine(store)))
    for read_only in (True, False):
        with pytest.raises(StoreError, match="the store says that its schema is version 1"):
            Store.open(store, create=False, read_only=read_only)
    assert store.read_bytes() == before
    assert [each.name for each in store.parent.glob("*backup*")] == []
