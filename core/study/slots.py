"""Dealing: which items, in which conditions, each session is given. Pure: the study, its items and its seed.

A slot is one session's share. Every item is asked k times in each condition, each time in another slot, so that no
person meets it twice. Slots hold the same number of items within one, and the same of each stratum within one (within
each block, where blocks have items or conditions of their own).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from core.errors import UsageError
from core.study.definition import Study
from core.study.latin import square
from core.study.pool import Pool, pictures_of
from core.study.repairing import Copy, repair

TRIES: Final = 8
"""So often strata are spread over slots anew where no exchange within them mends the dealing."""


@dataclass(frozen=True, slots=True)
class Place:
    """One assignment: an item in a condition. ``part`` tells which of the k raters, ``block`` which block of the
    slot: the place in the session where blocks are conditions, else the block of items it belongs to."""

    item: str
    condition: str
    part: int
    block: int


@dataclass(frozen=True, slots=True)
class Slot:
    """What one session is given, in no particular order."""

    index: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class _Cell:
    """So many items of one kind in one block of one slot. Cells of a kind may exchange items."""

    slot: int
    block: int
    condition: str
    kind: int
    size: int


def deal(study: Study, pool: Pool) -> tuple[Slot, ...]:
    """All slots of a study, remembered with the pool. Raises UsageError for a design that cannot be dealt."""
    key = (study.design, study.seed, tuple(study.ways))
    if key not in pool.dealt:
        pool.dealt[key] = _deal(study, pool)
    slots: tuple[Slot, ...] = pool.dealt[key]
    return slots


def _deal(study: Study, pool: Pool) -> tuple[Slot, ...]:
    chances = random.Random(f"slots/{study.seed}")
    design = study.design
    if design.blocks > design.per_session:
        raise UsageError(
            f"{design.blocks} blocks cannot be filled with {design.per_session} items a session",
            where="[design]",
            remedy="Fewer blocks, or more items a session (per_session)",
        )
    items = list(pool.items)
    strata = {item: pool.items[item].groups.get(design.stratify, "") if design.stratify else "" for item in items}
    if design.conditions == "within":
        kinds: list[list[str]] = [items] * len(study.ways)
        cells = _within(study, len(items), chances)
    else:
        own = design.order == "latin" and design.blocks > 1
        kinds = _parted(items, strata, design.blocks if own else 1, chances) * len(study.ways)
        cells = _between(study, [len(kind) for kind in kinds], chances)
    count = 1 + max(cell.slot for cell in cells)
    shown = _shown(study, pool)
    _refuse_impossible(study, pool, shown, count)
    for _ in range(TRIES):
        copies = []
        for number, kind in enumerate(kinds):
            of_kind = [cell for cell in cells if cell.kind == number]
            copies += _filled(study, kind, strata, of_kind, number, chances)
        left = repair(copies, shown, chances)
        if not left:
            break
    else:
        raise UsageError(
            f"no way was found to deal these items: {len(left)} of {count} sessions would show a picture twice",
            where="[design]",
            remedy=f"Take fewer than {design.per_session} items a session (per_session)"
            + (", leave out stratify" if design.stratify else "")
            + ', or allow it with no_picture_twice = "off"',
        )
    return _numbered(copies, cells, items, count)


# -- cells


def even(total: int, count: int, phase: float = 0.0) -> list[int]:
    """``total`` in ``count`` shares that differ by one at most; ``phase`` (below 1) says where larger ones fall."""
    ends = [int(index * total / count + phase + 1e-9) for index in range(count + 1)]
    return [after - before for before, after in pairwise(ends)]


def spread(sizes: Sequence[int], totals: Sequence[int], chances: random.Random) -> list[list[int]]:
    """How many of each kind every share gets: sums of a share and of a kind as given, each number within one of
    evenly spread. ``sizes`` differ by one at most and sum up to what ``totals`` do."""
    left, out = list(totals), []
    for index, size in enumerate(sizes):
        shares = len(sizes) - index
        row = [each // shares for each in left]
        rest = sorted(range(len(left)), key=lambda kind: (-(left[kind] % shares), chances.random()))
        for kind in rest[: size - sum(row)]:
            row[kind] += 1
        left = [each - given for each, given in zip(left, row, strict=True)]
        out.append(row)
    return out


def _between(study: Study, kinds: Sequence[int], chances: random.Random) -> list[_Cell]:
    """Slots of one condition each, conditions by turns in a seeded order; ``kinds`` counts the items of each block,
    condition after condition."""
    names = list(study.ways)
    blocks = len(kinds) // len(names)
    totals = [count * study.design.raters for count in kinds[:blocks]]
    slots = -(-sum(totals) // study.design.per_session)
    sizes = even(sum(totals), slots)
    at = [chances.sample(range(len(names)), len(names)) for _ in range(slots)]
    cells = []
    for number, name in enumerate(names):
        for index, row in enumerate(spread(sizes, totals, chances)):
            slot = index * len(names) + at[index].index(number)
            cells += [
                _Cell(slot, block, name, number * blocks + block, size) for block, size in enumerate(row) if size
            ]
    return sorted(cells, key=_place)


def _within(study: Study, items: int, chances: random.Random) -> list[_Cell]:
    """Slots whose blocks each are of one condition, in the order of a Latin square or of the seed."""
    names, design = list(study.ways), study.design
    total = items * design.raters
    slots = -(-total * len(names) // design.per_session)
    while True:
        sequences = _sequences(len(names), design.blocks, slots, latin=design.order == "latin", chances=chances)
        cells = []
        for number, name in enumerate(names):
            places = [(s, b) for s, row in enumerate(sequences) for b, kind in enumerate(row) if kind == number]
            sizes = even(total, len(places), number / len(names)) if places else []
            cells += [_Cell(s, b, name, number, size) for (s, b), size in zip(places, sizes, strict=True) if size]
        most = [0] * slots
        for cell in cells:
            most[cell.slot] += cell.size
        if max(most) <= design.per_session and len({cell.kind for cell in cells}) == len(names):
            filled = {slot: index for index, slot in enumerate(slot for slot, size in enumerate(most) if size)}
            return sorted((replace(cell, slot=filled[cell.slot]) for cell in cells), key=_place)
        slots += 1


def _place(cell: _Cell) -> tuple[int, int]:
    return cell.slot, cell.block


def _sequences(count: int, blocks: int, slots: int, *, latin: bool, chances: random.Random) -> list[list[int]]:
    """Which condition each block of each slot has."""
    rows = square(count)
    out = []
    for slot in range(slots):
        row = rows[slot % len(rows)]
        sequence = [row[block % count] for block in range(blocks)]
        if not latin:
            chances.shuffle(sequence)
        out.append(sequence)
    return out


def _parted(items: Sequence[str], strata: dict[str, str], blocks: int, chances: random.Random) -> list[list[str]]:
    """The items in blocks of about equal size, each with its share of every stratum."""
    ordered = chances.sample(items, len(items))
    ordered.sort(key=lambda item: strata[item])
    out: list[list[str]] = [[] for _ in range(blocks)]
    for index, item in enumerate(ordered):
        out[index % blocks].append(item)
    return out


# -- items into cells


def _filled(
    study: Study,
    items: Sequence[str],
    strata: dict[str, str],
    cells: Sequence[_Cell],
    kind: int,
    chances: random.Random,
) -> list[Copy]:
    """Copies of the items of a kind in its cells, one round of raters after the other."""
    raters = study.design.raters
    by_stratum: dict[str, list[str]] = {}
    for item in items:
        by_stratum.setdefault(strata[item], []).append(item)
    shares = spread([cell.size for cell in cells], [len(each) * raters for each in by_stratum.values()], chances)
    copies = []
    for number, (stratum, members) in enumerate(by_stratum.items()):
        rounds = [item for _ in range(raters) for item in chances.sample(members, len(members))]
        into = [index for index, share in enumerate(shares) for _ in range(share[number])]
        for item, index in zip(rounds, into, strict=True):
            cell = cells[index]
            copies.append(Copy(item, cell.slot, cell.block, cell.condition, (kind, stratum)))
    return copies


def _shown(study: Study, pool: Pool) -> dict[str, tuple[str, ...]]:
    """By item: what a session may hold once: the item itself, and its pictures unless they may come again."""
    apart = study.design.no_picture_twice != "off"
    return {key: (f"\0{key}", *(pictures_of(item) if apart else ())) for key, item in pool.items.items()}


def _refuse_impossible(study: Study, pool: Pool, shown: dict[str, tuple[str, ...]], slots: int) -> None:
    """Raises UsageError where a picture, or an item itself, would have to be in more slots than there are."""
    design = study.design
    conditions = len(study.ways)
    each = design.raters * (conditions if design.conditions == "within" else 1)
    there = slots if design.conditions == "within" else slots // conditions
    counts: dict[str, int] = {}
    for things in shown.values():
        for thing in things:
            counts[thing] = counts.get(thing, 0) + 1
    worst = max(counts, key=lambda thing: counts[thing])
    needed = counts[worst] * each
    if needed <= there:
        return
    over = sum(count * each > there for count in counts.values())
    most = max(1, len(pool.items) * each // needed)
    if worst.startswith("\0"):
        what = f"each item is asked in {each} sessions, and there are only {there}"
    else:
        what = (
            f"picture {worst} belongs to {counts[worst]} items, each asked {each} times: no picture twice in a"
            f" session takes {needed} sessions, and there are only {there}: {needed - there} would show it twice"
            + (f" ({over} pictures are like that)" if over > 1 else "")
        )
    raise UsageError(
        what,
        where="[design]",
        remedy=f"At most {most} items a session (per_session)"
        + ("" if worst.startswith("\0") else ', other items, or no_picture_twice = "off"'),
    )


def _numbered(copies: Sequence[Copy], cells: Sequence[_Cell], items: Sequence[str], count: int) -> tuple[Slot, ...]:
    """The slots, each item's copies numbered in their order."""
    order = {item: index for index, item in enumerate(items)}
    seen: dict[tuple[str, str], int] = {}
    slots: list[list[Place]] = [[] for _ in range(count)]
    for copy in sorted(copies, key=lambda copy: (copy.slot, copy.block, order[copy.item])):
        part = seen.get((copy.item, copy.condition), 0)
        seen[copy.item, copy.condition] = part + 1
        slots[copy.slot].append(Place(copy.item, copy.condition, part, copy.block))
    return tuple(Slot(index, tuple(places)) for index, places in enumerate(slots))
