"""What differs between two versions of a study, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from core.records import Json
from core.study.content import Content
from core.study.definition import Study

MOST: Final = 12
"""So many differences are told; the rest is counted."""
_LONGEST: Final = 40


def differences(old: Study, old_content: Content, new: Study, new_content: Content) -> tuple[str, ...]:
    """Each difference in what is asked: ``design.raters 3 -> 4``, ``item voila-3 changed``; at most ``MOST``."""
    found = [
        *_compared("", old.asked, new.asked),
        *_hashes("prompt", old_content.prompts, new_content.prompts),
        *_hashes("item", old_content.items, new_content.items),
    ]
    if old_content.pictures != new_content.pictures:
        found.append("the pictures changed")
    more = len(found) - MOST
    return tuple(found) if more <= 0 else (*found[:MOST], f"and {more} more")


def _compared(place: str, old: Json, new: Json) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in [*new, *(name for name in old if name not in new)]:
            inner = f"{place}.{name}" if place else str(name)
            if name not in old:
                yield f"{inner} added"
            elif name not in new:
                yield f"{inner} removed"
            else:
                yield from _compared(inner, old[name], new[name])
    elif _listed(old) and _listed(new) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _compared(f"{place}.{number}", before, after)
    elif old != new:
        before, after = str(old), str(new)
        if max(len(before), len(after)) > _LONGEST or "\n" in before + after or _listed(old) or _listed(new):
            yield f"{place} changed"
        else:
            yield f"{place} {before or 'none'} -> {after or 'none'}"


def _listed(value: Json) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _hashes(kind: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    for name in [*new, *(name for name in old if name not in new)]:
        if name not in old:
            yield f"{kind} {name} added"
        elif name not in new:
            yield f"{kind} {name} removed"
        elif old[name] != new[name]:
            yield f"{kind} {name} changed"
