"""The demo packs: small data files that ship with the program, by benchmark and subset."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from core.errors import UsageError
from core.records import named

FOLDER = "assets.packs"
ENDINGS = (".csv", ".jsonl", ".json")
CARD = "card.json"


def pack(benchmark: str, subset: str) -> Path:
    """The data file of a built-in pack; without a subset the benchmark's only one.

    Raises UsageError naming those there are.
    """
    folder = Path(str(resources.files(FOLDER)))
    packs = {
        place.name: {
            file.stem: file for file in sorted(place.iterdir()) if file.suffix in ENDINGS and file.name != CARD
        }
        for place in sorted(folder.iterdir())
        if place.is_dir() and not place.name.startswith("_")
    }
    found = packs.get(benchmark, {})
    if subset in found:
        return found[subset]
    if not subset and len(found) == 1:
        return next(iter(found.values()))
    names = [named(name, stem if len(files) > 1 else "") for name, files in packs.items() for stem in files]
    raise UsageError(
        f"there is no built-in pack {named(benchmark, subset)}", remedy=f"There are: {', '.join(names)}."
    )
