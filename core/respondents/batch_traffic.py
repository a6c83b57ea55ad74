"""Batches of one server going out and coming back; the book says what is where, so that a crash loses nothing."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.errors import BatchError
from core.events import Listener
from core.respondents.addresses import host_of
from core.respondents.batch_book import Batch, Book, Outgoing, Settled, Standing, Waiting
from core.respondents.batch_lines import Results, custom_id, read_results
from core.respondents.batch_results import outcomes, recount
from core.respondents.batch_service import FULL, BatchService, RemoteBatch
from core.respondents.failures import FailedError, Failure
from core.respondents.openai_server import OpenAIServer

RELEASE: Final = "`phoropter runs release RUN` gives up what is out: it is asked, and paid for, again"
_NO_SUCH_DOOR: Final = (404, 405, 501)


@dataclass(slots=True)
class Collected:
    """What one look at the batches brought.

    ``stops`` says why nothing more may be submitted without a person's word; ``full``: the server's queue has no room
    until other batches end; ``trouble``: a batch could not be looked at.
    """

    ended: int = 0
    notes: list[str] = field(default_factory=list)
    stops: list[str] = field(default_factory=list)
    full: bool = False
    trouble: BatchError | None = None

    @property
    def may_wait(self) -> bool:
        """Nothing is wrong that waiting does not mend."""
        return not self.stops and (self.trouble is None or self.trouble.passing)


class BatchTraffic:
    """Submits to and collects from the first address of ``server``. ``tell`` hears that it is waited for."""

    def __init__(self, server: OpenAIServer, book: Book, tell: Listener = lambda event: None) -> None:
        self._tell = tell
        self._server = server
        self._book = book

    async def submit(self, file: Path, requests: Sequence[Outgoing]) -> str:
        """The lines of ``file`` go out as one batch; returns what to say of it.

        Raises BatchError. Then the requests are free again, or, where it cannot be known whether a batch was made,
        the next look tells.
        """
        server, token = self._server, uuid.uuid4().hex
        now = server.clock.today().timestamp()
        batch = Batch(
            token, server.name, server.batch_url, len(requests), server.tokens_field, created=int(now * 1000)
        )
        service = await self._service()
        await self._book.intend(batch, requests)
        try:
            uploaded = await service.upload(file, f"phoropter-{token}.jsonl")
        except FailedError as error:
            await self._free(token, "not uploaded")
            raise self._stopped(error.failure) from None
        await self._book.uploaded(token, uploaded)
        try:
            made = await service.create(uploaded, token, now)
        except FailedError as error:
            if error.failure.reply is not None and not error.failure.retry:
                await self._free(token, "refused")
            raise self._stopped(error.failure) from None
        await self._book.made(token, made.id, made.status)
        return f"submitted batch {made.id}: {len(requests):,} requests to {server.name}"

    async def collect(self) -> Collected:
        """Look at every batch that is out, and take in the results of those that have ended. The trouble of one does
        not keep the others from being taken in."""
        collected = Collected()
        for batch in self._book.batches(self._server.name):
            try:
                if batch.address != self._server.batch_url:
                    raise self._elsewhere(batch)
                await self._look_at(batch, collected)
            except FailedError as error:
                collected.trouble = collected.trouble or self._stopped(error.failure, batch)
            except BatchError as error:
                collected.trouble = collected.trouble or error
        if collected.full and not self._book.batches(self._server.name):
            what = "the server's queue is full of others' batches: come later, or lower batch_requests"
            collected.stops.append(what)
        return collected

    # -- inside

    async def _look_at(self, batch: Batch, collected: Collected) -> None:
        service = await self._service()
        if batch.remote:
            remote = await service.retrieve(batch.remote)
        else:
            found = await service.find(batch.token, batch.file, batch.created / 1000)
            if found is None:
                await self._free(batch.token, "never made")
                collected.ended += 1
                collected.notes.append(f"a batch of {batch.requests:,} requests had not been submitted")
                return
            remote = found
        if not remote.ended:
            await self._book.made(batch.token, remote.id, _progress(remote))
            return
        if remote.status == "failed":
            await self._free(batch.token, "refused")
            collected.ended += 1
            self._refused(batch, remote, collected)
            return
        results = await self._results(service, remote, collected)
        server = self._server
        waiting = self._book.waiting(batch.token, pictures=server.prices.picture is not None)
        settled = outcomes(server, await server.endpoint(), batch, remote, results, waiting)
        await self._book.collected(batch.token, remote.status, settled)
        if server.budget is not None:
            recount(server.budget, waiting, settled)
        collected.ended += 1
        self._note(remote, results, waiting, settled, collected)

    def _note(
        self,
        remote: RemoteBatch,
        results: Results,
        waiting: Sequence[Waiting],
        settled: Sequence[Settled],
        collected: Collected,
    ) -> None:
        again = sum(one.standing is Standing.AGAIN for one in settled)
        failed = sum(bool(one.error) and one.standing is Standing.ANSWERED for one in settled)
        parts = [f"{len(settled) - again - failed:,} answered"]
        parts += [f"{failed:,} refused or failed"] if failed else []
        parts += [f"{again:,} to be sent again"] if again else []
        collected.notes.append(f"batch {remote.id} {remote.status}: {', '.join(parts)}")
        unknown = len(results.lines.keys() - {custom_id(one.hash, one.repeat) for one in waiting})
        for count, what in (
            (results.twice, "came twice; the first answer counts"),
            (unknown, "are of no request of ours"),
            (results.unreadable, "cannot be read"),
        ):
            if count:
                collected.notes.append(f"  {count:,} of its lines {what}")
        if remote.status == "cancelled":
            what = f"batch {remote.id} was cancelled at the server, {again:,} of its requests are unanswered"
            collected.stops.append(what)

    def _refused(self, batch: Batch, remote: RemoteBatch, collected: Collected) -> None:
        said = remote.errors or "it gave no reason"
        if FULL in remote.codes:
            collected.full = True
            collected.notes.append(f"batch {remote.id} has to wait until others have ended: {said}")
            return
        collected.stops.append(f"the server refused batch {remote.id} ({batch.requests:,} requests) whole: {said}")

    async def _results(self, service: BatchService, remote: RemoteBatch, collected: Collected) -> Results:
        files = []
        for file in (remote.output_file, remote.error_file):
            if not file:
                continue
            try:
                files.append(await service.content(file))
            except FailedError as error:
                if error.failure.status != 404:
                    raise
                collected.notes.append(f"batch {remote.id}: the server no longer has its results ({file})")
        return await asyncio.to_thread(read_results, files)

    async def _free(self, token: str, state: str) -> None:
        """Nothing of it was paid for."""
        waiting = self._book.waiting(token, pictures=False)
        await self._book.unmade(token, state)
        if self._server.budget is not None:
            recount(self._server.budget, waiting, ())

    async def _service(self) -> BatchService:
        server = self._server
        return BatchService(await server.endpoint(), server.persistence, f"batches of {server.name}", self._tell)

    def _elsewhere(self, batch: Batch) -> BatchError:
        return BatchError(
            f"batch {batch.remote or batch.token} is at {host_of(batch.address)}, not where base_url points first",
            where=self._server.name,
            remedy=f"Put that address first until it is collected. Where it is lost, {RELEASE}",
        )

    def _stopped(self, failure: Failure, batch: Batch | None = None) -> BatchError:
        error = self._server.error_of(failure)
        remedy, status = error.remedy, failure.status
        if batch is not None and batch.remote and status == 404:
            remedy = f"Another key or project does not see it. Where batch {batch.remote} is lost, {RELEASE}"
        elif batch is not None and not batch.remote and status in _NO_SUCH_DOOR:
            remedy = f"The server lists no batches, so whether one was made cannot be seen. {RELEASE}"
        elif batch is None and status in _NO_SUCH_DOOR:
            remedy = "This server may know no batches: leave out --via batch"
        return BatchError(error.what, where=error.where, remedy=remedy, passing=failure.retry or failure.busy)


def _progress(remote: RemoteBatch) -> str:
    """As it is shown: ``in_progress 120/3600``."""
    return f"{remote.status} {remote.completed + remote.failed}/{remote.total}" if remote.total else remote.status
