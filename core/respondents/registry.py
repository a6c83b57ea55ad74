"""A respondent from its name: what phoropter.toml has under it, ``eyes``, a baseline, or ``openai:MODEL@URL``."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.errors import UsageError
from core.prices import Prices
from core.records import RespondentKind
from core.respondents import eyes
from core.respondents.addresses import KEYS_ELSEWHERE, Address, address_of, problem_of, secret_in, shown
from core.respondents.base import Respondent
from core.respondents.baselines import BASELINES, make_baseline
from core.respondents.curl import UNKNOWN
from core.respondents.people import PEOPLE, People
from core.respondents.settings import (
    Connection,
    DiffusersSettings,
    ImagesSettings,
    LocalSettings,
    ServerSettings,
    Settings,
)

if TYPE_CHECKING:
    from core.config import Config
    from core.pictures import Pictures

DIRECT: Final = "openai:MODEL@URL"
_ADDRESS: Final = re.compile(r"@(https?://.*)", re.IGNORECASE | re.DOTALL)


def make(
    name: str,
    config: Config,
    pictures: Pictures,
    *,
    environment: Mapping[str, str] | None = None,
    purpose: str = "answer",
) -> Respondent:
    """The respondent of that name. Opens no connection and loads no model yet. ``purpose`` marks its calls in the
    ledger.

    Raises UsageError for an unknown name (with the nearest), RespondentError where its key or its code is missing.
    """
    if name not in config.respondents:
        if (baseline := make_baseline(name)) is not None:
            return baseline
        if name == PEOPLE:
            return People()
    settings = settings_of(name, config)
    if settings is None:
        raise UsageError(f"there is no respondent {shown(name)!r}{_nearest(name, config)}", remedy=_known(config))
    if isinstance(settings, LocalSettings):
        from core.respondents.transformers_local import make_local

        return make_local(name, settings, pictures, purpose=purpose)
    if isinstance(settings, DiffusersSettings):
        from core.respondents.diffusers_local import make_diffusers

        return make_diffusers(name, settings, purpose=purpose)
    if isinstance(settings, ImagesSettings):
        from core.respondents.images.server import make_images_server

        return make_images_server(name, settings, pictures, environment=environment, purpose=purpose)
    from core.respondents.openai_server import make_server

    return make_server(name, settings, pictures, environment=environment, purpose=purpose)


def settings_of(name: str, config: Config) -> Settings | None:
    """What is set about the model of that name, with the configuration's prices and concurrency; None for a baseline
    and for a name that is not known."""
    settings: Settings | None = config.respondents.get(name)
    if settings is None:
        settings = eyes.SETTINGS if name == eyes.NAME else direct(name)
    if isinstance(settings, ServerSettings):
        settings = settings.with_prices(config.prices.get(settings.model, Prices()))
    if isinstance(settings, Connection) and config.concurrency:
        settings = replace(settings, concurrency=config.concurrency)
    return settings


def names(config: Config) -> list[str]:
    """Every name that can be asked for, the built-in ones as patterns."""
    return [*config.respondents, eyes.NAME, *(baseline.pattern for baseline in BASELINES), DIRECT]


def whereabouts(name: str, config: Config, environment: Mapping[str, str]) -> tuple[RespondentKind, Address | None]:
    """Of what kind the one of that name is, and where requests to it go as the configuration has it now.

    None for one that no server is behind, ``UNKNOWN`` where the name is in no configuration. Makes and reads nothing.
    """
    settings = config.respondents.get(name)
    if settings is None:
        kind, colon, _ = name.partition(":")
        if any(baseline.head == kind + colon for baseline in BASELINES):
            return "baseline", None
        if name == PEOPLE:
            return "human", None
        if name == eyes.NAME:
            return "model", None
        with suppress(UsageError):
            settings = direct(name)
    if settings is None:
        return "model", UNKNOWN
    return "model", address_of(settings, environment) if isinstance(settings, ServerSettings) else None


def direct(name: str) -> ServerSettings | None:
    """The settings behind ``openai:MODEL@URL`` (or ``openai:MODEL`` at api.openai.com), None for another name."""
    kind, colon, rest = name.partition(":")
    if kind != "openai" or not colon:
        return None
    found = _ADDRESS.search(rest)
    model, at, url = (rest[: found.start()], "@", found[1]) if found else rest.partition("@")
    urls = (url,) if at else ()
    where = f"openai:{model}@{shown(url)}" if at else f"openai:{model}"
    if not model:
        raise UsageError("no model is named", where=where, remedy=f"Write {DIRECT}")
    if at and (problem := problem_of(url)):
        remedy = KEYS_ELSEWHERE if secret_in(url) else f"Write {DIRECT}, with http:// or https://"
        raise UsageError(problem, where=where, remedy=remedy)
    return ServerSettings(model=model, base_url=urls)


def _nearest(name: str, config: Config) -> str:
    known = [*config.respondents, eyes.NAME, *(one.head for one in BASELINES)]
    near = difflib.get_close_matches(name[:100], known, 1, 0.5)
    return f"; the nearest is {near[0]}" if near else ""


def _known(config: Config) -> str:
    where = f" in {config.file}" if config.file else " (there is no phoropter.toml)"
    own = ", ".join(config.respondents) or "none"
    return f"Known{where}: {own}; built in: {eyes.NAME}, {', '.join(one.pattern for one in BASELINES)}, {DIRECT}"
