"""Commands without a start each: a process that has loaded what commands load, forked once for every command.

A fork is a process like any other, with its own streams, folder, environment, signals and end; only the second of
loading is spared. Tests of the start itself, and of closed or broken streams, start the interpreter.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tui.cli.commands import application

LOADED: Final = (
    *("tui.cli.running", "tui.cli.batches", "tui.cli.choosing", "tui.cli.study.models"),
    *("tui.cli.runs", "tui.cli.run_report", "tui.cli.report", "tui.cli.show", "tui.cli.items", "tui.cli.doctor"),
    *("tui.cli.make", "tui.cli.opening", "core.letters.reader", "sessions.rows", "platformdirs.unix", "numpy.ma"),
    *("core.respondents.openai_server", "openai.resources.chat", "aiohttp", "PIL.Image", "numpy", "filelock"),
)
TIMEOUT_S: Final = 300


def load() -> None:
    """What commands load when they run, now: forks of this process have it."""
    for module in LOADED:
        importlib.import_module(module)
    application()


class Starter:
    """The process that is forked. One command at a time; it ends with the process that made it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._busy = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], stdin: str
    ) -> subprocess.CompletedProcess[str] | None:
        """One command to its end; None while another is under way."""
        if not self._busy.acquire(blocking=False):
            return None
        try:
            return self._run(arguments, folder, environment, stdin)
        finally:
            self._busy.release()

    def _run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], stdin: str
    ) -> subprocess.CompletedProcess[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                cwd=self._root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
            atexit.register(self._process.communicate)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with TemporaryDirectory() as place:
            streams = [Path(place, name) for name in ("stdin", "stdout", "stderr")]
            streams[0].write_text(stdin, encoding="utf-8", newline="")
            wanted = [list(arguments), str(folder), dict(environment), [str(stream) for stream in streams]]
            self._process.stdin.write(json.dumps(wanted) + "\n")
            self._process.stdin.flush()
            status = int(self._process.stdout.readline())
            out, err = (stream.read_text(encoding="utf-8") for stream in streams[1:])
        return subprocess.CompletedProcess(["phoropter", *arguments], status, out, err)


def serve() -> None:
    """Fork for every line of stdin, and say on stdout how the fork ended. Returns in the forks, which are ready to be
    a command."""
    load()
    gc.freeze()
    for line in iter(sys.stdin.readline, ""):
        pid = os.fork()
        if not pid:
            become(*json.loads(line))
            return
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
    sys.exit()


def become(arguments: list[str], folder: str, environment: dict[str, str], streams: list[str]) -> None:
    """Whatever a process is given when it starts."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, (path, flags) in enumerate(
        zip(streams, (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT | os.O_APPEND] * 2), strict=True)
    ):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, errors="backslashreplace")  # noqa: SIM115
    sys.argv = ["phoropter", *arguments]
    signal.alarm(TIMEOUT_S)


if __name__ == "__main__":
    from tui.cli import main

    serve()
    main()
