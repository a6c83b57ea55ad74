"""``phoropter runs``: list, rename, delete."""

from __future__ import annotations

import sys
from pathlib import Path

from core.errors import UsageError
from core.prices import usd
from core.records import named
from sessions import forks
from sessions import runs as stored
from sessions.served import changes, served
from sessions.store import Store
from tui.cli.documents import moment
from tui.cli.output import console, put, put_json, say
from tui.inert import one_line


def list_runs(store: Path | None, *, as_json: bool) -> int:
    """All runs with their counts, newest first."""
    with Store.open(store, create=False, read_only=True) as opened:
        found = stored.runs(opened)
        heard = {summary.run.id: served(opened, summary.run.id) for summary in found}
    if as_json:
        put_json(
            [
                {
                    "run": summary.run.name,
                    "benchmark": summary.run.config.benchmark,
                    "subset": summary.run.config.subset,
                    "protocol": summary.run.config.protocol,
                    "options": dict(summary.run.config.options),
                    "respondent": summary.run.config.respondent,
                    "kind": summary.run.config.respondent_kind,
                    "items": summary.items,
                    "finished": summary.done,
                    "failed": summary.failed,
                    "open": summary.open,
                    "spent": summary.spent,
                    "created": moment(summary.run.created),
                    "identity": summary.run.identity,
                    "served": [one.to_json() for one in heard[summary.run.id]],
                }
                for summary in found
            ]
        )
        return 0
    if not found:
        say("the store holds no runs")
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    priced = any(summary.spent is not None for summary in found)
    numbers = ("items", "finished", "failed", "open", *(("spent",) if priced else ()))
    for column in ("run", "asks", "respondent", *numbers, "made"):
        number = column in numbers
        table.add_column(column, justify="right" if number else "left", overflow="fold")
    for summary in found:
        config = summary.run.config
        table.add_row(
            one_line(summary.run.name),
            f"{named(config.benchmark, config.subset)} {config.protocol}",
            one_line(config.respondent) + (" (baseline)" if config.respondent_kind == "baseline" else ""),
            *(str(count) for count in (summary.items, summary.done, summary.failed, summary.open)),
            *([usd(summary.spent) if summary.spent is not None else ""] if priced else []),
            moment(summary.run.created)[:16].replace("T", " "),
        )
    console().print(table)
    for summary in found:
        for line in changes(heard[summary.run.id]):
            put(one_line(f"{summary.run.name}: {line}"))
    return 0


def rename_run(store: Path | None, run: str, name: str) -> int:
    """Another name for a run."""
    with Store.open(store, create=False) as opened:
        renamed = stored.rename_run(opened, run, name)
    say(f"renamed to {renamed.name}")
    return 0


def delete_fork(store: Path | None, trajectory: int, *, yes: bool) -> int:
    """Delete a fork, and the forks made from it, after asking."""
    with Store.open(store, create=False) as opened:
        going = forks.what_goes(opened, trajectory)
        question = (
            f"delete fork {trajectory} on {one_line(going.item)} in {one_line(going.run)}, {going.steps} steps?"
        )
        if not _agreed(question, f"trajectory {trajectory}", yes=yes):
            return 0
        removed = forks.remove_fork(opened, trajectory)
    say(f"deleted {len(removed.trajectories)} forks, {removed.steps} steps")
    return 0


def _agreed(question: str, where: str, *, yes: bool) -> bool:
    """What the user says to it. Raises UsageError where nobody can be asked."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("deleting needs --yes where nobody can be asked", where=where)
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    agreed = sys.stdin.readline().strip().casefold() in ("y", "yes")
    if not agreed:
        say("nothing deleted")
    return agreed


def delete_run(store: Path | None, run: str, *, yes: bool) -> int:
    """Delete a run after asking; without a terminal only with ``--yes``."""
    with Store.open(store, create=False) as opened:
        found = stored.find_run(opened, run)
        if not _agreed(f"delete {one_line(found.name)} with all its trajectories?", found.name, yes=yes):
            return 0
        removed = stored.delete_run(opened, found.name)
    say(f"deleted {removed.run.name}: {removed.done + removed.failed + removed.open} trajectories")
    return 0
