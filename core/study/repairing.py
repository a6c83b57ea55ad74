"""Mending a dealing by exchange until no slot holds the same picture twice: min-conflicts with a short memory."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

LOOKS: Final = 250_000
"""Exchanges looked at before it is given up: about a second. Dealings that can be mended took a tenth of that."""

MEMORY: Final = 12
"""For so many exchanges a copy does not come back to the slot it left."""


@dataclass(slots=True)
class Copy:
    """One asking of an item, in a block of a slot. Copies of the same ``group`` may change places."""

    item: str
    slot: int
    block: int
    condition: str
    group: Hashable


def repair(copies: Sequence[Copy], shown: Mapping[str, Sequence[str]], chances: random.Random) -> list[int]:
    """Exchange copies until no slot shows anything twice; the slots that still do are returned.

    ``shown`` says by item what it shows. Sizes of slots, blocks and groups stay as they are.
    """
    return _Mending(copies, shown, chances).run()


class _Mending:
    def __init__(self, copies: Sequence[Copy], shown: Mapping[str, Sequence[str]], chances: random.Random) -> None:
        self.copies = copies
        self.chances = chances
        self.groups: dict[Hashable, list[int]] = {}
        self.shown = [frozenset(shown[copy.item]) for copy in copies]
        self.counts: dict[int, dict[str, int]] = {}
        for index, copy in enumerate(copies):
            self.groups.setdefault(copy.group, []).append(index)
            self._put(index, copy.slot, 1)
        self.left: dict[tuple[str, int], int] = {}  # when an item left a slot
        self.looks = 0

    def run(self) -> list[int]:
        bad = [index for index in range(len(self.copies)) if self._clashes(index)]
        step = 0
        while bad and self.looks < LOOKS:
            at = self.chances.randrange(len(bad))
            if not self._clashes(bad[at]):
                bad[at] = bad[-1]
                bad.pop()
                continue
            step += 1
            other = self._exchange(bad[at], step)
            if other is not None and self._clashes(other) and other not in bad:
                bad.append(other)
        return sorted({self.copies[index].slot for index in range(len(self.copies)) if self._clashes(index)})

    def _exchange(self, one: int, step: int) -> int | None:
        """Change places with the copy that leaves the fewest clashes; None where nobody can."""
        slot, mine = self.copies[one].slot, self.shown[one]
        counts = self.counts[slot]
        now = sum(counts[thing] > 1 for thing in mine)
        best, best_change = None, 1 << 30
        group = self.groups[self.copies[one].group]
        start = self.chances.randrange(len(group))
        for offset in range(len(group)):
            self.looks += 1
            other = group[(start + offset) % len(group)]
            there, its = self.copies[other].slot, self.shown[other]
            if (
                there == slot
                or its == mine
                or self._left_lately(one, there, step)
                or (self._left_lately(other, slot, step))
            ):
                continue
            its_counts = self.counts[there]
            after = 0
            for thing in its:
                after += counts.get(thing, 0) > (thing in mine)
            for thing in mine:
                after += its_counts.get(thing, 0) > (thing in its)
            change = after - now
            for thing in its:
                change -= its_counts[thing] > 1
            if change < best_change:
                best, best_change = other, change
                if not after:
                    break
        if best is None:
            return None
        there = self.copies[best].slot
        self.left[self.copies[one].item, slot] = self.left[self.copies[best].item, there] = step
        for index, old, new in ((one, slot, there), (best, there, slot)):
            self._put(index, old, -1)
            self._put(index, new, 1)
        self.copies[one].slot, self.copies[best].slot = there, slot
        self.copies[one].block, self.copies[best].block = self.copies[best].block, self.copies[one].block
        return best

    def _left_lately(self, index: int, slot: int, step: int) -> bool:
        when = self.left.get((self.copies[index].item, slot))
        return when is not None and step - when < MEMORY

    def _clashes(self, index: int) -> bool:
        counts = self.counts[self.copies[index].slot]
        return any(counts[thing] > 1 for thing in self.shown[index])

    def _put(self, index: int, slot: int, by: int) -> None:
        counts = self.counts.setdefault(slot, {})
        for thing in self.shown[index]:
            counts[thing] = counts.get(thing, 0) + by
