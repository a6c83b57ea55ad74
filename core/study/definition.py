"""A study as its file says it: one record a table of the TOML. Checked and read by ``core.study.reading``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Final, Literal, TypeAlias

from core.records import Json, digest

_STRICT: Final = {"extra": "forbid", "strict": True}

PictureKind: TypeAlias = Literal["kitty", "sixel", "iterm2", "halfcell", "unicode"]


@dataclass(frozen=True, slots=True)
class Items:
    """``[items]``: which items are asked about. ``ids`` names them; else ``where`` filters and ``sample`` draws with
    the study's seed (0: all that the filter leaves)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    ids: tuple[str, ...] = ()
    where: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """``[conditions.NAME]``: one way of asking. A study without any has one, called ``""``.

    ``protocol`` and ``options`` are the benchmark's (``--protocol``, ``--set``). ``examples`` names items whose
    worked answers stay readable beside every trial; ``lists`` shows the lists of values to choose from.
    ``picture_px`` is the largest width and height that a picture is shown at (0: as large as the place allows).
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    protocol: str = ""
    options: dict[str, str] = field(default_factory=dict)
    examples: tuple[str, ...] = ()
    lists: bool = True
    picture_px: int = 0


@dataclass(frozen=True, slots=True)
class Design:
    """``[design]``: who sees what in which order.

    ``raters`` is k: so many people answer each item in each condition. A session holds ``per_session`` items in
    ``blocks`` blocks of about equal size. With several conditions: ``between`` gives a person one of them, ``within``
    one a block. Blocks (and with them conditions) go by a Latin square over sessions (``latin``) or by the seed
    (``random``); within a block the order is seeded. ``stratify`` spreads a group (rule, category, subtask) evenly
    over sessions. ``no_picture_twice``: within a session, or over all sessions of a person. An assignment that nobody
    worked on for ``lease_minutes`` is given out again.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    raters: int = 3
    per_session: int = 20
    blocks: int = 1
    order: Literal["random", "latin"] = "random"
    conditions: Literal["between", "within"] = "between"
    stratify: str = ""
    no_picture_twice: Literal["session", "person", "off"] = "person"
    lease_minutes: int = 120


@dataclass(frozen=True, slots=True)
class Practice:
    """``[practice]``: items asked first, with feedback, never counted."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    ids: tuple[str, ...] = ()
    feedback: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """``[[gate]]``, ``[[before]]``, ``[[after]]``: one question on paper, so to say.

    ``answer`` is the right option of a gate's question; elsewhere it is empty. ``scale`` goes from 1 to ``points``.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    id: str
    text: str
    kind: Literal["choice", "text", "number", "scale"] = "choice"
    options: tuple[str, ...] = ()
    answer: str = ""
    points: int = 7
    required: bool = True


@dataclass(frozen=True, slots=True)
class Catch:
    """``[catch]``: items with an obvious answer, one after every ``every`` items; never counted in accuracy."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    ids: tuple[str, ...] = ()
    every: int = 10


@dataclass(frozen=True, slots=True)
class Timing:
    """``[timing]``, in seconds; 0: none. ``limit_s`` for one turn; ``break_every`` counts items, ``break_s`` is the
    least length of a break; after ``resume_gap_s`` away the instructions are shown again."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    limit_s: float = 0.0
    break_every: int = 0
    break_s: float = 0.0
    resume_gap_s: float = 600.0


@dataclass(frozen=True, slots=True)
class Answers:
    """``[answers]``: what may and must be said. ``back`` lets the steps of an item be changed until it is ended;
    ``confidence`` is the number of points of a scale after each item (0: not asked)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    back: bool = False
    feedback: bool = False
    confidence: int = 0
    why: Literal["no", "optional", "required"] = "no"


@dataclass(frozen=True, slots=True)
class Texts:
    """``[text.LANGUAGE]``: what the person reads. Empty ones are left out, but for consent, which a live study needs.

    ``labels`` maps canonical values (``woman``, ``playing soccer``, ``any``, ``Yes``) and names of properties to the
    words shown; ``ui`` does the same for the screen's own words. What is stored is canonical in any language.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    title: str = ""
    consent: str = ""
    instructions: str = ""
    practice: str = ""
    pause: str = ""
    debrief: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    ui: dict[str, str] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Display:
    """``[display]``: what a station must be able to do. ``pictures`` are the protocols allowed (none: any);
    ``smallest_px`` the least width and height at which a picture may be shown, in pixels of the terminal (0: any).
    ``distance_cm`` is the viewing distance asked for; ``card`` measures the screen with a bank card at the start."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    pictures: tuple[PictureKind, ...] = ()
    smallest_px: int = 0
    distance_cm: float = 0.0
    card: bool = False


@dataclass(frozen=True, slots=True)
class Exclusion:
    """``[exclude]``: sessions left out by rules decided beforehand; 0: no such rule.

    ``catch_right`` is the least share of catch trials right, ``fastest_s`` the least median seconds of an item,
    ``timed_out`` the greatest share of items timed out, ``missing`` of items without an answer; ``same_answer``
    the greatest share of one and the same answer.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    catch_right: float = 0.0
    fastest_s: float = 0.0
    timed_out: float = 0.0
    missing: float = 0.0
    same_answer: float = 0.0


@dataclass(frozen=True, slots=True)
class Reporting:
    """``[reporting]``: what a reporting checklist asks (arXiv 2506.13776) and no program can know."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    ethics: str = ""
    preregistration: str = ""
    recruitment: str = ""
    population: str = ""
    compensation: str = ""
    training: str = ""
    conflicts: str = ""
    data_sharing: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """A study's file whole. ``data`` and ``pictures`` are as for a run (``--data``, ``--pictures``; "": the built-in
    pack). ``experimenter_key`` is the word that unlocks what a participant may not do; its hash alone is ever shown.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    name: str
    benchmark: str
    data: str = ""
    pictures: str = ""
    prompts: str = ""
    seed: int = 0
    language: str = "en"
    experimenter_key: str = ""
    items: Items = Items()
    conditions: dict[str, Condition] = field(default_factory=dict)
    design: Design = Design()
    practice: Practice = Practice()
    gate: tuple[Question, ...] = ()
    gate_attempts: int = 2
    catch: Catch = Catch()
    timing: Timing = Timing()
    answers: Answers = Answers()
    before: tuple[Question, ...] = ()
    after: tuple[Question, ...] = ()
    text: dict[str, Texts] = field(default_factory=dict)
    display: Display = Display()
    exclude: Exclusion = Exclusion()
    reporting: Reporting = Reporting()

    @property
    def ways(self) -> Mapping[str, Condition]:
        """The conditions by name, ``""`` the only one where the file names none."""
        return self.conditions or {"": Condition()}

    @property
    def texts(self) -> Texts:
        """What is read in the study's language."""
        return self.text.get(self.language, Texts())

    def unlocked_by(self, word: str) -> bool:
        """Whether the word is the experimenter's key; nothing is where there is none."""
        return bool(word.strip()) and _SEAL + digest(word.strip()) == _sealed(self.experimenter_key)

    def to_json(self) -> dict[str, Json]:
        """All of it, as kept in a store: of the experimenter's key its hash."""
        return asdict(self) | {"experimenter_key": _sealed(self.experimenter_key)}

    @property
    def asked(self) -> dict[str, Json]:
        """What a participant meets and what is counted. The paths of data and pictures do not belong to it (their
        content does, with each item), nor the experimenter's key, nor what ``[reporting]`` says."""
        return {name: value for name, value in self.to_json().items() if name not in _ASIDE}

    @property
    def digest(self) -> str:
        """SHA-256 of what is asked; ``sessions.studies.book`` adds the content of prompts and items."""
        return digest(self.asked)


_ASIDE: Final = ("data", "pictures", "prompts", "experimenter_key", "reporting")
_SEAL: Final = "sha256:"


def _sealed(key: str) -> str:
    """The key's hash; what is hashed already stays, and no key stays none."""
    key = key.strip()
    return key if not key or key.startswith(_SEAL) else _SEAL + digest(key)
