"""A model whose replies another tool recorded, answering again what it answered there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.errors import CallError
from core.foreign.replies import IMPORTED, Reply, Results
from core.records import Answer, Call, Json, RespondentKind, Status, digest
from core.respondents.base import OnDelta, Request


@dataclass(frozen=True, slots=True)
class Imported:
    """Answers from a file. Each answer's call holds the entry as it stands there, and the prompt that was sent then:
    the turn beside it is this program's own."""

    results: Results
    name: str
    replies: Mapping[tuple[str, str, int], Reply] = field(repr=False)
    kind: RespondentKind = "model"
    looks: bool = False
    draws: bool = False
    in_flight: int = 64

    @property
    def identity(self) -> Mapping[str, Json]:
        return {IMPORTED: self.results.tool, "file": self.results.file, "sha256": self.results.digest}

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        """The recorded reply. Raises CallError where there is none, or where it says that the call failed."""
        item, step, repeat = request.item.id, request.turn.step, request.repeat
        reply = self.replies.get((item, step, repeat)) or self.replies.get((item, "", repeat))
        if reply is None:
            raise CallError(f"{self.results.file} holds no reply of {item} at {step}", where=self.name)
        if reply.failed:
            raise CallError(f"{reply.where}: {reply.failed}", where=self.name)
        place = [self.results.digest, item, step, repeat]
        asked: dict[str, Json] = {"tool": self.results.tool, "where": reply.where}
        if reply.asked:
            asked["prompt"] = reply.asked
        call = Call(IMPORTED, digest(place), asked, reply.raw)
        status = reply.status if reply.text.strip() else Status.EMPTY
        return Answer(reply.text, status, call=call)

    async def preview(self, request: Request) -> Json:
        """Nothing is sent."""
        return None

    async def close(self) -> None:
        """Nothing to give back."""
