"""What ``phoropter run`` reports when its runs have ended. Imported meanwhile, with what draws intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy  # noqa: F401

from core.records import Json
from sessions.cells import cells_of
from sessions.outcomes import measures_of
from sessions.runs import Run
from sessions.store import Store
from tui.cli.formats.terminal import show
from tui.cli.report import fitting, more_of, parts_of


def cells_document(store: Store, run: Run) -> Json:
    """The run's cells in ``--json``."""
    return [cell.to_json() for cell in cells_of(store, [run])]


def show_runs(store: Store, done: Sequence[Run]) -> None:
    """The report of these runs, on the terminal."""
    measures, more = fitting(measures_of(store, done)), more_of(store, done)
    show(parts_of(cells_of(store, done), measures, more))
