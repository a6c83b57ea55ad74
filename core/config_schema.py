"""The tables of phoropter.toml checked: all problems together, each with its place and the nearest known name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from core.config import YOU, Config
from core.errors import ConfigError, joined
from core.files import user_path
from core.prices import Prices
from core.respondents.addresses import KEYS_ELSEWHERE, problem_of, secret_in
from core.respondents.extras import FROM
from core.respondents.settings import KINDS, Connection, Settings
from core.toml_places import Place, Problem, listed
from core.toml_records import record, type_name, unknown

SAYS: Final = "says"
"""Under this name a field's metadata says what it is for."""

_STRICT: Final = {"extra": "forbid", "strict": True}
_LISTS: Final = ("base_url", "stop", "unsent")
_KEY_NAMES: Final = frozenset(
    {
        "key",
        "auth",
        "authorization",
        "proxyauthorization",
        "bearer",
        "cookie",
        "credential",
        "credentials",
        "passwd",
        "passphrase",
        "pwd",
        "secret",
        "token",
    }
)
_KEY_ENDINGS: Final = ("apikey", "accesskey", "secretkey", "privatekey", "password", "secret")
_TOKENS: Final = ("api", "access", "auth", "bearer", "client", "hf", "id", "refresh", "secret", "session", "security")
"""Before ``token`` these make a key of it; ``stop_token`` and the like are none."""
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PSEUDONYM: Final = re.compile(r"[\w.-]{1,40}")


@dataclass(frozen=True, slots=True)
class StoreTable:
    """``[store]``"""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    path: str = ""


@dataclass(frozen=True, slots=True)
class AppTable:
    """``[app]`` and ``[app.keys]``. The screen of settings is drawn from these fields and what they say.

    ``theme`` and ``keys`` are the screen's names: it judges whether it knows them.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    theme: str = field(default="", metadata={SAYS: "colours: dark, light, contrast, colour-blind, 16-colours, ..."})
    images: Literal["auto", "kitty", "sixel", "iterm2", "halfcell", "unicode", "off"] = field(
        default="auto", metadata={SAYS: "how pictures are drawn; auto asks the terminal, from the next start on"}
    )
    mouse: bool = field(
        default=True, metadata={SAYS: "false leaves the mouse to the terminal, from the next start on"}
    )
    keys: dict[str, str] = field(
        default_factory=dict, metadata={SAYS: 'other keys for an action: "step.next" = "n,space"'}
    )


@dataclass(frozen=True, slots=True)
class NotebookTable:
    """``[notebook]``"""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    pseudonym: str = YOU


_TABLES: Final = {
    "store": StoreTable,
    "app": AppTable,
    "notebook": NotebookTable,
    "respondents": None,
    "prices": None,
}


def checked(tables: Mapping[str, Any], text: str, path: Path) -> Config:
    """The configuration, or ConfigError that lists every problem. ``text`` is the file, for line numbers."""
    problems: list[Problem] = list(_written_keys(tables, ()))
    problems += [((name,), unknown("table", name, _TABLES)) for name in tables if name not in _TABLES]
    store = _table(StoreTable, tables.get("store", {}), ("store",), problems)
    app = _table(AppTable, tables.get("app", {}), ("app",), problems)
    notebook = _table(NotebookTable, tables.get("notebook", {}), ("notebook",), problems)
    if notebook is not None and not _PSEUDONYM.fullmatch(notebook.pseudonym):
        problems.append((("notebook", "pseudonym"), "must be 1 to 40 letters, digits, dots, dashes or underscores"))
    respondents = dict(_respondents(tables.get("respondents", {}), problems))
    prices = dict(_prices(tables.get("prices", {}), problems))
    if problems or store is None or app is None or notebook is None:
        raise ConfigError(listed(problems, text), where=str(path))
    place = path.parent / user_path(store.path, f"{path}: [store] path") if store.path else None
    return Config(path, respondents, place, app.theme, app.keys, prices, pseudonym=notebook.pseudonym)


def _prices(table: Any, problems: list[Problem]) -> Iterator[tuple[str, Prices]]:
    if not isinstance(table, dict):
        problems.append((("prices",), f'must hold tables such as [prices."MODEL"], not {type_name(table)}'))
        return
    for model, entries in table.items():
        prices = _table(Prices, entries, ("prices", model), problems)
        if prices is not None:
            yield model, prices


def _respondents(table: Any, problems: list[Problem]) -> Iterator[tuple[str, Settings]]:
    if not isinstance(table, dict):
        problems.append((("respondents",), f"must hold tables such as [respondents.NAME], not {type_name(table)}"))
        return
    for name, entries in table.items():
        place = ("respondents", name)
        if not isinstance(entries, dict):
            problems.append((place, f"must be a table [respondents.{name}], not {type_name(entries)}"))
            continue
        kind = entries.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            problems.append(((*place, "kind"), _bad_kind(kind)))
            continue
        variable = entries.get("api_key_env")
        if isinstance(variable, str) and variable and not _VARIABLE.fullmatch(variable):
            problems.append(
                ((*place, "api_key_env"), "must be the name of an environment variable, never the key itself")
            )
        tidied = _with_lists(entries)
        addresses = tidied.get("base_url") if issubclass(KINDS[kind], Connection) else ()
        problems += [
            ((*place, "base_url"), joined(problem_of(url), KEYS_ELSEWHERE))
            for url in (addresses if isinstance(addresses, list) else ())
            if isinstance(url, str) and secret_in(url)
        ]
        settings = _table(KINDS[kind], tidied, place, problems)
        if settings is not None:
            yield name, settings


def _table(kind: type[Any], table: Any, place: Place, problems: list[Problem]) -> Any:
    """The table as a record, None where it has problems."""
    return record(kind, table, place, problems, told=_is_key)


def _bad_kind(kind: Any) -> str:
    choices = " or ".join(KINDS)
    if kind is None:
        return f"is missing: {choices}"
    if not isinstance(kind, str):
        return f"must be {choices}, not {type_name(kind)}"
    return f"{unknown('kind', kind, KINDS)}: {choices}"


def _written_keys(value: Any, place: Place) -> Iterator[Problem]:
    """Every key that somebody wrote into the file, however deep. A respondent may be called what it likes."""
    if isinstance(value, list):
        for number, entry in enumerate(value):
            yield from _written_keys(entry, (*place, str(number)))
    if not isinstance(value, dict):
        return
    for name, entry in value.items():
        here = (*place, name)
        if place[:1] == ("respondents",) and place[2:] == ("headers",):
            if _is_key(name) and not (isinstance(entry, str) and entry.startswith(FROM)):
                yield here, f'keys are never written here: put it in an environment variable and write "{FROM}NAME"'
        elif _is_key(name) and place not in (("respondents",), ("prices",)) and place[:2] != ("app", "keys"):
            yield (
                here,
                "keys are never written here: put it in an environment variable and name that with api_key_env",
            )
        else:
            yield from _written_keys(entry, here)


def _is_key(name: str) -> bool:
    """Whether an entry of that name holds a key."""
    bare = "".join(char for char in name.casefold() if char.isalnum())
    if bare.endswith("token") and bare.removesuffix("token").endswith(_TOKENS):
        return True
    return bare in _KEY_NAMES or bare.endswith(_KEY_ENDINGS)


def _with_lists(table: dict[str, Any]) -> dict[str, Any]:
    """One text where a list may stand is a list of one."""
    lists = {name: [table[name]] for name in _LISTS if isinstance(table.get(name), str)}
    return {**table, **lists}
