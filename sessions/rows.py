"""The store's rows, looked at one check after the other by ``sessions.doctor``."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from typing import Final

from core.respondents.batch_book import Standing
from sessions import contents, encoding, ending, links, orphans, shape, sweep
from sessions.batches import batches_out
from sessions.findings import HAND_MADE, RESTORE, SHOWN, Finding, State, shown
from sessions.recounting import Tell, recount
from sessions.values import odd

LATE_MS: Final = 25 * 3_600_000  # a batch ends within 24 hours

_OF_AN_INDEX: Final = re.compile(r"missing from index|entries in index|entry in index")
_REINDEX: Final = 'The rows are whole, an index is not. Copy the file away, then: sqlite3 STORE "REINDEX"'
_RAW: Final = (
    "Answers and scores stand; what went over the line cannot be shown, and an answer of these is not recalled"
)
_NOT_KEPT: Final = "Answers to them stand; they cannot be shown, unless they still lie where they were sent from"


def integrity(db: sqlite3.Connection) -> Iterator[Finding]:
    """SQLite's own look at every page."""
    lines = [line for (text,) in db.execute("PRAGMA integrity_check(20)") for line in str(text).splitlines()]
    if lines == ["ok"]:
        yield Finding(State.OK, "integrity", "every page and index is whole")
    else:
        told = "; ".join(lines[:SHOWN]) + ("; ..." if len(lines) > SHOWN else "")
        of_indexes = all(_OF_AN_INDEX.search(line) for line in lines)
        yield Finding(State.BAD, "integrity", told, _REINDEX if of_indexes else RESTORE)


def schema(db: sqlite3.Connection) -> Iterator[Finding]:
    """What was left out or dropped: a store without its unique indexes would take the same step twice. And what
    another program put in."""
    lacking = shape.missing(db)
    for part, made in lacking.items():
        remedy = f'Copy the file away, then: sqlite3 STORE "{" ".join(made.split())}"'
        what = f"the {part.kind} {part.name} is missing, or not as it was made"
        yield Finding(State.BAD, "schema", what, RESTORE if part.kind == "table" else remedy)
    for part, dropped in shape.added(db).items():
        what = f"the {part.kind} {part.name} is no part of a store"
        acts = part.kind in ("trigger", "index")  # it changes what is written, or refuses it
        what += ": it acts on whatever is written" if part.kind == "trigger" else ""
        remedy = f'Copy the file away, then: sqlite3 STORE "{dropped}"' if dropped else "Remove it with sqlite3"
        yield Finding(State.BAD if acts else State.WARN, "schema", what, remedy)


def values(db: sqlite3.Connection) -> Iterator[Finding]:
    """Every cell holds what its column is for, and JSON can be read."""
    found = list(odd(db))
    for wrong in found:
        yield Finding(State.BAD, wrong.table, f"{len(wrong.rows)} {wrong.what} ({shown(wrong.rows)})", HAND_MADE)
    if not found:
        yield Finding(State.OK, "values", "every cell holds what its column is for")


def foreign_keys(db: sqlite3.Connection) -> Iterator[Finding]:
    """Whatever a row refers to is there."""
    broken: dict[tuple[str, str], int] = {}
    for table, _, parent, _ in db.execute("PRAGMA foreign_key_check"):
        broken[table, parent] = broken.get((table, parent), 0) + 1
    for (table, parent), count in broken.items():
        text = f"{count} rows of {table} refer to rows of {parent} that are gone"
        yield Finding(State.BAD, "references", text, HAND_MADE)
    if not broken:
        yield Finding(State.OK, "references", "every reference is met")


def company(db: sqlite3.Connection) -> Iterator[Finding]:
    """Rows that lost what they belong to, or what they are for."""
    fine = True
    for check, text, query, harm in orphans.KINDS:
        rows = [row[0] for row in db.execute(query)]
        if rows:
            fine = False
            state, remedy = (State.BAD, HAND_MADE) if harm else (State.WARN, "They take space and do no harm")
            yield Finding(state, check, f"{len(rows)} {text} ({shown(rows)})", remedy)
    if fine:
        yield Finding(State.OK, "orphans", "none")


def agreement(db: sqlite3.Connection) -> Iterator[Finding]:
    """What stands in two places is the same in both."""
    found = [*contents.compared(db), *links.unlinked(db), *links.misnamed(db)]
    for wrong in found:
        yield Finding(State.BAD, wrong.table, f"{len(wrong.rows)} {wrong.what} ({shown(wrong.rows)})", HAND_MADE)
    if not found:
        yield Finding(State.OK, "counts and copies", "what stands in two places is the same in both")


def ends(db: sqlite3.Connection) -> Iterator[Finding]:
    """What is said to be done has been asked to its end, as its protocol has it."""
    early, late, all_of_them = ending.contradicted(db)
    least = "" if all_of_them else "at least "
    if early:
        what = f"{least}{len(early)} trajectories are said to be done, and their protocol asks on ({shown(early)})"
        yield Finding(State.BAD, "trajectories", what, HAND_MADE)
    if late:
        count = f"{least}{len(late)}"
        what = f"{count} trajectories are said to be open, and their protocol asks nothing more ({shown(late)})"
        yield Finding(State.WARN, "trajectories", what, "Run the same command again: it ends them and asks nothing")


def hashes(db: sqlite3.Connection) -> Iterator[Finding]:
    """What is named by its hash is what was hashed, and packed requests can be unpacked."""
    found = list(contents.altered(db))
    for wrong in found:
        remedy = _RAW if wrong.table == "calls" else HAND_MADE
        yield Finding(State.BAD, wrong.table, f"{len(wrong.rows)} {wrong.what} ({shown(wrong.rows)})", remedy)
    if not found:
        yield Finding(State.OK, "contents", "prompts, texts, golds, items and requests are as they were written")


def pictures(db: sqlite3.Connection) -> Iterator[Finding]:
    """Each is what was sent, and is needed."""
    wrong, kept = [], set()
    for digest, data in db.execute("SELECT hash, bytes FROM pictures"):
        kept.add(encoding.from_text(digest))
        if hashlib.sha256(data).hexdigest() != digest:
            wrong.append(encoding.from_text(digest))
    used = sweep.used_pictures(db)
    if wrong:
        told = shown([digest[:12] for digest in wrong])
        text = f"{len(wrong)} of {len(kept)} are not what was sent: their bytes do not match their hash ({told})"
        yield Finding(State.BAD, "pictures", text, "Answers to them stand; the pictures shown may be damaged")
    unused = len(kept - used)
    if unused:
        yield Finding(State.WARN, "pictures", f"{unused} are used nowhere", "They take space and do no harm")
    lacking = used - kept
    if lacking:
        told = shown([digest[:12] for digest in sorted(lacking)])
        yield Finding(State.WARN, "pictures", f"{len(lacking)} that were sent are not kept ({told})", _NOT_KEPT)
    if not wrong and not unused and not lacking:
        yield Finding(State.OK, "pictures", f"{len(kept)} kept, each as its hash says" if kept else "none kept")


def calls(db: sqlite3.Connection) -> Iterator[Finding]:
    """What is out in batches, or waited for in none."""
    late = encoding.now_ms() - LATE_MS
    for batch in batches_out(db):
        what = f"{batch.requests} requests of {batch.run} are out in {batch.remote or 'one not known by the server'}"
        if batch.created < late:
            remedy = "It has ended: run the same command again, results are not kept for ever"
            yield Finding(State.WARN, "batches", what, remedy)
        else:
            yield Finding(State.OK, "batches", what)
    waiting = db.execute(
        "SELECT count(*) FROM calls WHERE pending IN (?, ?)", (Standing.ANSWERED, Standing.AGAIN)
    ).fetchone()[0]
    if waiting:
        what = f"{waiting} came back from batches and are in no step yet"
        yield Finding(State.WARN, "calls", what, "Run the same command again to go on with them")
    lost = db.execute(
        "SELECT count(*) FROM calls WHERE pending = ?"
        " AND ifnull(batch_id, '') NOT IN (SELECT token FROM batches WHERE ended = 0)",
        (Standing.OUT,),
    ).fetchone()[0]
    if lost:
        what = f"{lost} are waited for in no batch that is out"
        yield Finding(State.WARN, "calls", what, "They are asked again when their run goes on")


def recounted(db: sqlite3.Connection, most: int | None, tell: Tell | None) -> Iterator[Finding]:
    """What follows from the stored answers still does: scores by rule, turns, and the answers in their replies."""
    made = recount(db, most, tell)
    found = False
    for check, rows, what in (
        ("trajectories", made.torn, "trajectories cannot be read"),
        ("scores", made.scored_otherwise, "steps have another score by rule than their text gives"),
        ("scores", made.unscored, "steps have no score by rule"),
        ("steps", made.chosen_otherwise, "steps hold another choice than follows from their answer"),
        ("steps", made.unlike, "steps have another turn, or another gold, than their protocol asks there"),
        ("steps", made.not_in_reply, "steps hold what their call's reply does not say"),
        ("steps", made.other_pictures, "steps name other pictures than their call's request"),
    ):
        if rows:
            found = True
            yield Finding(State.BAD, check, f"{len(rows):,} {what} ({shown(rows)})", HAND_MADE)
    if rows := made.asked_otherwise:
        what = f"{len(rows):,} steps of another version's runs have a turn that this program would ask otherwise"
        yield Finding(State.WARN, "steps", f"{what} ({shown(rows)})", "Where nobody changed them, nothing")
    if rows := made.beyond:
        what = f"{len(rows):,} trajectories are of questions that this program cannot score or ask ({shown(rows)})"
        yield Finding(State.OK, "answers", what)
    for version, count in sorted(made.older.items()):
        yield Finding(State.OK, "scores", f"{count:,} by {version}: they were not made again")
    part = f"{made.looked:,} of {made.there:,} trajectories"
    if made.looked < made.there:
        yield Finding(State.OK, "sample", f"{part} were read again, always the same ones", "--all reads every one")
    if not found:
        yield Finding(State.OK, "answers", f"in {part} all {made.steps:,} steps are scored as their text is")


def counted(db: sqlite3.Connection) -> dict[str, int]:
    """How many rows each table holds, -1 for one that cannot be read."""
    out: dict[str, int] = {}
    try:
        tables = db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
            " AND name NOT LIKE '~_%' ESCAPE '~' ORDER BY name"
        ).fetchall()
    except sqlite3.Error:
        return out
    for (table,) in tables:
        try:
            quoted = table.replace('"', '""')
            out[table] = db.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()[0]
        except sqlite3.Error:
            out[table] = -1
    return out
