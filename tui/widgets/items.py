"""The items as rows, any number of them, and the filter's matching."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from core.records import Item
from tui.inert import one_line
from tui.state.heading import groups_of, short_groups_of
from tui.state.stepping import Stepping
from tui.widgets.lines import Lines

WIDE = 120
MEASURED = 200


def about(item: Item, stepping: Stepping) -> str:
    """What an item is about in one line: what its pictures depict, or its question."""
    depicted = " · ".join(picture.depicts for picture in item.pictures if picture.depicts)
    return one_line(depicted or stepping.plan.benchmark.title(item))


def words_of(item: Item, stepping: Stepping) -> str:
    """All that a filter can look for, but the standing."""
    return f"{item.id} {groups_of(item)} {about(item, stepping)}"


def matching(items: Sequence[Item], stepping: Stepping, wanted: str) -> list[int]:
    """Indices of the items that hold every wanted word; safe to call from a thread."""
    words = wanted.casefold().split()
    if not words:
        return list(range(len(items)))
    return [
        index
        for index, item in enumerate(items)
        if all(word in f"{words_of(item, stepping)} {stepping.standing_of(item).word}".casefold() for word in words)
    ]


class ItemLines(Lines):
    """The chosen items of a plan, one a row."""

    def __init__(self, stepping: Stepping, *, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id)
        self._stepping = stepping
        self.chosen: Sequence[int] = range(len(stepping.items))
        first = [stepping.items[index] for index in range(min(len(stepping.items), MEASURED))]
        self._id_width = min(max([12, *(cell_len(one_line(item.id)) for item in first)]), 24)
        self._short_width = min(max(cell_len(short_groups_of(item)) for item in first), 32)
        self._full_width = min(max(cell_len(groups_of(item)) for item in first), 56)

    @property
    def count(self) -> int:
        return len(self.chosen)

    def show(self, chosen: Sequence[int]) -> None:
        """These items, the cursor on the open one where it is among them."""
        self.chosen = chosen
        self.recount()
        position = self._stepping.position
        self.cursor = chosen.index(position) if position in chosen else 0

    def line(self, index: int, width: int) -> Text:
        position = self.chosen[index]
        item = self._stepping.items[position]
        standing = self._stepping.standing_of(item)
        text = Text(no_wrap=True, end="")
        text.append("▌" if position == self._stepping.position else " ", self.style("strong"))
        text.append(f"{standing.sign} ", self.style("wrong" if standing.failing else "right"))
        text.append_text(_column(one_line(item.id), self._id_width, self.style("strong")))
        if width >= 60:
            text.append(f"{standing.word:<18} ", self.style("muted"))
        if width >= WIDE:
            text.append_text(_column(groups_of(item), self._full_width, self.style("muted")))
        else:
            text.append_text(_column(short_groups_of(item), self._short_width, self.style("muted")))
        text.append(" ")
        text.append(about(item, stepping=self._stepping))
        text.truncate(width, overflow="ellipsis")
        return text


def _column(words: str, width: int, style: Style) -> Text:
    """The words in a column that wide, and the space after it."""
    text = Text(words, style)
    text.truncate(width, overflow="ellipsis", pad=True)
    return text.append(" ")
