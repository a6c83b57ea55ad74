"""The interface every respondent has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from core.records import Answer, Item, Json, RespondentKind, SentPicture, Turn

OnDelta: TypeAlias = Callable[[str], None]
"""Called with each piece of the answer's text as it arrives; a maker of pictures may say how far it is."""

Recall: TypeAlias = Callable[[str], Awaitable[Answer | None]]
"""The answer that exactly this request (its hash) got before, as the same repeat; None where it must be asked."""


OnWait: TypeAlias = Callable[[str, float, int], None]
"""Called before a failed attempt is repeated: why it failed, the seconds until then, the requests made so far."""

OnLoading: TypeAlias = Callable[[str], None]
"""Called with how far a model is that must be loaded before it can be asked, and with "" once it is loaded."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier turn of the conversation and the answer that stands in its history (never its reasoning)."""

    turn: Turn
    answer: str


@dataclass(frozen=True, slots=True)
class Schema:
    """The form that a reply must have: a JSON schema, and the name that servers want for it."""

    name: str
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Request:
    """One turn to answer, after a conversation. ``repeat`` tells askings of the same thing apart.

    ``seed`` is the run's; whoever draws chances seeds with (seed, item, step, repeat), never with a clock. ``recall``
    is consulted, through ``recalled``, by whoever sends something, between preparing it and sending it. ``schema``
    asks for a reply of that form, None for ordinary turns. Whoever can hold the model to it does; the reply is to be
    read with tolerance all the same. ``on_wait`` hears of every wait before it is asked again,
    ``on_loading`` of every stage of loading that is waited for.
    """

    item: Item
    turn: Turn
    history: tuple[Exchange, ...] = ()
    repeat: int = 0
    seed: int = 0
    recall: Recall | None = field(default=None, repr=False, compare=False)
    schema: Schema | None = None
    on_wait: OnWait | None = field(default=None, repr=False, compare=False)
    on_loading: OnLoading | None = field(default=None, repr=False, compare=False)

    async def recalled(self, request_hash: str, sent: tuple[SentPicture, ...]) -> Answer | None:
        """The answer that needs no asking, with the pictures of this turn as they would be ``sent``; None: ask."""
        known = await self.recall(request_hash) if self.recall is not None else None
        return None if known is None else replace(known, sent=sent)


@runtime_checkable
class PictureMaker(Protocol):
    """A respondent that answers with pictures alone: no turn that asks for words can be sent to it."""

    @property
    def draws_alone(self) -> Literal[True]: ...


@runtime_checkable
class Readied(Protocol):
    """A respondent that consults what is recalled between making a request ready and sending it."""

    @property
    def ahead(self) -> int:
        """How many requests it wants made ready while those under way are answered."""
        ...


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

        What ``request`` recalls is returned as it is, and nothing is sent. Cancelling the task cancels the call.
        Raises CallError when the call failed for good after its retries, PictureError when one of this item's
        pictures cannot be read, PostponedError when the answer comes later.
        """
        ...

    async def preview(self, request: Request) -> Json:
        """The request as it would be sent, pictures named by hash; None where nothing is sent. Asks nothing."""
        ...

    async def close(self) -> None:
        """Give connections and memory back."""
        ...
