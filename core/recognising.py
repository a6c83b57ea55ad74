"""What lies at a path: which benchmark's data, how much of it, whether its pictures are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.benchmarks import registry
from core.benchmarks.base import Benchmark, Dataset, LoadOptions
from core.errors import DataError, PhoropterError, Problem, UsageError
from core.files import user_path
from core.planning import DRAWN
from core.records import Item, named

REASON: Final = 200
"""So many characters of why a loader cannot read it."""

UNREADABLE: Final = "no benchmark's data can be read there"


@dataclass(frozen=True, slots=True)
class Recognised:
    """The data set of a path. ``name`` is its benchmark and subset, ``pictures`` how many its items name, each once;
    ``missing`` of them are not there. ``problems`` are its bad rows; ``drawable``: drawings can stand in."""

    name: str
    path: Path
    items: int
    pictures: int
    missing: int
    problems: tuple[Problem, ...]
    drawable: bool

    @property
    def benchmark(self) -> str:
        return self.name.partition(":")[0]


class UnreadableError(UsageError):
    """No benchmark's loader can read an item there. ``against`` is what each of them says, as the run of it would be
    refused."""

    def __init__(self, against: Mapping[str, Sequence[str]], *, where: str) -> None:
        said = "; ".join(f"{name}: {reasons[0][:REASON]}" for name, reasons in against.items())
        super().__init__(f"{UNREADABLE} ({said})", where=where)
        self.against = against


def recognise(given: str, pictures: str = "") -> Recognised:
    """What can be read at that path with the pictures of that folder ("": beside the data; ``drawn``). Reads the file
    whole, and of each picture only whether it is there.

    Raises UnreadableError where no benchmark's loader can read one item there, UsageError where there is nothing.
    """
    where = given.strip()
    if not where:
        raise UsageError("name a file or a folder")
    path = user_path(Path(where), where)
    if not path.exists():
        raise UsageError("there is no such file or folder", where=where)
    folder = None if pictures in ("", DRAWN) else user_path(Path(pictures), pictures)
    found: list[Recognised] = []
    against: dict[str, Sequence[str]] = {}
    for benchmark in registry.BENCHMARKS.values():
        try:
            dataset = benchmark.load(path, "", LoadOptions(folder))
            one = _read(benchmark, dataset, path, drawn=pictures == DRAWN and benchmark.drawer is not None)
        except (PhoropterError, OSError, ValueError) as error:
            against[benchmark.name] = _reasons(error)
            continue
        if one.items:
            found.append(one)
        else:
            against[benchmark.name] = [_reason(each) for each in one.problems] or ["there is no item in it"]
    if not found:
        raise UnreadableError(against, where=where)
    return max(found, key=lambda one: (one.items - len(one.problems), one.items))


def _reasons(error: Exception) -> list[str]:
    if isinstance(error, DataError):
        return [_reason(problem) for problem in error.problems]
    return [" ".join(str(error).split())]


def _reason(problem: Problem) -> str:
    """Where in the file, and what: which file it is goes without saying."""
    return " ".join(str(replace(problem, file="")).removeprefix(", ").removeprefix(": ").split())


def _read(benchmark: Benchmark, dataset: Dataset, path: Path, *, drawn: bool) -> Recognised:
    problems = tuple(dataset.problems())
    items, pictures, missing = _counted(dataset.good(), drawn=drawn)
    drawable = benchmark.drawer is not None
    return Recognised(named(benchmark.name, dataset.subset), path, items, pictures, missing, problems, drawable)


def _counted(items: Iterable[Item], *, drawn: bool) -> tuple[int, int, int]:
    count, there = 0, dict[str, bool]()
    for item in items:
        count += 1
        for picture in item.pictures:
            if picture.data is None and picture.path not in there:
                there[picture.path] = drawn or (bool(picture.path) and Path(picture.path).is_file())
    return count, len(there), sum(not is_there for is_there in there.values())
