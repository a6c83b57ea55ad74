"""The line for curl: whatever the settings send along is in it, and no text that may be secret."""

from __future__ import annotations

import shlex

import pytest

from core.respondents.addresses import address_of
from core.respondents.curl import curl, to_fill_in
from core.respondents.settings import ServerSettings

URL = "http://127.0.0.1:9/v1"


def line(**given: object) -> list[str]:
    """The words of the line as a shell reads them, variables left as they are."""
    settings = ServerSettings(model="m", base_url=(URL,), **given)  # type: ignore[arg-type]
    return shlex.split(curl(address_of(settings, {})))


@pytest.mark.parametrize(
    ("header", "text", "sent"),
    [
        ("X-Must", "tenant7", "X-Must: tenant7"),
        ("X-Odd", """it's "5" $HOME `x`""", """X-Odd: it's "5" $HOME `x`"""),
        ("X-Empty", "", "X-Empty;"),
        ("X-Gate", "env:GATE_SECRET", "X-Gate: $GATE_SECRET"),
        ("X-Gate", "env: GATE_SECRET", "X-Gate: $GATE_SECRET"),
        ("X-Gate", "env:not-a-shells", "X-Gate: $X_GATE"),
        ("X-Api-Key", "abc123", "X-Api-Key: $X_API_KEY"),
        ("Cookie", "abc123", "Cookie: $COOKIE"),
        ("X-Session-Token", "abc123", "X-Session-Token: $X_SESSION_TOKEN"),
        ("7-secret", "abc123", "7-secret: $_7_SECRET"),
    ],
)
def test_headers_are_in_the_line_and_their_secrets_are_variables(header: str, text: str, sent: str) -> None:
    words = line(headers={header: text})
    assert words[:4] == ["curl", f"{URL}/chat/completions", "-H", "Content-Type: application/json"]
    assert words[4:6] == ["-H", sent]
    assert words[6:] == ["--data-binary", "@request.json"]


def test_only_what_the_settings_hold_has_to_be_filled_in() -> None:
    headers = {"X-Must": "tenant7", "X-Api-Key": "abc123", "X-Gate-Token": "env:GATE"}
    assert to_fill_in(address_of(ServerSettings(model="m", headers=headers), {})) == ["X_API_KEY"]


def test_an_authorization_of_ones_own_stands_in_the_place_of_the_key() -> None:
    words = line(api_key_env="MY_KEY", headers={"Authorization": "env:BASIC"})
    assert [word for word in words if "uthorization" in word] == ["Authorization: $BASIC"]


def test_the_proxy_is_in_the_line() -> None:
    assert line(proxy="http://proxy:3128")[4:6] == ["--proxy", "http://proxy:3128"]
    assert line(proxy="env:MY_PROXY")[4:6] == ["--proxy", "$MY_PROXY"]
