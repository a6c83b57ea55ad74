"""What stands between the settings of a server and a connection to it: its key, its addresses, headers and proxy."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import RespondentError, VariableError
from core.respondents.addresses import KEYS_ELSEWHERE, places, problem_of, secret_in, shown
from core.respondents.extras import Extras, extras_of
from core.respondents.secret import Secret
from core.respondents.settings import Connection


def access(name: str, settings: Connection, environment: Mapping[str, str]) -> tuple[Secret, tuple[str, ...], Extras]:
    """The key, the addresses, and the headers and proxy behind these settings.

    Raises RespondentError where a variable is not set, and for an address or a header that is none.
    """
    urls, variable = places(settings, environment)
    for url in urls:
        if problem := problem_of(url):
            remedy = KEYS_ELSEWHERE if secret_in(url) else "For example http://127.0.0.1:8000/v1"
            raise RespondentError(f"base_url: {problem}", where=shown(name), remedy=remedy)
    value = environment.get(variable, "").strip() if variable else ""
    if variable and not value:
        raise VariableError(
            f"the environment variable {variable} is not set",
            where=name,
            remedy=f"Put the key in it: export {variable}=...",
        )
    if not value.isascii() or not value.isprintable():
        raise RespondentError(f"the key in {variable} holds characters that no key has", where=name)
    extras = extras_of(name, settings, environment)
    return Secret(value, variable, extras.hidden), urls, extras
