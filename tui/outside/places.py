"""Where this session's user sits, and what that takes to show a picture there."""

from __future__ import annotations

import getpass
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tui.inert import one_line

Which = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Offer:
    """One picture to be looked at outside: its bytes as they were sent, their kind, and what it is called."""

    name: str
    mime: str
    data: bytes

    @property
    def ending(self) -> str:
        """Of a file that holds it, with the dot."""
        kind = self.mime.partition("/")[2]
        return f".{'jpg' if kind == 'jpeg' else kind}" if kind.isalnum() else ".png"


def over_ssh(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is at the far end of an ssh connection."""
    return bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))


def viewer(environ: Mapping[str, str], platform: str = sys.platform, which: Which = shutil.which) -> list[str]:
    """The command that opens a file on this desktop, without the file; nothing where there is no desktop."""
    if platform == "darwin":
        return ["open"]
    if environ.get("WSL_DISTRO_NAME") and which("wslview"):
        return ["wslview"]
    if platform.startswith("linux") and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        return []
    return [found] if (found := which("xdg-open")) else []


def ssh_line(environ: Mapping[str, str], port: int) -> str:
    """What to type at the other end, so that this machine's port is there too; "" where we are not over ssh."""
    parts = environ.get("SSH_CONNECTION", "").split()
    if not over_ssh(environ):
        return ""
    server, its_port = (parts[2], parts[3]) if len(parts) == 4 else ("THIS-MACHINE", "22")
    words = ["ssh", "-N", "-L", f"{port}:127.0.0.1:{port}"]
    if its_port != "22":
        words += ["-p", its_port]
    return one_line(shlex.join([*words, f"{_user(environ)}@{server}"]))


def _user(environ: Mapping[str, str]) -> str:
    if environ.get("USER"):
        return environ["USER"]
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "USER"
