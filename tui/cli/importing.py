"""``phoropter import`` and ``phoropter merge``: into the store, all of it or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from sessions.exchange.carrying import Carried
from sessions.store import Store, backup
from tui.cli.output import put_json, say
from tui.counting import counted, more_than
from tui.inert import one_line

SHOWN: Final = 20
_TOLD: Final = (("items", "item"), ("steps", "step"), ("scores", "score"))


def import_lines(store: Path | None, file: Path, *, as_json: bool) -> int:
    """What ``export jsonl`` wrote, back into the store."""
    from sessions.exchange.taking import read_lines

    with read_lines(file) as taken, Store.open(store) as target:
        tell(file, taken.into(target), as_json=as_json)
    return 0


def merge_stores(store: Path, others: Sequence[Path], into: Path | None, *, as_json: bool) -> int:
    """Everything of the other stores into the first, or into a copy of it."""
    from sessions.exchange.merging import merge

    made = into is not None
    if into is not None:
        if into.exists():
            raise UsageError("there is a file of that name", where=str(into), remedy="Name a new one with --into")
        with Store.open(store, create=False, read_only=True) as first:
            _copy(first, into)
        store = into
    documents = []
    try:
        with Store.open(store, create=False) as target:
            for other in others:
                carried = merge(target, other)
                tell(other, carried, as_json=False)
                documents.append({"store": str(other), **document(carried)})
    except BaseException:
        if made:
            for end in ("", "-wal", "-shm"):
                store.with_name(store.name + end).unlink(missing_ok=True)
        raise
    if as_json:
        put_json({"into": str(store), "merged": documents})
    return 0


def _copy(store: Store, into: Path) -> None:
    try:
        backup(store.path, into)
    except OSError as error:
        raise UsageError(f"the file cannot be written ({error.strerror})", where=str(into)) from None


def tell(source: Path, carried: Carried, *, as_json: bool) -> None:
    """What was done, on stderr; as one document on stdout too, where that is asked for."""
    where = one_line(str(source))
    for run in carried.runs:
        if run.added:
            renamed = f", named {one_line(run.theirs)} there: that name is taken" if run.theirs != run.name else ""
            say(f"new run {one_line(run.name)}{renamed}")
        else:
            say(f"run {one_line(run.theirs)} joined with {one_line(run.name)}")
    for notice in carried.notices:
        say(one_line(notice))
    for conflict in carried.conflicts[:SHOWN]:
        say(f"conflict: {one_line(conflict)}")
    if more := more_than(SHOWN, carried.conflicting, "conflict"):
        say(more)
    added = [counted(carried.added[table], word) for table, word in _TOLD if carried.added[table]]
    told = (
        ", ".join(added) if added else "nothing new" if not carried.added else counted(carried.added.total(), "row")
    )
    renewed = f", {counted(carried.renewed.total(), 'row')} brought up to date" if carried.renewed else ""
    conflicts = f", {counted(carried.conflicting, 'conflict')}" if carried.conflicting else ""
    say(f"{where}: {told}{renewed}{conflicts}")
    if as_json:
        put_json({"file": str(source), **document(carried)})


def document(carried: Carried) -> dict[str, Any]:
    """The same for ``--json``; conflicts are listed up to the first thousand."""
    return {
        "runs": [{"theirs": run.theirs, "name": run.name, "added": run.added} for run in carried.runs],
        "added": dict(carried.added),
        "renewed": dict(carried.renewed),
        "conflicts": carried.conflicts,
        "conflicting": carried.conflicting,
        "notices": carried.notices,
    }
