"""The check of a model behind a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

from core.checking import lines, probes
from core.checking.asking import Asked, ask
from core.checking.largest import Largest
from core.checking.report import LIMITS, ODDS, PICTURES, STRUCTURED, Line, Verdict
from core.records import Json
from core.respondents.base import Request
from core.respondents.openai_server import OpenAIServer
from core.respondents.settings import Connection, ServerSettings
from core.respondents.switches import taken

ATTEMPTS: Final = 2
PATIENCE_S: Final = 30.0
"""A check waits no longer for a busy server."""
SMALL: Final = 1024
"""Tokens of an answer to a small question: room for a model that thinks first."""
LIKELY: Final = 5
"""Alternatives of a token that are asked for where the settings say nothing of them: every server allows so many."""

_CLOSED: Final = frozenset({401, 402, 403, 404, 429})
"""What says no to every further question too."""
_CONTEXTS: Final = ("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx_train")

Make: TypeAlias = Callable[[ServerSettings], OpenAIServer]
"""A respondent that asks the same server with these settings."""


C = TypeVar("C", bound=Connection)


def hasty(settings: C) -> C:
    """The same for a check, which asks few times and does not wait long."""
    return replace(
        settings, attempts=min(settings.attempts, ATTEMPTS), patience_s=min(settings.patience_s, PATIENCE_S)
    )


class ServerCheck:
    """Asks one server; each variant of its settings over connections of its own."""

    def __init__(self, make: Make, settings: ServerSettings, most: Largest) -> None:
        self._make = make
        self._settings = hasty(settings)
        self._small = replace(self._settings, max_tokens=min(settings.max_tokens, SMALL))
        self._most = most
        self._limits: dict[str, str] = {}
        self._tokens_field = ""
        self._listed: Json = None
        self._answered = False

    async def run(self) -> tuple[Asked, list[Line]]:
        """The largest turn as it was answered, and all that is to be said."""
        most = await self._ask(self._most.request, self._settings, streamed=True)
        if not most.reached:
            return most, [lines.reachable(most)]
        first = [lines.reachable(most), lines.largest(most, self._most)]
        if most.status in _CLOSED:
            return most, first
        pictures = await self._pictures()
        likely = self._small.top_logprobs if self._small.logprobs else LIKELY
        odds = await self._ask(
            probes.letters_request(), replace(self._small, logprobs=True, top_logprobs=likely), listed=True
        )
        # as extra_body, so that nothing goes round a server's refusal
        formed = {**self._small.extra_body, "response_format": probes.RESPONSE_FORMAT}
        structured = await self._ask(probes.greeting_request(), replace(self._small, extra_body=formed))
        return most, [
            *first,
            self._told(pictures),
            lines.streaming(most),
            lines.usage(most, odds),
            self._told(lines.read_or_refused(ODDS, odds, probes.read_odds)),
            self._told(lines.read_or_refused(STRUCTURED, structured, probes.read_structured)),
            self._limits_line(),
            lines.served(most if most.answer is not None else odds, self._settings.model),
        ]

    def _told(self, line: Line) -> Line:
        """A server that answered nothing at all says nothing of what it could."""
        if self._answered or line.verdict is not Verdict.NO:
            return line
        return Line(line.name, Verdict.UNKNOWN, f"could not tell, nothing was answered: {line.what}", line.remedy)

    async def _pictures(self) -> Line:
        if not self._settings.looks:
            return Line(PICTURES, Verdict.NONE, "set to look at none")
        shown = self._most.shown or (1,)
        request, colours = probes.pictures_request(shown)
        found = await self._ask(request, self._small)
        if found.answer is not None:
            return probes.read_order(found.answer, colours)
        refused = f"{len(shown)} refused: {found.what}"
        if len(shown) > 1 and taken(found.what) != 0 and found.status is not None:
            request, colours = probes.pictures_request((1,))
            alone = await self._ask(request, self._small)
            one = probes.read_order(alone.answer, colours).what if alone.answer is not None else "refused as well"
            refused = f"{refused}; one alone: {one}"
        return Line(PICTURES, Verdict.NO, refused, lines.mends(found, len(shown)))

    async def _ask(
        self, request: Request, settings: ServerSettings, *, streamed: bool = False, listed: bool = False
    ) -> Asked:
        server = self._make(settings)
        try:
            asked = await ask(server, request, streamed=streamed)
            self._answered |= asked.answer is not None
            self._limits |= server.limits
            self._tokens_field = server.tokens_field
            if listed:
                self._listed = await server.models()
            return asked
        finally:
            await server.close()

    def _limits_line(self) -> Line:
        context = context_of(self._listed, self._settings.model)
        told = [f"takes {self._tokens_field}", f"context {context:,} tokens" if context else "context not told"]
        told += lines.rates(self._limits)
        return Line(LIMITS, Verdict.YES if context or self._limits else Verdict.UNKNOWN, ", ".join(told))


def context_of(listed: Json, model: str) -> int | None:
    """How many tokens the model holds, as servers say it in their list of models, each in a place of its own."""
    entries = listed.get("data") if isinstance(listed, dict) else listed
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("id") == model:
            meta = entry.get("meta")
            places = (entry, meta if isinstance(meta, dict) else {})
            known = [place.get(key) for place in places for key in _CONTEXTS]
            return next((value for value in known if isinstance(value, int) and value > 0), None)
    return None
