"""``phoropter runs``: list, rename, delete, release."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from core.errors import UsageError
from core.moments import utc
from core.prices import usd
from core.records import named
from sessions import forks
from sessions import runs as stored
from sessions.batches import BatchSummary, batches_out, release_batches
from sessions.exchange.marks import source_of
from sessions.running import the_only_batch
from sessions.served import changes, served
from sessions.store import Store
from tui.cli.batches import shown
from tui.cli.output import put, put_json, put_table, say
from tui.counting import counted
from tui.inert import one_line


def _mark(run: stored.Run) -> str:
    """What sets a respondent apart from a model that was asked here."""
    if source := source_of(run):
        return f" (imported from {one_line(str(source['tool']))})"
    return " (baseline)" if run.config.respondent_kind == "baseline" else ""


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
                    "out": summary.out,
                    "spent": summary.spent,
                    "created": utc(summary.run.created),
                    "identity": summary.run.identity,
                    "imported": dict(source_of(summary.run)) or None,
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
    some_out = any(summary.out for summary in found)
    sometimes = (*(("in batches",) if some_out else ()), *(("spent",) if priced else ()))
    numbers = ("items", "finished", "failed", "open", *sometimes)
    for column in ("run", "asks", "respondent", *numbers, "made"):
        number = column in numbers
        table.add_column(column, justify="right" if number else "left", overflow="fold")
    for summary in found:
        config = summary.run.config
        table.add_row(
            one_line(summary.run.name),
            f"{named(config.benchmark, config.subset)} {config.protocol}",
            one_line(config.respondent) + _mark(summary.run),
            *(str(count) for count in (summary.items, summary.done, summary.failed, summary.open)),
            *([str(summary.out)] if some_out else []),
            *([usd(summary.spent) if summary.spent is not None else ""] if priced else []),
            utc(summary.run.created)[:16].replace("T", " "),
        )
    put_table(table)
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
        where = f"{one_line(going.item)} in {one_line(going.run)}"
        question = f"delete fork {trajectory} on {where}, {counted(going.steps, 'step')}?"
        if not yes and not _agreed(question, "deleting", f"trajectory {trajectory}"):
            say("nothing deleted")
            return 0
        removed = forks.remove_fork(opened, trajectory)
    say(f"deleted {counted(len(removed.trajectories), 'fork')}, {counted(removed.steps, 'step')}")
    return 0


def delete_run(store: Path | None, run: str, *, yes: bool) -> int:
    """Delete a run after asking; without a terminal only with ``--yes``."""
    with Store.open(store, create=False) as opened:
        found = stored.find_run(opened, run)
        out = batches_out(opened.reader(), found.id)
        _tell_out(out, "they are paid for whoever collects them")
        question = f"delete {one_line(found.name)} with all its trajectories?"
        if not yes and not _agreed(question, "deleting", found.name):
            say("nothing deleted")
            return 0
        removed = stored.delete_run(opened, found.name)
    say(f"deleted {removed.run.name}: {counted(removed.done + removed.failed + removed.open, 'trajectory')}")
    if out:
        say("its batches go on at the server: cancel them there where they are not wanted")
    return 0


def release_run(store: Path | None, run: str, *, yes: bool) -> int:
    """Forget what is out in batches; the next run asks it again."""
    with Store.open(store, create=False) as opened:
        found = stored.find_run(opened, run)
        out = batches_out(opened.reader(), found.id)
        if not out:
            say(f"{found.name}: no batch is out")
            return 0
        _tell_out(out, "what they answer is lost, and paid for again")
        if not yes and not _agreed(f"give up the batches of {one_line(found.name)}?", "giving up", found.name):
            say("nothing changed")
            return 0
        with the_only_batch(opened, found):
            given_up = release_batches(opened, found)
    say(f"{found.name}: {counted(len(given_up), 'batch')} given up; the next run asks their requests again")
    return 0


def _tell_out(out: Sequence[BatchSummary], what: str) -> None:
    if out:
        say(f"{counted(len(out), 'batch')} of it {'is' if len(out) == 1 else 'are'} out; {what}:")
    for batch in out:
        say(f"  {shown(batch)}")


def _agreed(question: str, what: str, where: str) -> bool:
    """Whether a person says yes; UsageError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise UsageError(f"{what} needs --yes where nobody can be asked", where=where)
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
