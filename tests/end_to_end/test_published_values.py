"""Every number of the papers' tables as `report --published` prints it: each table of the papers' texts, and each row
of the reference tables under its own condition. Both are outside the repository."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.published.catalogue import BENCHMARKS, rows, tables
from tests.core.published.test_rows import PRINTED, printed_numbers, seed
from tui.cli import run as command

SEEDS = os.environ.get("PHOROPTER_SEEDS", "")
REFERENCE = os.environ.get("PHOROPTER_REFERENCE", "")
NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?: \[\d+\])?")


@cache
def said(benchmark: str, form: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert command(["report", "--published", benchmark, "--format", form]) == 0
    return out.getvalue()


def printed(benchmark: str) -> dict[str, Counter[str]]:
    """By table, or section, how often each number stands in what is printed, footnotes' marks and labels aside."""
    found: dict[str, Counter[str]] = {}
    table = ""
    for line in said(benchmark, "md").splitlines():
        title = re.match(rf"\*\*{benchmark}, (Table (\d+)|Section [\d.]+)", line)
        if line.startswith("**"):
            table = (title[2] or title[1].lower()) if title else ""
        elif table and line.startswith("| "):
            values = [NUMBER.fullmatch(cell) for cell in line.strip("| ").split(" | ")]
            found.setdefault(table, Counter()).update(value[1] for value in values if value)
    return found


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_row_of_the_assets_is_printed_and_nothing_else(benchmark: str) -> None:
    wanted: dict[str, Counter[str]] = {}
    for row in rows(benchmark):
        wanted.setdefault(row.table, Counter())[row.value] += 1
    assert printed(benchmark) == wanted
    assert set(wanted) == set(tables(benchmark))


@pytest.mark.skipif(not SEEDS, reason="PHOROPTER_SEEDS does not name the folder with the papers' texts")
@pytest.mark.parametrize(("benchmark", "table", "head", "nth", "count"), PRINTED)
def test_a_table_is_printed_with_the_papers_numbers(
    benchmark: str, table: str, head: str, nth: int, count: int
) -> None:
    assert printed(benchmark)[table] == Counter(printed_numbers(benchmark, head, nth, count))


@pytest.mark.skipif(not SEEDS, reason="PHOROPTER_SEEDS does not name the folder with the papers' texts")
def test_what_the_paper_says_in_words_alone() -> None:
    text = seed("voila")
    for table, words in {
        "section 6.1": ("identifying relationships increased significantly, reaching 97%", "dramatically to 17%"),
        "section 6.2": ("achieved an accuracy of 22%", "its accuracy rose to 49%"),
    }.items():
        assert all(each in text for each in words)
        assert printed("voila")[table] == Counter(re.findall(r"(\d+)%", " ".join(words)))


def reference(benchmark: str) -> Iterator[dict[str, str]]:
    with (Path(REFERENCE) / f"published_{benchmark}.csv").open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


def cells(benchmark: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(said(benchmark, "json"))["cells"]
    return found


def only(found: dict[tuple[str, ...], list[float]], key: tuple[str, ...], value: str) -> None:
    assert [round(100 * accuracy, 6) for accuracy in found[key]] == [float(value)], key


needs_reference = pytest.mark.skipif(
    not REFERENCE, reason="PHOROPTER_REFERENCE does not name the folder with the reference tables"
)


@needs_reference
def test_voilas_reference_value_by_value() -> None:
    formats = {"collage": "images=collage", "sequential": "images=sequence", "human": "examples=yes"}
    names = {"Humans": "Humans (MTurk)"}  # the reference cuts what stands in brackets
    found: dict[tuple[str, ...], list[float]] = {}
    for cell in cells("voila"):
        how = (cell["options"], cell["protocol"], cell["subset"], cell["step"], cell["property"])
        found.setdefault((cell["source"], cell["printed"], *how), []).append(cell["accuracy"])
    for line in reference("voila"):
        how = (formats[line["image_format"]], line["prompting"], line["subset"], line["step"], line["property"])
        name = names.get(line["model"], line["model"])
        only(found, (f"table {line['table'][1:]}", name, *how), line["accuracy"])


@needs_reference
def test_vrexs_reference_value_by_value() -> None:
    found: dict[tuple[str, ...], list[float]] = {}
    for cell in cells("vrex"):
        what = (cell["protocol"], cell["step"], cell["property"], cell["group"])
        found.setdefault((cell["source"], cell["printed"].casefold(), *what), []).append(cell["accuracy"])
    for line in reference("vrex"):
        kind, _, protocol = line["measure"].rpartition("_")
        step = {"": {"planning": "plan", "following": "follow"}.get(protocol, ""), "final": "final"}.get(
            kind, "final"
        )
        name = "recovery" if kind == "recovery" else "answer"
        group = line["category"] if line["category"] not in ("Average", "Overall") else "mean"
        group = "all" if kind == "recovery" else group
        key = (f"table {line['table'][1:]}", line["model"].casefold(), protocol, step, name, group)
        only(found, key, line["percent"])


@needs_reference
def test_mmras_reference_value_by_value() -> None:
    found: dict[tuple[str, ...], list[float]] = {}
    for cell in cells("mmra"):
        setting = "sequence" if cell["options"] else cell["protocol"].upper()
        found.setdefault((cell["source"], cell["printed"], setting, cell["group"]), []).append(cell["accuracy"])
    for line in reference("mmra"):
        overall = "mean" if line["table"] == "T4" else "all"
        group = overall if line["subtask"] == "Overall" else line["subtask"]
        only(found, (f"table {line['table'][1:]}", line["model"], line["setting"], group), line["accuracy"])
