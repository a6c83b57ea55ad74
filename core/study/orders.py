"""In which order a session asks what its slot holds: practice, blocks, catch trials; from (seed, slot) alone."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from core.records import Item
from core.study.definition import Study
from core.study.latin import square
from core.study.pool import Pool
from core.study.slots import Place, Slot, even

TrialKind: TypeAlias = Literal["practice", "main", "catch"]


@dataclass(frozen=True, slots=True)
class Planned:
    """One trial to come. ``position`` counts from 0 in the session, practice first; ``condition`` is a key of
    ``Study.ways``; ``block`` counts from 0 in the order they are met (-1 for practice); ``part`` tells which of the k
    raters, -1 where nothing is counted."""

    position: int
    item: Item
    condition: str
    kind: TrialKind
    block: int
    part: int = -1


def ordered(study: Study, pool: Pool, slot: Slot, answered: Collection[tuple[str, str]] = ()) -> tuple[Planned, ...]:
    """The trials of a session that is given this slot, without what others ``answered`` of it (item, condition).

    Leaving some out does not change the order of the rest.
    """
    chances = random.Random(f"order/{study.seed}/{slot.index}")
    asked = [
        (number, place)
        for number, block in enumerate(_blocks(study, slot, chances))
        for place in block
        if (place.item, place.condition) not in answered
    ]
    catch = chances.sample(pool.catch, len(pool.catch))
    out = _practice(pool, [place.condition for _, place in asked])
    every = study.catch.every
    for count, (number, place) in enumerate(asked, 1):
        out.append(Planned(0, pool.items[place.item], place.condition, "main", number, place.part))
        if catch and every > 0 and count % every == 0:
            out.append(Planned(0, catch.pop(), place.condition, "catch", number))
    return tuple(replace(planned, position=position) for position, planned in enumerate(out))


def _blocks(study: Study, slot: Slot, chances: random.Random) -> list[list[Place]]:
    design = study.design
    several = design.conditions == "within" and len(study.ways) > 1
    if not several and not (design.order == "latin" and design.blocks > 1):
        places = chances.sample(slot.places, len(slot.places))
        ends = iter(places)
        return [[next(ends) for _ in range(size)] for size in even(len(places), design.blocks)]
    held: dict[int, list[Place]] = {block: [] for block in range(design.blocks)}
    for place in slot.places:
        held[place.block].append(place)
    order = list(held)
    if not several:
        rows = square(design.blocks)
        order = list(rows[slot.index // len(study.ways) % len(rows)])
    return [chances.sample(held[block], len(held[block])) for block in order]


def _practice(pool: Pool, conditions: Sequence[str]) -> list[Planned]:
    """The practice items, in the session's conditions by turns."""
    turns = list(dict.fromkeys(conditions))
    if not turns:
        return []
    return [Planned(0, item, turns[index % len(turns)], "practice", -1) for index, item in enumerate(pool.practice)]
