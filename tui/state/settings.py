"""The settings of the screen, drawn from the schema of ``[app]``, and what was changed of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from core.config import Config, glance
from core.config_schema import SAYS, AppTable


@dataclass(frozen=True, slots=True)
class Setting:
    """One entry. ``choices`` are the texts it may be, () where it is none of a list."""

    name: str
    says: str
    value: object
    default: object
    choices: tuple[str, ...] = ()

    @property
    def is_switch(self) -> bool:
        return isinstance(self.default, bool)


def settings(app: Mapping[str, Any], themes: Sequence[str]) -> tuple[Setting, ...]:
    """Every entry that a form can hold, with its value in ``app`` or its default; a table (keys) is none of them."""
    hints = get_type_hints(AppTable)
    out = []
    for entry in fields(AppTable):
        if entry.default is MISSING:
            continue
        choices = get_args(hints[entry.name]) if get_origin(hints[entry.name]) is Literal else ()
        choices = tuple(themes) if entry.name == "theme" else choices
        default = themes[0] if entry.name == "theme" else entry.default
        value = app.get(entry.name, default)
        known = value in choices if choices else isinstance(value, type(default))
        out.append(Setting(entry.name, str(entry.metadata[SAYS]), value if known else default, default, choices))
    return tuple(out)


def save(file: Path, shown: Sequence[Setting], values: Mapping[str, object]) -> Config | None:
    """Write what differs from what was shown; None where nothing does. Raises ConfigError, nothing written."""
    from core.config_writing import set_app

    changes = {each.name: values[each.name] for each in shown if values[each.name] != each.value}
    return set_app(file, changes) if changes else None


def read(file: Path, themes: Sequence[str]) -> tuple[Setting, ...]:
    """The settings as the file has them. Raises ConfigError."""
    return settings(glance(file).app if file.exists() else {}, themes)
