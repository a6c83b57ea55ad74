"""A few pictures for a browser, at a loopback address that only who knows the token can read.

Bound to 127.0.0.1 and nothing else. Every request must name a loopback host (a page elsewhere that has its name point
here is refused), come from no other page, and carry the token, which is compared in constant time. Nothing is cached.
"""

from __future__ import annotations

import hmac
import html
import re
import secrets
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import urlsplit

from core.errors import UsageError
from tui.inert import one_line
from tui.outside.places import Offer

HOST: Final = "127.0.0.1"
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
TOKEN_BYTES: Final = 32
PATIENCE: Final = 10.0
"""Seconds after which a connection that says nothing is closed."""

_PATH: Final = re.compile(r"/([A-Za-z0-9_-]{1,100})/([0-9]{0,4})")
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Phoropter</title>
<style>body{background:#222;color:#ddd;font:16px sans-serif}figure{display:inline-block;margin:1em}
img{display:block;max-width:95vw}</style>
"""


class PictureServer:
    """Serves what was last put on ``offer`` until ``close``. Its threads end with the program."""

    def __init__(self, token: str = "") -> None:
        """Raises UsageError where no port can be had."""
        self.token = token or secrets.token_urlsafe(TOKEN_BYTES)
        self._offered: tuple[Offer, ...] = ()
        try:
            self._server = _Server((HOST, 0), _Handler)
        except OSError as error:
            raise UsageError(f"no port can be had ({error.strerror})", where=HOST) from error
        self._server.asked = self.answer
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The page that shows the pictures."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    def offer(self, pictures: Sequence[Offer]) -> None:
        """From now on these, and none of those before."""
        self._offered = tuple(pictures)

    def close(self) -> None:
        """Nothing is served any more; returns when the port is free."""
        self._offered = ()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)

    def answer(self, path: str, host: str, origin: str, site: str) -> tuple[int, str, bytes]:
        """Status, kind and body for a request of that path and these headers (Host, Origin, Sec-Fetch-Site)."""
        if not _loopback(f"//{host}") or (origin and not _same(origin, host)):
            return 403, "text/plain; charset=utf-8", b"refused\n"
        if site not in ("", "none", "same-origin"):
            return 403, "text/plain; charset=utf-8", b"refused\n"
        found = _PATH.fullmatch(path)
        given = found[1] if found else ""
        if not hmac.compare_digest(given.encode(), self.token.encode()) or found is None:
            return 404, "text/plain; charset=utf-8", b"nothing here\n"
        offered = self._offered
        if not found[2]:
            return 200, "text/html; charset=utf-8", _page(offered)
        number = int(found[2])
        if number >= len(offered):
            return 404, "text/plain; charset=utf-8", b"nothing here\n"
        return 200, offered[number].mime, offered[number].data


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    asked = staticmethod(lambda path, host, origin, site: (503, "text/plain", b""))

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that broke is nobody's business, least of all the screen's."""


class _Handler(BaseHTTPRequestHandler):
    timeout = PATIENCE
    server_version = "phoropter"
    sys_version = ""

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: it would be written across the screen, with the token."""

    def _answer(self, *, with_body: bool) -> None:
        assert isinstance(self.server, _Server)
        said = (self.headers.get(name, "") for name in ("Host", "Origin", "Sec-Fetch-Site"))
        status, kind, body = self.server.asked(self.path, *said)
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **_HEADERS}.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)


def _loopback(address: str) -> bool:
    try:
        return urlsplit(address).hostname in LOOPBACK
    except ValueError:
        return False


def _same(origin: str, host: str) -> bool:
    """The page that asks is one of ours: ``null`` and other ports are not."""
    return origin == f"http://{host}" and _loopback(origin)


def _page(offered: Sequence[Offer]) -> bytes:
    figures = (
        f'<figure><img src="{index}" alt="picture {index + 1}"><figcaption>{html.escape(one_line(each.name))}'
        "</figcaption></figure>"
        for index, each in enumerate(offered)
    )
    return (_PAGE + "\n".join(figures)).encode("utf-8", "replace")
