"""What a benchmark is to the rest of the house: a folder that loads, asks, scores and measures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from core.benchmarks.offers import Offer
from core.benchmarks.rubrics import Rubric
from core.errors import Problem, UsageError
from core.measures import Measure, RunAnswers, RunOutcomes
from core.records import Item, Layout, Score, Step, Turn

if TYPE_CHECKING:
    from PIL.Image import Image


class Dataset(Protocol):
    """Items of one benchmark read from a file, in its order, any number of times: nothing is kept in memory.

    ``digest`` is the SHA-256 of the data file's bytes, ``subset`` the one asked for or found in the file.
    """

    @property
    def source(self) -> str: ...
    @property
    def subset(self) -> str: ...
    @property
    def digest(self) -> str: ...
    def __iter__(self) -> Iterator[Item]:
        """Every item; raises DataError at the first bad row."""
        ...

    def good(self) -> Iterator[Item]:
        """The items of the rows that have no problem."""
        ...

    def problems(self) -> list[Problem]:
        """All bad rows together, and what is wrong with the file as a whole."""
        ...


class ProtocolLike(Protocol):
    """How an item is asked: a pure function of the item and the steps so far.

    It reads no clock, no store and no random state but its own seed. ``options`` and ``prompts`` (name to text,
    all it may use) are what identifies it.
    """

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> Mapping[str, str]: ...
    @property
    def prompts(self) -> Mapping[str, str]: ...
    @property
    def steps(self) -> tuple[str, ...]:
        """Names of the steps it can ask, in order."""
        ...

    @property
    def draws(self) -> tuple[str, ...]:
        """Those of its steps that ask for a picture."""
        ...

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        """What is asked after these steps; None when the trajectory is complete."""
        ...

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """The option that the next turn is built from, None where turns do not depend on one."""
        ...


@runtime_checkable
class Partial(Protocol):
    """A protocol that may ask nothing of some items: they are left out of a run, and the run says so.

    ``partial`` is false where, with its options, it asks something of every item.
    """

    @property
    def partial(self) -> bool: ...
    def covers(self, item: Item) -> bool:
        """Whether anything is asked of this item."""
        ...


ProtocolMaker: TypeAlias = Callable[[str, Mapping[str, str], Mapping[str, str]], ProtocolLike]
"""(subset, options, prompts) to a protocol; raises UsageError for an unknown option or value."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How a data file is read. ``pictures`` is a folder, or None: beside the file. ``mapping`` renames fields.

    ``protocol`` is the one that the items are for: a row that lacks what it asks is a problem. "": for none. Raises
    UsageError where there is no such folder.
    """

    pictures: Path | None = None
    mapping: Mapping[str, str] | None = None
    protocol: str = ""

    def __post_init__(self) -> None:
        if self.pictures is not None and not self.pictures.is_dir():
            raise UsageError(
                "there is no such folder of pictures",
                where=f"--pictures {self.pictures}",
                remedy="Name a folder, or leave the option out where they lie beside the data",
            )


def _no_offer(item: Item, turn: Turn) -> Offer | None:
    return None


def _gold(turn: Turn) -> Mapping[str, str]:
    return turn.gold


def _value(name: str, values: Mapping[str, str]) -> str:
    return values[name]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark's functions under their common names. The registry holds one a line.

    ``protocols`` maps a protocol's name to its maker, the first is the default. ``layout`` tells how a step's score
    is packed. ``score`` is the rule scorer on an answer's text. ``write`` puts form values into words as an answer
    (a field left out stays unsaid). ``title`` is an item in one line, without its answer. ``groups`` are the names
    accuracy can be broken down by. ``drawer`` draws a stand-in for a picture from (what it depicts, its name), None
    where the benchmark has no drawn pictures; ``answer_drawer`` draws the same way what an answer's words say.
    ``parts`` maps a step that can be asked in parts to their names: the parts' scores joined are the step's.
    ``pooled`` names steps that are numbered (``plan`` for ``plan.1``, ``plan.2`` ...). ``scorers`` are further
    scorers by name, beside the rule. ``measures`` are the papers' measures that read trajectories, over all runs of
    a report together; ``contrasts`` those that set runs against each other answer by answer (what is broken down by
    a group only where the report is, so that others need not wait for it). ``mistake`` says of what kind a wrong
    answer to a step is ("" for none), from the item and the values read. ``reasoned`` is the answer that follows
    without fault from what was said before, None where nothing does. ``offer`` is what a turn offers to choose from,
    None where it is no choice. ``unscored`` names steps that no scorer judges, numbered ones by their common name.
    ``rubrics`` say how a judge is asked about the answers to a step, numbered ones by their common name. ``values``
    are those that forms offer for any item, by property. ``pipeline``: items are made by it. Each step then has a
    respondent of its own by design (nobody is sent in), and people answer some at a screen of their own. ``golden``
    are a turn's gold values with those that an answer may state beside them and is judged by too (``number.from``);
    ``in_words`` puts a field's value into words, with what is stated beside it.
    """

    name: str
    subsets: tuple[str, ...]
    load: Callable[[Path, str, LoadOptions], Dataset]
    protocols: Mapping[str, ProtocolMaker]
    layout: Callable[[str], Layout]
    score: Callable[[Item, Turn, str], Score]
    write: Callable[[Item, Turn, Mapping[str, str]], str]
    title: Callable[[Item], str]
    groups: tuple[str, ...]
    drawer: Callable[[str, str], Image | None] | None = None
    answer_drawer: Callable[[str, str], Image | None] | None = None
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pooled: tuple[str, ...] = ()
    scorers: Mapping[str, Callable[[Item, Turn, str], Score]] = field(default_factory=dict)
    measures: Callable[[Sequence[RunOutcomes]], list[Measure]] | None = None
    contrasts: Callable[[Sequence[RunAnswers], Collection[str]], list[Measure]] | None = None
    mistake: Callable[[Item, str, Mapping[str, str]], str] | None = None
    reasoned: Callable[[Item, Turn, Sequence[tuple[Turn, str]]], str | None] | None = None
    offer: Callable[[Item, Turn], Offer | None] = field(default=_no_offer)
    unscored: tuple[str, ...] = ()
    rubrics: Mapping[str, Rubric] = field(default_factory=dict)
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pipeline: bool = False
    golden: Callable[[Turn], Mapping[str, str]] = field(default=_gold)
    in_words: Callable[[str, Mapping[str, str]], str] = field(default=_value)
