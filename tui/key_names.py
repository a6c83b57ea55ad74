"""The key of an action as it is now, for texts that name one: ``f"{key('run.batches')} shows them"``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tui.scopes import SCOPES

_AS_BUILT: Final = {action.id: action.key for actions in SCOPES.values() for action in actions}
_changed: dict[str, str] = {}


def key(action: str) -> str:
    """The first key of the action of that id, as people read it. Raises KeyError for an id that there is not."""
    return _changed.get(action) or _AS_BUILT[action]


def use(changed: Mapping[str, str]) -> None:
    """From now on these actions, by id, have other keys (as people read them) than the registry's."""
    _changed.clear()
    _changed.update(changed)
