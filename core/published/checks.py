"""What is asked of every paper: do its tables agree with each other, with rounding, with whole numbers of items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import mean

from core.cells import ALL
from core.published.load import facts
from core.published.records import MEAN, OF_ITEMS, PERCENT, Finding, Row, fits

Key = tuple[str, ...]


def contradictions(rows: Sequence[Row]) -> Finding:
    """Figures that stand in two tables for one and the same condition and differ by more than their rounding."""
    same: dict[Key, list[Row]] = defaultdict(list)
    for row in rows:
        if row.unit == PERCENT:
            asked = ",".join(option for option in row.options.split(",") if not option.endswith("=no"))
            who = (row.model, row.subset, row.protocol, asked, row.interventions)
            same[(*who, row.step, row.property_name, row.group)].append(row)
    differ = []
    for found in same.values():
        values: dict[str, Row] = {}
        for row in found:
            values.setdefault(row.value, row)
        if len(values) > 1 and not _one_number(values):
            said = " and ".join(f"{row.value} ({row.source})" for row in values.values())
            differ.append(f"{found[0].model} {found[0].subset} {found[0].step}: {said}")
    return Finding("figures_that_contradict", len(differ), "; ".join(differ) or "none")


def _one_number(values: Iterable[str]) -> bool:
    """Whether all are the same number, told with more or fewer decimals."""
    low = max(float(value) - _half(value) for value in values)
    high = min(float(value) + _half(value) for value in values)
    return low <= high + 1e-9


def _half(value: str) -> float:
    decimals = len(value.partition(".")[2])
    return 0.5 * 10.0**-decimals


def means_off(rows: Sequence[Row], name: str, *, margin: float) -> Finding:
    """Printed plain means that the groups beside them do not give within ``margin`` percentage points."""
    off, most = [], 0.0
    for head, parts in groups_beside(rows, MEAN):
        difference = mean(part.number for part in parts) - head.number
        most = max(most, abs(difference))
        if abs(difference) > margin + 1e-9:
            off.append(f"{head.model} {head.protocol} {head.value} (its groups give {head.number + difference:.3f})")
    note = f"more than {margin:g} from the mean of the printed groups; most {most:.3f}"
    return Finding(name, len(off), f"{note}: {'; '.join(off)}" if off else note)


def groups_beside(rows: Iterable[Row], head: str) -> Iterator[tuple[Row, list[Row]]]:
    """Each row of the group ``head`` with the rows of the other groups under the same model and condition."""
    lines: dict[Key, list[Row]] = defaultdict(list)
    for row in rows:
        lines[(row.table, row.model, *row.condition, row.step, row.property_name)].append(row)
    for line in lines.values():
        for row in line:
            if row.group == head and len(line) > 1:
                yield row, [other for other in line if other.group not in (ALL, MEAN)]


def not_whole(rows: Sequence[Row], sizes: Mapping[str, int], name: str) -> Finding:
    """Shares of items that no whole number of their group's samples gives."""
    odd = [
        row
        for row in rows
        if row.step in OF_ITEMS
        and row.group in sizes
        and row.unit == PERCENT
        and not fits(row.value, sizes[row.group])
    ]
    told = "; ".join(f"{row.model} {row.protocol} {row.group} {row.value}" for row in odd)
    return Finding(name, len(odd), f"of {len(rows)} printed: {told}" if odd else "all fit")


def printed(benchmark: str, name: str) -> str:
    """``the paper prints X (section)`` for a fact."""
    fact = facts(benchmark)[name]
    return f"the paper prints {fact.value:g} ({_where(fact.where)})"


def _where(where: str) -> str:
    return where if " " in where else f"section {where}"
