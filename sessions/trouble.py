"""What to do about SQLite's own trouble with a file."""

from __future__ import annotations

import sqlite3


def remedy_for(error: sqlite3.Error, otherwise: str) -> str:
    """In words, by what SQLite says; ``otherwise`` where that says nothing."""
    text = str(error)
    if "full" in text:
        return "Free some space on that disk; everything acknowledged so far is kept"
    if "locked" in text or "busy" in text:
        return "Another process holds the store: let it finish, then run the same command again"
    if "I/O" in text:
        return "Check the disk, its quota and your permission to write there; everything acknowledged so far is kept"
    if "readonly" in text or "unable to open" in text:
        return "Give yourself permission to it and its folder, or name another file with --store"
    return otherwise
