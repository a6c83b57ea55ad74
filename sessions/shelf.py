"""The items of an open data set at hand by number, any number of them, in little memory.

They lie in a scratch database of SQLite's own: a file without a name that is gone with the process, however it ends.
"""

from __future__ import annotations

import sqlite3
import threading
from array import array
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.records import Item
from sessions import encoding

PAGE: Final = 64
ITEMS_KEPT: Final = 128
PAGES_KEPT: Final = 32
CHUNK: Final = 4096
"""Rows that are looked through before others may have a turn: a millisecond or two."""


@dataclass(frozen=True, slots=True)
class Card:
    """An item as one line of a list. ``about`` says in one line what it is about."""

    key: str
    groups: dict[str, str]
    about: str


class Shelf(Sequence[Item]):
    """Filled from one thread while others read. ``groups`` names what items are sorted into, ``about`` says of each
    item in one line what it is about, fit to be shown."""

    def __init__(self, groups: Sequence[str], about: Callable[[Item], str]) -> None:
        self.groups = tuple(groups)
        self._about = about
        self._lock = threading.Lock()
        self._db = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = OFF",
            "PRAGMA synchronous = OFF",
            "PRAGMA cache_size = -4096",
            "CREATE TABLE items (position INTEGER PRIMARY KEY, benchmark TEXT, subset TEXT, key TEXT, groups TEXT,"
            " content TEXT, about TEXT, words TEXT)",
            "CREATE INDEX items_by_key ON items (key)",
            "CREATE TABLE pictures (hash TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID",
        ):
            self._db.execute(statement)
        self.keys: list[str] = []
        self._codes = tuple(array("l") for _ in self.groups)
        self._values: tuple[dict[str, int], ...] = tuple({} for _ in self.groups)
        self._items: OrderedDict[int, Item] = OrderedDict()
        self._pages: OrderedDict[int, list[Card]] = OrderedDict()

    # -- filling

    def add(self, items: Iterable[Item]) -> None:
        """Put further items behind those there are; they can be seen when all of them are in."""
        items = list(items)
        at = len(self.keys)
        rows = [self._row(at + index, item) for index, item in enumerate(items)]
        pictures = [(p.to_json()["sha256"], p.data) for item in items for p in item.pictures if p.data is not None]
        with self._lock:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.executemany("INSERT OR IGNORE INTO pictures VALUES (?, ?)", pictures)
            self._db.execute("COMMIT")
            self._pages.pop(at // PAGE, None)
            for codes, values, name in zip(self._codes, self._values, self.groups, strict=True):
                codes.extend(values.setdefault(item.groups.get(name, ""), len(values)) for item in items)
            self.keys.extend(item.id for item in items)

    def _row(self, position: int, item: Item) -> tuple[object, ...]:
        about = self._about(item).encode("utf-8", "replace").decode()
        groups = " ".join(f"{name} {value}" for name, value in item.groups.items())
        words = f"{item.id} {groups} {about}".casefold().encode("utf-8", "replace").decode()
        return (
            position,
            encoding.to_text(item.benchmark),
            encoding.to_text(item.subset),
            encoding.to_text(item.id),
            encoding.to_json(dict(item.groups)),
            encoding.item_to_json(item),
            about,
            words,
        )

    def close(self) -> None:
        """Give the scratch file back."""
        with self._lock:
            self._db.close()

    # -- reading

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, position: int) -> Item:  # type: ignore[override]  # no slices
        if not 0 <= position < len(self.keys):
            raise IndexError(position)
        with self._lock:
            found = self._items.get(position)
            if found is None:
                found = self._items[position] = self._read(position)
                while len(self._items) > ITEMS_KEPT:
                    self._items.popitem(last=False)
            else:
                self._items.move_to_end(position)
            return found

    def _read(self, position: int) -> Item:
        benchmark, subset, key, groups, content = self._db.execute(
            "SELECT benchmark, subset, key, groups, content FROM items WHERE position = ?", (position,)
        ).fetchone()
        wanted = [p["sha256"] for p in encoding.from_json(content)["pictures"] if "sha256" in p]
        data = {
            digest: self._db.execute("SELECT bytes FROM pictures WHERE hash = ?", (digest,)).fetchone()[0]
            for digest in wanted
        }
        return encoding.item_of(encoding.from_text(benchmark), encoding.from_text(subset), key, groups, content, data)

    def card(self, position: int) -> Card:
        """One line of the list; neighbours are read with it."""
        page, index = divmod(position, PAGE)
        with self._lock:
            cards = self._pages.get(page)
            if cards is None:
                rows = self._db.execute(
                    "SELECT key, groups, about FROM items WHERE position BETWEEN ? AND ? ORDER BY position",
                    (page * PAGE, page * PAGE + PAGE - 1),
                )
                cards = [Card(encoding.from_text(k), encoding.from_json(g), about) for k, g, about in rows]
                self._pages[page] = cards
                while len(self._pages) > PAGES_KEPT:
                    self._pages.popitem(last=False)
            return cards[index]

    def position_of(self, key: str) -> int:
        """Where the item of that id is, -1 where it is not (yet)."""
        with self._lock:
            found = self._db.execute(
                "SELECT min(position) FROM items WHERE key = ?", (encoding.to_text(key),)
            ).fetchone()
        return -1 if found[0] is None else int(found[0])

    # -- looking for

    def holding(self, words: Sequence[str], stop: Callable[[], bool] = lambda: False) -> Iterator[int]:
        """Positions of the items whose line holds every one of these words, in order; ``stop`` ends it early."""
        folded = [word.casefold().encode("utf-8", "replace").decode() for word in words]
        test = " AND ".join("instr(words, ?) > 0" for _ in folded) or "1"
        for first in range(0, len(self.keys), CHUNK):
            if stop():
                return
            with self._lock:
                rows = self._db.execute(
                    f"SELECT position FROM items WHERE position >= ? AND position < ? AND {test} ORDER BY position",  # noqa: S608
                    (first, first + CHUNK, *folded),
                ).fetchall()
            yield from (position for (position,) in rows)

    def code(self, group: str, value: str) -> int:
        """The number behind a value of a group, -1 where no item has it."""
        return self._values[self.groups.index(group)].get(value, -1)

    def codes(self, group: str) -> Sequence[int]:
        """By position, the number of each item's value of that group."""
        return self._codes[self.groups.index(group)]

    def counts(self, group: str, positions: Iterable[int] | None = None) -> dict[str, int]:
        """How many items have each value of a group, of all or of these positions."""
        codes = self.codes(group)
        counted = Counter(codes) if positions is None else Counter(codes[position] for position in positions)
        names = list(self._values[self.groups.index(group)])
        return {names[code]: count for code, count in counted.items()}
