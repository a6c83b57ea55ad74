"""``phoropter export``: runs as JSON lines, tables, a log of inspect, or all as a store; what went out is noted."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.errors import StoreError, UsageError
from sessions.exchange.marks import STDOUT, mark_export
from sessions.runs import Run, every_run, find_run
from sessions.store import Store, backup
from tui.cli.output import put_exactly, say
from tui.cli.placing import new_file
from tui.counting import counted
from tui.inert import one_line

_READ: Final = 1024 * 1024


def export_lines(store: Path | None, names: Sequence[str], out: Path | None, *, pictures: bool, force: bool) -> int:
    """JSON lines, from which the same store can be made again."""
    from sessions.exchange.writing import write_lines

    with opened_to_export(store) as source:
        rows = [find_run(source, name).id for name in names] if names else None
        with destination(out, force=force) as put:
            written = write_lines(source, rows, put, pictures=pictures)
        taken = len(written.runs) - len(set(rows)) if rows is not None else 0
        if taken:
            say(f"with {counted(taken, 'run')} that they stand on or were one sitting with")
        told = f"{counted(len(written.runs), 'run')}, {counted(written.rows.total() + 2, 'line')}"
        _done(source, "jsonl", out, written.digest, written.runs, told)
    return 0


def export_csv(
    store: Path | None, names: Sequence[str], out: Path | None, *, bom: bool, formula_safe: bool, force: bool
) -> int:
    """The tidy table as csv."""
    from core.columns import write_csv
    from sessions.exchange.tidy import tidy

    with opened_to_export(store) as source:
        chosen = chosen_runs(source, names)
        digest = hashlib.sha256()
        with destination(out, force=force) as put:

            def written(text: str) -> None:
                digest.update(text.encode("utf-8"))
                put(text)

            table = tidy(source, chosen)
            rows = write_csv(table.columns, table.rows(), written, bom=bom, formula_safe=formula_safe)
        told = f"{counted(len(chosen), 'run')}, {counted(rows, 'row')}"
        _done(source, "csv", out, digest.hexdigest(), [run.id for run in chosen], told)
    return 0


def export_parquet(store: Path | None, names: Sequence[str], out: Path, *, force: bool) -> int:
    """The tidy table as parquet."""
    from core.columns import write_parquet
    from core.version import own_version
    from sessions.exchange.tidy import tidy

    with opened_to_export(store) as source:
        chosen = chosen_runs(source, names)
        with new_file(out, force=force) as path:
            table = tidy(source, chosen)
            about = {"app": f"phoropter {own_version()}"}
            rows = write_parquet(table.columns, table.rows(), path, about=about)
            digest = digest_of(path)
        told = f"{counted(len(chosen), 'run')}, {counted(rows, 'row')}"
        _done(source, "parquet", out, digest, [run.id for run in chosen], told)
    return 0


def export_inspect(store: Path | None, name: str, out: Path, *, force: bool) -> int:
    """One run as a log of inspect-ai."""
    from sessions.exchange.inspect_log import write_log

    if out.suffix != ".eval":
        raise UsageError(
            "inspect reads logs by their ending", where=str(out), remedy="Name a file that ends in .eval"
        )
    with opened_to_export(store) as source:
        run = find_run(source, name)
        with new_file(out, force=force) as path:
            samples = write_log(source, run, path)
            digest = digest_of(path)
        _done(source, "inspect", out, digest, [run.id], counted(samples, "sample"))
    return 0


def export_store(store: Path | None, out: Path) -> int:
    """The whole store as one file, as it is at one moment, whoever writes to it meanwhile."""
    if out.exists() and not out.is_dir():
        raise UsageError("there is a file of that name", where=str(out), remedy="Name another with --out")
    with opened_to_export(store) as source:
        runs = every_run(source)
        with new_file(out, force=False) as path:
            path.unlink()
            try:
                backup(source.path, path)
            except sqlite3.Error as error:
                raise UsageError(f"the copy cannot be made ({error})", where=str(out)) from None
            digest = digest_of(path)
        _done(source, "store", out, digest, [run.id for run in runs], counted(len(runs), "run"))
    return 0


@contextmanager
def opened_to_export(store: Path | None) -> Iterator[Store]:
    """The store, so that the export can be noted; one that may only be read is exported all the same."""
    try:
        found = Store.open(store, create=False)
    except StoreError:
        found = Store.open(store, create=False, read_only=True)
    with found:
        yield found


def chosen_runs(store: Store, names: Sequence[str]) -> list[Run]:
    """The runs named, or all, the oldest first. Raises UsageError where there is none."""
    chosen = [find_run(store, name) for name in names] if names else every_run(store)[::-1]
    if not chosen:
        raise UsageError("the store holds no run", where=str(store.path), remedy="`phoropter run` makes one")
    return list({run.id: run for run in chosen}.values())


@contextmanager
def destination(out: Path | None, *, force: bool) -> Iterator[Callable[[str], object]]:
    """Where text goes: stdout, or a new file that is there once all of it is written."""
    if out is None:
        yield put_exactly
        return
    with new_file(out, force=force) as path, path.open("w", encoding="utf-8", newline="") as stream:
        yield stream.write


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_READ):
            digest.update(piece)
    return digest.hexdigest()


def note_export(store: Store, kind: str, out: Path | None, digest: str, rows: Sequence[int]) -> str:
    """Note it in the store, or say that this cannot be; where it went, in words."""
    target = STDOUT if out is None else str(out.absolute())
    if not mark_export(store, kind, target, digest, rows):
        say("the store may only be read: this export is not noted in it")
    return one_line(target)


def _done(store: Store, kind: str, out: Path | None, digest: str, rows: Sequence[int], told: str) -> None:
    say(f"{told} in {note_export(store, kind, out, digest, rows)}")
