"""The keys that work at this moment, from the focused widget up to the application: for help and the palette."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Input, TextArea

from tui.keymap import shown
from tui.scopes import SCOPES

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

TYPING: Final = "Typing"
_EDITING: Final = ("undo", "redo", "cut", "copy", "paste", "select_all", "delete_word_left", "delete_left_word",
                   "delete_to_start_of_line", "delete_left_all", "delete_to_end_of_line_or_delete_line",
                   "delete_right_all")  # fmt: skip
"""Of the keys of Textual's fields, these are worth telling."""
_SCROLLING: Final = tuple(f"{what}_{way}" for what in ("scroll", "page") for way in
                          ("up", "down", "left", "right", "home", "end"))  # fmt: skip
"""What everything that scrolls has from Textual: what matters of it is told in words of our own."""
_REGISTRY: Final = {action.id: action for actions in SCOPES.values() for action in actions}
_ORDER: Final = {name: place for place, name in enumerate(_REGISTRY)}


@dataclass(frozen=True, slots=True)
class KeyHere:
    """One thing that keys do here. ``shown`` are its keys as people read them."""

    group: str
    label: str
    shown: str
    help: str
    action: str
    node: DOMNode
    id: str = ""

    @property
    def run(self) -> Callable[[], Awaitable[None]]:
        """Does what the key does."""

        async def run() -> None:
            await self.node.app.run_action(self.action, self.node)

        return run


def keys_here(screen: Screen[object]) -> tuple[KeyHere, ...]:
    """What works on that screen as it is focused now, nearest first, each thing once with all its keys."""
    found: dict[tuple[int, str], list[tuple[str, ActiveBinding]]] = {}
    nodes: dict[int, int] = {}
    for key, active in screen.active_bindings.items():
        if _worth_telling(active):
            nodes.setdefault(id(active.node), len(nodes))
            found.setdefault((id(active.node), active.binding.action), []).append((key, active))
    entries = []
    for (node, action), keys in found.items():
        active = keys[0][1]
        entry = _REGISTRY.get(active.binding.id or "")
        label = entry.label if entry else active.binding.description
        told = KeyHere(
            entry.group if entry else _group(active.node),
            label,
            shown(",".join(key for key, _ in keys)),
            entry.help if entry else active.tooltip or f"{active.binding.description}.",
            action,
            active.node,
            active.binding.id or "",
        )
        entries.append((nodes[node], _ORDER.get(told.id, len(_ORDER)), told))
    return tuple(told for *_, told in sorted(entries, key=lambda each: each[:2]))


def _worth_telling(active: ActiveBinding) -> bool:
    binding, node = active.binding, active.node
    if not active.enabled or not binding.description:
        return False
    if isinstance(node, Input | TextArea) and not (binding.id and binding.id in _REGISTRY):
        return binding.action.rpartition(".")[2] in _EDITING
    ours = bool(binding.id and binding.id in _REGISTRY)
    if not ours and binding.action.rpartition(".")[2] in _SCROLLING:
        return False
    return ours or (
        any(type(node).__module__.startswith(room) for room in ("tui.", "tests.")) and not _textuals(active)
    )


def _textuals(active: ActiveBinding) -> bool:
    """What every screen and application of Textual has."""
    inherited = ("screen.copy_text", "app.focus_next", "app.focus_previous", "help_quit", "quit", "command_palette")
    return active.binding.action in inherited


def _group(node: DOMNode) -> str:
    if isinstance(node, Input | TextArea):
        return TYPING
    return str(getattr(node, "BORDER_TITLE", "") or "Here").capitalize()
