"""The footer: at most seven keys of the registry as they are now, help and quit kept at any width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from tui.actions import ACTIONS, Action, cells, footer
from tui.keymap import Keymap, shown, writes
from tui.scopes import LINES


class KeyBar(Static):
    """The keys that matter here; a click does what the key does. Needs no data of its own.

    ``before`` stands in front of them where there is room; ``enter`` is what choosing a line does here, "" where
    that is not told; ``typed``: keys that write a character write it here.
    """

    DEFAULT_CSS = """
    KeyBar {
        height: 1;
        background: $panel-darken-1;
        text-wrap: nowrap;
        link-style: none;
        link-color: $foreground;
        link-color-hover: $foreground;
        link-background-hover: $panel;
        link-style-hover: underline;
    }
    """

    def __init__(
        self,
        actions: Sequence[Action] = ACTIONS,
        *,
        before: str = "",
        enter: str = "",
        typed: bool = False,
        id: str = "keys",  # noqa: A002  Textual's own
    ) -> None:
        super().__init__("", id=id, markup=False)
        chosen = (replace(action, label=enter, method="focused.choose", rank=1, keep=True) for action in LINES
                  if enter and action.id == "list.choose")  # fmt: skip
        self._actions = (*chosen, *actions)
        self._before = f" {before} " if before else ""
        self._typed = typed

    def on_resize(self) -> None:
        before, actions = self.fitted(self.size.width, getattr(self.app, "keys", Keymap()))
        parts = [Content(before)]
        for action in actions:
            words = Content.assemble((f" {action.key}", "bold $text-accent"), f" {action.label} ")
            named = action.method.startswith(("app.", "focused."))
            where = action.method if named else f"screen.{action.method}"
            parts.append(words.stylize(f"@click={where if '(' in where else f'{where}()'}"))
        self.update(Content("").join(parts))

    def fitted(self, width: int, keymap: Keymap) -> tuple[str, tuple[Action, ...]]:
        """What stands in front ("" where there is no room), and the actions, each with the key that is shown."""
        actions = [replace(action, shown=self._first_key(action)) for action in keymap.live(self._actions)]
        room = width - cell_len(self._before)
        fits = room >= cells(footer(1000, actions)) or (room >= 40 and room >= cells(footer(room, actions)))
        before = self._before if fits else ""
        return before, footer(width - cell_len(before), actions)

    def _first_key(self, action: Action) -> str:
        usable = [key for key in action.keys.split(",") if not self._typed or not writes(key)]
        return shown(usable[0]) if usable and self._typed else action.key
