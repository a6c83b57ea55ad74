"""The line at the top: which item, which of how many, and as much more as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from core.records import Item
from sessions.shelf import Card
from tui.inert import one_line
from tui.state.roster import ORDERS, Roster

GAP = "  "
FILTER_WIDTH = 28


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


def groups_of(item: Item | Card) -> str:
    """What accuracy can be broken down by, for this item."""
    return GAP.join(one_line(f"{name} {value}") for name, value in item.groups.items())


def short_groups_of(item: Item | Card) -> str:
    """The same without names, but where a bare number would say nothing."""
    return " · ".join(
        one_line(f"{name} {value}" if value.isdecimal() else value) for name, value in item.groups.items()
    )


def place_words(roster: Roster, position: int) -> str:
    """Which item of how many: ``4/44``; with a filter ``2/7 of 44 wrong=relate``; ``+`` while more are being read."""
    count = f"{len(roster.items)}{'' if roster.complete else '+'}"
    view = roster.view
    if view.chosen is None:
        return f"{position + 1 if position >= 0 else '…'}/{count}"
    at = roster.place(position)
    order = "" if view.order == ORDERS[0] else view.order
    said = " ".join(filter(None, (one_line(view.text), order)))
    if cell_len(said) > FILTER_WIDTH:
        said = set_cell_size(said, FILTER_WIDTH - 1).rstrip() + "…"
    return f"{at + 1 if at >= 0 else '–'}/{len(view.chosen)} of {count} {said}"


def heading(item: Item, place: str, who: Sequence[str], width: int) -> Heading:
    """The fullest form that fits. ``place`` comes from ``place_words``, ``who`` are the words on the run, the dearest
    first: the last ones go first."""
    name = one_line(item.id)
    full, short = groups_of(item), short_groups_of(item)
    said = [" · ".join(map(one_line, who[:many])) for many in range(len(who), -1, -1)]
    forms = [Heading(name, place, groups, words) for words in said for groups in (full, short)]
    forms.append(Heading(name, place))
    for form in forms:
        if form.width <= width:
            return form
    room = max(width - cell_len(place) - len(GAP) - 1, 1)
    return Heading(set_cell_size(name, room).rstrip() + "…", place)
