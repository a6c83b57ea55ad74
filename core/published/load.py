"""Reads the published results from the assets: one CSV a benchmark, and the lists they share."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final, cast

from core.cells import ALL
from core.errors import UsageError
from core.published.records import OF_ITEMS, PERCENT, Fact, Footnote, Row, TableTitle, fits
from core.records import RespondentKind

BENCHMARKS: Final = ("voila", "vrex", "mmra")
SIZE: Final = "size "
"""How the facts that give a group's number of samples begin."""


def known(benchmark: str) -> str:
    """The name itself, where there are published results of it.

    Raises UsageError naming the nearest, or all of them.
    """
    if benchmark in BENCHMARKS:
        return benchmark
    near = get_close_matches(benchmark, BENCHMARKS, n=1)
    raise UsageError(
        f"there are no published results of {benchmark!r}",
        where="--published",
        remedy=f"Did you mean {near[0]}?" if near else f"Known: {', '.join(BENCHMARKS)}",
    )


@cache
def _lines(name: str) -> tuple[Mapping[str, str], ...]:
    text = (resources.files("assets.published") / f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


@cache
def rows(benchmark: str) -> tuple[Row, ...]:
    """Every printed number of the benchmark's paper, in printed order; ``n`` filled where the group's size fits."""
    sizes = sizes_of(benchmark)
    return tuple(_sized(_row(benchmark, line), sizes) for line in _lines(known(benchmark)))


def _row(benchmark: str, line: Mapping[str, str]) -> Row:
    def text(name: str, default: str = "") -> str:
        return line.get(name) or default

    return Row(
        benchmark=benchmark,
        table=line["table"],
        model=line["model"],
        printed=text("printed"),
        kind=cast(RespondentKind, line["kind"]),
        size=text("size"),
        subset=text("subset"),
        protocol=line["protocol"],
        options=text("options"),
        interventions=text("interventions"),
        step=line["step"],
        property_name=line["property"],
        group_by=text("group_by", ALL),
        group=text("group", ALL),
        value=line["value"],
        unit=line["unit"],
        n=int(text("n", "0")),
        footnote=text("footnote"),
    )


def _sized(row: Row, sizes: Mapping[str, int]) -> Row:
    """With the size of its group as ``n``, where it is a share of items and a whole number of them fits."""
    n = sizes.get(row.group, 0)
    if row.n or not n or row.step not in OF_ITEMS or row.unit != PERCENT or row.footnote == "dq-columns":
        return row
    return replace(row, n=n) if fits(row.value, n) else row


@cache
def facts(benchmark: str) -> Mapping[str, Fact]:
    """Printed numbers that are no accuracies, by name."""
    found = [
        Fact(line["name"], line["where"], float(line["value"]), line["footnote"])
        for line in _lines("facts")
        if line["benchmark"] == known(benchmark)
    ]
    return MappingProxyType({fact.name: fact for fact in found})


def sizes_of(benchmark: str) -> dict[str, int]:
    """Group to its number of samples, where that can be told from the tables."""
    return {
        name.removeprefix(SIZE): round(fact.value) for name, fact in facts(benchmark).items() if name.startswith(SIZE)
    }


@cache
def footnotes(benchmark: str) -> Mapping[str, Footnote]:
    """The paper's contradictions and pitfalls, by key."""
    found = [
        Footnote(line["key"], line["text"]) for line in _lines("footnotes") if line["benchmark"] == known(benchmark)
    ]
    return MappingProxyType({footnote.key: footnote for footnote in found})


@cache
def tables(benchmark: str) -> Mapping[str, TableTitle]:
    """The paper's tables in their order, by the name that rows give them."""
    found = [
        TableTitle(line["table"], line["section"], line["title"])
        for line in _lines("tables")
        if line["benchmark"] == known(benchmark)
    ]
    return MappingProxyType({title.table: title for title in found})
