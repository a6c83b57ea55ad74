"""Records as the JSON of several commands has them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from core.records import Item


def moment(milliseconds: int) -> str:
    """A time of the store (milliseconds since 1970) in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def item_document(item: Item) -> dict[str, Any]:
    """An item whole, with the hash that tells it from others of its id."""
    return {
        "id": item.id,
        "benchmark": item.benchmark,
        "subset": item.subset,
        "groups": dict(item.groups),
        "pictures": [picture.to_json() for picture in item.pictures],
        "facts": dict(item.facts),
        "hash": item.hash,
    }
