"""Where requests that are out in batches are kept, as the batch's side sees it; ``sessions`` implements it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, TypeAlias

from core.records import Call, Json, Usage

Key: TypeAlias = tuple[str, int]
"""A request's hash and repeat: the same bytes asked for the same repeat are one request."""


class Standing(IntEnum):
    """How a request stands in the ledger."""

    SETTLED = 0
    OUT = 1
    ANSWERED = 2  # or failed for good; no step holds it yet
    AGAIN = 3  # came back unanswered: the next batch takes it along, or a call that asks it at once


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch, or one that was meant: ``remote`` is the server's id for it, "" until that is known.

    ``token`` is ours: it names the file and stands in the batch's metadata. ``tokens_field`` is the name that was
    sent for ``max_tokens``. ``created`` in milliseconds since 1970.
    """

    token: str
    respondent: str
    address: str
    requests: int
    tokens_field: str
    remote: str = ""
    file: str = ""
    state: str = ""
    created: int = 0


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request about to go out: its line of the ledger, whose cost is the most that it can come to (None where
    nobody asks)."""

    call: Call
    repeat: int

    @property
    def key(self) -> Key:
        return self.call.request_hash, self.repeat


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that is out. ``attempts`` counts those before that came back with nothing; ``most`` is what it was
    counted at in the budget; ``pictures`` are those in it."""

    row: int
    hash: str
    repeat: int
    attempts: int
    most: float | None
    pictures: int


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of a request: an answer, an error for good, or (``standing`` AGAIN) nothing yet."""

    row: int
    standing: Standing
    attempts: int
    reply: Json = None
    served_model: str = ""
    usage: Usage = Usage()  # noqa: RUF009
    error: str = ""


class Book(Protocol):
    """One run's batches. Methods that write return when the change is safe on disk."""

    def batches(self, respondent: str) -> Sequence[Batch]:
        """Those not collected yet, the oldest first."""
        ...

    def fields(self, respondent: str) -> frozenset[str]:
        """Every ``tokens_field`` that batches of this respondent were sent with, collected ones too."""
        ...

    def standing(self, respondent: str, key: Key) -> Standing:
        """How that request stands; SETTLED where it is not out."""
        ...

    def call(self, respondent: str, key: Key) -> Call:
        """The ledger entry of an ANSWERED one."""
        ...

    def waiting(self, token: str, *, pictures: bool) -> Sequence[Waiting]:
        """The requests of a batch that are OUT; their ``pictures`` are counted where that matters."""
        ...

    async def intend(self, batch: Batch, requests: Sequence[Outgoing]) -> None:
        """A batch is about to be submitted: it and its requests, which are OUT from now on, survive any crash."""
        ...

    async def uploaded(self, token: str, file: str) -> None:
        """Its file has this id."""
        ...

    async def made(self, token: str, remote: str, state: str) -> None:
        """The server has it, under this id."""
        ...

    async def unmade(self, token: str, state: str) -> None:
        """The server never had it or refused it whole: its requests are free to go out again."""
        ...

    async def collected(self, token: str, state: str, results: Sequence[Settled]) -> None:
        """It has ended, and this came of its requests."""
        ...
