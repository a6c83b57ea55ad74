"""A line of words in a fixed place, drawn anew only where it says something else."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class OneLine(Static):
    """Its style sheet gives it a height of 1 and a width that does not depend on what it says: the screen is never
    laid out for it, and where nothing at its edge changes, nothing between the edges is looked at again."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  Textual's own
        super().__init__("", id=id, classes=classes, markup=False)
        self._said = Content("")

    def say(self, words: str | Content) -> None:
        """These words, as they are."""
        content = words if isinstance(words, Content) else Content(words)
        if not content.is_same(self._said):
            self._said = content
            self.update(content, layout=False)
