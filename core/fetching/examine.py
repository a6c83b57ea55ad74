"""A set's files read by its benchmark's own loader: is it usable, how much is in it, what differs from the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.benchmarks import registry
from core.benchmarks.base import Benchmark, Dataset, LoadOptions, ProtocolLike
from core.errors import DataError, PhoropterError, Problem, UsageError
from core.fetching.catalogue import Published, Size
from core.fetching.staging import Progress
from core.prompts import prompts_for
from core.records import Answer, Item, Origin, Step

EVERY = 100


@dataclass(slots=True)
class Found:
    """What reading a set showed. Without a loader (``validated`` False) only ``note`` says anything."""

    validated: bool = False
    subset: str = ""
    items: int | None = None
    questions: int | None = None
    groups: dict[str, dict[str, int]] = field(default_factory=dict)
    expected: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    pictures_missing: int = 0
    data_sha256: str = ""
    note: str = ""


def examine(folder: Path, entry: Published, asked: str, progress: Progress) -> Found:
    """Read the set in ``folder``. ``asked`` is the subset that was asked for, "" for whichever it is.

    Raises DataError where not one item can be read. Places in messages are relative to ``folder``.
    """
    benchmark = registry.BENCHMARKS.get(entry.name)
    if benchmark is None:
        return Found(subset=asked, note="not validated: this version has no loader for it")
    try:
        dataset = _dataset(benchmark, folder, asked)
        found = Found(validated=True, subset=dataset.subset)
        found.problems = _relative(dataset.problems(), folder)
        protocol = _counted_by(benchmark, entry, dataset.subset)
        _count(found, benchmark, dataset, protocol, progress)
    except DataError as error:
        raise DataError(_relative(error.problems, folder), remedy=error.remedy or _REMEDY) from error
    if not found.items:
        raise DataError(found.problems or [Problem(".", 0, "", "there is no item in it")], remedy=_REMEDY)
    found.data_sha256 = dataset.digest
    size = entry.sizes.get(found.subset)
    if size is not None:
        found.expected = {"items": size.items} | ({"questions": size.questions} if size.questions else {})
        found.differences = differences(found, size)
    return found


_REMEDY = "Is it the right file? Nothing was kept"


def _dataset(benchmark: Benchmark, folder: Path, asked: str) -> Dataset:
    """The data set of the folder, under the subset that its own content makes it: ND asked of a WD file is WD."""
    dataset = benchmark.load(folder, asked, LoadOptions())
    if not asked:
        return dataset
    return benchmark.load(Path(dataset.source), "", LoadOptions())


def _counted_by(benchmark: Benchmark, entry: Published, subset: str) -> ProtocolLike | None:
    """The protocol whose turns are a set's questions, None where the set's are not counted."""
    size = entry.sizes.get(subset)
    maker = benchmark.protocols.get(size.protocol) if size is not None else None
    if maker is None:
        return None
    try:
        return maker(subset, {}, prompts_for(benchmark.name, None))
    except PhoropterError:
        return None


def _count(
    found: Found, benchmark: Benchmark, dataset: Dataset, protocol: ProtocolLike | None, progress: Progress
) -> None:
    items = questions = 0
    groups: dict[str, Counter[str]] = {}
    there: dict[str, bool] = {}
    for item in dataset.good():
        items += 1
        for group, value in item.groups.items():
            groups.setdefault(group, Counter())[value] += 1
        for picture in item.pictures:
            if picture.data is None and picture.path not in there:
                there[picture.path] = bool(picture.path) and Path(picture.path).is_file()
        if protocol is not None:
            try:
                questions += turns(benchmark, protocol, item)
            except (PhoropterError, LookupError, TypeError, ValueError):
                protocol = None  # an item that this protocol cannot ask: its questions are not counted
        if items % EVERY == 0:
            progress("read", items, 0)
    progress("read", items, items)
    found.items = items
    found.questions = questions if protocol is not None else None
    found.groups = {group: dict(sorted(counts.items())) for group, counts in groups.items()}
    found.pictures_missing = sum(1 for is_there in there.values() if not is_there)


def turns(benchmark: Benchmark, protocol: ProtocolLike, item: Item) -> int:
    """How many turns a protocol asks of an item whose every answer is right."""
    steps: tuple[Step, ...] = ()
    while (turn := protocol.next_turn(item, steps)) is not None:
        score = benchmark.score(item, turn, turn.gold_text)
        choice = protocol.choice(item, turn, score)
        steps = (*steps, Step(turn, Answer(turn.gold_text), (score,), Origin.GOLD, choice))
    return len(steps)


def differences(found: Found, size: Size) -> list[str]:
    """What a set has more or less of than its paper says, a sentence each; [] where nothing differs."""
    said = []
    if found.items != size.items:
        said.append(f"{found.items:,} items, the paper has {size.items:,}")
    if found.questions is not None and size.questions and found.questions != size.questions:
        said.append(f"{found.questions:,} questions, the paper has {size.questions:,}")
    for group, wanted in size.groups.items():
        said += _group_differences(group, found.groups.get(group, {}), wanted)
    if said and size.note:
        said.append(f"known of it: {size.note}")
    return said


def _group_differences(group: str, found: Mapping[str, int], wanted: Mapping[str, int]) -> list[str]:
    """Only where the file spells the values as the table does."""
    if not found.keys() & wanted.keys():
        return []
    return [
        f"{group} {value}: {found.get(value, 0):,} items, the paper has {wanted.get(value, 0):,}"
        for value in dict.fromkeys((*wanted, *found))
        if found.get(value, 0) != wanted.get(value, 0)
    ]


def _relative(problems: list[Problem] | tuple[Problem, ...], folder: Path) -> list[Problem]:
    """The problems with their files named as the set has them, not by the folder they are just now read in."""
    prefix = f"{folder}/"
    return [replace(problem, file=problem.file.replace(prefix, "").replace(str(folder), ".")) for problem in problems]


def check_subset(entry: Published, subset: str) -> str:
    """The subset as the table spells it. Raises UsageError for an unknown one."""
    by_fold = {known.casefold(): known for known in entry.sizes}
    if subset.casefold() in by_fold or not subset:
        return by_fold.get(subset.casefold(), "")
    known = ", ".join(f"{entry.name}:{name}" for name in entry.sizes if name) or f"{entry.name} alone"
    raise UsageError(f"{entry.name} has no subset {subset}", remedy=f"Known: {known}")
