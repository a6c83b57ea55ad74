"""A server asked through batches: answers that have come are given, requests without one go into the next batch."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TypeGuard

from core.errors import CallError, StoreError
from core.events import Listener
from core.records import Answer, Call, Json, RespondentKind, Status, Turn, Usage
from core.respondents.base import OnDelta, PictureMaker, PostponedError, Request, Respondent
from core.respondents.batch_book import Book, Key, Outgoing, Standing
from core.respondents.batch_lines import custom_id, request_line
from core.respondents.batch_traffic import BatchTraffic, Collected
from core.respondents.failures import Failure, failure_of
from core.respondents.odds import kept, options_of
from core.respondents.openai_server import OpenAIServer
from core.respondents.replies import read_reply
from core.respondents.request_body import Prepared


def has_batches(respondent: Respondent) -> TypeGuard[OpenAIServer]:
    """Whether it is behind a server's chat completions."""
    return isinstance(respondent, OpenAIServer) and not isinstance(respondent, PictureMaker)


class Mode(Enum):
    """What becomes of a request that has not been answered and is not out."""

    BATCH = "batch"  # it goes into the next batch
    LIVE = "live"  # it is asked at once
    CLOSED = "closed"  # nothing: only what has come is given


class Batched:
    """A respondent in the place of ``server``. ``spool`` is the file that the next batch's lines are written to.

    ``notes`` says what was submitted since somebody last cleared it; ``listener`` hears what is waited for.
    """

    def __init__(self, server: OpenAIServer, book: Book, spool: Path, mode: Mode) -> None:
        self.server = server
        self.mode = mode
        self.notes: list[str] = []
        self._book = book
        self._spool = spool
        self.listener: Listener = lambda event: None
        self._traffic = BatchTraffic(server, book, lambda event: self.listener(event))
        self._given: dict[Key, Answer | CallError] = {}
        self._queue: dict[Key, Outgoing] = {}
        self._bytes = 0
        self._writing = asyncio.Lock()
        for name in book.fields(server.name):
            server.learn(name)

    @property
    def name(self) -> str:
        return self.server.name

    @property
    def kind(self) -> RespondentKind:
        return self.server.kind

    @property
    def looks(self) -> bool:
        return self.server.looks

    @property
    def draws(self) -> bool:
        return self.server.draws

    @property
    def in_flight(self) -> int:
        return self.server.in_flight

    @property
    def identity(self) -> Mapping[str, Json]:
        return self.server.identity

    async def preview(self, request: Request) -> Json:
        """What goes into a batch for it."""
        return await self.server.preview(request)

    def clear(self) -> None:
        """Remove what was written and not submitted."""
        self._spool.unlink(missing_ok=True)

    async def close(self) -> None:
        """Close the server's connections, and remove what was written and not submitted."""
        self.clear()
        await self.server.close()

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        """The answer where it has come.

        Raises PostponedError where the request is out, or waits to go out; CallError where its error has come, which
        is never fatal: it is this request's alone.
        """
        if request.turn.makes != "text":
            return await self.server.answer(request, on_delta)  # which says that it makes no pictures
        prepared = await self.server.prepare(request)
        known = await request.recalled(prepared.hash, prepared.sent)
        key = (prepared.hash, request.repeat)
        given, standing = self._given.get(key), self._book.standing(self.name, key)
        if standing is Standing.ANSWERED and given is None:  # paid for: it comes before one recalled from elsewhere
            return self._give(key, request.turn, prepared)
        if known is not None:
            return known
        if isinstance(given, CallError):
            raise given
        if given is not None:
            return given
        if standing is not Standing.OUT and self.mode is Mode.LIVE:
            return await self.server.answer(request, on_delta)
        if standing is not Standing.OUT and self.mode is Mode.BATCH:
            await self._put(key, prepared)
        raise PostponedError(f"{self.name} answers in a batch")

    async def submit(self) -> None:
        """What has been put together goes out as one batch. Raises BatchError."""
        async with self._writing:
            await self._submit()

    async def collect(self) -> Collected:
        """Take in what has come."""
        return await self._traffic.collect()

    # -- inside

    async def _put(self, key: Key, prepared: Prepared) -> None:
        """One more line. Under a budget it is counted at its worst before it is written, until it comes back."""
        if key in self._queue:
            return
        server, settings = self.server, self.server.settings
        line = request_line(custom_id(*key), await server.body(prepared))
        most = int(settings.batch_megabytes * 1_000_000)
        if len(line) > most:
            what = f"the request has {len(line):,} bytes, more than a batch may hold ({most:,})"
            raise CallError(what, where=self.name, remedy="Send smaller pictures (max_pixels), or run it live")
        async with self._writing:
            if key in self._queue or self._book.standing(self.name, key) is Standing.OUT:
                return
            call = server.call_for(prepared)
            if server.budget is not None:
                cost = server.most(server.load(prepared)) * settings.price_batch
                await server.budget.commit(cost)
                call = replace(call, usage=Usage(cost=cost))
            if len(self._queue) >= settings.batch_requests or self._bytes + len(line) > most:
                await self._submit()
            await asyncio.to_thread(self._write, line)
            self._queue[key] = Outgoing(call, key[1])
            self._bytes += len(line)

    def _write(self, line: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if self._queue else os.O_TRUNC)
        try:
            with open(os.open(self._spool, flags, 0o600), "ab") as file:  # noqa: PTH123  made for its owner alone
                file.write(line)
        except OSError as error:
            raise StoreError(
                f"the batch cannot be written ({error.strerror or error})",
                where=str(self._spool),
                remedy="Make room beside the store: a batch takes up to 200 MB until it is submitted",
            ) from None

    async def _submit(self) -> None:
        if not self._queue:
            return
        requests, self._queue, self._bytes = list(self._queue.values()), {}, 0
        self.notes.append(await self._traffic.submit(self._spool, requests))
        self._spool.unlink(missing_ok=True)

    def _give(self, key: Key, turn: Turn, prepared: Prepared) -> Answer:
        """What came, with its line of the ledger; whoever else asks the same is given it without."""
        try:
            answer = self._answer(self._book.call(self.name, key), turn, prepared)
        except CallError as error:
            self._given[key] = CallError(error.what, where=error.where, remedy=error.remedy)
            raise
        self._given[key] = replace(answer, call=None)
        return answer

    def _answer(self, call: Call, turn: Turn, prepared: Prepared) -> Answer:
        if not call.error:
            reply = read_reply(call.reply)
            call = replace(call, reply=kept(reply.raw, reply.text, options_of(turn)))
            return Answer(reply.text, reply.status, reply.reasoning, sent=prepared.sent, call=call)
        failure = Failure(call.error, reply=call.reply)
        if failure.status is not None:
            failure = failure_of(failure.status, {}, json.dumps(call.reply["body"]))
        if failure.refused:
            return Answer("", Status.REFUSAL, sent=prepared.sent, call=call)
        error = self.server.error_of(failure, call)
        error.fatal = False
        if failure.status is None:  # nothing about the connection: the batch itself came back
            error.remedy = failure.remedy
        raise error
