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
    found = _files(benchmark)
    if subset in found:
        return found[subset]
    if not subset and packs_of(benchmark) == ("",):
        return next(iter(found.values()))
    if not subset and found:
        names = " or ".join(named(benchmark, each) for each in found)
        raise UsageError(
            f"there are several built-in packs of {benchmark}", where=benchmark, remedy=f"Name one: {names}"
        )
    folders = sorted(folder.name for folder in _folder().iterdir() if folder.is_dir())
    names = ", ".join(named(folder, each) for folder in folders for each in packs_of(folder))
    raise UsageError(f"there is no built-in pack {named(benchmark, subset)}", remedy=f"There are: {names}.")


def packs_of(benchmark: str) -> tuple[str, ...]:
    """The subsets of a benchmark that have a built-in pack; "" for the only one of a benchmark."""
    names = tuple(_files(benchmark))
    return names if len(names) > 1 else ("",) * len(names)


def _files(benchmark: str) -> dict[str, Path]:
    found = sorted((_folder() / benchmark).glob("*"))
    return {file.stem: file for file in found if file.suffix in ENDINGS and file.name != CARD}


def _folder() -> Path:
    return Path(str(resources.files(FOLDER)))
