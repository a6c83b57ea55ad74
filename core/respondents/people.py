"""Stands for people who answer at a screen of their own: whoever asks goes on without them, and nothing failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.records import Answer, Json, RespondentKind
from core.respondents.base import OnDelta, PostponedError, Request

PEOPLE: Final = "people"


@dataclass(frozen=True, slots=True)
class People:
    """Their answers come another way: a trajectory waits where one of them is asked."""

    name: str = PEOPLE
    kind: RespondentKind = "human"
    looks: bool = True
    draws: bool = False
    in_flight: int = 64

    @property
    def identity(self) -> Mapping[str, Json]:
        return {PEOPLE: True}

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        """Raises PostponedError."""
        raise PostponedError("people answer this step, at a screen of their own: phoropter make review")

    async def preview(self, request: Request) -> Json:
        """Nothing is sent."""
        return None

    async def close(self) -> None:
        """There is nothing to give back."""
