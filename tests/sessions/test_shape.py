"""Which migrations a store's tables have had is told from the tables alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from sessions.migrations import MIGRATIONS
from sessions.shape import made_by


@pytest.mark.parametrize("count", range(len(MIGRATIONS) + 1))
def test_tables_tell_every_version(count: int) -> None:
    """A migration that no column tells must be told by something else, or healthy stores are refused."""
    with closing(sqlite3.connect(":memory:")) as db:
        for _, change in MIGRATIONS[:count]:
            change(db)
        assert made_by(db) == count
