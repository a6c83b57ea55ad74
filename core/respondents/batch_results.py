"""What came of each request of a batch that has ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.respondents.batch_book import Batch, Settled, Standing, Waiting
from core.respondents.batch_lines import NOT_ASKED, ResultLine, Results, custom_id
from core.respondents.batch_service import RemoteBatch
from core.respondents.budget import Budget
from core.respondents.endpoint import Endpoint
from core.respondents.failures import FailedError, Failure
from core.respondents.openai_server import OpenAIServer

_RENAMED = "max_completion_tokens"


def outcomes(
    server: OpenAIServer,
    endpoint: Endpoint,
    batch: Batch,
    remote: RemoteBatch,
    results: Results,
    waiting: Sequence[Waiting],
) -> list[Settled]:
    """One for each request, matched by name.

    What the batch ended without (expired, cancelled) goes out again, and so does what failed in a way that may pass,
    up to the respondent's ``attempts``. Everything else is an answer or an error for good.
    """
    out = []
    for request in waiting:
        line = results.lines.get(custom_id(request.hash, request.repeat))
        if line is None or line.code in NOT_ASKED:
            out.append(_unanswered(server, remote, request, line))
            continue
        try:
            if not line.status:
                raise FailedError(Failure(f"{line.code}: {line.error}" if line.code else line.error, retry=True))
            reply = endpoint.reply_in(line.body, line.status)
        except FailedError as error:
            out.append(_failed(server, batch, request, error.failure))
            continue
        cost = reply.cost(server.prices, request.pictures)
        cost = request.most if cost is None else cost * server.settings.price_batch  # uncounted: the worst
        usage, attempts = replace(reply.usage, cost=cost), request.attempts + 1
        out.append(Settled(request.row, Standing.ANSWERED, attempts, reply.raw, reply.served_model, usage))
    return out


def recount(budget: Budget, waiting: Sequence[Waiting], settled: Sequence[Settled]) -> None:
    """What these requests came to, in the place of the most that they could."""
    came_to = {one.row: one.usage.cost or 0.0 for one in settled}
    for request in waiting:
        if request.most is not None:
            budget.recount(request.most, came_to.get(request.row, 0.0), "in a batch")


def _unanswered(server: OpenAIServer, remote: RemoteBatch, request: Waiting, line: ResultLine | None) -> Settled:
    if line is not None or remote.status != "completed":
        return Settled(request.row, Standing.AGAIN, request.attempts)
    failure = Failure(f"batch {remote.id} was completed and holds no result for this request", retry=True)
    return _tried(server, request, failure)


def _failed(server: OpenAIServer, batch: Batch, request: Waiting, failure: Failure) -> Settled:
    if failure.fatal and _RENAMED in failure.what:
        server.learn(failure.what)
        if batch.tokens_field != server.tokens_field:
            return Settled(request.row, Standing.AGAIN, request.attempts)
    return _tried(server, request, failure)


def _tried(server: OpenAIServer, request: Waiting, failure: Failure) -> Settled:
    settled = Settled(request.row, Standing.ANSWERED, request.attempts + 1, failure.reply, error=failure.what)
    if failure.retry and settled.attempts < server.settings.attempts:
        return replace(settled, standing=Standing.AGAIN)
    return settled
