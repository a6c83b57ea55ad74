"""Rows drawn one by one as they come into sight, with a cursor: any number of them at the cost of a screenful."""

from __future__ import annotations

from collections.abc import Hashable
from textwrap import wrap
from typing import ClassVar, NamedTuple

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.scopes import LINES
from tui.screens.bindings import bindings

KEPT = 500
"""Rows that are remembered as they were drawn; more than any screen has."""


class _Drawn(NamedTuple):
    """A row as it was drawn last, without the cursor."""

    text: Text
    width: int
    strip: Strip
    stamp: Hashable


class Lines(ScrollView):
    """Base: subclasses give ``count`` and ``line``. Moving the cursor posts Pointed, Enter or a click Chosen.

    A row is drawn anew only where it says something else: a list is scrolled, and kept up to date while others store
    something, at the cost of the rows that are new.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lines--cursor", "lines--muted", "lines--right", "lines--wrong", "lines--strong"
    }  # fmt: skip
    DEFAULT_CSS = """
    Lines {
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
        & .lines--cursor { background: $primary-muted; text-style: bold; }
        &:nocolor .lines--cursor { text-style: bold reverse; }
        & .lines--muted { text-style: dim; }
        & .lines--right { color: $text-success; }
        & .lines--wrong { color: $text-error; text-style: bold; }
        & .lines--strong { text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(LINES)

    cursor: reactive[int] = reactive(0, init=False)
    _base = Style()
    empty: tuple[str, ...] = ()
    """What stands there where there are no rows."""

    class Pointed(Message):
        """The cursor moved to a row."""

        def __init__(self, lines: Lines, index: int) -> None:
            super().__init__()
            self.lines, self.index = lines, index

        @property
        def control(self) -> Lines:
            return self.lines

    class Chosen(Pointed):
        """A row was chosen."""

    @property
    def count(self) -> int:
        raise NotImplementedError

    def line(self, index: int, width: int) -> Text:
        """One row; no longer than ``width`` cells."""
        raise NotImplementedError

    @property
    def stamp(self) -> Hashable:
        """While this stays the same, no row says anything else. None: that is not known."""
        return None

    def style(self, name: str) -> Style:
        """One of the component styles, such as ``muted``."""
        return self.get_component_rich_style(f"lines--{name}", partial=True)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id, classes=classes)
        self._drawn: dict[int, _Drawn] = {}

    def recount(self) -> None:
        """To be called when the rows have changed: draws those in sight that say something else."""
        before, count, cursor = self.virtual_size.height, self.count, self.cursor
        self._fit(count)
        self.set_reactive(Lines.cursor, min(cursor, max(count - 1, 0)))
        if not before or not count:
            self._drawn.clear()
            self.refresh()
            return
        for index in range(count, before):
            self._drawn.pop(index, None)
        width, top = self.scrollable_content_region.width, self.scroll_offset.y
        for index in range(top, min(top + self.size.height, max(count, before))):
            if index >= count or not self._says_same(index, width) or (index == self.cursor != cursor):
                self.refresh_line(index)

    def _fit(self, count: int) -> None:
        """The screen is laid out anew only where the list's height or a scroll bar has to do with it."""
        size, height = Size(1, count), self.size.height
        if self.styles.auto_dimensions or max(count, self.virtual_size.height) > height:
            self.virtual_size = size
        else:
            self.set_reactive(Lines.virtual_size, size)

    def _says_same(self, index: int, width: int) -> bool:
        return (drawn := self._drawn.get(index)) is not None and self._row(index, width) is drawn.strip

    def render_lines(self, crop: Region) -> list[Strip]:
        self._base = self.rich_style  # once, and not for each line: it is put together anew every time
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        index, base = y + self.scroll_offset.y, self._base
        width = self.scrollable_content_region.width
        if not self.count and self.empty:
            said = [line for words in self.empty for line in wrap(words, max(width - 2, 1))]
            text = Text(f" {said[y]}" if y < len(said) else "", style=self.style("muted"), no_wrap=True, end="")
            text.truncate(width)
            return Strip(text.render(self.app.console)).adjust_cell_length(width).apply_style(base)
        if not 0 <= index < self.count:
            return Strip.blank(width, base)
        strip = self._row(index, width)
        return strip.apply_style(base) if index != self.cursor else _under(strip, base + self.style("cursor"))

    def _row(self, index: int, width: int) -> Strip:
        drawn, stamp = self._drawn.get(index), self.stamp
        if drawn is not None and drawn.width == width and drawn.stamp == stamp is not None:
            return drawn.strip
        text = self.line(index, width)
        if drawn is not None and drawn.width == width and drawn.text == text:
            strip = drawn.strip
        else:
            strip = Strip(text.render(self.app.console)).adjust_cell_length(width)
        if len(self._drawn) >= KEPT:
            self._drawn.clear()
        self._drawn[index] = _Drawn(text, width, strip, stamp)
        return strip

    def watch_cursor(self, before: int, now: int) -> None:
        self._to_cursor()
        self.refresh_line(before)
        self.refresh_line(now)

    def on_resize(self) -> None:
        self._to_cursor()

    def _to_cursor(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True)

    def action_point(self, by: int) -> None:
        if self.count:
            self.cursor = min(max(self.cursor + by, 0), self.count - 1)
            self.post_message(self.Pointed(self, self.cursor))

    def action_page(self, direction: int) -> None:
        self.action_point(direction * max(self.size.height - 1, 1))

    def action_choose(self) -> None:
        if self.count:
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)  # a list may have room above its first row
        index = place.y + self.scroll_offset.y if place is not None else -1
        if 0 <= index < self.count:
            self.cursor = index
            self.post_message(self.Chosen(self, index))


def _under(strip: Strip, base: Style) -> Strip:
    """The cursor's background under every segment, its colours kept."""
    from rich.segment import Segment

    return Strip([Segment(text, base + style if style else base, control) for text, style, control in strip])
