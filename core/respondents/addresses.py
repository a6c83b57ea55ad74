"""Where a server is: what can be such an address, how it is shown without what may be secret in it, and names
without it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from core.respondents.settings import Connection, ServerSettings

OPENAI: Final = "https://api.openai.com/v1"
OPENAI_KEY: Final = "OPENAI_API_KEY"
CHAT: Final = "/chat/completions"
KEYS_ELSEWHERE: Final = (
    "Put the key in an environment variable and name that with api_key_env in a [respondents.NAME] of phoropter.toml"
)
_SCHEME: Final = re.compile(r"https?://", re.IGNORECASE)
_AT: Final = re.compile(r"@(https?://.*)", re.IGNORECASE | re.DOTALL)
_SHOWN: Final = 200


def problem_of(url: str) -> str:
    """What is wrong with a base_url, "" where nothing is. Never shows what may be secret in it."""
    if secret_in(url):
        return "an address holds no user, no key and no query"
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        return f"{shown(url)!r} is no http address ({error})"
    if not fine or not url.isascii() or not url.isprintable() or " " in url:
        return f"{shown(url)!r} is no http address"
    return ""


def secret_in(url: str) -> bool:
    """Whether there is a place in it where keys are written: before an @, or behind a question mark or hash."""
    return "?" in url or "#" in url or "@" in url


def shown(url: str) -> str:
    """The address without user, query and fragment, and not too long."""
    before, at, rest = url.rpartition("@")
    scheme = _SCHEME.match(before)
    head = f"{scheme[0] if scheme else ''}***@" if at else ""
    bare = head + re.split(r"[?#]", rest, maxsplit=1)[0]
    return bare if len(bare) <= _SHOWN else bare[: _SHOWN - 1] + "…"


def host_of(url: str) -> str:
    """Host, port and path."""
    parts = urlsplit(url)
    return f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path.rstrip('/')}"


def without_place(respondent: str) -> str:
    """``replay`` of ``replay:FILE``, ``openai:MODEL`` of ``openai:MODEL@URL``; any other name whole."""
    kind, _, rest = respondent.partition(":")
    if kind == "replay":
        return kind
    return f"openai:{rest.rpartition('@http')[0] or rest}" if kind == "openai" else respondent


def as_identified(respondent: str) -> str:
    """A respondent's name as far as it says who answers: ``replay`` of ``replay:FILE``; ``openai:MODEL@URL`` with
    host, port and path, since nothing else tells one such server from another; any other name whole."""
    kind, _, rest = respondent.partition(":")
    if kind == "replay":
        return kind
    found = _AT.search(rest) if kind == "openai" else None
    return respondent if found is None else f"openai:{rest[: found.start()]}@{host_of(found[1])}"


@dataclass(frozen=True, slots=True)
class Address:
    """Where requests go: the endpoint's ``url``, and the environment variable that holds the key ("" for none).

    ``tokens`` is the server's name for the limit of tokens; ``headers`` and ``proxy`` are as they are written in the
    settings, ``env:NAME`` for what the environment holds. The key itself is nowhere in here.
    """

    url: str
    variable: str
    tokens: str
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    proxy: str = ""


def address_of(settings: ServerSettings, environment: Mapping[str, str]) -> Address:
    """The first of its replicas."""
    return address_at(settings, *places(settings, environment), settings.max_tokens_field)


def address_at(settings: ServerSettings, urls: Sequence[str], variable: str, tokens: str) -> Address:
    """The first of these addresses, with what else is set of how requests go there."""
    return Address(urls[0].rstrip("/") + CHAT, variable, tokens, settings.headers, settings.proxy)


def places(settings: Connection, environment: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """Its addresses, and the name of the variable that holds their key ("" for none). Reads no key."""
    urls = settings.base_url or (environment.get("OPENAI_BASE_URL") or OPENAI,)
    if settings.api_key_env or not _openais_own(settings, urls, environment):
        return urls, settings.api_key_env
    return urls, OPENAI_KEY


def _openais_own(settings: Connection, urls: tuple[str, ...], environment: Mapping[str, str]) -> bool:
    """Whether OPENAI_API_KEY is meant for these addresses: no other server is ever sent it unasked."""
    if all(urlsplit(url).hostname == urlsplit(OPENAI).hostname for url in urls):
        return True
    return not settings.base_url and bool(environment.get(OPENAI_KEY))
