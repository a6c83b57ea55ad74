"""What driver and worker say to each other, and as which bytes.

Both are the same program, of the same version, on machines of one owner; keys are never among the words.
"""

from __future__ import annotations

import copyreg
import io
import pickle
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from core import records
from core.errors import DataError
from core.records import EMPTY, Call, Progress, Recalled, Step, Trajectory, Usage

# -- to the worker


class Begin(NamedTuple):
    """Take this trajectory to its end, from where it stands."""

    job: int
    trajectory: Trajectory


class Drop(NamedTuple):
    """Stop with it, wherever it is."""

    job: int


class Reply(NamedTuple):
    """To an :class:`Ask`: a value, or the error that is to be raised."""

    question: int
    value: Any = None
    error: Exception | None = None


class Stop(NamedTuple):
    """Stop with everything, say what is left to say, and go."""


# -- to the driver


class Ready(NamedTuple):
    """The worker has its plan. ``gpus`` are those that it may use, as CUDA counts them."""

    host: str
    pid: int
    gpus: str


class Broken(NamedTuple):
    """It cannot have one."""

    error: Exception
    host: str


class Added(NamedTuple):
    """A step; ``taken`` are steps of another run before it that nobody was asked for here."""

    job: int
    taken: tuple[Step, ...]
    step: Step
    last: bool


class Beside(NamedTuple):
    """An asking that an intervention replaces."""

    job: int
    taken: tuple[Step, ...]
    step: Step


class Ended(NamedTuple):
    """The trajectory is done or failed."""

    job: int
    taken: tuple[Step, ...]
    lane: str
    progress: Progress
    reason: str
    call: Call | None
    step: str


class Over(NamedTuple):
    """Nothing more comes of this job; ``error`` stopped it."""

    job: int
    error: Exception | None = None


class Asks(NamedTuple):
    """A turn went out."""

    job: int
    step: str


class Spends(NamedTuple):
    """One call's usage."""

    job: int
    usage: Usage
    seconds: float


class Spares(NamedTuple):
    """A call that was not needed."""

    job: int
    recalled: Recalled


class Waits(NamedTuple):
    """An attempt failed and is repeated."""

    job: int
    step: str
    what: str
    seconds: float
    times: int


class Loads(NamedTuple):
    """The model that a turn is for is being loaded; ``what`` is "" once it is."""

    job: int
    step: str
    what: str


class Ask(NamedTuple):
    """A question that a :class:`Reply` answers: ``what`` is ``base``, ``sibling``, ``recall`` or ``reserve``."""

    question: int
    job: int
    what: str
    about: tuple[Any, ...]


class LetGo(NamedTuple):
    """What was recalled, or asked in its place, has been said: others may recall it once it is stored."""

    job: int
    key: tuple[str, int, str | None]


class Paid(NamedTuple):
    """A request that was reserved for. ``charged`` is false where it cost nothing; ``cost`` None: nobody knows."""

    amount: float
    charged: bool
    cost: float | None = None
    counted: str = ""


class Said(NamedTuple):
    """A line for the user."""

    line: str


Word: TypeAlias = (
    Begin | Drop | Reply | Stop | Ready | Broken | Added | Beside | Ended | Over | Asks | Spends | Spares | Waits
) | (Loads | Ask | LetGo | Paid | Said)


# -- as bytes


def _whole(kind: type[Any], names: Sequence[str]) -> Callable[[Any], tuple[Any, tuple[Any, ...]]]:
    """A record by its fields in order: half the time of what dataclasses do by themselves."""
    read = attrgetter(*names)
    if len(names) == 1:
        return lambda record: (kind, (read(record),))
    return lambda record: (kind, read(record))


def _mapping(mapping: Mapping[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    return (_nothing, ()) if mapping is EMPTY else (_frozen, (dict(mapping),))


def _nothing() -> Mapping[str, Any]:
    return EMPTY


def _frozen(values: dict[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(values)  # by a function: the type itself has no name that pickle finds


_RECORDS: Final = (
    *(records.Item, records.Picture, records.Turn, records.Text, records.Show, records.Field, records.Answer),
    *(records.SentPicture, records.Call, records.Usage, records.Recalled, records.Score, records.Step),
    records.Trajectory,
)

_TABLE: Final[dict[Any, Callable[[Any], Any]]] = {
    **copyreg.dispatch_table,
    **{kind: _whole(kind, list(kind.__dataclass_fields__)) for kind in _RECORDS},
    MappingProxyType: _mapping,
    DataError: lambda error: (DataError, (error.problems,), {"what": error.what, "remedy": error.remedy}),
}


def pack(value: Any) -> bytes:
    """Bytes of words, or of a worker's terms. Texts and options that several share go once."""
    out = io.BytesIO()
    pickler = pickle.Pickler(out, 5)
    pickler.dispatch_table = _TABLE
    pickler.dump(value)
    return out.getvalue()


def unpack(data: bytes) -> Any:
    """What :func:`pack` packed, by this program alone."""
    return pickle.loads(data)  # noqa: S301  (from a process that this one started, over a line of its own)
