"""What a study tells beyond the protocol's own turns, for a model: worked examples and the lists of values.

People have both beside every trial. A model reads the examples once, at the beginning of each conversation, and the
lists with each turn that has some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any, Final

from core.benchmarks.base import Benchmark, Partial, ProtocolLike
from core.prompts import filled
from core.records import Item, Json, Part, Score, Show, Step, Text, Turn
from core.study.definition import Study

WORDS: Final[Mapping[str, str]] = {
    "told_example": "Worked example {number}. {about}",
    "told_now": "Now the question that is yours to answer.",
    "told_lists": "Take each value from its list. {lists}",
}
"""Our words, by the names under which they are part of a run's prompts."""

LONGEST_CAPTION: Final = 40
LETTER: Final = 1


@dataclass(frozen=True, slots=True)
class Told:
    """The part of a study's condition that is no option of the protocol. ``digest`` is the study's."""

    study: str = ""
    digest: str = ""
    condition: str = ""
    examples: tuple[str, ...] = ()
    lists: bool = True
    picture_px: int = 0

    @classmethod
    def of(cls, study: Study, digest: str, condition: str) -> Told:
        """What that condition of a study tells."""
        way = study.ways[condition]
        return cls(study.name, digest, condition, way.examples, way.lists, way.picture_px)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Told:
        known = {one.name for one in fields(cls)}
        kept = {name: value for name, value in stored.items() if name in known}
        return cls(**{**kept, "examples": tuple(kept.get("examples", ()))})

    def to_json(self) -> dict[str, Json]:
        return asdict(self) | {"examples": list(self.examples)}

    @property
    def options(self) -> dict[str, str]:
        """As kept with a run: people's and models' runs of one condition have the same."""
        out = {"lists": "yes" if self.lists else "no"}
        if self.examples:
            out["worked"] = ",".join(self.examples)
        if self.picture_px:
            out["picture_px"] = str(self.picture_px)
        return out


@dataclass(frozen=True, slots=True)
class Worked:
    """An item with its right answers: the steps it is asked when every answer is right."""

    item: Item
    steps: tuple[Step, ...]


class Telling:
    """A protocol that tells what the study's participants are told as well. ``load`` brings the worked examples when
    a first turn needs them; it raises UsageError, DataError where they are not to be had."""

    def __init__(
        self, benchmark: Benchmark, base: ProtocolLike, told: Told, load: Callable[[], Sequence[Worked]],
        prompts: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self._benchmark = benchmark
        self._base = base
        self._load = load
        self.told = told
        self.name = base.name
        self.steps = base.steps
        self.draws = base.draws
        self.options = base.options
        words = {name: (prompts or {}).get(name, text) for name, text in WORDS.items()}
        self.prompts: Mapping[str, str] = {**base.prompts, **words}

    @property
    def partial(self) -> bool:
        return isinstance(self._base, Partial) and self._base.partial

    def covers(self, item: Item) -> bool:
        """As the protocol itself."""
        return not isinstance(self._base, Partial) or self._base.covers(item)

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        return self._base.choice(item, turn, score)

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        turn = self._base.next_turn(item, steps)
        if turn is None or turn.shared:
            return turn
        first = not steps or turn.afresh
        before = self._examples if first and self.told.examples else ()
        return replace(turn, content=(*before, *turn.content, *self._lists(turn)))

    @cached_property
    def _examples(self) -> tuple[Part, ...]:
        parts: list[Part] = []
        for number, worked in enumerate(self._load(), 1):
            about = self._benchmark.title(worked.item)
            parts.append(Text(filled(self.prompts["told_example"], number=str(number), about=about)))
            parts += _shown(worked)
            parts.append(Text("\n".join(self._answers(worked))))
        return (*parts, Text(self.prompts["told_now"]))

    def _answers(self, worked: Worked) -> Iterator[str]:
        for step in worked.steps:
            offer = self._benchmark.offer(worked.item, step.turn)
            said = " ".join([step.turn.gold_text, *_option(step.turn, offer.options if offer else {})])
            if len(worked.steps) == 1:
                yield said
            else:
                yield f"{offer.question if offer else step.turn.step}: {said}"

    def _lists(self, turn: Turn) -> tuple[Text, ...]:
        missing = unlisted(turn)
        if not self.told.lists or not missing:
            return ()
        said = " ".join(f"{name.capitalize()}: {listed}." for name, listed in missing.items())
        return (Text(filled(self.prompts["told_lists"], lists=said)),)


def unlisted(turn: Turn) -> dict[str, str]:
    """The values of its form, each list once, but for letters, for yes and no, and for what the turn lists itself."""
    lists: dict[str, str] = {}
    for one in turn.form:
        listed = ", ".join(one.options)
        if len(one.options) > 2 and any(len(option) > LETTER for option in one.options):
            lists.setdefault(one.name.rpartition(".")[2], listed)
    return {name: listed for name, listed in lists.items() if f"{listed}." not in turn.text}


def _option(turn: Turn, options: Mapping[str, Any]) -> Iterator[str]:
    """The words of the right option, where letters stand for some."""
    for value in turn.gold.values():
        if value in options and options[value].text:
            yield options[value].text


def _shown(worked: Worked) -> Iterator[Part]:
    """The pictures of the example's first turn, each with the few words that stand right before it."""
    content = worked.steps[0].turn.content if worked.steps else ()
    for place, part in enumerate(content):
        following = content[place + 1] if place + 1 < len(content) else None
        if isinstance(part, Show):
            yield replace(part, source=worked.item.pictures)
        elif isinstance(following, Show) and len(part.text) <= LONGEST_CAPTION and part.text.strip().endswith(":"):
            yield part
