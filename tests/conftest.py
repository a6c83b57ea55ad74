"""Garbage is looked for less often than Python does by itself, which took a third of the time of the app's tests."""

from __future__ import annotations

import gc

from tui.collecting import COLLECTING


def pytest_collection_finish() -> None:
    """As a command does it; and what the collection of eight thousand tests has made is not gone through again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)
