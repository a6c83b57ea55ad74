"""The demo packs: small data files that ship with the program, by benchmark and subset."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from core.errors import UsageError
from core.records import named

FOLDER = "assets.packs"
ENDINGS = (".csv", ".jsonl", ".json")
ONLY = "demo"
"""The pack of a benchmark that has no subsets."""


def pack(benchmark: str, subset: str) -> Path:
    """The data file of a built-in pack. Raises UsageError naming those there are."""
    folder = Path(str(resources.files(FOLDER)))
    found = {
        file.stem: file
        for file in sorted((folder / benchmark).glob("*"))
        if file.suffix in ENDINGS and file.name != "card.json"
    }
    if subset in found:
        return found[subset]
    if not subset and ONLY in found:
        return found[ONLY]
    files = sorted(file for file in folder.glob("*/*") if file.suffix in ENDINGS and file.name != "card.json")
    names = ", ".join(named(file.parent.name, "" if file.stem == ONLY else file.stem) for file in files)
    raise UsageError(f"there is no built-in pack {named(benchmark, subset)}", remedy=f"There are: {names}.")
