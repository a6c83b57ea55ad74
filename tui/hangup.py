"""Ends the process when its terminal is gone and the event loop can no longer notice.

A terminal that goes away in the middle of drawing can leave the application waiting for ever for its own output to be
taken; no signal reaches it then. What was asked is in the store at any moment, so ending at once loses nothing.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time

GRACE_S = 3.0
"""How long the application has to end by itself."""


def watch_terminal() -> None:
    """Watch the terminal of standard output from a thread of its own, until the process ends."""
    if hasattr(select, "poll") and sys.__stdout__ is not None:
        thread = threading.Thread(target=_watch, args=(sys.__stdout__.fileno(),), name="hang-up watch", daemon=True)
        thread.start()


def _watch(descriptor: int) -> None:
    poll = select.poll()
    poll.register(descriptor, select.POLLHUP | select.POLLERR)
    while not any(events & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, events in poll.poll(1000)):
        pass
    time.sleep(GRACE_S)
    os._exit(129)
