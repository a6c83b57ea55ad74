"""The items of a study, each in its part: asked about, practised on, catching, or shown as a worked example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.records import Item, Json


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item that the filter leaves and that cannot be asked about, and why."""

    id: str
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """What sessions are made of. ``items`` are asked about, by id and in the data's order; ``examples`` by id.

    ``left_out`` tells which items the filter would have let in. ``dealt`` remembers the slots made of it.
    """

    items: Mapping[str, Item]
    practice: tuple[Item, ...] = ()
    catch: tuple[Item, ...] = ()
    examples: Mapping[str, Item] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    dealt: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)


def pictures_of(item: Item) -> tuple[str, ...]:
    """What tells an item's pictures from others: the hash of an embedded one, else its path, else its name."""
    return tuple(dict.fromkeys(key_of(picture.to_json()) for picture in item.pictures))


def key_of(picture: Mapping[str, Json]) -> str:
    """The same of a picture's JSON (``Picture.to_json``)."""
    return str(picture.get("sha256") or picture["path"] or picture["name"])
