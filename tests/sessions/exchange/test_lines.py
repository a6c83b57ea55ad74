"""JSON lines out and back: the same store; twice is once; a torn file imports nothing."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.disputes import Corrected
from core.errors import PhoropterError, StoreError, UsageError
from core.records import Call, Picture, SentPicture, Usage
from sessions import doctor, notebook
from sessions.disputes import dispute
from sessions.exchange.marks import mark_export
from sessions.exchange.writing import write_lines
from sessions.grading import grade
from sessions.journal import StoreJournal
from sessions.runs import delete_run, find_run, runs
from sessions.store import Store
from tests.sessions.exchange.lines import take_lines
from tests.sessions.exchange.test_merging import cells, contents
from tests.sessions.test_tallies import scatter
from tests.stored import a_run, a_step, an_item, exports_in, walk

PIXEL = bytes(range(200))


def a_picture() -> SentPicture:
    import hashlib

    return SentPicture(hashlib.sha256(PIXEL).hexdigest(), "image/png", (3, 4), (5, 6), "one.png", PIXEL)


async def fill(store: Store) -> None:
    """Something of everything that a batch and a notebook leave behind, with texts that hurt."""
    await scatter(store, 5)
    run = a_run(store, "whole", seed=77)
    journal = StoreJournal(store, run)
    item = an_item(50, pictures=(Picture("é\ud800.png", "/x", data=PIXEL),), facts={"n": [1.5, None, "\udfff"]})
    trajectory = await journal.take_up(item, 0)
    long = "long text " * 40
    for index, name in enumerate(("describe", "relate")):
        call = Call(
            "ask",
            f"{index + 1:064x}",
            {"model": "m", "messages": [{"content": long}, {"$text": 3}], "nan": float("nan")},
            {"system_fingerprint": "fp", "choices": [{"text": "\ud83d alone"}]},
            "m-1",
            2,
            0.25,
            Usage(10, 3, 0.1 + 0.2),
        )
        step = a_step(name, text="=cmd|' /C calc'!A0 \x00 \u202e \ud800 ü")
        answer = replace(step.answer, call=call, sent=(a_picture(),), reasoning="hm")
        trajectory = await journal.add_step(trajectory, replace(step, answer=answer))
    fork = await journal.fork(trajectory, 1)
    await journal.add_step(fork, a_step("relate", 3, lane="relate=again"))
    grade(store, trajectory.steps[0].id, "ann", 3, 7, "parser wrong", "looked again")
    notebook.write(store, item, notebook.Target(trajectory=trajectory.id), "ann", "first 🙂")
    notebook.write(store, item, notebook.Target(trajectory=trajectory.id), "ann", "second \ud800")
    notebook.toggle(store, trajectory.steps[0].id, "ann", "perception")
    dispute(store, item, "ann", "the picture shows two", "describe", {"number": Corrected("two", "two")})


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "filled.db") as found:
        asyncio.run(fill(found))
        yield found


def export(store: Store, to: Path, names: list[str] | None = None, **how: Any) -> Path:
    rows = None if names is None else [find_run(store, name).id for name in names]
    with to.open("w") as stream:
        write_lines(store, rows, stream.write, **how)
    return to


def counts(store: Store) -> Any:
    found = doctor.examine(store.path)
    return found.counts, [f.to_json() for f in found.findings if f.check != "size"]


def test_the_whole_store_comes_back_to_the_byte(filled: Store, store: Store, tmp_path: Path) -> None:
    file = export(filled, tmp_path / "all.jsonl")
    carried = take_lines(store, file)
    assert not carried.conflicting
    assert contents(store) == contents(filled)
    assert cells(store) == cells(filled)
    assert counts(store) == counts(filled)
    assert file.read_bytes().isascii()


def test_importing_twice_adds_nothing(filled: Store, store: Store, tmp_path: Path) -> None:
    file = export(filled, tmp_path / "all.jsonl")
    take_lines(store, file)
    once = contents(store)
    assert not take_lines(store, file).added
    assert contents(store) == once
    assert not take_lines(filled, file).added


def test_chosen_runs_take_only_what_is_theirs(filled: Store, store: Store, tmp_path: Path) -> None:
    take_lines(store, export(filled, tmp_path / "one.jsonl", ["whole"]))
    for summary in runs(filled):
        if summary.run.name != "whole":
            delete_run(filled, summary.run.name)
    ours, theirs = contents(store), contents(filled)
    for vocabulary in ("step_names", "lanes", "scorers"):  # what a deletion leaves behind
        assert {row[1:] for row in ours.pop(vocabulary)} <= {row[1:] for row in theirs.pop(vocabulary)}
    assert {name: len(rows) for name, rows in ours.items()} == {name: len(rows) for name, rows in theirs.items()}
    assert cells(store) == cells(filled)
    assert doctor.examine(store.path).sound


def test_a_run_brings_the_run_it_stands_on(store: Store, tmp_path: Path) -> None:
    base = a_run(store, "base")
    journal = StoreJournal(store, base)
    first = asyncio.run(walk(journal, an_item(0)))
    derived = a_run(store, "derived", base_run=base.uid)
    own = StoreJournal(store, derived, base=base)
    begun = replace(asyncio.run(own.take_up(an_item(0), 0)), steps=first.steps[:1])
    asyncio.run(own.add_step(begun, a_step("relate", 0, text="other")))
    file = export(store, tmp_path / "derived.jsonl", ["derived"])
    with Store.open(tmp_path / "again.db") as again:
        take_lines(again, file)
        assert contents(again) == contents(store)


def test_pictures_can_stay_behind(filled: Store, store: Store, tmp_path: Path) -> None:
    with_bytes = export(filled, tmp_path / "with.jsonl")
    without = export(filled, tmp_path / "without.jsonl", pictures=False)
    assert '"bytes"' not in without.read_text()
    carried = take_lines(store, without)
    assert carried.notices == ["the file leaves out the bytes of 1 pictures; they are known by their hash"]
    assert cells(store) == cells(filled)
    take_lines(store, with_bytes)
    assert contents(store) == contents(filled)


@pytest.mark.parametrize("at", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_torn_file_imports_nothing(filled: Store, store: Store, tmp_path: Path, at: float) -> None:
    file = export(filled, tmp_path / "all.jsonl")
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * at)])
    empty = contents(store)
    with pytest.raises(UsageError, match="empty" if not at else "line [0-9]+: "):
        take_lines(store, file)
    assert contents(store) == empty


def test_a_missing_line_is_seen(filled: Store, store: Store, tmp_path: Path) -> None:
    file = export(filled, tmp_path / "all.jsonl")
    lines = file.read_text().splitlines(keepends=True)
    tags = next(index for index, line in enumerate(lines) if line.startswith('{"readings"'))
    file.write_text("".join(lines[:tags] + lines[tags + 1 :]))
    with pytest.raises(UsageError, match="some are missing"):
        take_lines(store, file)


def changed(line: str, chances: random.Random) -> str:
    """The line with one value replaced by something of another kind."""
    value = json.loads(line)
    ((name, said),) = value.items()
    field = chances.choice(list(said) or ["id"])
    said[field] = chances.choice(
        [None, -1, 10**30, 1.5, "x", [], {}, [[]], {"$text": 3}, {"$text": "}"}, True, "\ud800"]
    )
    return json.dumps({name: said}) + "\n"


def test_any_damage_is_one_clear_line_or_harmless(filled: Store, tmp_path: Path) -> None:
    file = export(filled, tmp_path / "all.jsonl")
    whole = file.read_text().splitlines(keepends=True)
    for seed in range(40):
        chances = random.Random(seed)
        lines = list(whole)
        at = chances.randrange(len(lines))
        lines[at] = changed(lines[at], chances)
        file.write_text("".join(lines))
        with Store.open(tmp_path / f"{seed}.db") as store:
            empty = contents(store)
            refused = None
            try:
                take_lines(store, file)
            except PhoropterError as error:
                refused = error
            if refused is None:
                assert doctor.examine(store.path).sound
                cells(store)
            else:
                assert "\n" not in str(refused)
                assert str(file) in refused.where or isinstance(refused, StoreError)
                assert contents(store) == empty


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file is empty"),
        (b"\x00\x01\x02", "line 1: this is no JSON"),
        (b"\xff\xfe{\x00", "line 1: this is not UTF-8"),
        (b'{"runs": 1}', "line 1: 'runs' is no object"),
        (b"[]\n", "line 1: not one object"),
        (b"[" * 100_000, "nested too deeply|no JSON"),
        (b'{"phoropter": {"format": "jsonl", "version": 2}}\n', "version 2 of the format"),
        (b'{"phoropter": {"format": "jsonl", "version": 1, "schema": 999}}\n', "newer Phoropter"),
        (b'{"phoropter": {"format": "jsonl", "version": 1, "schema": 1}}\n', "line 1: the file ends here"),
        (
            b'{"phoropter": {"format": "jsonl", "version": 1, "schema": 1}}\n{"cats": {}}\n',
            "line 2: there is no 'cats'",
        ),
        (b'{"phoropter": {"format": "jsonl", "version": 1, "schema": 1}}\n{"runs": {"id": 1}}\n', "line 2: runs: "),
        (b"PK\x03\x04 a zip", "no JSON"),
    ],
)
def test_foreign_files_are_refused_by_line(store: Store, tmp_path: Path, data: bytes, told: str) -> None:
    file = tmp_path / "foreign.jsonl"
    file.write_bytes(data)
    with pytest.raises(UsageError, match=told):
        take_lines(store, file)
    with pytest.raises(UsageError, match="cannot be read"):
        take_lines(store, tmp_path)


def test_exports_are_noted_with_their_runs_and_nobodys_pseudonym(filled: Store) -> None:
    run = find_run(filled, "whole")
    filled.write(
        lambda db: [
            db.execute("INSERT INTO participants (pseudonym, created) VALUES ('p01', 1)"),
            db.execute(
                "INSERT INTO studies (name, digest, configuration, seed, created) VALUES ('s', 'd', '{}', 1, 1)"
            ),
            db.execute(
                f"INSERT INTO sessions (study, participant, run, seed, created) VALUES (1, 1, {run.id}, 1, 1)"
            ),
        ]
    )
    assert mark_export(filled, "csv", "/somewhere/a.csv", "abc", [run.id])
    assert mark_export(filled, "csv", "/somewhere/b.csv", "abc", [])
    assert exports_in(filled) == [("csv", "/somewhere/a.csv", [run.uid]), ("csv", "/somewhere/b.csv", [])]
    assert "p01" not in str(filled.reader().execute("SELECT details FROM exports").fetchall())
