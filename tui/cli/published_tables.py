"""How a paper's rows and findings are laid out as tables: one grid for each table of the paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.published.catalogue import findings, footnotes, rows, tables
from core.published.records import PERCENT, Finding, Row

LABELS = ("model", "subset", "protocol", "options", "interventions", "step")
"""What may tell a table's lines apart; those that are the same on every line go into the title."""
ACROSS = ("group", "property_name", "step", "subset", "protocol")
"""What may stand across a table: the first that is not the same everywhere."""
MATRIX = 4
"""So many findings told for the same whom stand side by side, without their notes."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as text. The first ``labels`` columns name the line; ``wide`` marks a last column of prose."""

    title: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    labels: int
    wide: bool = False


def grids(benchmark: str) -> Iterator[Grid]:
    """The paper's tables in its order, numbers as printed, marked with their footnotes."""
    marks = {key: f" [{number}]" for number, key in enumerate(footnotes(benchmark), 1)}
    of: dict[str, list[Row]] = defaultdict(list)
    for row in rows(benchmark):
        of[row.table].append(row)
    for title in tables(benchmark).values():
        found = of[title.table]
        place = found[0].source.capitalize()
        about = f"{place} (section {title.section})" if found[0].source != title.table else place
        yield _grid(f"{benchmark}, {about}: {title.title}", found, marks)


def _grid(title: str, found: Sequence[Row], marks: Mapping[str, str]) -> Grid:
    across = next((name for name in ACROSS if _varies(found, name)), "property_name")
    varying = [name for name in (*LABELS, "property_name") if name != across and _varies(found, name)]
    if "step" in varying and len({(row.protocol, row.step) for row in found}) == len({row.protocol for row in found}):
        varying.remove("step")
    names = ["model", *(name for name in varying if name != "model")]
    same = [getattr(found[0], name) for name in LABELS if not _varies(found, name) and name != "model"]
    same = [value for value in same if value]
    if across != "property_name" and not _varies(found, "property_name") and found[0].property_name != "answer":
        same.append(found[0].property_name)
    lines: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for row in found:
        label = tuple(getattr(row, name) for name in names)
        lines[label][getattr(row, across)] = row.value + marks.get(row.footnote, "")
    fullest = sorted(lines.values(), key=len, reverse=True)
    columns = list(dict.fromkeys(column for line in fullest for column in line))
    unit = "in %" if all(row.unit == PERCENT for row in found) else "counts, agreement in %"
    return Grid(
        title=f"{title} ({', '.join((*same, unit))})",
        header=(*(name.removesuffix("_name") for name in names), *columns),
        lines=tuple((*label, *(line.get(column, "") for column in columns)) for label, line in lines.items()),
        labels=len(names),
    )


def _varies(found: Sequence[Row], name: str) -> bool:
    return len({getattr(row, name) for row in found}) > 1


def finding_grids(benchmark: str) -> Iterator[Grid]:
    """What follows from the tables: single numbers with their notes, then those told for each of many."""
    single: list[Finding] = []
    told: dict[str, dict[str, Finding]] = defaultdict(dict)
    for finding in findings(benchmark):
        name, _, whom = finding.name.partition("/")
        if whom:
            told[name][whom] = finding
        else:
            single.append(finding)
    lines: tuple[tuple[str, ...], ...] = tuple((one.name, number(one.value), one.note) for one in single)
    yield Grid(f"{benchmark}: what follows from the tables", ("finding", "value", "note"), lines, 1, wide=True)
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, by in told.items():
        alike[tuple(by)].append(name)
    for everybody, names in alike.items():
        if len(names) >= MATRIX:
            lines = tuple((who, *(number(told[name][who].value) for name in names)) for who in everybody)
            yield Grid(f"{benchmark}: {names[0]} to {names[-1]}", ("of", *names), lines, 1)
            continue
        for name in names:
            lines = tuple((who, number(told[name][who].value), told[name][who].note) for who in everybody)
            yield Grid(f"{benchmark}: {name}", ("of", name, "note"), lines, 1, wide=True)


def number(value: float) -> str:
    """Whole numbers whole, others with up to four decimals."""
    return f"{value:.0f}" if value == int(value) else f"{value:.4f}".rstrip("0").rstrip(".")
