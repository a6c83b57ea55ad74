"""Pictures outside of the terminal: who may see them, who may not, and what is told where no viewer starts."""

from __future__ import annotations

import http.client
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import UsageError
from tests.tui.pilots import app_on, press, words
from tests.tui.stage import stepping
from tui.outside import serving
from tui.outside.desktop import Desktop
from tui.outside.places import Offer, ssh_line, viewer
from tui.outside.serving import PictureServer
from tui.outside.showing import Outside
from tui.screens.outside import OutsideScreen

CAT = Offer("a cat <script>", "image/png", b"\x89PNG cat")
DOG = Offer("a dog", "image/jpeg", b"\xff\xd8 dog")
SSH = {"SSH_CONNECTION": "198.51.100.7 50022 203.0.113.5 2222", "USER": "ada"}


@pytest.fixture(scope="module")
def server() -> Iterator[PictureServer]:
    made = PictureServer()
    made.offer([CAT, DOG])
    yield made
    made.close()


def ask(server: PictureServer, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        reply = connection.getresponse()
        return reply.status, reply.read(), dict(reply.getheaders())
    finally:
        connection.close()


def test_who_has_the_token_sees_these_pictures_and_nothing_is_cached(server: PictureServer) -> None:
    status, page, headers = ask(server, f"/{server.token}/")
    assert status == 200
    assert b"a cat &lt;script&gt;" in page
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert ask(server, f"/{server.token}/0")[:2] == (200, CAT.data)
    status, body, headers = ask(server, f"/{server.token}/1", Sec_Fetch_Site="same-origin")
    assert (status, body, headers["Content-Type"]) == (200, DOG.data, "image/jpeg")
    assert ask(server, f"/{server.token}/1", "HEAD")[:2] == (200, b"")
    assert len(server.token) >= 40


@pytest.mark.parametrize(
    "path",
    ["/", "/0", "/TOKEN", "/TOKEN/2", "/TOKEN/-1", "/TOKEN/../0", "/TOKEN/0/", "/TOKEN/%30", "/TOKENx/0",
     "/TOKE/0", "/TOKEN/0?x", "/../../etc/passwd", "/TOKEN/../../etc/passwd", "/TOKEN/..%2f..%2fetc%2fpasswd",
     "http://127.0.0.1/TOKEN/0", "/" + "x" * 5000],
)  # fmt: skip
def test_a_wrong_token_or_path_finds_nothing(server: PictureServer, path: str) -> None:
    near = server.token[:-1]
    status, body, headers = ask(server, path.replace("TOKEN", server.token).replace("TOKE", near))
    assert status == 404
    assert body == b"nothing here\n"
    assert headers["Cache-Control"] == "no-store"


def test_only_plain_digits_name_a_picture(server: PictureServer) -> None:
    for path in (f"/{server.token}/\u0660", "/\xe9/0", "/\udcff/0"):
        assert server.answer(path, "localhost", "", "")[0] == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "0.0.0.0", "[", "", "10.0.0.1"]
)
def test_another_host_is_refused_though_the_token_is_right(server: PictureServer, host: str) -> None:
    assert ask(server, f"/{server.token}/0", Host=host)[:2] == (403, b"refused\n")


@pytest.mark.parametrize("host", ["127.0.0.1:9", "localhost:8000", "[::1]:8000"])
def test_through_a_tunnel_any_port_will_do(server: PictureServer, host: str) -> None:
    assert ask(server, f"/{server.token}/0", Host=host)[0] == 200


def test_other_pages_are_refused(server: PictureServer) -> None:
    path = f"/{server.token}/0"
    own = f"127.0.0.1:{server.port}"
    assert ask(server, path, Host=own, Origin=f"http://{own}")[0] == 200
    for origin in ("http://evil.example", "null", f"https://{own}", "http://127.0.0.1:1"):
        assert ask(server, path, Host=own, Origin=origin)[0] == 403
    for site in ("cross-site", "same-site"):
        assert ask(server, path, Sec_Fetch_Site=site)[0] == 403


def test_nothing_but_reading(server: PictureServer) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert ask(server, f"/{server.token}/0", method)[0] == 501


def test_tokens_are_compared_in_constant_time(server: PictureServer, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(serving.hmac, "compare_digest", compare)
    server.answer("/guess/0", "localhost", "", "")
    assert compared == [(b"guess", server.token.encode())]


def test_it_is_bound_to_loopback_and_ends_with_the_app() -> None:
    made = PictureServer()
    made.offer([CAT])
    assert made._server.server_address[0] == "127.0.0.1"
    made.offer([DOG])
    assert ask(made, f"/{made.token}/0")[1] == DOG.data, "and none of those before"
    made.close()
    with pytest.raises(OSError):
        ask(made, f"/{made.token}/0")


def test_each_server_has_a_token_of_its_own() -> None:
    two = PictureServer(), PictureServer()
    assert two[0].token != two[1].token
    for made in two:
        made.close()


def test_where_the_user_sits() -> None:
    def found(name: str) -> str:
        return f"/bin/{name}"

    assert viewer({}, "darwin") == ["open"]
    assert viewer({"DISPLAY": ":0"}, "linux", found) == ["/bin/xdg-open"]
    assert viewer({}, "linux", found) == [], "a console without a desktop"
    assert viewer({"WAYLAND_DISPLAY": "wayland-0"}, "linux", lambda _: None) == []
    assert viewer({"WSL_DISTRO_NAME": "Debian"}, "linux", found) == ["wslview"]
    assert not Outside({**SSH, "DISPLAY": "localhost:10.0"}).here


def test_the_line_for_ssh() -> None:
    assert ssh_line(SSH, 8123) == "ssh -N -L 8123:127.0.0.1:8123 -p 2222 ada@203.0.113.5"
    assert (
        ssh_line({"SSH_CONNECTION": "a 1 2001:db8::1 22", "USER": "ada"}, 1)
        == "ssh -N -L 1:127.0.0.1:1 ada@2001:db8::1"
    )
    assert ssh_line({"SSH_TTY": "/dev/pts/0", "USER": "a b"}, 1).endswith(" 'a b@THIS-MACHINE'")
    assert ssh_line({}, 1) == ""


def starter(folder: Path, code: str) -> list[str]:
    script = folder / "starter.py"
    script.write_text(code)
    return [sys.executable, str(script)]


def test_the_viewer_gets_a_file_of_the_owners_alone_that_goes_with_the_app(tmp_path: Path) -> None:
    code = "import sys; f = sys.argv[1]; open(__file__ + '.seen', 'wb').write(open(f, 'rb').read());"
    code += "open(__file__ + '.path', 'w').write(f)"
    desktop = Desktop(starter(tmp_path, code))
    desktop.open(CAT, 60)
    path = Path((tmp_path / "starter.py.path").read_text())
    assert (tmp_path / "starter.py.seen").read_bytes() == CAT.data
    assert path.suffix == ".png"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    desktop.close()
    assert not path.parent.exists()


def test_a_viewer_that_fails_is_told_and_one_that_stays_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="status 4"):
        Desktop(starter(tmp_path, "raise SystemExit(4)")).open(CAT, 60)
    with pytest.raises(UsageError, match="cannot be started"):
        Desktop([str(tmp_path / "none")]).open(CAT)
    Desktop(starter(tmp_path, "import time; time.sleep(2)")).open(CAT, 0.01)


async def test_over_ssh_the_address_is_shown_and_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_on(stepping())
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot)
        screen = pilot.app.screen
        screen.outside = Outside(SSH)  # type: ignore[attr-defined]
        await press(pilot, "O")
        assert isinstance(pilot.app.screen, OutsideScreen)
        assert "these 3 pictures" in words(pilot)
        server = screen.outside._server  # type: ignore[attr-defined]
        assert server.url in words(pilot)
        await press(pilot, "s")
        assert app.clipboard == ssh_line(SSH, server.port)
        await press(pilot, "c")
        assert app.clipboard == server.url
        status, body, _ = ask(server, f"/{server.token}/2")
        assert (status, body[:4]) == (200, b"\x89PNG")
        await press(pilot, "escape", "z", "O")
        assert "this picture" in words(pilot)
        assert ask(server, f"/{server.token}/1")[0] == 404, "only the one that was chosen"
    with pytest.raises(OSError):
        ask(server, f"/{server.token}/0")


async def test_a_viewer_that_cannot_start_is_a_notice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    app = app_on(stepping())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        outside = Outside({"DISPLAY": ":0"})
        outside._desktop = Desktop([str(tmp_path / "none")])
        monkeypatch.setattr(Outside, "here", True)
        pilot.app.screen.outside = outside  # type: ignore[attr-defined]
        await press(pilot, "O")
        told = [notice.message for notice in app._notifications]
        assert any("cannot be started" in message for message in told)
