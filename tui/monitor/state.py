"""What the monitor shows, as words and columns that fit a width: no terminal is needed to know it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rich.cells import cell_len, set_cell_size

from sessions.studies.watched import Seen, Watched
from tui.counting import counted
from tui.inert import one_line

Style: TypeAlias = Literal["", "muted", "warning", "strong"]

SILENT: Final = "silent"
BAR: Final = 24
"""Cells of the longest bar of the coverage."""

_WHERE: Final = {"practice": "practice", "catch": "catch trial", "repeat": "repeat"}


@dataclass(frozen=True, slots=True)
class Column:
    """Where there is no room for all, those of the lowest ``rank`` are shown."""

    title: str
    width: int
    of: Callable[[Watched, int], str]
    rank: int


def _state(one: Watched, now: int) -> str:
    return SILENT if one.quiet(now) else one.state


def where(one: Watched) -> str:
    """Which trial a session is at, or what it did last."""
    if not one.going_on:
        return f"{one.number} of {one.given}"
    if one.at in _WHERE:
        return _WHERE[one.at]
    if one.at:
        return f"item {one.number} of {one.given}"
    return f"{one.number} of {one.given} done" if one.number else one.doing.replace("_", " ") or "arrived"


def ago(ms: int) -> str:
    """A length of time, short: ``8 s``, ``3 min``, ``2 h``, ``4 d``."""
    seconds = max(ms, 0) // 1000
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _on_it(one: Watched, now: int) -> str:
    if one.trial_since is None:
        return "-"
    minutes, seconds = divmod(max(now - one.trial_since, 0) // 1000, 60)
    return f"{minutes}:{seconds:02d}" if minutes < 100 else f"{minutes // 60} h"


def _speed(one: Watched, now: int) -> str:
    return "-" if one.median_s is None else f"{one.median_s:.1f} s"


def _catch(one: Watched, now: int) -> str:
    return f"{one.catch_right}/{one.catch_seen}" if one.catch_seen else "-"


COLUMNS: Final = (
    Column("person", 15, lambda one, now: one.person, 0),
    Column("state", 8, _state, 1),
    Column("station", 10, lambda one, now: one.station or "-", 7),
    Column("by", 5, lambda one, now: one.experimenter or "-", 8),
    Column("kind", 10, lambda one, now: one.kind, 9),
    Column("where", 15, lambda one, now: where(one), 2),
    Column("on it", 7, _on_it, 3),
    Column("sign", 7, lambda one, now: ago(now - one.seen), 4),
    Column("an item", 9, _speed, 5),
    Column("catch", 7, _catch, 6),
    Column("asked", 16, lambda one, now: ", ".join(one.waiting).replace("_", " "), 10),
)


def fitting(width: int) -> tuple[Column, ...]:
    """The columns that there is room for beside each other, in their order."""
    left, chosen = width - 1, set[str]()
    for each in sorted(COLUMNS, key=lambda column: column.rank):
        left -= each.width
        if left < 0:
            break
        chosen.add(each.title)
    return tuple(each for each in COLUMNS if each.title in chosen)


def _cells(words: str, width: int) -> str:
    text = one_line(words)
    if cell_len(text) >= width:
        text = set_cell_size(text, width - 2).rstrip() + "…"
    return set_cell_size(text, width)


class Board:
    """What was seen last, line by line; the session pointed at stays pointed at when lines move."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.session = 0

    @property
    def chosen(self) -> Watched | None:
        """The session pointed at."""
        return next((one for one in self.seen.sessions if one.session == self.session), None)

    @property
    def index(self) -> int:
        """Its line; the first where it is gone."""
        return next((i for i, one in enumerate(self.seen.sessions) if one.session == self.session), 0)

    def point(self, index: int) -> None:
        sessions = self.seen.sessions
        self.session = sessions[min(max(index, 0), len(sessions) - 1)].session if sessions else 0

    def update(self, seen: Seen) -> None:
        self.seen = seen
        if self.chosen is None:
            self.point(0)

    # -- words

    def heading(self) -> str:
        seen = self.seen
        version = f" version {seen.version}, {seen.state}" if seen.version else ""
        over = ", ".join(f"{count} {state}" for state, count in (seen.over or {}).items())
        return one_line(f"{seen.study}{version}: {counted(seen.sitting, 'session')} going on") + (
            f"; {over}" if over else ""
        )

    def titles(self, width: int) -> str:
        return " " + "".join(_cells(each.title, each.width) for each in fitting(width))

    def line(self, index: int, width: int) -> list[tuple[str, Style]]:
        """One session as pieces with their styles; what is wrong says so in words too."""
        one, now = self.seen.sessions[index], self.seen.now
        silent = one.quiet(now)
        out: list[tuple[str, Style]] = [(" ", "")]
        for each in fitting(width):
            style: Style = "" if one.going_on else "muted"
            if silent and each.title in ("state", "sign"):
                style = "warning"
            elif each.title == "person" and one.going_on:
                style = "strong"
            out.append((_cells(each.of(one, now), each.width), style))
        return out

    def coverage(self) -> list[str]:
        """How far the answers are, and a bar for each number of answers that items have."""
        found = self.seen.coverage
        if found is None:
            return [" nothing has been dealt yet: the first session deals"]
        parts = [f"{found.done:,} of {found.wanted:,} answers of {found.kind} sessions"]
        parts += [f"{found.sitting:,} with people now"] if found.sitting else []
        parts += [f"{found.dealt:,} at stations"] if found.dealt else []
        parts += [f"{found.free:,} free"] if found.free else []
        counts = found.by_answers()
        most = max(counts.values(), default=1)
        lines = [" " + "; ".join(parts)]
        for answers in range(max([self.seen.raters, *counts]) + 1):
            count = counts.get(answers, 0)
            bar = "█" * max(round(BAR * count / most), 1 if count else 0)
            lines.append(f"  {answers} {'answer ' if answers == 1 else 'answers'} {count:>6,} {bar}")
        return lines

    def health(self) -> list[tuple[str, Style]]:
        """The store, the disk, and who gives no sign of life."""
        seen = self.seen
        out: list[tuple[str, Style]] = []
        if seen.trouble:
            since = f" (what stands here is {ago(seen.now - seen.read)} old)" if seen.read else ""
            out.append((f"! the store cannot be read{since}: {one_line(seen.trouble)}", "warning"))
        else:
            out.append(("the store can be read", ""))
        if seen.free_bytes is not None:
            words = f"{seen.free_bytes / 1e9:,.1f} GB free on its disk"
            out.append((f"! only {words}" if seen.low_disk else words, "warning" if seen.low_disk else ""))
        if seen.quiet:
            out.append((f"! no sign of life: {one_line(', '.join(one.person for one in seen.quiet))}", "warning"))
        return out
