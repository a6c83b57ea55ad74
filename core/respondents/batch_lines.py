"""The lines of a batch: requests as they are uploaded, results as they are fetched."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from core.records import Json
from core.respondents.batch_service import PATH
from core.respondents.replies import GarbageError, loads

NOT_ASKED: Final = frozenset({"batch_expired", "batch_cancelled"})
"""Codes of requests that the batch ended without."""


def custom_id(request_hash: str, repeat: int) -> str:
    """The name of a request in its batch. The hash is that of everything sent, the conversation so far with it: it
    names one turn of one trajectory (or of all that share it), today and after any restart."""
    return f"{request_hash[:40]}.{repeat}"


def request_line(name: str, body: bytes) -> bytes:
    """One request as a line, its end with it."""
    head = json.dumps({"custom_id": name, "method": "POST", "url": PATH}, separators=(",", ":"))
    return head[:-1].encode("ascii") + b',"body":' + body + b"}\n"


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What came back for one request: a status and its body, or an error of the batch itself."""

    custom_id: str
    status: int = 0
    body: Json = None
    code: str = ""
    error: str = ""

    @property
    def answered(self) -> bool:
        return self.status == 200


@dataclass(frozen=True, slots=True)
class Results:
    """The lines of all result files by ``custom_id``, and how many could not be used."""

    lines: dict[str, ResultLine]
    twice: int
    unreadable: int


def read_results(files: Iterable[bytes]) -> Results:
    """Every line by its name, in whatever order they stand. Of two for one request an answer counts before an error,
    and the first before the second."""
    found: dict[str, ResultLine] = {}
    twice = unreadable = 0
    for line in _lines(files):
        if line is None:
            unreadable += 1
            continue
        earlier = found.get(line.custom_id)
        twice += earlier is not None
        if earlier is None or (line.answered and not earlier.answered):
            found[line.custom_id] = line
    return Results(found, twice, unreadable)


def _lines(files: Iterable[bytes]) -> Iterator[ResultLine | None]:
    for file in files:
        for raw in file.split(b"\n"):  # no other character ends a line: answers may hold any
            if raw.strip():
                yield _line(raw)


def _line(raw: bytes) -> ResultLine | None:
    try:
        value = loads(raw.decode("utf-8", "replace"))
    except GarbageError:
        return None
    name = value.get("custom_id") if isinstance(value, dict) else None
    if not isinstance(name, str):
        return None
    response, error = value.get("response"), value.get("error")
    if isinstance(error, dict) and error:
        return ResultLine(name, code=str(error.get("code") or ""), error=str(error.get("message") or error))
    if isinstance(response, dict):
        status = response.get("status_code")
        return ResultLine(name, status if isinstance(status, int) else 200, response.get("body"))
    return ResultLine(name, error=str(error or "the line holds neither a response nor an error"))
