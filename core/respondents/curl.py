"""A recorded request as it can be sent again by hand: its body whole, and a line for curl."""

from __future__ import annotations

import re
import shlex
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Final

from core.records import Json, SentPicture
from core.respondents.addresses import CHAT, Address
from core.respondents.request_body import as_text, filled

REQUEST: Final = "request.json"
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

UNKNOWN: Final = Address("$BASE_URL" + CHAT, "API_KEY", "max_tokens")
"""For a respondent that no configuration names any more: the shell's variables are left to be set."""


def curl(address: Address, file: str = REQUEST) -> str:
    """A line for a shell that sends the file's bytes as they are; the key is the shell's own variable."""
    url = f'"{address.url}"' if address is UNKNOWN else shlex.quote(address.url)
    words = ["curl", url, '-H "Content-Type: application/json"']
    if address.variable:
        variable = address.variable if _VARIABLE.fullmatch(address.variable) else UNKNOWN.variable
        words.append(f'-H "Authorization: Bearer ${variable}"')
    return " ".join([*words, "--data-binary", shlex.quote(f"@{file}")])


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
