"""A file of lines taken into a store, as ``phoropter import jsonl`` does it."""

from __future__ import annotations

from pathlib import Path

from sessions.exchange.carrying import Carried
from sessions.exchange.taking import read_lines
from sessions.store import Store


def take_lines(store: Store, path: Path) -> Carried:
    """Everything in such a file that the store lacks. Raises as :func:`read_lines` does."""
    with read_lines(path) as taken:
        return taken.into(store)
