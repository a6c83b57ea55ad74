"""Between records and columns: texts, JSON, codes, packed calls. No row is read or written here."""

from __future__ import annotations

import hashlib
import json
import re
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

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
    as_written,
)

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

STATUSES: Final = tuple(Status)
ORIGINS: Final = tuple(Origin)
PARSES: Final = tuple(Parse)
PROGRESSES: Final = tuple(Progress)
STATUS_CODE: Final = {status: code for code, status in enumerate(STATUSES)}
ORIGIN_CODE: Final = {origin: code for code, origin in enumerate(ORIGINS)}
PARSE_CODE: Final = {parse: code for code, parse in enumerate(PARSES)}
PROGRESS_CODE: Final = {progress: code for code, progress in enumerate(PROGRESSES)}

PLAIN_LANE: Final = 1
NOT_OWN, OWN, OWN_ON_FORK = 0, 1, 2

_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+")


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def later(than: int | None) -> int:
    """Now, or just after a time that is stored already: where the newest of several counts, a clock that was set back
    must not let an older one count."""
    return max(now_ms(), (than or 0) + 1)


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
    return to_text(as_written(value))


def from_json(value: str | bytes) -> Json:
    return json.loads(from_text(value))


def to_array(numbers: str | int) -> NDArray[numpy.int64]:
    """Whole numbers as ``group_concat`` writes them; one alone is a number."""
    import numpy

    return numpy.fromstring(str(numbers), dtype=numpy.int64, sep=",")


def short_hash(value: str | bytes) -> bytes:
    """Sixteen bytes that name a content: enough for billions of them."""
    data = value.encode("utf-8") if isinstance(value, str) else value
    return hashlib.sha256(data).digest()[:16]


def prompt_hash(step: str, content: str | bytes) -> bytes:
    """What names a prompt of a step."""
    held = content.encode("utf-8") if isinstance(content, str) else content
    return short_hash(step.encode("utf-8", "surrogatepass") + b"\0" + held)


# -- turns


def prompt_to_json(turn: Turn) -> str | bytes:
    """A turn without its name, its gold and who made it: what many steps share."""
    out: dict[str, Json] = {
        "content": [part.text if isinstance(part, Text) else _show_to_json(part) for part in turn.content]
    }
    if turn.form:
        out["form"] = [[field.name, field.options, field.label] for field in turn.form]
    if turn.answer_format:
        out["answer_format"] = turn.answer_format
    if turn.afresh:
        out["afresh"] = True
    if turn.shared:
        out["shared"] = True
    if turn.makes != "text":
        out["makes"] = turn.makes
    return to_json(out)


def _show_to_json(show: Show) -> Json:
    if show.source:
        return {"of": list(show.of), "blank": show.blank, "source": [picture.to_json() for picture in show.source]}
    return {"blank": list(show.of)} if show.blank else list(show.of)


def _part(stored: Json) -> Part:
    if isinstance(stored, str):
        return Text(stored)
    if not isinstance(stored, dict):
        return Show(tuple(stored))
    if "source" not in stored:
        return Show(tuple(stored["blank"]), blank=True)
    source = tuple(Picture(one["name"], one["path"], one["depicts"]) for one in stored["source"])
    return Show(tuple(stored["of"]), stored["blank"], source)


def gold_to_json(turn: Turn) -> str | bytes:
    return to_json([dict(turn.gold), turn.gold_text])


class Prompt:
    """A stored prompt read back once and shared by all turns that were asked with it."""

    __slots__ = ("afresh", "answer_format", "content", "form", "makes", "shared", "step")

    def __init__(self, step: str, content: str | bytes) -> None:
        stored = from_json(content)
        self.step = step
        self.content: tuple[Part, ...] = tuple(map(_part, stored["content"]))
        self.form = tuple(Field(name, tuple(options), label) for name, options, label in stored.get("form", ()))
        self.answer_format: str = stored.get("answer_format", "")
        self.afresh: bool = stored.get("afresh", False)
        self.shared: bool = stored.get("shared", False)
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
            self.shared,
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
        return as_written([place for span in spans.values() for place in span])
    return to_json(spans)


def spans_from_json(parsed: Mapping[str, str], value: str | bytes | None) -> dict[str, tuple[int, int]]:
    if value is None:
        return {}
    stored = from_json(value)
    if isinstance(stored, list):
        return {name: (stored[2 * i], stored[2 * i + 1]) for i, name in enumerate(parsed)}
    return {name: (start, end) for name, (start, end) in stored.items()}


# -- calls

LONG_TEXT: Final = 200  # characters from which a text of a request is kept once; most answers are shorter
_TEXT, _PLAIN = "$text", "$plain"
_SHORT: Final = frozenset({int, float, bool, type(None)})


# What requests and replies are mostly made of, so that short ones shrink too. Part of the file format: never changed.
_COMMON: Final = (
    b'"logprobs":null,"refusal":null,"annotations":[],"tool_calls":[],"service_tier":"default","system_fingerprint":"fp_'
    b'","prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,'
    b'"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"top_p":1.0,"top_k":'
    b',"stream":true,"stream_options":{"include_usage":true},"seed":0,"max_completion_tokens":,"detail":"auto"'
    b'{"id":"chatcmpl-","object":"chat.completion","created":17,"model":"","choices":[{"index":0,"message":{"role":'
    b'"assistant","content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":,"completion_tokens":,"total_tokens":}}'
    b'{"model":"","messages":[{"role":"system","content":""},{"role":"user","content":[{"type":"image_url","image_url":'
    b'{"url":"sha256:"}},{"type":"image","sha256":""},{"type":"text","text":{"$text":0}}]},{"role":"assistant",'
    b'"content":"{"role":"user","content":[{"type":"text","text":{"$text":1}}]}],"temperature":0.0,"max_tokens":2048}'
)


def pack(value: Json) -> bytes:
    """JSON, deflated."""
    deflate = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=_COMMON)
    return deflate.compress(as_written(value).encode("utf-8", "surrogatepass")) + deflate.flush()


def unpack(value: bytes | None) -> Json:
    if value is None:
        return None
    inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_COMMON)
    return json.loads((inflate.decompress(value) + inflate.flush()).decode("utf-8", "surrogatepass"))


def take_texts(value: Json, intern: Callable[[str], int], texts: list[int]) -> Json:
    """The same with each long text as a place in ``texts``, which its row is added to: requests repeat the
    conversation so far, and whole they would be most of the store."""
    if isinstance(value, str):
        if len(value) < LONG_TEXT:
            return value
        row = intern(value)
        if row not in texts:
            texts.append(row)
        return {_TEXT: texts.index(row)}
    if isinstance(value, list | tuple):
        return [take_texts(inner, intern, texts) for inner in value]
    if isinstance(value, dict | Mapping):
        taken = {
            key: inner
            if type(inner) in _SHORT or (type(inner) is str and len(inner) < LONG_TEXT)  # most: no call for each
            else take_texts(inner, intern, texts)
            for key, inner in value.items()
        }
        return {_PLAIN: taken} if _TEXT in value or _PLAIN in value else taken
    return value


def put_texts(value: Json, texts: Sequence[str]) -> Json:
    """What ``take_texts`` took."""
    if isinstance(value, list):
        return [put_texts(inner, texts) for inner in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1 and _TEXT in value:
        return texts[value[_TEXT]]
    inner = value[_PLAIN] if len(value) == 1 and _PLAIN in value else value
    return {key: put_texts(held, texts) for key, held in inner.items()}


def to_hash(text: str) -> str | bytes:
    """A hexadecimal hash takes half the room."""
    return bytes.fromhex(text) if len(text) >= 32 and _HEX.fullmatch(text) else text


def from_hash(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.hex()


CALL_COLUMNS: Final = (
    "purpose, request_hash, request, texts, reply, served_model, attempts, seconds, prompt_tokens,"
    " completion_tokens, cost, error"
)


def call_values(call: Call, intern: Callable[[str], int]) -> tuple[Any, ...]:
    """In the order of CALL_COLUMNS. ``intern`` gives the row of a long text."""
    usage, texts = call.usage, list[int]()
    request = pack(take_texts(call.request, intern, texts))
    return (
        to_text(call.purpose),
        to_hash(call.request_hash),
        request,
        as_written(texts) if texts else None,
        pack(call.reply),
        to_text(call.served_model),
        call.attempts,
        call.seconds,
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.cost,
        to_text(call.error),
    )


def call_of(row: Sequence[Any], text: Callable[[int], str] | None) -> Call:
    """From CALL_COLUMNS. ``text`` reads a long text by its row; None leaves request and reply empty."""
    purpose, request_hash, request, texts, reply, served_model, attempts, seconds, asked, said, cost, error = row
    raw: tuple[Json, Json] = (None, None)
    if text is not None:
        held = [text(number) for number in from_json(texts)] if texts else ()
        raw = put_texts(unpack(request), held), unpack(reply)
    return Call(
        from_text(purpose),
        from_hash(request_hash),
        *raw,
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
