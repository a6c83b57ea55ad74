"""The published results as data: what the papers print comes back, number by number."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.published.catalogue import BENCHMARKS, cells, footnotes, rows, tables
from core.published.load import facts
from core.published.records import Row, fits

LITERALS = [
    # (benchmark, where, who, subset, protocol, options, step, property, group) as the papers print it
    ("voila", "table 2", "people", "WD", "direct", "examples=yes", "apply", "all", "all", "71.36"),
    ("voila", "table 2", "CogVLM2", "WD", "l2m", "images=collage", "describe", "all", "all", "56.05"),
    ("voila", "table 2", "LLaMa 3.2", "WD", "l2m", "images=collage", "apply", "all", "all", "13.16"),
    ("voila", "table 2", "Qwen2-VL", "ND", "l2m", "images=sequence", "apply", "all", "all", "5.20"),
    ("voila", "table 2", "GPT-4o", "ND", "l2m", "images=sequence", "apply", "all", "all", "29.03"),
    ("voila", "table 3", "SEED-LLaMa", "WD", "l2m", "images=sequence", "apply", "all", "all", "2.99"),
    ("voila", "table 3", "CogVLM2", "ND", "direct", "images=collage", "apply", "all", "all", "3.57"),
    ("voila", "table 4", "Qwen2-VL", "ND", "l2m", "images=sequence", "apply", "all", "all", "6.8"),
    ("voila", "table 8", "SEED-LLaMa", "WD", "direct", "images=collage", "apply", "all", "all", "2.14"),
    ("voila", "table 9", "GPT-4o", "ND", "l2m", "images=sequence", "generate", "all", "all", "20.76"),
    ("voila", "table 10", "people", "WD", "direct", "examples=yes", "apply", "subject", "all", "82.3"),
    ("voila", "table 10", "LLaVa", "WD", "l2m", "images=collage", "relate", "action", "all", "27.8"),
    ("voila", "table 10", "SEED-LLaMa", "WD", "direct", "images=sequence", "generate", "number", "all", "1.1"),
    ("voila", "table 11", "GPT-4o", "ND", "l2m", "images=collage", "generate", "subject", "all", "17.9"),
    ("voila", "table 12", "GPT-4o", "", "judge", "", "describe", "action", "false negative", "14"),
    ("voila", "table 13", "GPT-4o", "", "judge", "", "relate", "subject", "agreement", "74"),
    ("voila", "table 14", "GPT-4o", "", "judge", "", "apply", "all", "agree", "46"),
    ("voila", "table 15", "GPT-4o", "", "judge", "", "generate", "all", "agreement", "90"),
    ("voila", "table 16", "LLaVA-OneVision", "ND", "l2m", "images=collage", "describe", "all", "all", "53"),
    ("voila", "table 17", "GPT-4o", "WD", "l2m", "images=sequence,subprompts=yes", "relate", "all", "all", "42.3"),
    ("voila", "table 18", "GPT-4o", "WD", "l2m", "images=sequence,cot=yes", "apply", "number", "all", "48.8"),
    ("voila", "table 19", "GPT-4o", "WD", "direct", "images=sequence,examples=yes", "apply", "action", "all", "64.4"),
    ("voila", "section 6.1", "GPT-4o", "WD", "l2m", "images=sequence", "relate", "all", "all", "97"),
    ("voila", "section 6.2", "GPT-4o", "ND", "direct", "input=text", "apply", "all", "all", "49"),
    ("vrex", "table 1", "LLaVA-OV-1B", "", "planning", "", "plan", "answer", "Deduction", "31.5"),
    ("vrex", "table 1", "InternVL3-38B", "", "following", "", "follow", "answer", "Navigation", "91.8"),
    ("vrex", "table 1", "O3", "", "planning", "", "plan", "answer", "mean", "86.1"),
    ("vrex", "table 2", "O1", "", "planning", "", "final", "recovery", "all", "79.0"),
    ("vrex", "table 2", "InternVL3.5-38B", "", "following", "", "final", "recovery", "all", "45.6"),
    ("vrex", "table 3", "Gemini 2.5 Flash", "", "direct", "", "final", "answer", "mean", "72.7"),
    ("vrex", "table 3", "GPT-5", "", "following", "", "final", "answer", "Retrieval", "85.4"),
    ("vrex", "table 3", "LLaVA-OV-1B", "", "planning", "", "final", "answer", "Guessing", "49.6"),
    ("mmra", "table 2", "GPT4o", "", "iq", "", "answer", "answer", "all", "67.29"),
    ("mmra", "table 2", "Qwen1.5-72B-Chat", "", "qo", "", "answer", "answer", "OA", "0.00"),
    ("mmra", "table 3", "Qwen-VL-Chat", "", "idq", "", "answer", "answer", "SimE", "67.78"),
    ("mmra", "table 3", "LLaMA-3-8B-Instruct", "", "dq", "", "answer", "answer", "RP", "46.67"),
    ("mmra", "table 4", "Idefics2", "", "iq", "swap=yes", "answer", "answer", "OA", "13.49"),
]


@pytest.mark.parametrize("literal", LITERALS, ids=lambda literal: "-".join(filter(None, literal)))
def test_a_number_comes_back_as_printed(literal: tuple[str, ...]) -> None:
    benchmark, *condition, printed = literal
    found = [
        row
        for row in rows(benchmark)
        if [
            row.source,
            row.model,
            row.subset,
            row.protocol,
            row.options,
            row.step,
            row.property_name,
            row.group,
        ]
        == condition
    ]
    assert [row.value for row in found] == [printed]


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_row_is_a_cell_under_its_own_condition(benchmark: str) -> None:
    made = cells(benchmark)
    assert len(made) == len(rows(benchmark))
    for row, cell in zip(rows(benchmark), made, strict=True):
        assert (cell.benchmark, cell.subset, cell.protocol) == (benchmark, row.subset, row.protocol)
        assert (cell.scorer, cell.interval, cell.low, cell.high) == ("published", "none", None, None)
        assert cell.kind == ("human" if row.model == "people" else "model")
        assert cell.source == row.source
        assert cell.accuracy == pytest.approx(row.percent / 100)
        assert 0 <= cell.accuracy <= 1
        if cell.n:
            assert cell.right / cell.n == pytest.approx(cell.accuracy, abs=0.006)
    keys = [(c.source, c.respondent, c.subset, c.protocol, c.options, c.interventions, c.step, c.property, c.group)
            for c in made]  # fmt: skip
    assert len(set(keys)) == len(keys)


def test_what_a_paper_does_not_say_is_null() -> None:
    told = rows("voila")[0].to_json()
    assert (told["n"], told["right"], told["low"], told["failed"]) == (None, None, None, None)
    assert (told["respondent"], told["printed"]) == ("people", "Human (AMTurks)")


def test_the_size_of_a_group_is_given_where_a_whole_number_of_it_fits() -> None:
    found = {(row.model, row.protocol, row.group): row.cell() for row in rows("mmra") if row.table == "2"}
    assert (found["GPT4o", "iq", "RP"].right, found["GPT4o", "iq", "RP"].n) == (37, 81)
    assert found["GPT4v", "iq", "RP"].n == 0  # 38.75 is 31 of 80


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_footnote_and_table_is_known(benchmark: str) -> None:
    used = {row.footnote for row in rows(benchmark)} | {fact.footnote for fact in facts(benchmark).values()}
    assert used - {""} == set(footnotes(benchmark))
    assert list(dict.fromkeys(row.table for row in rows(benchmark))) == list(tables(benchmark))


def marked(benchmark: str, footnote: str) -> set[tuple[str, str]]:
    return {(row.source, row.value) for row in rows(benchmark) if row.footnote == footnote}


def test_the_contradictions_are_marked_where_they_stand() -> None:
    assert marked("voila", "qwen-nd") == {("table 2", "5.20"), ("table 4", "6.8")}
    assert {source for source, _ in marked("vrex", "recovery")} == {"table 2"}
    untrusted = [row for row in rows("mmra") if row.footnote == "dq-columns"]
    assert len(untrusted) == 66
    assert {(row.table, row.protocol) for row in untrusted} == {("3", "dq")}
    assert facts("mmra")["samples"].footnote == "samples"
    assert "1,026" in footnotes("mmra")["samples"].text
    assert facts("voila")["questions that can be made"].footnote == "counts"


def test_an_unknown_benchmark_is_refused_with_the_nearest_named() -> None:
    with pytest.raises(UsageError, match="vrex"):
        rows("vrexx")


@given(st.integers(1, 3000), st.data())
def test_a_share_fits_the_number_it_was_made_from(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    assert fits(f"{100 * right / n:.2f}", n)


# The rest needs the papers' texts or the reference tables, which are not in the repository.

SEEDS = os.environ.get("PHOROPTER_SEEDS", "")
REFERENCE = os.environ.get("PHOROPTER_REFERENCE", "")

PRINTED = [
    # (benchmark, table, the line that its numbers follow, the how-manieth such line, how many lines of numbers)
    ("voila", "2", "Method\tDescribing Images", 0, 10),
    ("voila", "3", "Models\tL2M", 0, 3),
    ("voila", "4", "Models\tImage Collage", 0, 2),
    ("voila", "10", "Model\tNumber\tSubject", 0, 15),
    ("voila", "11", "Model\tNumber\tSubject", 1, 14),
    ("voila", "12", "Attribute\tFP", 0, 4),
    ("voila", "13", "Attribute\tFP", 1, 4),
    ("voila", "14", "Attribute\tFP", 2, 4),
    ("voila", "15", "Attribute\tFP", 3, 4),
    ("voila", "16", "Method\tInput Type", 0, 2),
    ("voila", "17", "Model\tApproach\tNumber", 0, 2),
    ("voila", "18", "Model\tApproach\tInputs", 0, 2),
    ("voila", "19", "Method\tApproach\tInputs", 0, 3),
    ("vrex", "1", "Model\tDeduction\tGuessing", 0, 36),
    ("vrex", "2", "Model\tFrom Failed", 0, 14),
    ("vrex", "3", "Model\tDeduction\t\t", 0, 37),
    ("mmra", "2", "Setting\tModel\tOverall", 0, 17),
    ("mmra", "3", "Setting\tModel\tOverall", 1, 10),
    ("mmra", "4", "Model\tOverall\tRP\tSM", 0, 4),
]
NUMBER = re.compile(r"\d+(\.\d+)?%?")


def seed(benchmark: str) -> str:
    start = {"voila": "000", "vrex": "001", "mmra": "003"}[benchmark]
    (file,) = Path(SEEDS).glob(f"{start}*.txt")
    return file.read_text(encoding="utf-8")


def printed_numbers(benchmark: str, head: str, nth: int, count: int) -> Iterator[str]:
    text = seed(benchmark).split("\n")
    first = [index for index, line in enumerate(text) if line.startswith(head)][nth]
    for line in text[first + 1 : first + 1 + count]:
        for value in line.split("\t")[1:]:
            if NUMBER.fullmatch(value):
                yield value.rstrip("%")


@pytest.mark.skipif(not SEEDS, reason="PHOROPTER_SEEDS does not name the folder with the papers' texts")
@pytest.mark.parametrize(("benchmark", "table", "head", "nth", "count"), PRINTED)
def test_the_numbers_of_a_table_stand_in_printed_order(
    benchmark: str, table: str, head: str, nth: int, count: int
) -> None:
    ours = [row.value for row in rows(benchmark) if row.table == table]
    assert ours == list(printed_numbers(benchmark, head, nth, count))


@pytest.mark.skipif(not SEEDS, reason="PHOROPTER_SEEDS does not name the folder with the papers' texts")
@pytest.mark.parametrize("table", ["8", "9"])
def test_the_numbers_of_a_table_told_in_one_line(table: str) -> None:
    (line,) = [line for line in seed("voila").split("\n") if line.startswith(f"Table {table}:")]
    body = line.partition("Method")[2]
    assert [row.value for row in rows("voila") if row.table == table] == re.findall(r"\d+\.\d+", body)


def reference(benchmark: str) -> Iterator[dict[str, str]]:
    with (Path(REFERENCE) / f"published_{benchmark}.csv").open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


def numbers_by_table(found: list[tuple[str, float]]) -> dict[str, list[float]]:
    return {table: sorted(number for other, number in found if other == table) for table, _ in found}


@pytest.mark.skipif(not REFERENCE, reason="PHOROPTER_REFERENCE does not name the folder with the reference tables")
@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_reference_number_is_there(benchmark: str) -> None:
    value = "percent" if benchmark == "vrex" else "accuracy"
    theirs = numbers_by_table(
        [(line["table"].removeprefix("T"), float(line[value])) for line in reference(benchmark)]
    )
    ours = numbers_by_table([(row.table, row.number) for row in rows(benchmark)])
    assert {table: ours[table] for table in theirs} == theirs


def spelled(row: Row) -> str:
    return row.printed or row.model


@pytest.mark.skipif(not REFERENCE, reason="PHOROPTER_REFERENCE does not name the folder with the reference tables")
def test_mmras_reference_agrees_on_model_setting_and_subtask() -> None:
    ours = {
        (row.table, spelled(row), "sequence" if row.options else row.protocol.upper(), row.group): row
        for row in rows("mmra")
    }
    for line in reference("mmra"):
        overall = "mean" if line["table"] == "T4" else "all"
        group = overall if line["subtask"] == "Overall" else line["subtask"]
        row = ours[line["table"][1:], line["model"], line["setting"], group]
        assert row.number == float(line["accuracy"])
        assert (row.footnote == "dq-columns") == (line["column_trusted"] == "no")
