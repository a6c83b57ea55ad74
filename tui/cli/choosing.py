"""Which data a command takes where none is named."""

from __future__ import annotations

from pathlib import Path

from core import datasets
from tui.cli.output import say


def chosen_data(benchmark: str, data: Path | None) -> Path | None:
    """``--data`` as given; else what was fetched, else None for the demo pack, said in one line."""
    if data is not None:
        return data
    found, line = datasets.data_for(benchmark)
    say(line)
    return found
