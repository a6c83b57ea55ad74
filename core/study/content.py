"""What a study's file refers to without holding it, by hash: the prompts' words, the items with their pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.records import EMPTY, Json, digest
from core.study.definition import Study

if TYPE_CHECKING:
    from core.study.preparing import Prepared


@dataclass(frozen=True, slots=True)
class Content:
    """``prompts``: name to hash. ``items``: id to content hash, of all that are shown (asked, practice, catch,
    examples). ``pictures``: a digest of the picture files, or the drawings' version."""

    prompts: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    items: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    pictures: str = ""

    def to_json(self) -> dict[str, Json]:
        return {"prompts": dict(self.prompts), "items": dict(self.items), "pictures": self.pictures}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Content:
        return cls(**{name: stored[name] for name in cls.__slots__ if name in stored})


def content_of(prepared: Prepared) -> Content:
    """The content of a study ready to be asked. Looks at the start of each picture file."""
    pool = prepared.pool
    items = {item.id: item for item in (*pool.items.values(), *pool.practice, *pool.catch, *pool.examples.values())}
    prompts = {name: value for by_name in prepared.prompt_hashes.values() for name, value in by_name.items()}
    seen = digest(dict(prepared.pictures.content(items.values())))
    return Content(prompts, {id_: item.hash for id_, item in items.items()}, seen)


def digest_of(study: Study, content: Content) -> str:
    """SHA-256 of the study whole, what it refers to included: stored with every answer."""
    return digest({"study": study.asked, "content": content.to_json()})
