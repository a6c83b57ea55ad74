"""The words of the instrument as frozen records: item, turn, answer, score, step, trajectory.

Data flows one way: files -> items -> turns -> answers -> scores -> steps -> cells -> screens. Everything that
crosses a border of a room is one of these.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

Json: TypeAlias = Any
"""Anything ``json.dumps`` takes."""

EMPTY: Final[Mapping[str, Any]] = MappingProxyType({})

RespondentKind: TypeAlias = Literal["model", "human", "baseline"]


as_written: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""JSON on one line, its characters as they are."""

_in_order: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def digest(value: Json) -> str:
    """A stable SHA-256 (hex) of anything JSON can hold; the order of keys does not matter."""
    return hashlib.sha256(_in_order(value).encode("utf-8", "surrogatepass")).hexdigest()


# -- items


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture an item refers to, not yet loaded.

    ``name`` is the data file's name for it; ``path`` where it should lie ("" where unknown); ``data`` its bytes
    where the data file embeds them; ``depicts`` its content in words where known, so that a drawn one can
    stand in.
    """

    name: str
    path: str = ""
    depicts: str = ""
    data: bytes | None = field(default=None, repr=False)

    def to_json(self) -> Json:
        """Without the bytes: embedded ones are named by their hash."""
        out = {"name": self.name, "path": self.path, "depicts": self.depicts}
        if self.data is not None:
            out["sha256"] = hashlib.sha256(self.data).hexdigest()
        return out


@dataclass(frozen=True, slots=True)
class Item:
    """One question of a benchmark with its pictures.

    ``groups`` holds what accuracy is broken down by (rule, category, subtask ...); ``facts`` is the benchmark's
    own JSON (contents, options, gold chain), read through that benchmark's typed view.
    """

    benchmark: str
    subset: str
    id: str
    pictures: tuple[Picture, ...]
    groups: Mapping[str, str]
    facts: Mapping[str, Json]

    @property
    def hash(self) -> str:
        """Content hash: what the item asks and shows by name, not the folder its pictures lie in."""
        return digest(
            {
                "benchmark": self.benchmark,
                "subset": self.subset,
                "id": self.id,
                "pictures": [p.to_json() | {"path": ""} for p in self.pictures],
                "facts": dict(self.facts),
            }
        )


def named(benchmark: str, subset: str) -> str:
    """``voila:ND``, or the benchmark alone where it has no subsets."""
    return f"{benchmark}:{subset}" if subset else benchmark


# -- turns


@dataclass(frozen=True, slots=True)
class Text:
    """Words of a turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Show:
    """A picture of a turn: the item's picture of that index, or several of them as one collage.

    ``blank`` shows an empty picture of the same size in its place (a control). ``source`` are the pictures that are
    meant where they are not the item's own: those of a worked example.
    """

    of: tuple[int, ...]
    blank: bool = False
    source: tuple[Picture, ...] = ()

    def pictures(self, item: Item) -> tuple[Picture, ...]:
        """Which pictures they are; an index that there is no picture for is left out."""
        all_of_it = self.source or item.pictures
        return tuple(all_of_it[index] for index in self.of if 0 <= index < len(all_of_it))

    @property
    def collage(self) -> bool:
        return len(self.of) > 1


Part: TypeAlias = Text | Show


@dataclass(frozen=True, slots=True)
class Field:
    """One value of an answer form: ``name`` such as ``subject`` or ``2.subject`` (of the second picture)."""

    name: str
    options: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What is put to the respondent at one step.

    A model gets ``content`` and then ``answer_format`` as text; a person gets ``content`` and ``form``.
    ``gold`` gives the right value of each field of the form, ``gold_text`` the same as an answer in words.
    ``afresh`` starts a new conversation: earlier steps are not told. ``shared``: its answer depends on its own words
    and pictures alone, so that one answer serves every item that asks it (a picture's description). ``made_by`` is
    ``person`` where somebody put in another prompt.
    """

    step: str
    content: tuple[Part, ...]
    form: tuple[Field, ...] = ()
    gold: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    gold_text: str = ""
    answer_format: str = ""
    afresh: bool = False
    shared: bool = False
    makes: Literal["text", "picture"] = "text"
    made_by: Literal["protocol", "person"] = "protocol"

    @property
    def text(self) -> str:
        """All words of the turn as a model reads them, pictures left out."""
        words = [part.text for part in self.content if isinstance(part, Text)]
        return "\n".join([*words, self.answer_format] if self.answer_format else words)

    @property
    def shows(self) -> tuple[Show, ...]:
        return tuple(part for part in self.content if isinstance(part, Show))


# -- answers


class Status(StrEnum):
    """How a call ended. ``error`` never becomes a step: its trajectory fails there and nothing goes into history."""

    OK = "ok"
    EMPTY = "empty"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the server counted them; ``cost`` in USD, None where no price is known."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture exactly as it was sent. ``size`` and ``original_size`` are (width, height) in pixels."""

    hash: str
    mime: str
    size: tuple[int, int]
    original_size: tuple[int, int]
    name: str = ""
    data: bytes = field(default=b"", repr=False, compare=False)


JUDGING: Final = "judge"
"""Purpose of the calls to a judge: what they cost stands apart."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a server or a local model: the ledger entry. Pictures in ``request`` are named by hash.

    ``id`` is the store's where the request stands in the ledger already (it went out in a batch), else 0.
    """

    purpose: str
    request_hash: str
    request: Json
    reply: Json
    served_model: str = ""
    attempts: int = 1
    seconds: float = 0.0
    usage: Usage = Usage()
    error: str = ""
    id: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Recalled:
    """The call that an answer was made by, where it was recalled and not asked for: its row in the ledger, when that
    was (milliseconds since 1970, UTC) and in which run ("" where that was deleted)."""

    call: int
    asked: int
    run: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. ``text`` is what goes into history and is scored; ``reasoning`` never does.

    One that was ``recalled`` cost nothing: where it is read with its ``call``, that was made and paid elsewhere.
    """

    text: str
    status: Status = Status.OK
    reasoning: str = ""
    picture: SentPicture | None = None
    sent: tuple[SentPicture, ...] = ()
    call: Call | None = None
    recalled: Recalled | None = None


# -- scores


class Parse(StrEnum):
    """What a scorer could read in an answer."""

    OK = "ok"
    NO_ANSWER = "no_answer"
    AMBIGUOUS = "ambiguous"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class Layout:
    """How a step's score is packed into bits: ``units`` (pictures, say) of the same ``properties``.

    Bit ``unit * len(properties) + i`` stands for ``properties[i]`` of that unit.
    """

    properties: tuple[str, ...]
    units: int = 1

    def bit(self, property_name: str, unit: int = 0) -> int:
        return 1 << (unit * len(self.properties) + self.properties.index(property_name))

    def bit_of(self, field_name: str) -> int | None:
        """The bit of a form's field, ``2.subject`` being the second unit's; None for a field that no score has."""
        unit, _, property_name = field_name.rpartition(".")
        if property_name not in self.properties:
            return None
        return self.bit(property_name, int(unit) - 1 if unit.isdigit() else 0)

    def unit_mask(self, unit: int) -> int:
        return ((1 << len(self.properties)) - 1) << (unit * len(self.properties))

    @property
    def mask(self) -> int:
        """All bits."""
        return (1 << (len(self.properties) * self.units)) - 1


@dataclass(frozen=True, slots=True)
class Score:
    """A scorer's view of one answer.

    ``right`` and ``scored`` are bits in the step's :class:`Layout`; a property that is not scored is left out of
    n and counted apart. ``parsed`` maps a form field to the value read, ``spans`` to where it stands in the
    answer's text (start, end), in characters.
    """

    scorer: str
    version: str
    status: Parse
    right: int
    scored: int
    parsed: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    spans: Mapping[str, tuple[int, int]] = field(default_factory=lambda: EMPTY)

    @property
    def correct(self) -> bool:
        """Every scored property of every unit is right, and something was scored."""
        return self.scored != 0 and self.right == self.scored


# -- steps and trajectories


class Origin(StrEnum):
    """Whose answer a step holds."""

    RESPONDENT = "respondent"
    GOLD = "gold"
    WRONG = "wrong"
    EDITED = "edited"
    PERSON = "person"
    OTHER = "other"  # another respondent that was sent in for this step


@dataclass(frozen=True, slots=True)
class Step:
    """Turn, answer, scores and origin; ``choice`` is the option that the next turn was built from.

    ``lane`` says which interventions lie behind this step ("" for none: a plain step). ``repeat`` tells askings
    of the same turn after the same history apart. ``id`` is the store's, 0 before it is stored.
    """

    turn: Turn
    answer: Answer
    scores: tuple[Score, ...] = ()
    origin: Origin = Origin.RESPONDENT
    choice: str | None = None
    lane: str = ""
    repeat: int = 0
    id: int = 0

    def score(self, scorer: str = "rule") -> Score | None:
        """The score under that scorer's name, None where it has not scored this step."""
        return next((score for score in self.scores if score.scorer == scorer), None)


class Progress(StrEnum):
    """Where a trajectory stands."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One respondent's path of steps on one item under one protocol.

    ``lane`` is that of its last step. ``parent`` is the trajectory it was forked from, after ``fork`` of its
    steps. ``reason`` says why it failed. ``id`` is 0 until its first step or failure is stored.
    """

    item: Item
    repeat: int = 0
    steps: tuple[Step, ...] = ()
    lane: str = ""
    progress: Progress = Progress.OPEN
    reason: str = ""
    parent: int | None = None
    fork: int = 0
    id: int = 0

    def then(self, step: Step) -> Trajectory:
        """The same trajectory one step on."""
        return replace(self, steps=(*self.steps, step), lane=step.lane)


def first_wrong(steps: Sequence[Step], scorer: str = "rule") -> int | None:
    """Index of the first step the scorer holds wrong, None where there is none."""
    for index, step in enumerate(steps):
        score = step.score(scorer)
        if score is not None and score.scored and not score.correct:
            return index
    return None
