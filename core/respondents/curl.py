"""A recorded request as it can be sent again by hand: its body whole, and a line for curl."""

from __future__ import annotations

import re
import shlex
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Final

from core.records import Json, SentPicture
from core.respondents.addresses import CHAT, Address
from core.respondents.extras import FROM
from core.respondents.request_body import as_text, filled

REQUEST: Final = "request.json"
_SECRET: Final = re.compile(r"auth|cookie|key|token|secret|passw|credential|session|signature", re.IGNORECASE)
"""In the names of headers whose values are not for everybody."""
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

UNKNOWN: Final = Address("$BASE_URL" + CHAT, "API_KEY", "max_tokens")
"""For a respondent that no configuration names any more: the shell's variables are left to be set."""


def curl(address: Address, file: str = REQUEST) -> str:
    """A line for a shell that sends the file's bytes as they are.

    The key is the shell's own variable, as is every header that comes from the environment or may be secret by its
    name.
    """
    url = f'"{address.url}"' if address is UNKNOWN else shlex.quote(address.url)
    words = ["curl", url, '-H "Content-Type: application/json"']
    if address.variable and "authorization" not in map(str.lower, address.headers):
        words.append(f'-H "Authorization: Bearer ${_named(address.variable, UNKNOWN.variable)}"')
    for header, text in address.headers.items():
        variable = _variable(header, text)
        words += [
            "-H",
            f'"{header}: ${variable}"' if variable else shlex.quote(f"{header}: {text}" if text else f"{header};"),
        ]
    if address.proxy:
        variable = _variable("proxy", address.proxy)
        words += ["--proxy", f'"${variable}"' if variable else shlex.quote(address.proxy)]
    return " ".join([*words, "--data-binary", shlex.quote(f"@{file}")])


def to_fill_in(address: Address) -> list[str]:
    """The shell's variables in the line that stand for a text of the settings which may be secret."""
    written = (header for header, text in address.headers.items() if not text.startswith(FROM))
    return [variable for header in written if (variable := _variable(header, address.headers[header]))]


def _variable(header: str, text: str) -> str:
    """The shell's variable in the place of a header's value: the one it comes from, or one named after a header whose
    value may be secret; "" where the text may be shown."""
    own = re.sub(r"[^A-Z0-9]", "_", header.upper())
    if text.startswith(FROM):
        return _named(text.removeprefix(FROM).strip(), own)
    return _named(own, f"_{own}") if text and _SECRET.search(header) else ""


def _named(variable: str, instead: str) -> str:
    return variable if _VARIABLE.fullmatch(variable) else instead


def body(request: Mapping[str, Json], picture: Callable[[str], SentPicture]) -> bytes:
    """The bytes of a recorded request, each picture in its place as it was sent. ``picture`` finds one by its hash;
    whatever it raises for one that is gone is raised."""

    def url(digest: str) -> str:
        sent = picture(digest)
        return f"data:{sent.mime};base64,{b64encode(sent.data).decode('ascii')}"

    return as_text(filled(request, url)).encode("ascii")


def hashes(request: Json) -> list[str]:
    """The pictures that a recorded request shows, in their order, each once."""
    found: dict[str, None] = {}

    def note(digest: str) -> str:
        found[digest] = None
        return digest

    filled(request, note)
    return list(found)
