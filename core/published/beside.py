"""Published rows set beside a run's own cells: the same benchmark, subset, step and property, asked the same way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from core.cells import ALL, Cell
from core.published.load import BENCHMARKS, footnotes, rows
from core.published.records import Footnote, Row

DEPARTURES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "images": frozenset({"collage"}),
        "input": frozenset({"text"}),
        "subprompts": frozenset({"yes"}),
        "cot": frozenset({"yes"}),
        "examples": frozenset({"yes"}),
        "swap": frozenset({"yes"}),
        "pictures": frozenset({"none", "blank", "swapped"}),
        "rules": frozenset({"unexplained"}),
    }
)
"""Option values that make a condition of their own; without them a protocol is asked as the papers ask it."""

SUBTASKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "RelativePosition": "RP",
        "UsageSimilarity": "US",
        "MentalitySimilarity": "MS",
        "SimilarMaterial": "SM",
        "MadeOf": "SM",
        "AppearanceSimilarity": "AS",
        "NearSameEntity": "NSE",
        "Environment": "Env",
        "Layout": "LO",
        "SimilarEvent": "SimE",
        "SubEvent": "SubE",
        "ObservationAngle": "OA",
    }
)
"""MMRA's full names of subtasks to the short ones that its tables print."""

UNTRUSTED: Final = frozenset({"dq-columns"})
"""Footnotes of numbers that are not what their column says."""

Asked = tuple[str, str, str]
"""Step, property and group."""


@dataclass(frozen=True, slots=True)
class Published:
    """A published row under the group's name that the run uses."""

    row: Row
    group: str


@dataclass(frozen=True, slots=True)
class Block:
    """A run's cells of one benchmark, subset and protocol, what the paper has beside them, and what it has not.

    ``left_out`` names the conditions of the paper that have the same steps and properties and were asked otherwise.
    """

    own: tuple[Cell, ...]
    published: tuple[Published, ...]
    left_out: tuple[str, ...]

    @property
    def footnotes(self) -> list[Footnote]:
        """Those of the published rows, in the paper's order."""
        if not self.published:
            return []
        used = {found.row.footnote for found in self.published}
        return [note for key, note in footnotes(self.own[0].benchmark).items() if key in used]


def beside(cells: Iterable[Cell]) -> list[Block]:
    """The cells in blocks of one benchmark, subset and protocol, each with the published rows that compare."""
    blocks: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in cells:
        blocks.setdefault((cell.benchmark, cell.subset, cell.protocol), []).append(cell)
    return [_block(tuple(own)) for own in blocks.values()]


def _block(own: tuple[Cell, ...]) -> Block:
    first = own[0]
    if first.benchmark not in BENCHMARKS:
        return Block(own, (), (f"no results of {first.benchmark} were published",))
    asked: dict[Asked, list[Cell]] = {}
    for cell in own:
        asked.setdefault((cell.step, cell.property, _short(cell.group)), []).append(cell)
    found: dict[tuple[str, ...], Published] = {}
    others: dict[str, list[Row]] = {}
    for row in rows(first.benchmark):
        if row.subset and row.subset != first.subset:
            continue
        cells = asked.get((row.step, row.property_name, row.group), [])
        same = next((cell for cell in cells if comparable(row, cell)), None)
        if same is not None and row.footnote not in UNTRUSTED:
            key = (row.model, _departures(row.options), row.interventions, row.step, row.property_name, row.group)
            found.setdefault(key, Published(row, same.group))
        else:
            for reason in _reasons(row, asked, same):
                others.setdefault(reason, []).append(row)
    left_out = tuple(f"{reason}: {_places(left)}" for reason, left in others.items())
    return Block(own, tuple(sorted(found.values(), key=lambda each: _order(each, own, found))), left_out)


def _order(each: Published, own: Sequence[Cell], found: Mapping[tuple[str, ...], Published]) -> tuple[int, str, int]:
    """By model as first printed and how it was asked, then as the run's own cells stand."""
    models = list(dict.fromkeys(other.row.model for other in found.values()))
    places = [(cell.interventions, cell.group, cell.step, cell.property) for cell in own]
    row = each.row
    place = places.index((row.interventions, each.group, row.step, row.property_name))
    return models.index(row.model), _departures(row.options), place


def comparable(row: Row, cell: Cell) -> bool:
    """Whether both were asked the same way; people are set beside every protocol, as the papers do."""
    if row.interventions != cell.interventions:
        return False
    if row.kind == "human":
        return True
    return row.protocol == cell.protocol and _departures(row.options) == _departures(cell.options)


def _departures(options: str) -> str:
    """The options that make a condition of its own, in one order."""
    named = (option.partition("=") for option in options.split(",") if option)
    return ",".join(sorted(f"{name}={value}" for name, _, value in named if value in DEPARTURES.get(name, ())))


def _reasons(row: Row, asked: Mapping[Asked, Sequence[Cell]], same: Cell | None) -> Iterator[str]:
    """Why a row of a step and property that the run has is not beside it; none for other steps."""
    if (row.step, row.property_name) not in {(step, name) for step, name, _ in asked}:
        return
    if same is not None:
        yield "columns that are not what their header says"
        return
    like = [cell for cells in asked.values() for cell in cells if cell.step == row.step]
    if any(comparable(row, cell) for cell in like):
        yield "over all items (without --by)" if row.group == ALL else f"by {row.group_by} (--by {row.group_by})"
        return
    with_ = " and ".join(filter(None, (row.options.replace(",", " and "), row.interventions)))
    yield f"{row.protocol} with {with_}" if with_ else row.protocol


def _places(left: Sequence[Row]) -> str:
    """``tables 2, 3`` or ``section 6.1``, each named once."""
    tables = list(dict.fromkeys(row.table for row in left if row.source != row.table))
    told = [f"table{'s' if len(tables) > 1 else ''} {', '.join(tables)}"] if tables else []
    return ", ".join([*told, *dict.fromkeys(row.source for row in left if row.source == row.table)])


def _short(group: str) -> str:
    return SUBTASKS.get(group, group)


def labelled(block: Block) -> list[Cell]:
    """The run's cells and then the published ones, named for a table: ``GPT-4o (published)`` in the run's place.

    They take the block's subset and protocol, so that people stand in the same table.
    """
    numbers = {note.key: number for number, note in enumerate(block.footnotes, 1)}
    marks: dict[str, set[int]] = {}
    for each in block.published:
        if each.row.footnote:
            marks.setdefault(who(each.row), set()).add(numbers[each.row.footnote])
    shown = []
    for each in block.published:
        name = who(each.row)
        mark = "".join(f" [{number}]" for number in sorted(marks.get(name, ())))
        shown.append(
            replace(
                each.row.cell(),
                run=f"{name} (published){mark}",
                subset=block.own[0].subset,
                protocol=block.own[0].protocol,
                group_by=block.own[0].group_by,
                group=each.group,
            )
        )
    return [*block.own, *shown]


def who(row: Row) -> str:
    """Whose figure it is: the model, with the condition where it is not the plain one."""
    departures = "" if row.kind == "human" else _departures(row.options)
    return ", ".join(filter(None, (row.model, departures)))
