"""The registry's keys as Textual bindings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.binding import Binding, BindingType
from textual.screen import Screen

from tui.actions import ACTIONS, Action
from tui.keymap import Keymap
from tui.scopes.common import LINES


def means(screen: Screen[Any], key: str, *ids: str) -> bool:
    """Whether a key is bound, on that screen as the user has it, to one of these actions."""
    keymap = getattr(screen.app, "keys", Keymap())
    return any(key in action.keys.split(",") for action in keymap.live(a for a in (*ACTIONS, *LINES) if a.id in ids))


def bindings(actions: Sequence[Action] = ACTIONS, *, priority: bool = False) -> list[BindingType]:
    """A binding for each action, under its id, so that keys can be remapped. Textual's own footer shows none."""
    return [
        Binding(
            action.keys, action.method, action.label, show=False, id=action.id, tooltip=action.help, priority=priority
        )
        for action in actions
    ]
