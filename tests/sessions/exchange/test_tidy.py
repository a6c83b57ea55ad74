"""The tidy table says what the report says, and pandas, duckdb and pyarrow read it."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pyarrow.parquet
import pytest

from core.columns import write_csv, write_parquet
from core.records import Answer
from sessions.cells import cells_of
from sessions.exchange.tidy import tidy
from sessions.journal import StoreJournal
from sessions.runs import Run, runs
from sessions.scoring import keep_scores
from sessions.store import Store
from tests.sessions.test_tallies import scatter
from tests.stored import a_run, a_score, a_step, an_item, walk

NASTY = ("=1+1", "+x", "-x", "@x", "\tx", "\rx", 'a,"b"\nc\r\nd', "\x00 nul", "\ud83d alone", "é🙂\u202e", "NULL", "")


@pytest.fixture
def filled(store: Store) -> Store:
    asyncio.run(scatter(store, 11, runs=3, items=8))
    return store


def all_runs(store: Store) -> list[Run]:
    return [summary.run for summary in reversed(runs(store))]


def as_csv(store: Store, **how: bool) -> str:
    text = io.StringIO(newline="")
    table = tidy(store, all_runs(store))
    write_csv(table.columns, table.rows(), text.write, **how)
    return text.getvalue()


def plain_shares(rows: Iterator[dict[str, Any]]) -> dict[tuple[str, str, str], list[float]]:
    found: dict[tuple[str, str, str], list[float]] = {}
    for row in rows:
        if row["counts"] == "own" and row["interventions"] == "" and row["share_all"] != "":
            found.setdefault((row["run"], row["scorer"], row["step"]), []).append(float(row["share_all"]))
    return found


def test_the_table_counts_as_the_report_does(filled: Store) -> None:
    shares = plain_shares(csv.DictReader(io.StringIO(as_csv(filled), newline="")))
    for cell in cells_of(filled, all_runs(filled)):
        told = cell.to_json()
        if told["interventions"] or told["property"] != "all" or told["step"] == "describe":
            continue
        own = shares.pop((told["run"], told["scorer"], told["step"]), [])
        assert len(own) == told["n"]
        assert sum(own) == told["right"]
    assert {step for _, _, step in shares} <= {"describe"}


def test_a_share_is_that_of_the_units_scored(store: Store) -> None:
    run = a_run(store)
    journal = StoreJournal(store, run)
    trajectory = asyncio.run(journal.take_up(an_item(0), 0))
    score = a_score(0b000_101_111, 0b000_111_111)  # of the first two pictures; the third is not scored
    asyncio.run(journal.add_step(trajectory, replace(a_step("describe"), scores=(score,))))
    (row,) = csv.DictReader(io.StringIO(as_csv(store), newline=""))
    assert [row[f"share_{name}"] for name in ("number", "subject", "action", "all")] == ["1", "0.5", "1", "0.5"]
    assert (row["right"], row["scored"], row["correct"]) == ("5", "6", "false")


def test_the_newest_version_of_each_scorer_counts(store: Store) -> None:
    run = a_run(store)
    trajectory = asyncio.run(walk(StoreJournal(store, run), an_item(0), right=0))
    keep_scores(store, run, [(step.id, a_score(7, version="2")) for step in trajectory.steps])
    keep_scores(store, run, [(trajectory.steps[0].id, a_score(1, scorer="judge"))])
    rows = list(csv.DictReader(io.StringIO(as_csv(store), newline="")))
    assert [(row["step"], row["scorer"], row["scorer_version"]) for row in rows] == [
        ("describe", "judge", "1"),
        ("describe", "rule", "2"),
        ("relate", "rule", "2"),
        ("apply", "rule", "2"),
    ]


def nasty(store: Store) -> None:
    run = a_run(store)
    for number, text in enumerate(NASTY):
        journal = StoreJournal(store, run)
        trajectory = asyncio.run(journal.take_up(an_item(number), 0))
        asyncio.run(journal.add_step(trajectory, replace(a_step("apply"), answer=Answer(text))))


def held(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")


def test_every_reader_of_csv_gets_the_same_texts(store: Store, tmp_path: Path) -> None:
    nasty(store)
    file = tmp_path / "table.csv"
    file.write_text(as_csv(store), encoding="utf-8", newline="")
    wanted = [held(text) for text in NASTY]
    with file.open(encoding="utf-8", newline="") as stream:
        assert [row["text"] for row in csv.DictReader(stream)] == wanted
    read = pandas.read_csv(file, keep_default_na=False)
    assert list(read["text"]) == wanted
    assert list(read["step_id"]) == list(range(1, len(NASTY) + 1))
    query = f"SELECT coalesce(text, '') FROM read_csv('{file}', all_varchar = true) ORDER BY step_id::int"
    assert [text for (text,) in duckdb.sql(query).fetchall()] == wanted


def test_a_mark_and_safety_from_formulas_come_on_request_alone(store: Store) -> None:
    nasty(store)
    plain, asked = as_csv(store), as_csv(store, bom=True, formula_safe=True)
    assert not plain.startswith("\ufeff")
    assert asked.startswith("\ufeff")
    texts = [row["text"] for row in csv.DictReader(io.StringIO(asked[1:], newline=""))]
    assert texts[:6] == ["'" + text for text in NASTY[:6]]
    assert texts[6:] == [held(text) for text in NASTY[6:]]


def test_parquet_is_read_back_typed(filled: Store, tmp_path: Path) -> None:
    file = tmp_path / "table.parquet"
    table = tidy(filled, all_runs(filled))
    count = write_parquet(table.columns, table.rows(), file)
    read = pyarrow.parquet.read_table(file)
    rows = list(table.rows())
    assert count == read.num_rows == len(rows) == duckdb.sql(f"SELECT count(*) FROM '{file}'").fetchall()[0][0]
    assert read.column_names == [column.name for column in table.columns]
    assert read.to_pylist() == [dict(zip(read.column_names, row, strict=True)) for row in rows]
    assert str(read.schema.field("share_all").type) == "double"
    assert str(read.schema.field("trajectory").type) == "int64"
    assert str(read.schema.field("correct").type) == "bool"
    frame = pandas.read_parquet(file)
    assert frame["right"].sum() == sum(row[read.column_names.index("right")] or 0 for row in rows)


def test_parquet_keeps_nul_and_escapes_what_utf8_cannot_hold(store: Store, tmp_path: Path) -> None:
    nasty(store)
    table = tidy(store, all_runs(store))
    write_parquet(table.columns, table.rows(), tmp_path / "table.parquet")
    texts = pyarrow.parquet.read_table(tmp_path / "table.parquet")["text"].to_pylist()
    assert texts == [text.encode("utf-8", "backslashreplace").decode() for text in NASTY]


def test_every_column_is_documented(filled: Store) -> None:
    page = (Path(__file__).parents[3] / "docs" / "exchange.md").read_text(encoding="utf-8")
    for column in tidy(filled, all_runs(filled)).columns:
        name = column.name
        if name.startswith("group_"):
            name = "group_NAME"
        elif name.startswith("share_") and name != "share_all":
            name = "share_PROPERTY"
        assert f"`{name}`" in page, name
