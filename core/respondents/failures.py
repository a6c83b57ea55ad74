"""What a server's failure means: ask again, wait, give this item up, or stop the run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from core.records import Json
from core.respondents.switches import blind, remedy

_SHOWN: Final = 400
_BLOCKED: Final = frozenset(
    {"content_filter", "content_policy_violation", "moderation_blocked", "responsibleaipolicyviolation"}
)
_SPENT: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_BY_A_GATEWAY: Final = frozenset({408, 502, 504, *range(520, 528)})
"""Said by something before the server, which may be answering all the same."""
_OF_ITEM: Final = re.compile(
    r"context.{0,3}length|context window|maximum.{0,20}context|too (long|many (tokens|images))"
    r"|invalid.{0,3}image|image.{0,30}(pars|decod|process|valid|too large)",
    re.IGNORECASE,
)
_DAILY: Final = re.compile(r"per[\s_-]?day|\bdaily\b|\b[RT]PD\b", re.IGNORECASE)
_MINUTELY: Final = re.compile(r"per[\s_-]?min|\b[RT]PM\b", re.IGNORECASE)
_SPAN: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one attempt failed, and what is to be done.

    ``retry``: asking again may help. ``busy``: the server asks for patience; ``wait`` is what it asks for, in
    seconds. ``fatal``: every later call would meet it too. ``refused``: the server's policy blocked this one
    request. ``free``: the request has been put right, asking again costs no attempt. ``overload``: fewer at once may
    help. ``charged``: the server may have worked on an answer, and want money for it.
    """

    what: str
    retry: bool = False
    busy: bool = False
    wait: float | None = None
    fatal: bool = False
    refused: bool = False
    free: bool = False
    overload: bool = False
    charged: bool = False
    remedy: str = ""
    reply: Json = None

    @property
    def status(self) -> int | None:
        """The HTTP status, None where it was no such failure."""
        status = self.reply.get("status") if isinstance(self.reply, dict) else None
        return status if isinstance(status, int) else None


class FailedError(Exception):
    """An attempt failed, or a call after that many requests."""

    def __init__(self, failure: Failure, requests: int = 1) -> None:
        super().__init__(failure.what)
        self.failure = failure
        self.requests = requests


def failure_of(status: int, headers: Mapping[str, str], text: str, now: datetime | None = None) -> Failure:
    """What an HTTP error means. ``text`` is the body as it came."""
    body = _parsed(text)
    said = told(text)
    what = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    codes = {code.lower() for code in _codes(body)}
    reply = {"status": status, "body": body if body is not None else text[:_SHOWN]}
    if status == 429:
        return _busy(what, said, codes, body, headers, now, reply)
    if status >= 500 and blind(said):
        return Failure(what, fatal=True, remedy=remedy(said), reply=reply)
    if status in (408, 409) or status >= 500:
        overload, charged = status in (503, 529), status in _BY_A_GATEWAY
        wait = _asked(headers, body, now)
        return Failure(what, retry=True, overload=overload, charged=charged, wait=wait, reply=reply)
    if codes & _BLOCKED:
        return Failure(what, refused=True, reply=reply)
    if status == 413 or (status in (400, 422) and ("context_length_exceeded" in codes or _OF_ITEM.search(said))):
        return Failure(what, remedy=remedy(said), reply=reply)
    return Failure(what, fatal=True, remedy=remedy(said), reply=reply)


def error_in(reply: Json, headers: Mapping[str, str], now: datetime | None = None) -> Failure | None:
    """The error that a server reports inside a reply of status 200, None where it reports none."""
    error = reply.get("error") if isinstance(reply, dict) else None
    if not error or reply.get("choices"):
        return None
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return failure_of(status, headers, json.dumps(reply), now)


def told(text: str) -> str:
    """What an error's body says, in one line of bounded length."""
    body = _parsed(text)
    said = _message(body) if body is not None else None
    if said is None:
        said = text
        if "<" in text and re.search(r"<(!doctype|html|head|body)\b", text, re.IGNORECASE):
            said = re.sub(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", " ", text, flags=re.IGNORECASE | re.DOTALL)
    said = " ".join(said.split())
    return said if len(said) <= _SHOWN else said[: _SHOWN - 1] + "…"


def _busy(
    what: str,
    said: str,
    codes: set[str],
    body: Json,
    headers: Mapping[str, str],
    now: datetime | None,
    reply: Json,
) -> Failure:
    """A minute's budget is waited for; a day's, or one that money must fill, ends the run."""
    quotas = [text for text in (said, *_quotas(body)) if _DAILY.search(text) and not _MINUTELY.search(text)]
    if quotas:
        named = quotas[-1] if quotas[-1] == said else f"{quotas[-1]}: {said}"
        return Failure(
            f"the day's quota is spent (HTTP 429, {named})",
            fatal=True,
            remedy="Run the same command again once it is renewed: nothing is asked twice",
            reply=reply,
        )
    if codes & _SPENT:
        return Failure(
            f"the account's quota is spent ({', '.join(sorted(codes & _SPENT))}; {what})",
            fatal=True,
            remedy="Look at the account's plan and billing, then run the same command again",
            reply=reply,
        )
    return Failure(what, retry=True, busy=True, overload=True, wait=_asked(headers, body, now), reply=reply)


def _asked(headers: Mapping[str, str], body: Json, now: datetime | None) -> float | None:
    """How long the server asks to wait, in seconds: Retry-After, a reset header, or a delay in the body."""
    low = {name.lower(): value.strip() for name, value in headers.items()}
    if (after := low.get("retry-after-ms")) and _number(after) is not None:
        return (_number(after) or 0.0) / 1000
    if after := low.get("retry-after"):
        seconds = _number(after)
        if seconds is None:
            seconds = _until(after, now or datetime.now(UTC))
        if seconds is not None:
            return max(0.0, seconds)
    waits = [
        span(low.get(f"x-ratelimit-reset-{what}", ""))
        for what in ("requests", "tokens")
        if _number(low.get(f"x-ratelimit-remaining-{what}", "")) == 0
    ]
    delays = [span(str(entry["retryDelay"])) for entry in _objects(body) if "retryDelay" in entry]
    return max((wait for wait in (*waits, *delays) if wait is not None), default=None)


def span(text: str) -> float | None:
    """Seconds of ``6m0s``, ``120ms`` or ``1.5``; None of anything else."""
    if (plain := _number(text)) is not None:
        return plain
    found = _SPAN.findall(text)
    if not found or "".join(number + unit for number, unit in found) != text:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in found)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < 1e9 else None


def _until(date: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return None
    return (then if then.tzinfo else then.replace(tzinfo=UTC)).timestamp() - now.timestamp()


def _parsed(text: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _message(body: Json) -> str | None:
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        messages = [message for entry in body if (message := _message(entry))]
        return "; ".join(messages) or None
    if not isinstance(body, dict):
        return None
    for key in ("error", "message", "msg", "detail", "error_description"):
        if body.get(key) and (said := _message(body[key])):
            place = ".".join(map(str, body["loc"])) if key == "msg" and isinstance(body.get("loc"), list) else ""
            return f"{place}: {said}" if place else said
    return None


def _objects(body: Json) -> Iterator[Mapping[str, Json]]:
    """Every object of a body, the outer before the inner."""
    if isinstance(body, dict):
        yield body
    for entry in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        yield from _objects(entry)


def _codes(body: Json) -> Iterator[str]:
    for entry in _objects(body):
        for key in ("code", "type"):
            if isinstance(entry.get(key), str):
                yield entry[key]


def _quotas(body: Json) -> list[str]:
    return [entry["quotaId"] for entry in _objects(body) if isinstance(entry.get("quotaId"), str)]
