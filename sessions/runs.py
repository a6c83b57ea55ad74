"""Runs: named batches of trajectories with one configuration, found, resumed, renamed, deleted."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.errors import UsageError
from core.records import EMPTY, JUDGING, Json, Progress
from core.respondents.batch_book import Standing
from sessions import encoding, extents, sweep
from sessions.identity import RunConfig, automatic_name, check_name, differences, nearest
from sessions.store import Store

FRESH: Final = "fresh"
"""The recipe's word for a run that asks anew."""
SIZE: Final = "size_b"
"""Of a run's versions: the size of its model in billions of parameters, as it was configured when the run began."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run as stored. ``id`` is this store's, ``uid`` its own wherever it is merged to; ``recipe`` is what its maker
    needs to take it up again (paths and the like, no part of its identity); ``created`` in milliseconds since 1970.
    """

    id: int
    uid: str
    name: str
    identity: str
    config: RunConfig
    versions: Mapping[str, str]
    created: int
    recipe: Json = None

    @property
    def asks_anew(self) -> bool:
        """Made with ``--fresh``: also when it is resumed, no other run's answers are recalled in it."""
        return isinstance(self.recipe, Mapping) and bool(self.recipe.get(FRESH))


@dataclass(frozen=True, slots=True)
class Resumption:
    """What :func:`open_run` found. ``done``, ``failed`` and ``open`` count main trajectories; ``changed`` says, for a
    new run, what differs from the earlier run ``like`` it ("" where there is none)."""

    resumed: bool
    done: int = 0
    failed: int = 0
    open: int = 0
    like: str = ""
    changed: tuple[str, ...] = ()

    def line(self, name: str, total: int | None = None) -> str:
        """The first line on stderr: ``resuming NAME 2104/3689``, ``new run NAME: prompt voila.relate changed``."""
        if self.resumed:
            of = f"/{total}" if total is not None and total >= self.done else f" done before, {total} asked for"
            failed = f", {self.failed} failed" if self.failed else ""
            return f"resuming {name} {self.done}{of}{failed}"
        return f"new run {name}" + (": " + ", ".join(self.changed) if self.changed else "")


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run and how far it is. ``items`` counts the items taken up, ``out`` the requests in batches, the rest main
    trajectories; ``open`` are those that wait for a step and those that a batch was asked for and has not taken up;
    ``spent`` is in USD, None where none of its calls had a price."""

    run: Run
    items: int
    done: int
    failed: int
    open: int
    spent: float | None = None
    out: int = 0


_COLUMNS: Final = "id, uid, name, identity, configuration, versions, created, recipe"


def _run(row: tuple[Any, ...]) -> Run:
    number, uid, name, identity, configuration, versions, created, recipe = row
    config = RunConfig.from_json(encoding.from_json(configuration))
    kept = encoding.from_json(versions), created, encoding.from_json(recipe)
    return Run(number, uid, encoding.from_text(name), identity, config, *kept)


def open_run(
    store: Store,
    config: RunConfig,
    name: str | None = None,
    *,
    fresh: bool = False,
    versions: Mapping[str, str] = EMPTY,
    recipe: Json = None,
    suggested: str = "",
) -> tuple[Run, Resumption]:
    """The run that this configuration goes on with, or a new one.

    Without a name the latest run of the same identity is resumed. With one, the run of that name is resumed, or
    made; UsageError where it holds another configuration, saying what differs. ``fresh`` always makes a new one.
    ``versions`` (of the app and the like) and ``recipe`` are kept with a new run. ``suggested`` is a new run's name
    where none is given; a number is added where it is taken.
    """
    if name is not None:
        name = check_name(name)
    identity = config.identity()

    def change(db: sqlite3.Connection) -> tuple[Run, Resumption]:
        found = _to_resume(db, config, identity, name, fresh=fresh)
        if found is not None:
            done, failed, still_open = _progress(db, found.id)
            return found, Resumption(True, done, failed, still_open)
        like, changed = _most_similar(db, config)
        run = insert_run(db, config, name or free_name(db, suggested or automatic_name(config)), versions, recipe)
        return run, Resumption(False, like=like, changed=changed)

    return store.write(change)


def runs(store: Store) -> list[RunSummary]:
    """All runs, the newest first."""
    db = store.reader()
    is_open, is_done, is_failed = (
        encoding.PROGRESS_CODE[progress] for progress in (Progress.OPEN, Progress.DONE, Progress.FAILED)
    )
    counts = {
        run: of_run
        for run, *of_run in db.execute(
            f"SELECT run, count(*) FILTER (WHERE progress = {is_open:d}),"
            f" count(*) FILTER (WHERE progress = {is_done:d}), count(*) FILTER (WHERE progress = {is_failed:d}),"
            " count(*) FILTER (WHERE repeat = 0) FROM trajectories WHERE parent IS NULL GROUP BY run"
        )
    }
    spent = dict(
        db.execute(
            "SELECT run, sum(cost) FROM calls WHERE cost IS NOT NULL AND purpose <> ? GROUP BY run", (JUDGING,)
        ).fetchall()
    )
    waiting: dict[int, int] = {}
    for run, count, most in db.execute(
        f"SELECT run, count(*), total(cost) FROM calls WHERE pending = {Standing.OUT:d} GROUP BY run"
    ):
        waiting[run] = count
        if run in spent:
            spent[run] -= most  # what is out is counted at the most that it can cost, by a budget alone
    asked = extents.asked_for(db)
    found = []
    for run_ in every_run(store):
        still_open, done, failed, items = counts.get(run_.id, [0, 0, 0, 0])
        still_open = max(still_open, asked.get(run_.id, 0) - done - failed)
        found.append(RunSummary(run_, items, done, failed, still_open, spent.get(run_.id), waiting.get(run_.id, 0)))
    return found


def every_run(store: Store) -> list[Run]:
    """The same without counting what they hold."""
    return list(map(_run, store.reader().execute(f"SELECT {_COLUMNS} FROM runs ORDER BY created DESC, id DESC")))


def find_run(store: Store, name: str, *, exact: bool = False) -> Run:
    """The run of that name or uid, or (not ``exact``) the only one whose name begins so; UsageError with the nearest
    names."""
    return _find(store.reader(), name, exact=exact)


def by_uid(db: sqlite3.Connection, uid: str) -> Run:
    """The run of that uid. Raises UsageError where it is gone."""
    row = db.execute(f"SELECT {_COLUMNS} FROM runs WHERE uid = ?", (uid,)).fetchone()
    if row is None:
        raise UsageError("there is no such run any more", where=uid)
    return _run(row)


def run_at(db: sqlite3.Connection, number: int) -> Run:
    """The run of that number. KeyError: no such one."""
    row = db.execute(f"SELECT {_COLUMNS} FROM runs WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise KeyError(number)
    return _run(row)


def rename_run(store: Store, name: str, new_name: str) -> Run:
    """Give a run another name. UsageError where that is taken or cannot be a name."""
    new_name = check_name(new_name)

    def change(db: sqlite3.Connection) -> Run:
        run = _find(db, name)
        taken = _by_name(db, new_name)
        if taken is not None and taken.id != run.id:
            raise UsageError("there is a run of that name already", where=taken.name, remedy="Choose another name")
        db.execute("UPDATE runs SET name = ? WHERE id = ?", (new_name, run.id))
        row = db.execute(f"SELECT {_COLUMNS} FROM runs WHERE id = ?", (run.id,)).fetchone()
        return _run(row)

    return store.write(change)


def delete_run(store: Store, name: str) -> RunSummary:
    """Remove a run with its trajectories, steps, scores and calls; what was removed is returned.

    Steps that another run stands on (``--from``) stay, without a run. Prompts and pictures that nobody needs any
    more go too. UsageError where people's sittings hang on it: those are removed by a withdrawal.
    """

    def change(db: sqlite3.Connection) -> RunSummary:
        run = _find(db, name)
        if db.execute(
            "SELECT 1 FROM sessions WHERE run = ?1 UNION ALL SELECT 1 FROM trials JOIN trajectories AS t"
            " ON t.id = trials.trajectory WHERE t.run = ?1 UNION ALL SELECT 1 FROM runs JOIN sessions ON"
            " sessions.uid = json_extract(runs.configuration, '$.identity_of_respondent.session')"
            " WHERE runs.id = ?1 LIMIT 1",
            (run.id,),
        ).fetchone():
            raise UsageError(
                "participants' sittings belong to this run", where=run.name, remedy="Use `phoropter study withdraw`"
            )
        done, failed, still_open = _progress(db, run.id)
        items = db.execute("SELECT count(DISTINCT item) FROM trajectories WHERE run = ?", (run.id,)).fetchone()[0]
        sweep.remove_run(db, run.id)
        store.vocabulary.forget()
        return RunSummary(run, items, done, failed, still_open)

    return store.write(change, unchecked=True)


def drop_untouched(store: Store, run: Run, in_use: Callable[[], bool]) -> bool:
    """Remove a run in which nobody was asked anything and nothing was written; whether it was one. Where it is
    ``in_use`` it stays."""

    def change(db: sqlite3.Connection) -> bool:
        touched = " UNION ALL ".join(f"SELECT 1 FROM {table} WHERE run = ?1" for table in _TOUCHED)
        if in_use():
            return False
        if db.execute(f"{touched} LIMIT 1", (run.id,)).fetchone():
            return False
        sweep.remove_run(db, run.id)
        store.vocabulary.forget()
        return True

    return store.write(change, unchecked=True)


# -- inside

_TOUCHED: Final = ("trajectories", "calls", "scores", "notes", "tags", "batches", "served")


def _to_resume(
    db: sqlite3.Connection, config: RunConfig, identity: str, name: str | None, *, fresh: bool
) -> Run | None:
    if name is None:
        if fresh:
            return None
        row = db.execute(
            f"SELECT {_COLUMNS} FROM runs WHERE identity = ? ORDER BY created DESC, id DESC LIMIT 1", (identity,)
        ).fetchone()
        return None if row is None else _run(row)
    named = _by_name(db, name)
    if named is None:
        return None
    if fresh:
        raise UsageError(
            "there is a run of that name already",
            where=named.name,
            remedy="Rename or delete it with `phoropter runs`, or leave out --fresh to resume it",
        )
    if named.identity != identity:
        what = ", ".join(differences(named.config, config)) or "its configuration"
        raise UsageError(
            f"the run of that name was made with another configuration: {what}",
            where=named.name,
            remedy="Choose another --name, or the same settings to resume it",
        )
    return named


def _by_name(db: sqlite3.Connection, name: str) -> Run | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM runs WHERE name = ?", (encoding.to_text(name),)).fetchone()
    return None if row is None else _run(row)


def _find(db: sqlite3.Connection, name: str, *, exact: bool = False) -> Run:
    row = db.execute(f"SELECT {_COLUMNS} FROM runs WHERE uid = ?", (encoding.to_text(name),)).fetchone()
    named = _by_name(db, name) if row is None else _run(row)
    if named is not None:
        return named
    names = [encoding.from_text(row[0]) for row in db.execute("SELECT name FROM runs ORDER BY id DESC")]
    folded = name.casefold()
    begins = [known for known in names if folded and not exact and known.casefold().startswith(folded)]
    if len(begins) == 1:
        found = _by_name(db, begins[0])
        assert found is not None
        return found
    if begins:
        raise UsageError(
            f"{len(begins)} runs begin so: {', '.join(begins[:5])}" + (", ..." if len(begins) > 5 else ""),
            where=name,
            remedy="Give more of the name",
        )
    close = nearest(name, names)
    remedy = f"Did you mean {' or '.join(close)}?" if close else "`phoropter runs` lists them"
    raise UsageError("there is no run of that name", where=name, remedy=remedy)


def free_name(db: sqlite3.Connection, wanted: str) -> str:
    """The name, or with the first number behind it that makes it one no run has."""
    name, number = wanted, 1
    while db.execute("SELECT 1 FROM runs WHERE name = ?", (name,)).fetchone():
        number += 1
        name = f"{wanted}-{number}"
    return name


def _progress(db: sqlite3.Connection, run: int) -> tuple[int, int, int]:
    """Main trajectories done, failed, open."""
    counts = dict(
        db.execute(
            "SELECT progress, count(*) FROM trajectories WHERE run = ? AND parent IS NULL GROUP BY progress", (run,)
        ).fetchall()
    )
    done, failed, still_open = (
        counts.get(encoding.PROGRESS_CODE[progress], 0)
        for progress in (Progress.DONE, Progress.FAILED, Progress.OPEN)
    )
    return done, failed, still_open


def _most_similar(db: sqlite3.Connection, config: RunConfig) -> tuple[str, tuple[str, ...]]:
    """The earlier run of this benchmark, subset and protocol with the fewest differences, the newest of equals.

    Those of a study's sessions are never meant.
    """
    best: tuple[int, int, str, tuple[str, ...]] | None = None
    for age, row in enumerate(
        db.execute(
            f"SELECT {_COLUMNS} FROM runs WHERE benchmark = ? AND subset = ? AND protocol = ?"
            " ORDER BY created DESC, id DESC LIMIT 1000",
            (config.benchmark, config.subset, config.protocol),
        )
    ):
        run = _run(row)
        if isinstance(run.config.filter, dict) and "study" in run.config.filter:
            continue
        changed = differences(run.config, config)
        # a run of another respondent is less like it than any of the same
        distance = len(changed) + (1000 if run.config.respondent != config.respondent else 0)
        if best is None or (distance, age) < best[:2]:
            best = (distance, age, run.name, changed)
    return ("", ()) if best is None else (best[2], best[3])


def insert_run(
    db: sqlite3.Connection, config: RunConfig, name: str, versions: Mapping[str, str], recipe: Json = None
) -> Run:
    """A new run of that name, within the caller's transaction."""
    (newest,) = db.execute("SELECT max(created) FROM runs WHERE identity = ?", (config.identity(),)).fetchone()
    uid, created = uuid.uuid4().hex, encoding.later(newest)  # the newest of one identity is the one that is resumed
    cursor = db.execute(
        "INSERT INTO runs (uid, name, identity, benchmark, subset, protocol, options, respondent, respondent_kind,"
        " data_digest, configuration, versions, recipe, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            uid,
            name,
            config.identity(),
            encoding.to_text(config.benchmark),
            encoding.to_text(config.subset),
            encoding.to_text(config.protocol),
            encoding.to_json(dict(config.options)),
            encoding.to_text(config.respondent),
            config.respondent_kind,
            config.data_digest,
            encoding.to_json(config.to_json()),
            encoding.to_json(dict(versions)),
            encoding.to_json(recipe),
            created,
        ),
    )
    assert cursor.lastrowid is not None
    return Run(cursor.lastrowid, uid, name, config.identity(), config, dict(versions), created, recipe)
