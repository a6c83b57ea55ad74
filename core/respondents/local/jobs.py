"""One request on its way through the model's thread, and how it came out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar


class Groupable(Protocol):
    """A request of which some may be answered together: those of one ``group``."""

    @property
    def group(self) -> Hashable: ...


A = TypeVar("A", bound=Groupable)
G = TypeVar("G")


class GenerationError(Exception):
    """This request could not be answered; others may be."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Generated:
    """What the model said. ``whole`` is False where the limit of tokens cut it off.

    ``prompt`` is the text that the chat template made; ``reasoning`` what the model's own response template holds
    apart from its answer; ``letters`` the log-probability of each lettered option.
    """

    text: str
    prompt: str
    prompt_tokens: int
    tokens: int
    whole: bool
    batch: int
    seconds: float
    served: str
    reasoning: str = ""
    letters: Mapping[str, float] = field(default_factory=dict)


class Job(Generic[A, G]):
    """A request that waits for its answer in an event loop, while a thread works on it.

    Only jobs of one ``group`` are answered together; a streamed one goes alone.
    """

    __slots__ = ("_cancelled", "_future", "_loop", "_on_loading", "_on_piece", "asked")

    def __init__(
        self,
        asked: A,
        on_piece: Callable[[str], None] | None = None,
        on_loading: Callable[[str], None] | None = None,
    ) -> None:
        self.asked = asked
        self._on_piece = on_piece
        self._on_loading = on_loading
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[G] = self._loop.create_future()
        self._cancelled = threading.Event()

    @property
    def streamed(self) -> bool:
        return self._on_piece is not None

    @property
    def group(self) -> Hashable:
        return self.asked.group

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Nobody waits any more: the model stops at its next token."""
        self._cancelled.set()

    async def wait(self) -> G:
        """The answer; cancelling the waiting task cancels the work."""
        try:
            return await self._future
        finally:
            self.cancel()

    # -- called from the thread

    def piece(self, text: str) -> None:
        """A piece of the answer has come."""
        if self._on_piece is not None and not self.cancelled:
            self._call(self._on_piece, text)

    def loading(self, what: str) -> None:
        """How far the model is on its way into memory; "" once it is there."""
        if self._on_loading is not None and not self.cancelled:
            self._call(self._on_loading, what)

    def done(self, outcome: G | Exception) -> None:
        """The answer, or why there is none."""
        self._call(self._settle, outcome)

    def _settle(self, outcome: G | Exception) -> None:
        if self._future.done():
            return
        if isinstance(outcome, Exception):
            self._future.set_exception(outcome)
        else:
            self._future.set_result(outcome)

    def _call(self, function: Callable[..., None], argument: object) -> None:
        try:
            self._loop.call_soon_threadsafe(function, argument)
        except RuntimeError:  # the loop has closed: nobody is left to tell
            self._cancelled.set()
