"""What a hand changed in the store is found by the doctor, and no reading command takes it for its own fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import StoreError
from sessions import damage
from sessions.doctor import Examination, State, examine
from sessions.store import Store
from tests.damaging import by_hand
from tui.cli import run as command


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
    with pytest.raises(ZeroDivisionError) as told, Store.open(store, read_only=True):
        raise ZeroDivisionError
    assert told.value.__notes__ == [f"if the store is damaged, {damage.DOCTOR}"]


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


LINKS = [
    ("UPDATE runs SET identity = '00' WHERE id = 1", "runs: 1 runs are named by an identity"),
    (
        "UPDATE runs SET configuration = replace(configuration, 'gpt', 'gpX') WHERE id = 1",
        "runs: 1 runs say something",
    ),
    (
        "UPDATE runs SET configuration = replace(configuration, 'gpt', 'gpX') WHERE id = 1",
        "runs: 1 runs are named by",
    ),
    ('UPDATE runs SET options = \'{"cot": "yes"}\' WHERE id = 1', "runs: 1 runs say something else in their columns"),
    ("UPDATE runs SET respondent = 'gpt-5' WHERE id = 1", "runs: 1 runs say something else in their columns"),
    ("UPDATE runs SET respondent_kind = 'human'", "runs: 4 runs say something else in their columns"),
    ("UPDATE runs SET subset = 'ND' WHERE id = 1", "runs: 1 runs say something else in their columns"),
    ("UPDATE runs SET data_digest = '00' WHERE id = 1", "runs: 1 runs say something else in their columns"),
    ("UPDATE runs SET uid = '' WHERE id = 1", "runs: 1 runs have a uid that no run is given"),
    ("UPDATE lanes SET label = 'describe=gold' WHERE id = 2", "lanes: 3 steps stand in a lane that does not follow"),
    (
        "UPDATE lanes SET label = 'describe=wrong:subject' WHERE id = 2",
        "lanes: 1 runs have steps in lanes that their interventions do not make (2)",
    ),
    ("UPDATE steps SET origin = 0", "lanes: 4 steps stand in a lane that does not follow"),
    ("UPDATE steps SET origin = 3 WHERE id = 1", "lanes: 1 steps stand in a lane that does not follow"),
    ("UPDATE steps SET parent = 1 WHERE parent = 4", "steps follow a step of another item"),
    (
        "UPDATE trajectories SET parent = NULL, repeat = 9 WHERE parent IS NOT NULL",
        "lanes: 1 runs have steps in lanes that their interventions do not make (4)",
    ),
    ("UPDATE steps SET parent = NULL WHERE id = 2", "steps: 1 steps begin a trajectory that has begun with"),
    ("UPDATE steps SET prompt = (SELECT max(id) FROM prompts) WHERE id = 1", "the prompt of a step of another name"),
    ("UPDATE scores SET counted = 1 - counted WHERE counted < 2", "scores count as the respondent's own, or do not"),
    ("UPDATE calls SET reply = NULL WHERE id = 1", "calls: 1 calls have been settled and hold neither a reply nor"),
    ("UPDATE calls SET request_hash = zeroblob(32)", "calls: 9 calls hold no hash of their request"),
    (
        "UPDATE calls SET request_hash = (SELECT request_hash FROM calls WHERE id = 9)",
        "calls name a request by the hash of one with other words",
    ),
    ("UPDATE calls SET run = 2 WHERE id = 1", "calls: 1 calls were made for a trajectory of another run"),
    (
        "UPDATE steps SET call = CASE call WHEN 1 THEN 4 WHEN 4 THEN 1 ELSE call END",
        "steps: 2 steps were answered by a call that was made for another trajectory",
    ),
    ("UPDATE pictures SET mime = 'image/gif'", "pictures: 1 pictures are of another kind or size than was sent"),
    ("DELETE FROM served", "served: 1 runs have calls that a model answered which is not among those heard in them"),
]


@pytest.mark.parametrize(("statement", "told"), LINKS)
def test_rows_that_contradict_each_other_are_found(store: Path, statement: str, told: str) -> None:
    assert by_hand(store, statement)
    assert any(told in line for line in found(examine(store))), found(examine(store))


REREAD = [
    ("UPDATE scores SET right = scored", "scores: 13 steps have another score by rule"),
    ("UPDATE scores SET right = 0", "steps have another score by rule"),
    (
        "UPDATE scores SET status = 1 WHERE step = 1",
        "scores: 1 steps have another score by rule than their text gives (1)",
    ),
    ("UPDATE scores SET right = right & 1, scored = 1 WHERE step = 1", "steps have another score by rule"),
    (
        'UPDATE readings SET parsed = \'{"number":"nine"}\' WHERE step = 2',
        "scores: 1 steps have another score by rule",
    ),
    ("UPDATE readings SET spans = NULL WHERE step = 2", "scores: 1 steps have another score by rule"),
    ("DELETE FROM readings WHERE step = 2", "scores: 1 steps have another score by rule"),
    ("DELETE FROM scores WHERE step = 5", "scores: 1 steps have no score by rule (5)"),
    (
        "UPDATE steps SET text = 'two dogs' WHERE id = 1",
        "steps: 1 steps hold what their call's reply does not say (1)",
    ),
    (
        "UPDATE steps SET reasoning = 'x y z' WHERE id = 1",
        "steps: 1 steps hold what their call's reply does not say (1)",
    ),
    ("UPDATE steps SET status = 2 WHERE id = 1", "steps: 1 steps hold what their call's reply does not say (1)"),
    (
        "UPDATE calls SET reply = (SELECT reply FROM calls WHERE id = 4) WHERE id = 1",
        "steps: 1 steps hold what their",
    ),
    (
        "UPDATE calls SET prompt_tokens = 999 WHERE id = 1",
        "steps: 1 steps hold what their call's reply does not say (1)",
    ),
    ("UPDATE steps SET choice = 'Z' WHERE choice IS NOT NULL", "steps hold another choice than follows"),
    (
        "UPDATE steps SET gold = (SELECT max(id) FROM golds) WHERE id = 2",
        "steps: 1 steps have another turn, or another",
    ),
    ("UPDATE steps SET gold = NULL WHERE id = 2", "steps: 1 steps have another turn, or another gold"),
    (
        "UPDATE steps SET prompt = (SELECT p.id FROM prompts AS p WHERE p.step = steps.name AND p.id <> steps.prompt)"
        " WHERE id = (SELECT max(s.id) FROM steps AS s"
        " WHERE (SELECT count(*) FROM prompts AS p WHERE p.step = s.name) > 1)",
        "steps have another turn, or another gold, than their protocol asks there",
    ),
    ("UPDATE steps SET parent = 1 WHERE parent = 2", "steps have another turn, or another gold"),
    ("UPDATE steps SET sent = NULL WHERE id = 1", "steps: 1 steps name other pictures than their call's request (1)"),
]


@pytest.mark.parametrize(("statement", "told"), REREAD)
def test_what_does_not_follow_from_the_stored_answers_is_found(store: Path, statement: str, told: str) -> None:
    before = by_hand(store, "PRAGMA user_version")
    assert by_hand(store, statement) > before
    assert any(told in line for line in found(examine(store))), found(examine(store))


def test_a_large_store_is_sampled_alike_each_time_and_whole_where_that_is_asked_for(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand(store, "UPDATE scores SET right = 0, scored = 0 WHERE step = 1")
    told: list[tuple[int, int]] = []
    few = [found(examine(store, most=2, tell=lambda *so: told.append(so)), state) for state in State]
    assert few == [found(examine(store, most=2), state) for state in State]
    assert told == [(1, 2), (2, 2)] * 3
    assert "sample: 2 of 13 trajectories were read again, always the same ones" in few[0]
    assert "scores: 1 steps have another score by rule than their text gives (1)" in found(examine(store, most=None))


def test_another_versions_scores_and_those_of_people_are_left_alone_and_told(store: Path) -> None:
    by_hand(
        store,
        "UPDATE scorers SET version = '0' WHERE name = 'rule'",
        "UPDATE scores SET right = 0, scored = 0 WHERE scorer = (SELECT id FROM scorers WHERE name = 'rule')",
        "INSERT INTO scorers (name, version, created) VALUES ('ann', '', 1)",
        "INSERT INTO scores SELECT step, (SELECT max(id) FROM scorers), run, item, name, lane, counted, 0, 0, 1"
        " FROM scores WHERE step = 1",
    )
    examination = examine(store)
    assert not [line for line in found(examination) if "score by rule" in line]
    assert "scores: 40 by rule 0, this program's is 1: they were not made again" in found(examination, State.OK)


def test_what_another_version_asked_otherwise_is_a_warning(store: Path) -> None:
    by_hand(
        store, 'UPDATE runs SET versions = \'{"phoropter": "0.0.1"}\'', "UPDATE steps SET gold = NULL WHERE id = 2"
    )
    examination = examine(store)
    assert examination.sound
    assert any("another version's runs have a turn" in line for line in found(examination, State.WARN))


def test_the_command_reads_every_answer_where_that_is_asked_for(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.cli.doctor.SAMPLE", 2)
    by_hand(store, "UPDATE scores SET right = scored")
    command(["doctor", "--store", str(store)])
    said = capsys.readouterr().out
    assert (
        "ok store: sample: 2 of 13 trajectories were read again, always the same ones -> --all reads every one"
        in said
    )
    assert command(["doctor", "--all", "--store", str(store)]) == 1
    said = capsys.readouterr().out
    assert "sample" not in said
    assert "bad store: scores: 13 steps have another score by rule than their text gives" in said
