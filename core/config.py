"""phoropter.toml: where it is looked for, and what it says. Without a file nothing but this module is imported."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from core.errors import ConfigError
from core.files import read_text, user_path
from core.prices import Prices
from core.respondents.settings import Settings

FILE: Final = "phoropter.toml"
YOU: Final = "you"
"""Whose scores, notes and tags they are where no pseudonym is configured."""


@dataclass(frozen=True, slots=True)
class Config:
    """What phoropter.toml says; empty where there is no file.

    ``file`` is where it was read; ``store`` is the store's file, None for the usual place. ``theme`` and ``keys``
    (action to keys) are the screen's: it judges whether it knows them. ``prices`` are by model. ``pseudonym`` signs
    the notebook. ``concurrency`` is no entry of the file: where it is not 0 it takes the place of every server's own.
    """

    file: Path | None = None
    respondents: Mapping[str, Settings] = field(default_factory=dict)
    store: Path | None = None
    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, Prices] = field(default_factory=dict)
    concurrency: int = 0
    pseudonym: str = YOU


@dataclass(frozen=True, slots=True)
class Glance:
    """``[app]`` as it stands in ``file``, unchecked. Without a file of any kind: the user's own, still to be made."""

    file: Path
    app: Mapping[str, Any] = field(default_factory=dict)


def load_config(explicit: Path | None = None, *, here: Path | None = None, user: Path | None = None) -> Config:
    """The configuration of ``explicit``, else of phoropter.toml in the working folder, else in the user's folder.

    Files are not merged: the first one found counts. Raises ConfigError with every problem in it.
    """
    path = find_config(explicit, here=here, user=user)
    if path is None:
        return Config()
    text = read_text(path, "the file", error=ConfigError)
    tables = _parsed(text, path)
    from core.config_schema import checked  # pydantic costs a start a tenth of a second

    return checked(tables, text, path)


def glance(explicit: Path | None = None, *, here: Path | None = None, user: Path | None = None) -> Glance:
    """``[app]`` of the file that ``load_config`` would read, unchecked: quick enough for before the first paint.

    Raises ConfigError where the file cannot be read or is no TOML.
    """
    path = find_config(explicit, here=here, user=user)
    if path is None:
        return Glance(user_config(user))
    table = _parsed(read_text(path, "the file", error=ConfigError), path).get("app", {})
    return Glance(path, table if isinstance(table, dict) else {})


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"no valid TOML: {error}", where=str(path)) from None


def find_config(explicit: Path | None = None, *, here: Path | None = None, user: Path | None = None) -> Path | None:
    """The file that counts. Raises ConfigError where ``explicit`` names none."""
    if explicit is not None:
        path = user_path(explicit, f"--config {explicit}")
        if not path.exists():
            raise ConfigError("there is no such file", where=str(path), remedy="Check --config")
        return path
    for folder in (here or _working_folder(), user or user_folder()):
        if folder is not None and (folder / FILE).is_file():
            return folder / FILE
    return None


def _working_folder() -> Path | None:
    """None where it has been removed."""
    try:
        return Path.cwd()
    except OSError:
        return None


def user_folder() -> Path:
    """Where the user's own phoropter.toml lies."""
    import platformdirs

    return platformdirs.user_config_path("phoropter", appauthor=False)


def user_config(folder: Path | None = None) -> Path:
    """The user's own phoropter.toml, whether it is there or not."""
    return (folder or user_folder()) / FILE
