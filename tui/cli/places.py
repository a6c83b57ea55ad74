"""Where a command's store is: ``--store`` before or behind its name, else ``[store] path`` of phoropter.toml."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

    from core.config import Config


def given(context: typer.Context | None, key: str, value: Path | None) -> Path | None:
    """``--store`` and ``--config`` are understood before the command's name too."""
    found = value
    while found is None and context is not None:
        found = context.obj.get(key) if isinstance(context.obj, dict) else None
        context = context.parent  # type: ignore[assignment]
    return found


def chosen_store(store: Path | None, config: Config) -> Path | None:
    """The store's file, None for the usual place."""
    return store if store is not None else config.store


def store_of(context: typer.Context, store: Path | None, config: Path | None) -> Path | None:
    """The same for a command that needs nothing else of the configuration, which is read only where it decides.

    Raises ConfigError for an unusable one: another store than the one meant is worse than none.
    """
    named = given(context, "store", store)
    if named is not None:
        return named
    from core.config import load_config

    return chosen_store(None, load_config(given(context, "config", config)))


def store_and_config(context: typer.Context, store: Path | None, config: Path | None) -> tuple[Path | None, Config]:
    """Both, for a command that needs more of the configuration than the store. Raises ConfigError."""
    from core.config import load_config

    settings = load_config(given(context, "config", config))
    return chosen_store(given(context, "store", store), settings), settings
