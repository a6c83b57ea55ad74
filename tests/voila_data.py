"""VOILA files for tests: the real one where it is at hand, and made ones of the same form."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path

from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.load import VoilaFile, load
from core.benchmarks.voila.make import write_table
from core.benchmarks.voila.sample import plan

REAL = "PHOROPTER_VOILA_FILE"
"""Environment variable with the path of the published ND file, which does not lie in the repository."""

ND_COUNT = 3689


def real_file() -> Path | None:
    """The published file, None where the variable does not name it."""
    name = os.environ.get(REAL)
    return Path(name) if name else None


def voila_file(tmp: Path) -> Path:
    """The published ND file, or a made one with as many questions of the same structures."""
    return real_file() or small_voila_file(tmp, ND_COUNT, "ND")


def small_voila_file(tmp: Path, n: int, subset: str, seed: int = 7) -> Path:
    """A made file of ``n`` questions in the published form."""
    file = tmp / f"VOILA_{subset}_{n}.csv"
    write_table(file, plan(subset, n, seed))
    return file


def changed(file: Path, change: Callable[[list[dict[str, str]]], None]) -> Path:
    """The file with its rows changed in place."""
    with file.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        rows, columns = list(reader), list(reader.fieldnames or ())
    change(rows)
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerows(rows)
    return file


def loaded(file: Path, subset: str = "", **options: object) -> VoilaFile:
    return load(file, subset, LoadOptions(**options))  # type: ignore[arg-type]
