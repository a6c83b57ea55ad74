"""Stands for a respondent of a stored run that cannot be made here any more: it is named, and asked nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import RespondentError
from core.records import EMPTY, Answer, Json, RespondentKind
from core.respondents.base import OnDelta, Request


@dataclass(frozen=True, slots=True)
class Absent:
    """``why`` says what is missing. It would draw and look at anything, so that no plan is refused for it."""

    name: str
    kind: RespondentKind
    why: str
    looks: bool = True
    draws: bool = True
    in_flight: int = 1

    @property
    def identity(self) -> Mapping[str, Json]:
        return EMPTY

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        """Raises RespondentError."""
        raise RespondentError(self.why, where=self.name)

    async def preview(self, request: Request) -> Json:
        """Nothing would be sent."""
        return None

    async def close(self) -> None:
        """There is nothing to give back."""
