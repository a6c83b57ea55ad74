"""The registry's keys as Textual bindings."""

from __future__ import annotations

from collections.abc import Sequence

from textual.binding import Binding, BindingType

from tui.actions import ACTIONS, Action


def bindings(actions: Sequence[Action] = ACTIONS, *, priority: bool = False) -> list[BindingType]:
    """A binding for each action, under its id, so that keys can be remapped. Textual's own footer shows none."""
    return [
        Binding(
            action.keys, action.method, action.label, show=False, id=action.id, tooltip=action.help, priority=priority
        )
        for action in actions
    ]
