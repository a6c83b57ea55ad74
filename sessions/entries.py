"""The whole notebook as flat rows: what an export and a list hold."""

# ruff: noqa: S608  (only texts of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import chain
from typing import Final, Literal, TypeAlias

from core.benchmarks import registry
from core.records import Json, Layout
from sessions import encoding
from sessions.store import Store

Kind: TypeAlias = Literal["note", "tag", "grade", "dispute"]
KINDS: Final[tuple[Kind, ...]] = ("note", "tag", "grade", "dispute")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing somebody wrote. ``text`` is a note's words, a tag, or why a score or gold is held wrong.

    ``values`` are the properties of a grade (right or not; an unscored one is left out) or the right values of a
    dispute. Run, respondent, trajectory and step are those written about, as far as there are any; ``step_id``
    is the store's row. ``past``: it was changed, or taken back, since. Times are in milliseconds since 1970.
    """

    kind: Kind
    author: str
    benchmark: str
    subset: str
    item: str
    run: str
    respondent: str
    trajectory: int | None
    step: str
    step_id: int | None
    text: str
    reason: str
    values: Json
    past: bool
    created: int
    updated: int

    def to_json(self) -> dict[str, Json]:
        return {each.name: getattr(self, each.name) for each in fields(self)}


_ABOUT: Final = "i.benchmark, i.subset, i.key, r.name, r.respondent, {trajectory}, n.name, {step}"
_JOINS: Final = (
    " JOIN items AS i ON i.id = {item} LEFT JOIN runs AS r ON r.id = {run}"
    " LEFT JOIN steps AS s ON s.id = {step} LEFT JOIN step_names AS n ON n.id = {name}"
)


def entries(store: Store, *, past: bool = False) -> Iterator[Entry]:
    """Everything that stands, the oldest first, kind by kind; with ``past`` also what was changed or taken back."""
    db = store.reader()
    found = chain(_notes(db, past=past), _tags(db), _grades(db), _disputes(db))
    return (entry for entry in found if past or not entry.past)


def _entry(
    kind: Kind,
    author: str | bytes,
    about: tuple[str | bytes | int | None, ...],
    text: str | bytes,
    created: int,
    *,
    updated: int = 0,
    reason: str = "",
    values: Json = None,
    past: bool = False,
) -> Entry:
    benchmark, subset, item, run, respondent, trajectory, step, step_id = about
    return Entry(
        kind,
        _said(author),
        _said(benchmark),
        _said(subset),
        _said(item),
        _said(run),
        _said(respondent),
        trajectory if isinstance(trajectory, int) else None,
        _said(step),
        step_id if isinstance(step_id, int) else None,
        encoding.from_text(text),
        reason,
        values or {},
        past,
        created,
        updated or created,
    )


def _said(value: str | bytes | int | None) -> str:
    return encoding.from_text(None if isinstance(value, int) else value)


def _notes(db: sqlite3.Connection, *, past: bool) -> Iterator[Entry]:
    about = _ABOUT.format(trajectory="t.trajectory", step="t.step")
    joins = _JOINS.format(item="t.item", run="t.run", step="t.step", name="s.name")
    for author, text, created, updated, *place in db.execute(
        f"SELECT t.author, t.text, t.created, t.updated, {about} FROM notes AS t{joins} WHERE t.text <> ''"
        " ORDER BY t.id"
    ):
        yield _entry("note", author, tuple(place), text, created, updated=updated)
    if not past:
        return
    for author, text, written, *place in db.execute(
        f"SELECT t.author, e.text, e.written, {about} FROM earlier_notes AS e JOIN notes AS t ON t.id = e.note{joins}"
        " WHERE e.text <> '' ORDER BY e.id"
    ):
        yield _entry("note", author, tuple(place), text, written, past=True)


def _tags(db: sqlite3.Connection) -> Iterator[Entry]:
    about = _ABOUT.format(trajectory="s.trajectory", step="t.step")
    joins = _JOINS.format(item="t.item", run="t.run", step="t.step", name="s.name")
    for author, tag, created, *place in db.execute(
        f"SELECT t.author, t.tag, t.created, {about} FROM tags AS t{joins} ORDER BY t.id"
    ):
        yield _entry("tag", author, tuple(place), tag, created)


def _grades(db: sqlite3.Connection) -> Iterator[Entry]:
    about = _ABOUT.format(trajectory="s.trajectory", step="t.step")
    joins = _JOINS.format(item="t.item", run="t.run", step="t.step", name="t.name")
    for author, reason, note, created, right, scored, past, *place in db.execute(
        f"SELECT w.name, g.reason, g.note, g.created, t.right, t.scored, EXISTS (SELECT 1 FROM gradings AS o"
        " JOIN scorers AS v ON v.id = o.scorer WHERE o.step = g.step AND v.name = w.name"
        " AND (v.created, v.id) > (w.created, w.id)),"
        f" {about} FROM gradings AS g JOIN scores AS t ON t.step = g.step AND t.scorer = g.scorer"
        f" JOIN scorers AS w ON w.id = g.scorer{joins} ORDER BY g.created, g.step"
    ):
        layout = registry.get(encoding.from_text(place[0])).layout(encoding.from_text(place[6]))
        values = properties(layout, right, scored)
        yield _entry("grade", author, tuple(place), note, created, reason=reason, values=values, past=bool(past))


def _disputes(db: sqlite3.Connection) -> Iterator[Entry]:
    about = _ABOUT.format(trajectory="NULL", step="NULL")
    joins = _JOINS.format(item="t.item", run="NULL", step="NULL", name="t.step")
    for author, reason, created, corrected, past, *place in db.execute(
        "SELECT t.author, t.reason, t.created, t.corrected, t.withdrawn OR EXISTS (SELECT 1 FROM disputes AS o"
        " WHERE o.item = t.item AND o.step IS t.step AND o.author = t.author AND o.id > t.id),"
        f" {about} FROM disputes AS t{joins} ORDER BY t.id"
    ):
        values = {name: text or value for name, (value, text) in encoding.from_json(corrected).items()}
        yield _entry("dispute", author, tuple(place), reason, created, values=values, past=bool(past))


def properties(layout: Layout, right: int, scored: int) -> dict[str, bool]:
    """Property to right or wrong, ``2.subject`` where a step has several units; one not scored is left out."""
    out = {}
    for unit in range(layout.units):
        for name in layout.properties:
            bit = layout.bit(name, unit)
            if scored & bit:
                out[f"{unit + 1}.{name}" if layout.units > 1 else name] = bool(right & bit)
    return out
