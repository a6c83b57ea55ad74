"""phoropter.toml written: one entry changed or a respondent added, comments and order kept, all of it or nothing."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.errors import ConfigError, UsageError
from core.files import read_text

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

    from core.config import Config

OWNER_ONLY: Final = 0o600


def set_app(path: Path, changes: Mapping[str, object]) -> Config:
    """Set entries of ``[app]``; None removes one. Returns the configuration as it is then.

    Raises ConfigError, and leaves the file as it was, where the outcome would be unusable or cannot be written.
    """

    def change(document: TOMLDocument) -> None:
        import tomlkit

        if "app" not in document:
            document["app"] = tomlkit.table()
        table: Any = document["app"]
        for name, value in changes.items():
            if value is None:
                table.pop(name, None)
            else:
                table[name] = value

    return _rewrite(path, change)


def add_respondent(path: Path, name: str, entries: Mapping[str, object]) -> Config:
    """Add ``[respondents.NAME]`` at the end of the file, made where there is none.

    Raises UsageError where the name is taken, ConfigError as ``set_app``.
    """

    def change(document: TOMLDocument) -> None:
        import tomlkit

        if "respondents" not in document:
            document["respondents"] = tomlkit.table(is_super_table=True)
        table: Any = document["respondents"]
        if name in table:
            raise UsageError(f"there is a respondent {name!r} already", where=str(path), remedy="Take another name")
        table[name] = dict(entries)

    return _rewrite(path, change)


def _rewrite(path: Path, change: Callable[[TOMLDocument], None]) -> Config:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from core.config_schema import checked

    there = path.exists()
    text = read_text(path, "the file", error=ConfigError) if there else ""
    try:
        document = tomlkit.parse(text)
        change(document)
        changed = tomlkit.dumps(document)
        tables = tomllib.loads(changed)
    except (TOMLKitError, ValueError, TypeError, AttributeError) as error:
        raise ConfigError(f"cannot be changed: {error}", where=str(path), remedy="Change it by hand") from None
    found = checked(tables, changed, path)
    try:
        _replace(path.resolve(), changed.encode())
    except OSError as error:
        raise ConfigError(f"cannot be written ({error.strerror or error})", where=str(path)) from None
    return found


def _replace(path: Path, data: bytes) -> None:
    """The whole file at once, for the owner alone: whoever reads meanwhile sees the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(OWNER_ONLY)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
