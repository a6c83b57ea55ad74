"""Rows drawn one by one as they come into sight, with a cursor: any number of them at the cost of a screenful."""

from __future__ import annotations

from textwrap import wrap
from typing import ClassVar

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


class Lines(ScrollView):
    """Base: subclasses give ``count`` and ``line``. Moving the cursor posts Pointed, Enter or a click Chosen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lines--cursor", "lines--muted", "lines--right", "lines--wrong", "lines--strong"
    }  # fmt: skip
    DEFAULT_CSS = """
    Lines {
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
        & .lines--cursor { background: $primary-muted; text-style: bold; }
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

    def style(self, name: str) -> Style:
        """One of the component styles, such as ``muted``."""
        return self.get_component_rich_style(f"lines--{name}", partial=True)

    def recount(self, changed: int | None = None) -> None:
        """To be called when the rows have changed: all that are seen, or the first so many."""
        self.virtual_size = Size(1, self.count)
        self.set_reactive(Lines.cursor, min(self.cursor, max(self.count - 1, 0)))
        if changed is None:
            self.refresh()
        else:
            self.refresh_lines(0, changed)

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
        text = self.line(index, width)
        if index == self.cursor:
            base += self.style("cursor")
        strip = Strip(text.render(self.app.console)).adjust_cell_length(width)
        return strip.apply_style(base) if index != self.cursor else _under(strip, base)

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
