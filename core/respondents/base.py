"""The interface every respondent has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from core.records import Answer, Item, Json, RespondentKind, Turn

OnDelta: TypeAlias = Callable[[str], None]
"""Called with each piece of the answer's text as it arrives."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier turn of the conversation and the answer that stands in its history (never its reasoning)."""

    turn: Turn
    answer: str


@dataclass(frozen=True, slots=True)
class Request:
    """One turn to answer, after a conversation. ``repeat`` tells askings of the same thing apart.

    ``seed`` is the run's; whoever draws chances seeds with (seed, item, step, repeat), never with a clock.
    """

    item: Item
    turn: Turn
    history: tuple[Exchange, ...] = ()
    repeat: int = 0
    seed: int = 0


class PostponedError(Exception):
    """The answer comes another way, later (a batch): the trajectory stays open where it is, and nothing failed."""


class Respondent(Protocol):
    """A model, a baseline, or a person's stand-in.

    ``looks``: needs the pictures. ``draws``: can answer a turn that asks for a picture. ``in_flight``: how many
    requests it wants at once (a local model's batch, a server's concurrency). ``identity`` is everything that can
    change its answers; it is part of a run's identity and holds no secret.
    """

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> RespondentKind: ...
    @property
    def looks(self) -> bool: ...
    @property
    def draws(self) -> bool: ...
    @property
    def in_flight(self) -> int: ...
    @property
    def identity(self) -> Mapping[str, Json]: ...

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        """The answer with its status; usage and the raw call come with it.

        Cancelling the task cancels the call. Raises CallError when the call failed for good after its retries,
        PictureError when one of this item's pictures cannot be read, PostponedError when the answer comes later.
        """
        ...

    async def preview(self, request: Request) -> Json:
        """The request as it would be sent, pictures named by hash; None where nothing is sent. Asks nothing."""
        ...

    async def close(self) -> None:
        """Give connections and memory back."""
        ...
