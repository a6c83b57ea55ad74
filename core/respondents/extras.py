"""Headers of one's own and a proxy, as they are set and as they go out. What comes from the environment is secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from core.errors import RespondentError, VariableError
from core.respondents.addresses import problem_of, secret_in
from core.respondents.settings import Connection

FROM: Final = "env:"
"""Before the name of an environment variable that holds the value."""

_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_OURS: Final = frozenset(
    {"accept", "connection", "content-encoding", "content-length", "content-type", "host", "transfer-encoding"}
)


@dataclass(frozen=True, slots=True)
class Extras:
    """Ready to go out. ``hidden`` are the texts in them that are shown to nobody."""

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    proxy: str = field(default="", repr=False)
    hidden: tuple[str, ...] = field(default=(), repr=False)


def extras_of(name: str, settings: Connection, environment: Mapping[str, str]) -> Extras:
    """The headers and the proxy of these settings, their variables looked up.

    Raises RespondentError for a variable that is not set, for a header that is none or the client's own business, and
    for a proxy that is no http address.
    """
    headers: dict[str, str] = {}
    hidden: list[str] = []
    for header, text in settings.headers.items():
        where = f"{name}: headers.{header}"
        if not _HEADER.fullmatch(header):
            raise RespondentError("that is no name of a header", where=where)
        if header.lower() in _OURS:
            raise RespondentError("this header is not yours to set", where=where, remedy="Leave it out")
        value = _looked_up(text, where, environment)
        if not value.isascii() or not value.isprintable():
            raise RespondentError("its value holds characters that no header has", where=where)
        headers[header] = value
        if text.startswith(FROM):
            hidden += [value, *value.split()[1:]]  # a server may echo it without the word before it
    proxy = _looked_up(settings.proxy, f"{name}: proxy", environment)
    _check_proxy(proxy, settings.proxy, f"{name}: proxy")
    if settings.proxy.startswith(FROM):
        hidden += [proxy, urlsplit(proxy).password or ""]
    return Extras(headers, proxy, tuple(hidden))


def _looked_up(text: str, where: str, environment: Mapping[str, str]) -> str:
    if not text.startswith(FROM):
        return text
    variable = text.removeprefix(FROM).strip()
    value = environment.get(variable, "").strip()
    if not value:
        raise VariableError(
            f"the environment variable {variable} is not set", where=where, remedy=f"Set it: export {variable}=..."
        )
    return value


def _check_proxy(proxy: str, written: str, where: str) -> None:
    if not proxy:
        return
    if not written.startswith(FROM) and secret_in(proxy):
        raise RespondentError(
            "a user or password is never written here",
            where=where,
            remedy='Put the address in an environment variable and write proxy = "env:NAME"',
        )
    host = proxy.rpartition("@")[2]
    scheme = proxy.partition("://")[0].lower()
    if scheme not in ("http", "https") or problem_of(f"{scheme}://{host.removeprefix(f'{scheme}://')}"):
        shown = "its value" if written.startswith(FROM) else repr(written[:100])
        raise RespondentError(f"{shown} is no http address", where=where, remedy="For example http://proxy:3128")
