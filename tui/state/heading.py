"""The line at the top: which item, which of how many, and as much more as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from core.records import Item
from tui.inert import one_line

GAP = "  "


@dataclass(frozen=True, slots=True)
class Heading:
    """The parts of the line, made to fit: ``item`` and ``place`` are always there."""

    item: str
    place: str
    groups: str = ""
    who: str = ""

    @property
    def width(self) -> int:
        return cell_len(GAP.join(filter(None, (self.item, self.place, self.groups, self.who))))


def groups_of(item: Item) -> str:
    """What accuracy can be broken down by, for this item."""
    return GAP.join(one_line(f"{name} {value}") for name, value in item.groups.items())


def short_groups_of(item: Item) -> str:
    """The same without names, but where a bare number would say nothing."""
    return " · ".join(
        one_line(f"{name} {value}" if value.isdecimal() else value) for name, value in item.groups.items()
    )


def heading(item: Item, position: int, count: int, who: Sequence[str], width: int) -> Heading:
    """The fullest form that fits. ``who`` are the words on the run, the dearest first: the last ones go first."""
    name, place = one_line(item.id), f"{position + 1}/{count}"
    full, short = groups_of(item), short_groups_of(item)
    said = [" · ".join(map(one_line, who[:many])) for many in range(len(who), -1, -1)]
    forms = [Heading(name, place, groups, words) for words in said for groups in (full, short)]
    forms.append(Heading(name, place))
    for form in forms:
        if form.width <= width:
            return form
    room = max(width - cell_len(place) - len(GAP) - 1, 1)
    return Heading(set_cell_size(name, room).rstrip() + "…", place)
