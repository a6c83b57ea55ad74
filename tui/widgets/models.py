"""The respondents as rows."""

from __future__ import annotations

from rich.text import Text

from tui.inert import one_line
from tui.state.models import SIGNS, Models, Row
from tui.widgets.lines import Lines

NAME_WIDTH = 24


class ModelLines(Lines):
    """Draws ``Models.rows()``: name, kind, model, and how its check came out."""

    def __init__(self, models: Models, *, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id)
        self._models = models
        self._rows = models.rows()

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def row(self) -> Row | None:
        """The one under the cursor."""
        return self._rows[self.cursor] if self._rows else None

    def redraw(self, name: str = "") -> None:
        """Take the state's rows over; the cursor to ``name``, else where it was."""
        wanted = name or (self.row.name if self.row is not None else "")
        self._rows = self._models.rows()
        self.recount()
        self.cursor = next((at for at, row in enumerate(self._rows) if wanted and row.name == wanted), self.cursor)

    def line(self, index: int, width: int) -> Text:
        row = self._rows[index]
        standing = self._models.checked(row).standing
        how = {"usable": "right", "": "muted", "asking": "strong"}.get(standing, "wrong")
        text = Text(no_wrap=True, end="")
        text.append(f" {SIGNS[standing]} ", self.style(how))
        name = Text(one_line(row.shown), self.style("strong"))
        name.truncate(NAME_WIDTH, overflow="ellipsis", pad=True)
        text.append_text(name)
        text.append(f" {row.kind:<14}", self.style("muted"))
        if standing:
            text.append(f"{standing}  ", self.style(how))
        text.append(one_line(row.what))
        text.truncate(width, overflow="ellipsis")
        return text
