from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import replace
from pathlib import Path

import pandas
import pyarrow.parquet
import pytest

from core.columns import BOM, Column
from core.errors import UsageError
from core.moments import utc
from core.study.definition import Answers, Condition, Practice, Question
from core.study.tables import Table, as_csv, as_tsv
from sessions.store import Store
from sessions.studies.book import amend
from sessions.studies.excluding import exclude
from sessions.studies.exporting import Form, export
from sessions.studies.reading import find
from tests.sitting import STUDY, a_study, says, sit

HARD = '猫,"é"\n=1+1'
"""What breaks other tools' files: a comma, quotes, a newline, what a spreadsheet takes for a formula."""

TRICKY = (HARD, "=1+1", "-5", "+x", "@a", "\ttab", "a\tb", "  spaces  ", '"', "a\r\nb", "n/a", "0017")
STUDIED = replace(
    STUDY,
    practice=Practice(("lo-002",)),
    answers=Answers(why="optional", confidence=5),
    before=(Question("age", "How old are you?", "number"),),
)


def table(*values: str) -> Table:
    return Table("t", "texts", (Column("text", "text", "a text"), Column("n", "integer", "a number")),
                 tuple({"text": value, "n": -1} for value in values))  # fmt: skip


async def studied(store: Store, folder: Path, form: Form | None = None) -> Path:
    record, prepared = a_study(store, STUDIED)
    for person in ("P01", "P-2"):
        await sit(
            store, record, prepared, person, says(0.5), reply=lambda reply: replace(reply, why=HARD, confidence=4)
        )
    await sit(store, record, prepared, kind="simulated", say=says(0.0))
    return export(store, "mmra-people", folder, form).folder


def test_every_text_comes_back_from_csv_as_it_was() -> None:
    data = as_csv(table(*TRICKY))

    rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    frame = pandas.read_csv(io.BytesIO(data), dtype={"text": str}, keep_default_na=False)

    assert [row["text"] for row in rows] == list(TRICKY)
    assert list(frame.text) == list(TRICKY)
    assert list(frame.n) == [-1] * len(TRICKY)
    assert not data.startswith(b"\xef\xbb\xbf")


def test_a_byte_order_mark_stands_there_on_request_alone() -> None:
    data = as_csv(table(HARD), bom=True)

    assert data.startswith(BOM.encode())
    assert pandas.read_csv(io.BytesIO(data), encoding="utf-8-sig").text[0] == HARD


def test_formulas_are_made_harmless_on_request_alone_and_numbers_stay() -> None:
    frame = pandas.read_csv(
        io.BytesIO(as_csv(table(*TRICKY), formula_safe=True)), dtype={"text": str}, keep_default_na=False
    )

    for given, written in zip(TRICKY, frame.text, strict=True):
        assert written == (f"'{given}" if given[0] in "=+-@\t\r" else given)
    assert list(frame.n) == [-1] * len(TRICKY)


def test_tab_separated_as_bids_has_it() -> None:
    data = as_tsv(
        Table("t", "", (Column("text", "text", ""), Column("n", "integer", "")), ({"text": HARD}, {"n": 2}))
    )

    frame = pandas.read_csv(io.BytesIO(data), sep="\t", na_values=["n/a"])

    assert frame.text[0] == HARD
    assert frame.text.isna().tolist() == [False, True]
    assert b"n/a" in data


def test_times_end_in_z() -> None:
    assert utc(1_800_000_000_007, exact=True) == "2027-01-15T08:00:00.007Z"


async def test_the_tables_are_read_by_pandas_and_parquet_is_the_same(store: Store, tmp_path: Path) -> None:
    folder = await studied(store, tmp_path / "out", Form(parquet=True))

    trials = pandas.read_csv(folder / "trials.csv", keep_default_na=False, dtype=str)
    same = pyarrow.parquet.read_table(folder / "trials.parquet")

    assert len(trials) == same.num_rows == 10  # 2 people: a practice item and 4 items each
    assert list(trials.columns) == same.column_names
    assert set(trials.why) == {HARD} == set(same["why"].to_pylist())
    assert set(trials.participant) == {"P01", "P-2"}
    assert sorted(set(trials.trial_kind)) == ["main", "practice"]
    assert list(trials["right"] == "true") == same["right"].to_pylist()
    assert [str(value) for value in same["final_ms"].to_pylist()] == list(trials.final_ms)
    for name in ("onset", "answered", "trial_shown", "trial_ended"):
        assert trials[name].str.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z").all()
    row = trials[trials.trial_kind == "main"].iloc[0]
    assert (row.first_ms, row.final_ms, row.paused_ms, row.confidence) == ("1200", "3000", "0", "4")
    assert (row.terminal_cells, row.pictures_shown, row.picture_protocol) == ("120x40", "320x240", "kitty")
    assert (row["said.answer"] == row["gold.answer"]) == (row["right.answer"] == "true")
    events = pandas.read_csv(folder / "events.csv")
    assert events["at"].str.endswith("Z").all()


async def test_the_dictionary_knows_every_column(store: Store, tmp_path: Path) -> None:
    folder = await studied(store, tmp_path / "out")

    told = json.loads((folder / "data_dictionary.json").read_text(encoding="utf-8"))

    for name, about in told["tables"].items():
        columns = list(pandas.read_csv(folder / f"{name}.csv", nrows=0).columns)
        assert list(about["columns"]) == columns
        assert all(column["Description"] and column["Type"] for column in about["columns"].values())
    assert told["tables"]["trials"]["columns"]["final_ms"]["Units"] == "ms"
    assert "before.age" in told["tables"]["participants"]["columns"]


async def test_bids_files_hold_the_same_trials(store: Store, tmp_path: Path) -> None:
    folder = await studied(store, tmp_path / "out") / "bids"

    people = pandas.read_csv(folder / "participants.tsv", sep="\t", na_values="n/a")
    found = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*_beh.tsv"))

    assert people.columns[0] == "participant_id"
    assert list(people.participant_id) == ["sub-P01", "sub-P2"]
    assert found == [
        "sub-P01/beh/sub-P01_task-mmrapeople_beh.tsv",
        "sub-P2/beh/sub-P2_task-mmrapeople_beh.tsv",
    ]
    trials = pandas.read_csv(folder / found[0], sep="\t", na_values="n/a")
    assert len(trials) == 5
    assert set(trials.why) == {HARD}
    sidecar = json.loads((folder / "task-mmrapeople_beh.json").read_text(encoding="utf-8"))
    assert set(trials.columns) <= set(sidecar)
    assert json.loads((folder / "dataset_description.json").read_text(encoding="utf-8"))["BIDSVersion"]


async def test_it_is_the_owners_alone_and_noted_down(store: Store, tmp_path: Path) -> None:
    folder = await studied(store, tmp_path / "out", Form(parquet=True))

    for place in (folder, *folder.rglob("*")):
        assert place.stat().st_mode & 0o077 == 0, place
    kind, target, digest, details = (
        store.reader().execute("SELECT kind, target, digest, details FROM exports").fetchone()
    )
    hashes = hashlib.sha256()
    for file in sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()):
        hashes.update(f"{file}\0".encode() + hashlib.sha256((folder / file).read_bytes()).digest())
    assert (kind, target, digest) == ("study", str(folder), hashes.hexdigest())
    assert "P01" not in details
    assert b'"experimenter_key": ""' in (folder / "study.json").read_bytes()


async def test_simulated_people_are_exported_alone(store: Store, tmp_path: Path) -> None:
    await studied(store, tmp_path / "people")
    folder = export(store, "mmra-people", tmp_path / "made", Form(kind="simulated")).folder

    kinds = pandas.read_csv(folder / "trials.csv").session_kind
    assert set(kinds) == {"simulated"}
    assert set(pandas.read_csv(tmp_path / "people" / "trials.csv").session_kind) == {"main"}


async def test_what_is_there_is_never_overwritten(store: Store, tmp_path: Path) -> None:
    folder = await studied(store, tmp_path / "out")
    before = (folder / "trials.csv").read_bytes()

    with pytest.raises(UsageError, match="something of that name"):
        export(store, "mmra-people", folder)
    with pytest.raises(UsageError, match="no pilot sessions"):
        export(store, "mmra-people", tmp_path / "pilot", Form(kind="pilot"))

    assert (folder / "trials.csv").read_bytes() == before
    assert not (tmp_path / "pilot").exists()
    assert store.reader().execute("SELECT count(*) FROM exports").fetchone()[0] == 1


async def test_conditions_and_a_second_session_stand_apart(store: Store, tmp_path: Path) -> None:
    study = replace(
        STUDY,
        name="twice",
        conditions={"plain": Condition(), "small": Condition(picture_px=100)},
        design=replace(STUDY.design, raters=1),
    )
    record, prepared = a_study(store, study)
    for _ in range(2):
        await sit(store, record, prepared, "P01")

    folder = export(store, "twice", tmp_path / "out").folder

    assert pandas.read_csv(folder / "trials.csv").condition.isin(["plain", "small"]).all()
    assert (folder / "bids/sub-P01/ses-02/beh/sub-P01_ses-02_task-twice_beh.tsv").exists()


async def test_words_that_no_utf8_holds_leave_every_file_readable(store: Store, tmp_path: Path) -> None:
    """As a command line of another encoding brings them."""
    record, prepared = a_study(store)
    await sit(store, record, prepared, "P01")
    exclude(store, find(store, record.name).sessions[0], "caf\udce9", "AB")
    _, newest = amend(
        store, replace(record.study, gate_attempts=3), record.content, keep_quota=True, reason="na\udcefve"
    )
    assert newest.reason == "na\udcefve"
    export(store, record.name, tmp_path / "out")
    for file in (tmp_path / "out").rglob("*.*"):
        file.read_text("utf-8")
    assert pandas.read_csv(tmp_path / "out" / "sessions.csv").exclusion_reasons[0] == "caf\\udce9"
    told = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert told["excluded"][0]["reason"] == "caf\udce9"
