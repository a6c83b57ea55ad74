"""The items as they are walked and listed: how each came out, which of them are wanted, and in which order.

Reading and matching may happen in a thread; what is shown is only ever changed by ``take`` methods, from one thread.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from core.benchmarks.base import Benchmark
from core.records import Item
from core.selection import Nowhere, natural, nowhere
from sessions.browsing import Remarks
from sessions.shelf import Shelf
from tui.inert import one_line
from tui.key_names import key
from tui.state.filtering import DISPUTED, GRADED, NO, NOTE, OWN, STATUS, TAG, WRONG_AT, YES, Wanted, parse
from tui.state.standing import NOT_RUN, STATUSES, UNKNOWN, Standing

Order: TypeAlias = Literal["as in the data", "hardest first", "easiest first"]
ORDERS: Final[tuple[Order, ...]] = ("as in the data", "hardest first", "easiest first")
SHOWN_VALUES: Final = 40
NO_REMARKS: Final = Remarks()
_SAID: Final[Mapping[str, Callable[[Remarks], bool]]] = {
    NOTE: lambda remarks: remarks.notes > 0,
    DISPUTED: lambda remarks: remarks.disputed,
    GRADED: lambda remarks: remarks.graded > 0,
}
"""What people may have said of an item, or not."""


@dataclass(frozen=True, slots=True)
class View:
    """Which items are walked, in which order. ``chosen`` None: all there are, also those still to come."""

    text: str = ""
    order: Order = ORDERS[0]
    chosen: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class Facet:
    """What items can be told apart by: its values with how many of the items shown have them, and those wanted."""

    name: str
    values: tuple[tuple[str, int], ...]
    wanted: tuple[str, ...] = ()
    more: int = 0


def about(benchmark: Benchmark, item: Item) -> str:
    """What an item is about in one line: what its pictures depict, or its question."""
    depicted = " · ".join(picture.depicts for picture in item.pictures if picture.depicts)
    return one_line(depicted or benchmark.title(item))


def shelved(benchmark: Benchmark, items: Iterable[Item] = ()) -> Shelf:
    """A shelf of a benchmark's items."""
    shelf = Shelf(benchmark.groups, lambda item: about(benchmark, item))
    shelf.add(items)
    return shelf


class Roster:
    """The items of a plan by position in their data. ``complete`` says whether all of them have been read,
    ``version`` changes with everything that a list shows."""

    def __init__(self, items: Shelf, *, complete: bool = True) -> None:
        self.items = items
        self.complete = complete
        self.view = View()
        self.version = 0
        self.steps: tuple[str, ...] = ()
        self._standings: dict[str, Standing] = {}
        self._otherwise = UNKNOWN
        self._difficulty: Mapping[str, tuple[int, int]] | None = None
        self.all_remarks: Mapping[str, Remarks] = {}
        self._nowhere: tuple[tuple[int, str], tuple[Nowhere, ...]] | None = None

    # -- what is known

    def standing(self, key: str) -> Standing:
        """How the item of that id came out, UNKNOWN as long as nobody has looked."""
        return self._standings.get(key, self._otherwise)

    def remarks(self, key: str) -> Remarks:
        return self.all_remarks.get(key, NO_REMARKS)

    def share(self, key: str) -> tuple[int, int] | None:
        """How many finished plain trajectories in the store are right, of how many; None where none, or unread."""
        return self._difficulty.get(key) if self._difficulty is not None else None

    @property
    def knows_difficulty(self) -> bool:
        return self._difficulty is not None

    def take_standings(self, found: Mapping[str, Standing], *, all_known: bool = False) -> None:
        """How items came out; ``all_known``: the others were not run."""
        self._standings.update(found)
        if all_known:
            self._otherwise = NOT_RUN
        self.version += 1

    def take_remarks(self, found: Mapping[str, Remarks]) -> None:
        self.all_remarks = found
        self.version += 1

    def put_remarks(self, key: str, remarks: Remarks) -> None:
        """What was written about one item."""
        self.take_remarks({**self.all_remarks, key: remarks})

    def take_difficulty(self, found: Mapping[str, tuple[int, int]]) -> None:
        self._difficulty = found
        self.version += 1

    def take_view(self, view: View) -> None:
        self.view = view
        self.version += 1

    # -- the view

    @property
    def chosen(self) -> Sequence[int]:
        """Positions of the items walked, in their order."""
        return range(len(self.items)) if self.view.chosen is None else self.view.chosen

    def match(self, text: str, order: Order, stop: Callable[[], bool] = lambda: False) -> View:
        """The view behind a filter; slow with very many items, so that a thread may call it and ``stop`` it."""
        wanted = parse(text, self.items.groups)
        if not wanted and order == ORDERS[0]:
            return View(text.strip(), order)
        chosen = array("l", self._matching(wanted, stop))
        if order != ORDERS[0]:
            sign = 1 if order == ORDERS[1] else -1
            keys = self.items.keys

            def rank(position: int) -> float:
                share = self.share(keys[position])
                return 2.0 if share is None else sign * share[0] / share[1]

            chosen = array("l", sorted(chosen, key=rank))
        return View(text.strip(), order, chosen)

    def _matching(self, wanted: Wanted, stop: Callable[[], bool]) -> Iterable[int]:
        items = self.items
        found: Iterable[int] = self._holding(wanted.words, stop) if wanted.words else range(len(items))
        for name, values in wanted.values.items():
            if name == STATUS:
                found = self._where(found, lambda key, v=values: self.standing(key).status in v)  # type: ignore[misc]
            elif name == WRONG_AT:
                found = self._where(found, lambda key, v=values: self.standing(key).step in v)  # type: ignore[misc]
            elif name == TAG:
                found = self._where(found, lambda key, v=values: not set(v).isdisjoint(self.remarks(key).tags))  # type: ignore[misc]
            elif name in _SAID:
                said = _SAID[name]
                found = self._where(found, lambda key, v=values, s=said: (YES if s(self.remarks(key)) else NO) in v)  # type: ignore[misc]
            else:
                codes, asked = items.codes(name), {items.code(name, value) for value in values}
                found = [position for position in found if codes[position] in asked]
        return found

    def _holding(self, words: Sequence[str], stop: Callable[[], bool]) -> Iterable[int]:
        """Items whose line holds the words; the words on how an item came out are part of its line."""
        lines, keys = self.items, self.items.keys
        folded = [word.casefold() for word in words]
        said = {standing: {w for w in folded if w in standing.word} for standing in {*self._standings.values()}}
        said[self._otherwise] = {word for word in folded if word in self._otherwise.word}
        found = set(lines.holding(folded, stop))
        for told in {frozenset(each) for each in said.values() if each}:
            left = [word for word in folded if word not in told]
            rest = lines.holding(left, stop) if left else range(len(lines))
            found.update(position for position in rest if said.get(self.standing(keys[position]), set()) >= told)
        return sorted(found)

    def _where(self, positions: Iterable[int], test: Callable[[str], bool]) -> list[int]:
        keys = self.items.keys
        return [position for position in positions if test(keys[position])]

    def facets(self, view: View) -> tuple[Facet, ...]:
        """What the items of a view can be told apart by further, with counts."""
        wanted, keys = parse(view.text, self.items.groups), self.items.keys
        positions: Sequence[int] = range(len(keys)) if view.chosen is None else view.chosen
        standings = Counter(map(self.standing, (keys[position] for position in positions)))
        status: Counter[str] = Counter()
        steps: Counter[str] = Counter()
        for standing, count in standings.items():
            status[standing.status] += count
            steps[standing.step] += count
        tags = (
            Counter(tag for position in positions for tag in self.remarks(keys[position]).tags)
            if self.all_remarks
            else {}
        )
        order = {step: index for index, step in enumerate(self.steps)}
        out = [
            _facet(STATUS, status, wanted, STATUSES.index),
            _facet(WRONG_AT, steps, wanted, lambda step: order.get(step, len(order))),
            _facet(TAG, tags, wanted, str),
            *(_facet(name, self._having(name, positions), wanted, str) for name in _SAID),
        ]
        within = None if view.chosen is None else positions
        out += [_facet(name, self.items.counts(name, within), wanted, natural) for name in self.items.groups]
        return tuple(facet for facet in out if facet.values)

    def _having(self, name: str, positions: Sequence[int]) -> Mapping[str, int]:
        """How many of these items somebody wrote that about; without the others, which are nearly all."""
        keys, said = self.items.keys, _SAID[name]
        count = sum(said(self.remarks(keys[position])) for position in positions) if self.all_remarks else 0
        return {YES: count} if count else {}

    def nowhere(self) -> tuple[Nowhere, ...]:
        """The values of the view's filter that no item has, by name; nothing is known of that before all are read."""
        if not self.complete:
            return ()
        key = (self.version, self.view.text)
        if self._nowhere is None or self._nowhere[0] != key:
            wanted = parse(self.view.text, self.items.groups).values
            found = (nowhere(name, values, self._known(name)) for name, values in wanted.items())
            self._nowhere = key, tuple(said for said in found if said is not None)
        return self._nowhere[1]

    def _known(self, name: str) -> Collection[str]:
        if name == STATUS:
            return STATUSES
        if name == WRONG_AT:
            return {standing.step for standing in self._standings.values()}
        if name == TAG:
            return {tag for remarks in self.all_remarks.values() for tag in remarks.tags}
        if name in _SAID:
            return (YES, NO)
        return self.items.counts(name)

    def why_none(self) -> tuple[str, ...]:
        """Why the view is empty: values in its filter that no item can have, names that there are not. () where it is
        not empty."""
        if self.view.chosen is None or len(self.view.chosen):
            return ()
        wanted, groups = parse(self.view.text, self.items.groups), self.items.groups
        out = [f"no item is so; {key('browse.all')} takes the filter away", *map(str, self.nowhere())]
        names = ", ".join((*OWN, *groups))
        out += [f"{word} is taken for a word; names are: {names}" for word in wanted.words if "=" in word]
        out += [f"{word} is taken for a word; {word}={YES} finds them" for word in wanted.words if word in _SAID]
        return tuple(out)

    # -- walking

    def place(self, position: int) -> int:
        """Which of the chosen ones the item at that position is; -1 where it is none of them."""
        chosen = self.chosen
        if isinstance(chosen, range):
            return position if position in chosen else -1
        try:
            return chosen.index(position)
        except ValueError:
            return -1

    def following(self, position: int, by: int) -> Iterator[int]:
        """The chosen items after that one, or (``by`` -1) before it, one after the other; from outside of them those
        on that side in the data."""
        chosen = self.chosen
        at = self.place(position)
        if at < 0:
            after = bisect_left(chosen, position) if self.view.order == ORDERS[0] else 0
            at = after if by > 0 else after - 1
        else:
            at += by
        while 0 <= at < len(chosen):
            yield chosen[at]
            at += by


def _facet(name: str, counts: Mapping[str, int], wanted: Wanted, rank: Callable[[str], object]) -> Facet:
    asked = wanted.values.get(name, ())
    values = {value: count for value, count in counts.items() if value}
    values |= {value: 0 for value in asked if value not in values}
    known = [value for value in values if name != STATUS or value in STATUSES]
    known.sort(key=rank)  # type: ignore[arg-type]
    if len(known) > SHOWN_VALUES:  # the asked ones stay, then the commonest
        known.sort(key=lambda value: (value not in asked, -values[value]))
        kept, more = known[:SHOWN_VALUES], len(known) - SHOWN_VALUES
        return Facet(name, tuple((value, values[value]) for value in kept), asked, more)
    return Facet(name, tuple((value, values[value]) for value in known), asked)
