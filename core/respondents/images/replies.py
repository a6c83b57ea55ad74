"""Replies of the images API read with tolerance: the picture in base64, its usage, or why there is none.

An address in the place of the picture is never fetched: a server could name any.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.records import Json, Status, Usage
from core.respondents.failures import FailedError, Failure
from core.respondents.replies import GarbageError, Reply, count_of, mended
from core.respondents.settings import ImagesSettings

_DATA_URL: Final = re.compile(r"data:[\w.+-]*/?[\w.+-]*(;[\w=.+-]*)*;base64,", re.IGNORECASE)
_BLANKS: Final = str.maketrans("", "", " \t\r\n")
_ADDRESS: Final = Failure(
    "the server sent an address in the place of the picture, and no address is fetched",
    fatal=True,
    remedy='If it knows the setting, add to its table: extra_body = { response_format = "b64_json" }',
)


@dataclass(frozen=True, slots=True)
class MadePicture(Reply):
    """A reply with the picture's ``data`` as the server made it; None where it made none.

    ``picture_tokens`` are those of the pictures sent, which are among ``usage.prompt_tokens``.
    """

    data: bytes | None = None
    picture_tokens: int = 0


def read_made(raw: Json) -> MadePicture:
    """The picture in a reply; in ``raw`` its hash and size stand in its place.

    An empty list of pictures is an empty answer, a picture that a filter held back a refusal. Raises GarbageError for
    what is no reply of this API, FailedError for a picture that is no base64 and for an address.
    """
    raw = mended(raw)
    entries = raw.get("data") if isinstance(raw, dict) else None
    if not isinstance(entries, list):
        raise GarbageError("the reply holds no pictures")
    served = raw.get("model")
    usage, picture_tokens = _usage(raw.get("usage"))
    found = MadePicture(
        "", "", Status.EMPTY, usage, served if isinstance(served, str) else "", raw, picture_tokens=picture_tokens
    )
    if not entries:
        return found
    entry = entries[0]
    if not isinstance(entry, dict):
        raise GarbageError("the reply's picture is no object")
    data = _bytes_in(entry)
    if data is None:
        if _held_back(entry):
            return replace(found, status=Status.REFUSAL)
        raise GarbageError("the reply's picture holds no data")
    kept = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    without = {name: value for name, value in entry.items() if name not in ("b64_json", "url")}
    return replace(found, status=Status.OK, raw={**raw, "data": [{**without, "b64_json": kept}]}, data=data)


def priced(made: MadePicture, settings: ImagesSettings) -> Usage:
    """What it cost, in USD; None where no price is set."""
    prices = (settings.price_in, settings.price_out, settings.price_in_pictures, settings.price_picture)
    if all(price is None for price in prices):
        return made.usage
    price_in, price_out = settings.price_in or 0.0, settings.price_out or 0.0
    of_pictures = price_in if settings.price_in_pictures is None else settings.price_in_pictures
    words = made.usage.prompt_tokens - made.picture_tokens
    millionths = words * price_in + made.picture_tokens * of_pictures + made.usage.completion_tokens * price_out
    each = (settings.price_picture or 0.0) if made.data is not None else 0.0
    return replace(made.usage, cost=millionths / 1_000_000 + each)


def _bytes_in(entry: Mapping[str, Json]) -> bytes | None:
    text, url = entry.get("b64_json"), entry.get("url")
    if not (isinstance(text, str) and text) and isinstance(url, str) and url:
        if not _DATA_URL.match(url):
            raise FailedError(replace(_ADDRESS, reply={"url": True}))
        text = url
    if not isinstance(text, str) or not text:
        return None
    head = _DATA_URL.match(text[:200])
    plain = text[head.end() :] if head else text
    try:
        return base64.b64decode(plain.translate(_BLANKS), validate=True)
    except (binascii.Error, ValueError) as error:
        what = f"the reply's picture is no base64 ({error})"
        raise FailedError(Failure(what, reply={"b64_json": f"{len(text)} characters"})) from None


def _held_back(entry: Mapping[str, Json]) -> bool:
    """Whether a filter kept the picture, as Azure's and Google's servers say it inside a reply of status 200."""
    if entry.get("raiFilteredReason") or entry.get("finish_reason") == "content_filter":
        return True
    results = entry.get("content_filter_results")
    return isinstance(results, dict) and any(
        isinstance(result, dict) and result.get("filtered") for result in results.values()
    )


def _usage(usage: Json) -> tuple[Usage, int]:
    if not isinstance(usage, Mapping):
        return Usage(), 0
    details = usage.get("input_tokens_details")
    asked = count_of(usage.get("input_tokens"))
    pictures = count_of(details.get("image_tokens")) if isinstance(details, Mapping) else 0
    return Usage(asked, count_of(usage.get("output_tokens"))), min(pictures, asked)
