"""Between records and columns: texts, JSON, codes, packed calls. No row is read or written here."""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.records import (
    Call,
    Field,
    Item,
    Json,
    Origin,
    Parse,
    Part,
    Picture,
    Progress,
    SentPicture,
    Show,
    Status,
    Text,
    Turn,
    Usage,
)

STATUSES: Final = tuple(Status)
ORIGINS: Final = tuple(Origin)
PARSES: Final = tuple(Parse)
PROGRESSES: Final = tuple(Progress)
STATUS_CODE: Final = {status: code for code, status in enumerate(STATUSES)}
ORIGIN_CODE: Final = {origin: code for code, origin in enumerate(ORIGINS)}
PARSE_CODE: Final = {parse: code for code, parse in enumerate(PARSES)}
PROGRESS_CODE: Final = {progress: code for code, progress in enumerate(PROGRESSES)}
MADE_BY: Final = ("protocol", "person")

PLAIN_LANE: Final = 1
NOT_OWN, OWN, OWN_ON_FORK = 0, 1, 2

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def now_ms() -> int:
    return time.time_ns() // 1_000_000


# -- texts and JSON


def to_text(text: str) -> str | bytes:
    """A text as SQLite can hold it: a lone surrogate makes it a BLOB."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def from_text(value: str | bytes | None) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


def to_json(value: Json) -> str | bytes:
    return to_text(_encode(value))


def from_json(value: str | bytes) -> Json:
    return json.loads(from_text(value))


def short_hash(value: str | bytes) -> bytes:
    """Sixteen bytes that name a content: enough for billions of them."""
    data = value.encode("utf-8") if isinstance(value, str) else value
    return hashlib.sha256(data).digest()[:16]


# -- turns


def prompt_to_json(turn: Turn) -> str | bytes:
    """A turn without its name, its gold and who made it: what many steps share."""
    out: dict[str, Json] = {
        "content": [part.text if isinstance(part, Text) else list(part.of) for part in turn.content]
    }
    if turn.form:
        out["form"] = [[field.name, field.options, field.label] for field in turn.form]
    if turn.answer_format:
        out["answer_format"] = turn.answer_format
    if turn.afresh:
        out["afresh"] = True
    if turn.makes != "text":
        out["makes"] = turn.makes
    return to_json(out)


def gold_to_json(turn: Turn) -> str | bytes:
    return to_json([dict(turn.gold), turn.gold_text])


class Prompt:
    """A stored prompt read back once and shared by all turns that were asked with it."""

    __slots__ = ("afresh", "answer_format", "content", "form", "makes", "step")

    def __init__(self, step: str, content: str | bytes) -> None:
        stored = from_json(content)
        self.step = step
        self.content: tuple[Part, ...] = tuple(
            Text(part) if isinstance(part, str) else Show(tuple(part)) for part in stored["content"]
        )
        self.form = tuple(Field(name, tuple(options), label) for name, options, label in stored.get("form", ()))
        self.answer_format: str = stored.get("answer_format", "")
        self.afresh: bool = stored.get("afresh", False)
        self.makes: Any = stored.get("makes", "text")

    def turn(self, gold: Mapping[str, str], gold_text: str, made_by: int) -> Turn:
        return Turn(
            self.step,
            self.content,
            self.form,
            gold,
            gold_text,
            self.answer_format,
            self.afresh,
            self.makes,
            "person" if made_by else "protocol",
        )


# -- pictures


def pictures_to_json(pictures: Sequence[SentPicture]) -> str | bytes:
    return to_json([[p.hash, p.mime, *p.size, *p.original_size, p.name] for p in pictures])


def pictures_from_json(value: str | bytes) -> tuple[SentPicture, ...]:
    return tuple(
        SentPicture(digest, mime, (width, height), (original_width, original_height), name)
        for digest, mime, width, height, original_width, original_height, name in from_json(value)
    )


# -- readings


def spans_to_json(parsed: Mapping[str, str], spans: Mapping[str, tuple[int, int]]) -> str | bytes | None:
    """Flat where the spans follow the parsed fields in order, as they nearly always do."""
    if not spans:
        return None
    if list(spans) == list(parsed):
        return _encode([place for span in spans.values() for place in span])
    return to_json(spans)


def spans_from_json(parsed: Mapping[str, str], value: str | bytes | None) -> dict[str, tuple[int, int]]:
    if value is None:
        return {}
    stored = from_json(value)
    if isinstance(stored, list):
        return {name: (stored[2 * i], stored[2 * i + 1]) for i, name in enumerate(parsed)}
    return {name: (start, end) for name, (start, end) in stored.items()}


# -- calls


def pack(value: Json) -> bytes:
    """JSON, deflated: raw requests repeat the conversation so far and would be most of the store."""
    return zlib.compress(_encode(value).encode("utf-8", "surrogatepass"), 6)


def unpack(value: bytes | None) -> Json:
    return None if value is None else json.loads(zlib.decompress(value).decode("utf-8", "surrogatepass"))


CALL_COLUMNS: Final = (
    "purpose, request_hash, request, reply, served_model, attempts, seconds, prompt_tokens, completion_tokens,"
    " cost, error"
)


def call_values(call: Call) -> tuple[Any, ...]:
    """In the order of CALL_COLUMNS."""
    usage = call.usage
    return (
        to_text(call.purpose),
        to_text(call.request_hash),
        pack(call.request),
        pack(call.reply),
        to_text(call.served_model),
        call.attempts,
        call.seconds,
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.cost,
        to_text(call.error),
    )


def call_of(row: Sequence[Any]) -> Call:
    """From CALL_COLUMNS."""
    purpose, request_hash, request, reply, served_model, attempts, seconds, asked, said, cost, error = row
    return Call(
        from_text(purpose),
        from_text(request_hash),
        unpack(request),
        unpack(reply),
        from_text(served_model),
        attempts,
        seconds,
        Usage(asked, said, cost),
        from_text(error),
    )


# -- items


def item_to_json(item: Item) -> str | bytes:
    return to_json({"pictures": [picture.to_json() for picture in item.pictures], "facts": dict(item.facts)})


def item_of(
    benchmark: str,
    subset: str,
    key: str | bytes,
    groups: str | bytes,
    content: str | bytes,
    data: Mapping[str, bytes],
) -> Item:
    """``data`` maps the hash of an embedded picture to its bytes."""
    stored = from_json(content)
    pictures = tuple(
        Picture(p["name"], p["path"], p["depicts"], data.get(p["sha256"]) if "sha256" in p else None)
        for p in stored["pictures"]
    )
    return Item(benchmark, subset, from_text(key), pictures, from_json(groups), stored["facts"])
