"""The items as rows, any number of them, and the values that they can be told apart by."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.geometry import Region

from tui.inert import one_line
from tui.state.filtering import DISPUTED_SIGN, GRADED_SIGN, NOTE_SIGN
from tui.state.heading import groups_of, short_groups_of
from tui.state.roster import NO_REMARKS, ORDERS, Facet
from tui.state.stepping import Stepping
from tui.widgets.lines import Lines

WIDE = 120
MEASURED = 200


class ItemLines(Lines):
    """The chosen items of a plan, one a row, drawn as they come into sight."""

    def __init__(self, stepping: Stepping, *, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id)
        self._stepping = stepping
        self._roster = stepping.roster
        self._widths = (12, 0, 0)
        self._measured = 0

    @property
    def chosen(self) -> Sequence[int]:
        """Positions of the items listed."""
        return self._roster.chosen

    @property
    def count(self) -> int:
        return len(self.chosen)

    def show(self, position: int | None = None) -> None:
        """The items as they are now, the cursor on that one where it is among them."""
        self._measure()
        self.recount()
        if position is not None:
            self.cursor = max(self._roster.place(position), 0)

    @property
    def stamp(self) -> Hashable:
        return self._roster.version, self._stepping.position, self._widths, self.app.theme

    def next_failing(self, by: int) -> bool:
        """The cursor to the next failing row (``by`` -1: the one before). False where there is none."""
        chosen, roster, keys = self.chosen, self._roster, self._stepping.items.keys
        at = self.cursor + by
        while 0 <= at < len(chosen):
            if roster.standing(keys[chosen[at]]).failing:
                self.cursor = at
                return True
            at += by
        return False

    def _measure(self) -> None:
        """Columns as wide as the first items need them."""
        first = min(len(self._stepping.items), MEASURED)
        if first == self._measured:
            return
        self._measured = first
        cards = [self._stepping.items.card(index) for index in range(first)]
        ids = max([12, *(cell_len(one_line(card.key)) for card in cards)])
        short = max((cell_len(short_groups_of(card)) for card in cards), default=0)
        full = max((cell_len(groups_of(card)) for card in cards), default=0)
        self._widths = (min(ids, 24), min(short, 32), min(full, 56))

    def line(self, index: int, width: int) -> Text:
        position = self.chosen[index]
        card = self._stepping.items.card(position)
        standing, share = self._roster.standing(card.key), self._roster.share(card.key)
        remarks = self._roster.remarks(card.key)
        ids, short, full = self._widths
        text = Text(no_wrap=True, end="")
        text.append("▌" if position == self._stepping.position else " ", self.style("strong"))
        text.append(f"{standing.sign} ", self.style("wrong" if standing.failing else "right"))
        text.append_text(_column(one_line(card.key), ids, self.style("strong")))
        if self._roster.view.order != ORDERS[0]:
            text.append(f"{f'{share[0]}/{share[1]}' if share else '·':>5} ")
        if width >= 60:
            text.append(f"{standing.word:<18} ", self.style("muted"))
        if width >= WIDE:
            text.append_text(_column(groups_of(card), full, self.style("muted")))
        else:
            text.append_text(_column(short_groups_of(card), short, self.style("muted")))
        if remarks != NO_REMARKS:
            noted = [DISPUTED_SIGN] if remarks.disputed else []
            noted += [f"{GRADED_SIGN}{remarks.graded}"] if remarks.graded else []
            noted += [f"{NOTE_SIGN}{remarks.notes}"] if remarks.notes else []
            text.append(" ".join(["", *noted, *(f"#{one_line(tag)}" for tag in remarks.tags)]), self.style("strong"))
        text.append(" ")
        text.append(card.about)
        text.truncate(width, overflow="ellipsis")
        return text


class FacetRow(NamedTuple):
    """A name (``value`` None), or one value of it with the ``number`` of items that have it."""

    name: str
    value: str | None = None
    number: int = 0
    wanted: bool = False


class FacetLines(Lines):
    """What the items listed can be told apart by, its values below it. Enter on a value posts Chosen."""

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id)
        self._rows: list[FacetRow] = []

    @property
    def count(self) -> int:
        return len(self._rows)

    def row(self, index: int) -> FacetRow:
        """The row drawn there."""
        return self._rows[index]

    def show(self, facets: Sequence[Facet]) -> None:
        """These, the cursor on the value it was on."""
        before = self._rows[self.cursor] if self.cursor < len(self._rows) else None
        self._rows = []
        for facet in facets:
            self._rows.append(FacetRow(facet.name))
            self._rows += [FacetRow(facet.name, v, count, v in facet.wanted) for v, count in facet.values]
            if facet.more:
                self._rows.append(FacetRow(f"… {facet.more} more values: type {facet.name}=…"))
        self.recount()
        same = [i for i, row in enumerate(self._rows) if before is not None and row[:2] == before[:2]]
        self.cursor = same[0] if same else min(1, max(len(self._rows) - 1, 0))

    def action_point(self, by: int) -> None:
        """Names are passed over: there is nothing to choose on them."""
        direction = 1 if by > 0 else -1
        at = min(max(self.cursor + by, 0), self.count - 1)
        for way in (direction, -direction):
            found = at
            while 0 <= found < self.count and self._rows[found].value is None:
                found += way
            if 0 <= found < self.count:
                self.cursor = found
                return

    def _to_cursor(self) -> None:
        """With the name above it, where the value is its first."""
        above = int(0 < self.cursor < self.count and self._rows[self.cursor - 1].value is None)
        self.scroll_to_region(Region(0, self.cursor - above, 1, 1 + above), animate=False, force=True)

    def line(self, index: int, width: int) -> Text:
        row = self._rows[index]
        text = Text(no_wrap=True, end="")
        if row.value is None:
            text.append(one_line(row.name), self.style("strong" if not row.name.startswith("…") else "muted"))
        else:
            count = f"{row.number:,}"
            text.append(" ◉ " if row.wanted else " ○ ", self.style("right" if row.wanted else "muted"))
            text.append_text(_column(one_line(row.value), max(width - 5 - len(count), 4), Style()))
            text.append(count, self.style("muted"))
        text.truncate(width, overflow="ellipsis")
        return text


def _column(words: str, width: int, style: Style) -> Text:
    """The words in a column that wide, and the space after it."""
    text = Text(words, style)
    text.truncate(width, overflow="ellipsis", pad=True)
    return text.append(" ")
