"""The items as rows, any number of them, and the filter's matching."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from core.records import Item
from tui.inert import one_line
from tui.state.stepping import Stepping
from tui.widgets.lines import Lines


def groups_of(item: Item) -> str:
    """What accuracy can be broken down by, for this item."""
    return "  ".join(one_line(f"{name} {value}") for name, value in item.groups.items())


def words_of(item: Item) -> str:
    """What an item is about in one line: its groups and what its pictures depict."""
    shown = " · ".join(picture.depicts or picture.name for picture in item.pictures)
    return f"{groups_of(item)}   {one_line(shown)}"


def matching(items: Sequence[Item], stepping: Stepping, wanted: str) -> list[int]:
    """Indices of the items that hold every wanted word; safe to call from a thread."""
    words = wanted.casefold().split()
    if not words:
        return list(range(len(items)))
    return [
        index
        for index, item in enumerate(items)
        if all(word in f"{item.id} {words_of(item)} {stepping.standing_of(item).word}".casefold() for word in words)
    ]


class ItemLines(Lines):
    """The chosen items of a plan, one a row."""

    def __init__(self, stepping: Stepping, *, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id)
        self._stepping = stepping
        self.chosen: Sequence[int] = range(len(stepping.items))

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
        text.append(f"{one_line(item.id):<12} ", self.style("strong"))
        if width >= 60:
            text.append(f"{standing.word:<18} ", self.style("muted"))
        text.append(words_of(item))
        text.truncate(width, overflow="ellipsis")
        return text
