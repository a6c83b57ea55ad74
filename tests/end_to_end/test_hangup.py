"""A terminal that goes away while the application waits for it ends the process: nothing hangs on for ever."""

from __future__ import annotations

import os
import pty
import sys
import time
from pathlib import Path

from tests.end_to_end.commands import ROOT

BLOCKED = """
import threading
from tui.hangup import watch_terminal
watch_terminal()
print("ready", flush=True)
threading.Event().wait()
"""


def test_a_blocked_application_ends_when_its_terminal_is_gone(tmp_path: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        # a process of its own session ignores the hang-up as one blocked outside of Python would
        code = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + BLOCKED
        os.execve(sys.executable, [sys.executable, "-c", code], os.environ | {"PYTHONPATH": str(ROOT)})
    said = b""
    while b"ready\r\n" not in said:  # the whole line: its writer is past it then
        said += os.read(terminal, 1024)
    os.close(terminal)
    until = time.monotonic() + 20
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 129
            return
        time.sleep(0.05)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    raise AssertionError("still alive 20 s after its terminal went away")
