"""One question put to a respondent, however it comes out."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import CallError, PictureError, RespondentError
from core.records import Answer, Call, Json
from core.respondents.base import Request, Respondent


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one question; ``pieces`` is how many its answer was streamed in."""

    answer: Answer | None = None
    error: CallError | RespondentError | PictureError | None = None
    pieces: int = 0

    @property
    def call(self) -> Call | None:
        if self.answer is not None:
            return self.answer.call
        return self.error.call if isinstance(self.error, CallError) else None

    @property
    def status(self) -> int | None:
        """The HTTP status of an error, None where there is none."""
        reply: Json = self.call.reply if self.error is not None and self.call is not None else None
        found = reply.get("status") if isinstance(reply, dict) else None
        return found if isinstance(found, int) else None

    @property
    def reached(self) -> bool:
        """Somebody answered, if only with an error."""
        return self.answer is not None or (self.call is not None and self.call.reply is not None)

    @property
    def what(self) -> str:
        """What went wrong."""
        return self.error.what if self.error is not None else ""

    @property
    def remedy(self) -> str:
        return self.error.remedy if self.error is not None else ""


async def ask(respondent: Respondent, request: Request, *, streamed: bool = False) -> Asked:
    """The answer, or why there is none. Raises nothing that a respondent may raise."""
    pieces: list[str] = []
    try:
        answer = await respondent.answer(request, pieces.append if streamed else None)
    except (CallError, RespondentError, PictureError) as error:
        return Asked(error=error, pieces=len(pieces))
    return Asked(answer, pieces=len(pieces))
