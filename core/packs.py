"""The demo packs: small data files that ship with the program, by benchmark and subset."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from core.errors import UsageError

FOLDER = "assets.packs"
ENDINGS = (".csv", ".jsonl", ".json")


def pack(benchmark: str, subset: str) -> Path:
    """The data file of a built-in pack; without a subset the benchmark's only one.

    Raises UsageError naming those there are.
    """
    folder = Path(str(resources.files(FOLDER)))
    found = {
        file.stem: file
        for file in sorted((folder / benchmark).glob("*"))
        if file.suffix in ENDINGS and file.name != "card.json"
    }
    if subset in found:
        return found[subset]
    if not subset and len(found) == 1:
        return next(iter(found.values()))
    known = sorted(f"{file.parent.name}:{file.stem}" for file in folder.glob("*/*") if file.suffix in ENDINGS)
    names = ", ".join(name for name in known if not name.endswith(":card"))
    raise UsageError(f"there is no built-in pack {benchmark}:{subset}", remedy=f"There are: {names}.")
