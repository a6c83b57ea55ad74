"""The footer: at most seven keys of the registry, help and quit kept at any width."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static

from tui.actions import ACTIONS, Action, footer


class KeyBar(Static):
    """The keys that matter here; a click does what the key does. Needs no data of its own."""

    def __init__(self, actions: Sequence[Action] = ACTIONS, *, id: str = "keys") -> None:  # noqa: A002  Textual's own
        super().__init__("", id=id, markup=False)
        self._actions = actions

    def on_resize(self) -> None:
        parts = []
        for action in footer(self.size.width, self._actions):
            words = Content.assemble((f" {action.key}", "bold $text-accent"), f" {action.label} ")
            parts.append(words.stylize(f"@click=screen.{action.method}" if "(" in action.method else
                                       f"@click=screen.{action.method}()"))  # fmt: skip
        self.update(Content("").join(parts))
