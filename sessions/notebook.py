"""The notebook: notes on items, trajectories and steps, tags of steps, and everything about one item on one page."""

# ruff: noqa: S608  (only texts of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.disputes import Dispute
from core.errors import UsageError
from core.records import Item
from sessions import encoding
from sessions.disputes import standing_disputes
from sessions.grading import LONGEST, Grading, gradings
from sessions.store import Store

KINDS: Final = ("perception", "relation", "rule", "arithmetic", "format", "refusal")
"""Where reasoning breaks: the tags offered before any other."""
LONGEST_TAG: Final = 60


@dataclass(frozen=True, slots=True)
class Target:
    """What a note is on: an item alone, one trajectory on it, or one step. 0 stands for none."""

    trajectory: int = 0
    step: int = 0

    @property
    def word(self) -> str:
        return "step" if self.step else "trajectory" if self.trajectory else "item"


@dataclass(frozen=True, slots=True)
class Note:
    """One author's words; ``earlier`` is how often they were changed. Times are in milliseconds since 1970."""

    id: int
    author: str
    text: str
    target: Target
    created: int
    updated: int
    earlier: int = 0


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag that one author gave a step."""

    tag: str
    author: str


@dataclass(frozen=True, slots=True)
class Page:
    """Everything people wrote about an item and what is stored on it. ``tags`` and ``gradings`` are by step."""

    notes: tuple[Note, ...] = ()
    tags: Mapping[int, Sequence[Tag]] = field(default_factory=dict)
    gradings: Mapping[int, Sequence[Grading]] = field(default_factory=dict)
    disputes: tuple[Dispute, ...] = ()

    def notes_on(self, *targets: Target) -> tuple[Note, ...]:
        return tuple(note for note in self.notes if note.target in targets)

    def tags_of(self, step: int) -> tuple[str, ...]:
        """The tags of a step, whoever gave them."""
        return tuple(dict.fromkeys(tag.tag for tag in self.tags.get(step, ())))

    def latest(self, step: int) -> tuple[Grading, ...]:
        """The newest score of each grader."""
        return tuple({grading.author: grading for grading in self.gradings.get(step, ())}.values())


def row_of(store: Store, item: Item) -> int:
    """The row of a stored item, 0 where it is not stored."""
    found = store.reader().execute("SELECT id FROM items WHERE hash = ?", (bytes.fromhex(item.hash),)).fetchone()
    return int(found[0]) if found is not None else 0


def page(store: Store, item: int) -> Page:
    """What there is on the item of that row, whatever the run."""
    db = store.reader()
    tags: dict[int, list[Tag]] = {}
    for step, tag, author in db.execute(
        "SELECT step, tag, author FROM tags WHERE item = ? AND step IS NOT NULL ORDER BY id", (item,)
    ):
        tags.setdefault(step, []).append(Tag(encoding.from_text(tag), encoding.from_text(author)))
    graded = [
        step
        for (step,) in db.execute(
            "SELECT DISTINCT g.step FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id"
            " JOIN gradings AS g ON g.step = s.id WHERE t.item = ?",
            (item,),
        )
    ]
    notes = tuple(note for note in _notes(db, item) if note.text)
    return Page(notes, tags, gradings(store, graded), tuple(standing_disputes(store, item)))


def page_of(store: Store, item: Item) -> Page:
    """The same for an item at hand."""
    return page(store, row_of(store, item))


def _note(db: sqlite3.Connection, item: int, target: Target, author: str) -> Note | None:
    return next((n for n in _notes(db, item) if n.target == target and n.author == author), None)


def _notes(db: sqlite3.Connection, item: int) -> tuple[Note, ...]:
    """Also those that were emptied: what they said before is stored with them."""
    rows = db.execute(
        "SELECT n.id, n.author, n.text, n.trajectory, n.step, n.created, n.updated,"
        " (SELECT count(*) FROM earlier_notes WHERE note = n.id) FROM notes AS n WHERE n.item = ? ORDER BY n.id",
        (item,),
    )
    return tuple(
        Note(
            row,
            encoding.from_text(author),
            encoding.from_text(text),
            Target(0 if step else trajectory or 0, step or 0),
            created,
            updated,
            earlier,
        )
        for row, author, text, trajectory, step, created, updated, earlier in rows
    )


def write(store: Store, item: Item, target: Target, author: str, text: str) -> None:
    """One author has one note on each target; writing again keeps what it said before. "" leaves only that.

    An item that nothing is stored on yet is stored. Raises UsageError for a note that is too long and for a
    trajectory or step that is not there.
    """
    text = text.rstrip()
    if len(text) > LONGEST:
        raise UsageError(f"a note can have {LONGEST:,} characters, not {len(text):,}", where="note")

    def change(db: sqlite3.Connection) -> None:
        row, now = store.vocabulary.item(db, item, bytes.fromhex(item.hash)), encoding.now_ms()
        before = _note(db, row, target, author)
        if before is not None and before.text == text:
            return
        if before is not None:
            db.execute(
                "INSERT INTO earlier_notes (note, text, written) VALUES (?, ?, ?)",
                (before.id, encoding.to_text(before.text), before.updated),
            )
            db.execute(
                "UPDATE notes SET text = ?, updated = ? WHERE id = ?", (encoding.to_text(text), now, before.id)
            )
        elif text:
            db.execute(
                "INSERT INTO notes (item, run, trajectory, step, author, text, created, updated)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (row, *_place(db, target), encoding.to_text(author), encoding.to_text(text), now, now),
            )

    store.write(change)


def _place(db: sqlite3.Connection, target: Target) -> tuple[int | None, int | None, int | None]:
    """Run, trajectory and step as a row names them."""
    if not (target.step or target.trajectory):
        return None, None, None
    column, value = ("s.id", target.step) if target.step else ("t.id", target.trajectory)
    found = db.execute(
        "SELECT t.run, t.id FROM trajectories AS t LEFT JOIN steps AS s ON s.trajectory = t.id"
        f" WHERE {column} = ? LIMIT 1",
        (value,),
    ).fetchone()
    if found is None:
        raise UsageError(f"there is no such {target.word}", where=f"{target.word} {value}")
    return found[0], found[1], target.step or None


def clean_tag(text: str) -> str:
    """A tag as it is stored: one word of lower-case letters, spaces become dashes.

    Raises UsageError where nothing is left, or too much.
    """
    tag = "-".join(text.strip().lstrip("#").casefold().split())
    if not tag or not tag.isprintable() or len(tag) > LONGEST_TAG or set(tag) & set(',"='):
        raise UsageError(
            "a tag is a word or a few, without commas, quotes or equals signs",
            where=f"tag {text[:LONGEST_TAG]!r}",
            remedy=f"At most {LONGEST_TAG} characters",
        )
    return tag


def toggle(store: Store, step: int, author: str, text: str) -> bool:
    """Give a step a tag, or take this author's away again; True where it has it now. Raises UsageError as
    ``clean_tag``, and for a step that is not there."""
    tag = clean_tag(text)

    def change(db: sqlite3.Connection) -> bool:
        gone = db.execute(
            "DELETE FROM tags WHERE step = ? AND author = ? AND tag = ?",
            (step, encoding.to_text(author), encoding.to_text(tag)),
        )
        if gone.rowcount > 0:
            return False
        stored = db.execute(
            "INSERT INTO tags (tag, item, run, step, author, created)"
            " SELECT ?, t.item, t.run, s.id, ?, ? FROM steps AS s JOIN trajectories AS t ON t.id = s.trajectory"
            " WHERE s.id = ?",
            (encoding.to_text(tag), encoding.to_text(author), encoding.now_ms(), step),
        )
        if stored.rowcount < 1:
            raise UsageError("there is no such step", where=f"step {step}")
        return True

    return store.write(change)


def known_tags(store: Store) -> list[str]:
    """The tags offered: where reasoning breaks first, then those of this store, the commonest first."""
    own = [
        encoding.from_text(tag)
        for (tag,) in store.reader().execute("SELECT tag FROM tags GROUP BY tag ORDER BY count(*) DESC, tag")
    ]
    return list(dict.fromkeys([*KINDS, *own]))


@dataclass(frozen=True, slots=True)
class TagCount:
    """So many steps of this name in a run have this tag."""

    run: str
    respondent: str
    step: str
    tag: str
    count: int


def tag_counts(store: Store, runs: Sequence[int]) -> list[TagCount]:
    """How often each tag stands on each step of these runs, run by run; a step that several people gave the same tag
    counts once."""
    rows = store.reader().execute(
        "SELECT runs.name, runs.respondent, n.name, tags.tag, count(DISTINCT tags.step)"
        " FROM tags JOIN steps AS s ON s.id = tags.step JOIN step_names AS n ON n.id = s.name"
        " JOIN runs ON runs.id = tags.run WHERE tags.run IN (SELECT value FROM json_each(?))"
        " GROUP BY tags.run, n.name, tags.tag ORDER BY tags.run, n.id, tags.tag",
        (encoding.to_json(list(runs)),),
    )
    text = encoding.from_text
    return [
        TagCount(text(run), text(respondent), text(step), text(tag), count)
        for run, respondent, step, tag, count in rows
    ]
