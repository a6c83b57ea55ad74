"""A server's files and batches: upload, create, look, fetch; each request with the patience of any other call."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from core.events import Listener, Waiting, WaitOver
from core.records import Json
from core.respondents.endpoint import Endpoint
from core.respondents.failures import FailedError, Failure
from core.respondents.patience import Persistence

T = TypeVar("T")

PATH: Final = "/v1/chat/completions"
WINDOW: Final = "24h"
OUR_NAME: Final = "phoropter"
"""The metadata field that holds our own token of a batch."""

ENDED: Final = frozenset({"completed", "expired", "cancelled", "failed"})
FULL: Final = "token_limit_exceeded"
"""The code of a batch refused since too many tokens wait already: it may come later."""

_PAGE: Final = 100
_MOST_PAGES: Final = 200
_DAY_S: Final = 86_400
_NOT_THERE_YET: Final = re.compile(r"(cannot find|no such|not find) file|file .{0,80}not found", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RemoteBatch:
    """A batch as the server tells of it. ``errors`` is why it was refused, ``codes`` the same in its words for
    programs."""

    id: str
    status: str
    output_file: str = ""
    error_file: str = ""
    input_file: str = ""
    created: float = 0.0
    total: int = 0
    completed: int = 0
    failed: int = 0
    errors: str = ""
    codes: frozenset[str] = frozenset()
    token: str = ""

    @property
    def ended(self) -> bool:
        return self.status in ENDED


class BatchService:
    """One address. Every method raises FailedError when the server refused, or failed for good."""

    def __init__(
        self, endpoint: Endpoint, persistence: Persistence, whose: str = "", tell: Listener = lambda event: None
    ) -> None:
        """``tell`` hears that a request is waited for, and when that is over, as ``whose`` it is."""
        self._endpoint = endpoint
        self._persistence = persistence
        self._whose = whose
        self._tell = tell
        self._requests = 0

    async def upload(self, file: Path, name: str) -> str:
        """The id of the file as the server has it."""

        async def send(client: Any) -> str:
            with file.open("rb") as content:
                sent = await client.files.create(file=(name, content, "application/jsonl"), purpose="batch")
            return _text(getattr(sent, "id", None))

        found = await self._patiently(lambda: self._endpoint.moved(send))
        if not found:
            raise FailedError(Failure("the server took the file and gave it no id", fatal=True))
        return found

    async def create(self, file: str, token: str, since: float) -> RemoteBatch:
        """The batch of an uploaded file. Where an answer was lost it is looked for before it is asked for again, so
        that nothing is ever submitted twice; ``since`` (seconds since 1970) is when it was meant."""
        lost = False

        async def attempt() -> RemoteBatch:
            nonlocal lost
            if lost and (found := await self._find(token, file, since)) is not None:
                return found
            try:
                return await self._batch(
                    lambda client: client.batches.with_raw_response.create(
                        input_file_id=file,
                        endpoint=PATH,
                        completion_window=WINDOW,
                        metadata={OUR_NAME: token},
                    )
                )
            except FailedError as error:
                failure = error.failure
                lost = lost or failure.reply is None or failure.retry
                if _NOT_THERE_YET.search(failure.what):  # an upload may take a while to be seen
                    raise FailedError(replace(failure, retry=True, fatal=False)) from None
                raise

        return await self._patiently(attempt)

    async def find(self, token: str, file: str, since: float) -> RemoteBatch | None:
        """The batch that carries our token (or that file), None where the server has none such."""
        return await self._patiently(lambda: self._find(token, file, since))

    async def retrieve(self, batch: str) -> RemoteBatch:
        """How the batch stands."""
        return await self._patiently(
            lambda: self._batch(lambda client: client.batches.with_raw_response.retrieve(batch))
        )

    async def content(self, file: str) -> bytes:
        """A file whole."""

        async def fetch(client: Any) -> bytes:
            return cast(bytes, (await client.files.content(file)).content)

        return await self._patiently(lambda: self._endpoint.moved(fetch))

    # -- inside

    async def _patiently(self, attempt: Callable[[], Awaitable[T]]) -> T:
        self._requests += 1
        place, waited = f"{id(self):x}.{self._requests}", False

        def on_wait(what: str, seconds: float, count: int) -> None:
            nonlocal waited
            waited = True
            self._tell(Waiting(None, "", what, seconds, count, self._whose, place))

        try:
            return (await self._persistence.run(attempt, on_wait))[0]
        finally:
            if waited:
                self._tell(WaitOver(self._whose, place))

    async def _batch(self, asking: Callable[[Any], Awaitable[Any]]) -> RemoteBatch:
        return _remote(await self._endpoint.told(asking))

    async def _find(self, token: str, file: str, since: float) -> RemoteBatch | None:
        after: dict[str, str] = {}
        for _ in range(_MOST_PAGES):
            page = await self._endpoint.told(
                lambda client, after=after: client.batches.with_raw_response.list(limit=_PAGE, **after)  # type: ignore[misc]
            )
            listed = [_remote(entry) for entry in _list(page, "data")]
            for batch in listed:
                if batch.token == token or (file and batch.input_file == file):
                    return batch
            past = bool(listed) and 0 < listed[-1].created < since - _DAY_S  # the newest come first
            if not listed or past or not page.get("has_more"):
                return None
            after = {"after": listed[-1].id}
        return None


def _remote(raw: Json) -> RemoteBatch:
    if not isinstance(raw, dict) or not _text(raw.get("id")):
        raise FailedError(Failure("the server's word on a batch is none", retry=True))
    counts = raw.get("request_counts")
    counts = counts if isinstance(counts, Mapping) else {}
    metadata = raw.get("metadata")
    errors = [entry for entry in _list(raw.get("errors"), "data") if isinstance(entry, dict)]
    return RemoteBatch(
        raw["id"],
        _text(raw.get("status")),
        _text(raw.get("output_file_id")),
        _text(raw.get("error_file_id")),
        _text(raw.get("input_file_id")),
        _number(raw.get("created_at")),
        int(_number(counts.get("total"))),
        int(_number(counts.get("completed"))),
        int(_number(counts.get("failed"))),
        "; ".join(map(_said, errors[:3])) + ("; ..." if len(errors) > 3 else ""),
        frozenset(_text(entry.get("code")) for entry in errors),
        _text(metadata.get(OUR_NAME)) if isinstance(metadata, Mapping) else "",
    )


def _said(error: Mapping[str, Json]) -> str:
    line = error.get("line")
    place = f"line {line}: " if isinstance(line, int) else ""
    return place + (" ".join(_text(error.get("message")).split())[:300] or _text(error.get("code")) or "no reason")


def _list(value: Json, key: str) -> list[Json]:
    held = value.get(key) if isinstance(value, dict) else None
    return held if isinstance(held, list) else []


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
