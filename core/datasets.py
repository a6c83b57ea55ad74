"""The sets that ``phoropter fetch`` has put in their place, and which data is taken where none is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.benchmarks import registry
from core.errors import UsageError
from core.fetching import cards
from core.fetching.cards import Card
from core.fetching.catalogue import CATALOGUE
from core.packs import pack


def root() -> Path:
    """Where fetched sets lie: ``benchmarks`` in the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("phoropter", appauthor=False)) / "benchmarks"


def place_for(benchmark: str, subset: str) -> Path:
    """The folder of a fetched set."""
    return root() / benchmark / subset if subset else root() / benchmark


def sets(benchmark: str) -> Iterator[tuple[Path, Card]]:
    """The folders and cards of a benchmark's fetched sets. Raises DataError for a card that cannot be read."""
    home = root() / benchmark
    if not home.is_dir():
        return
    for folder in (home, *sorted(path for path in home.iterdir() if path.is_dir())):
        card = cards.read(folder)
        if card is not None and card.benchmark == benchmark:
            yield folder, card


def fetched_set(benchmark: str, subset: str) -> tuple[Path, Card] | None:
    """The set that serves a subset ("" for whichever there is): its own, or one that holds its items too.

    Raises UsageError where none is named and there are several.
    """
    found = list(sets(benchmark))
    if not subset and len(found) > 1:
        names = " or ".join(card.name for _, card in found)
        raise UsageError(f"several sets of {benchmark} are fetched", remedy=f"Name one: {names}")
    entry = CATALOGUE.get(benchmark)
    within = entry.within.get(subset, "") if entry is not None else ""
    for serving in dict.fromkeys((subset, within) if within else (subset,)):
        for folder, card in found:
            if not serving or card.subset in (serving, ""):
                return folder, card
    return None


def fetched(benchmark: str, subset: str) -> Path | None:
    """What ``--data`` would name: the fetched data of a benchmark's subset, None where there is none."""
    found = fetched_set(benchmark, subset)
    return found[0] / cards.DATA if found is not None else None


def data_for(name: str) -> tuple[Path | None, str]:
    """The data taken for ``voila:ND`` where none is named, None for the demo pack, and a line that says which.

    Raises UsageError where there is neither.
    """
    benchmark, subset = registry.parse_name(name)
    found = fetched_set(benchmark.name, subset)
    if found is None:
        pack(benchmark.name, subset)  # before it is said to be taken
        return None, f"data: the built-in demonstration pack {name}"
    folder, card = found
    holds = f" {card.items:,} items" if card.items is not None else ""
    revision = card.source.get("revision", "")
    of = f", revision {revision[:12]}" if revision else ""
    part = f", of it the questions of {subset}" if subset and card.subset not in (subset, "") else ""
    return folder / cards.DATA, f"data: fetched {card.name}{holds}{of}{part}"
