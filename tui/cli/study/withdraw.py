"""``phoropter study withdraw``: a participant's data out of the store, for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from core.moments import utc
from tui.cli import options as o
from tui.cli.places import store_of

if TYPE_CHECKING:
    from sessions.studies.withdrawing import Withdrawal


def withdraw(
    context: typer.Context,
    participant: Annotated[str, typer.Argument(metavar="ID", help="The participant's pseudonym.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Remove a participant everywhere: sessions, answers, events, notes; free pages and the log of the store too."""
    from core.errors import UsageError
    from sessions.store import SIT_FIRST, Store
    from sessions.studies import withdrawing
    from tui.cli.output import put_json, say

    with Store.open(store_of(context, store, config), create=False, first=SIT_FIRST) as opened:
        path, unfinished = opened.path, withdrawing.unwiped(opened)
        try:
            going = withdrawing.what_goes(opened, participant)
        except UsageError:
            if not unfinished:
                raise
            going = None
        if going is not None:
            if not yes and not _agreed(going):
                say("nothing was removed")
                return 1
            going = withdrawing.withdraw(opened, going.pseudonym)
    if as_json and going is not None:
        put_json(_document(going))
    elif going is not None:  # before the wiping: where that fails, nobody could name the copies any more
        say(f"{going.pseudonym} is removed: {_told(going)}")
        _say_copies(going)
    withdrawing.wipe(path)
    if going is None:
        say("nobody of that pseudonym is left here; what an earlier withdrawal left in the file's pages is wiped now")
    elif not as_json:
        say("the store's free pages and log are wiped")
    return 0


def _agreed(going: Withdrawal) -> bool:
    from tui.cli.output import say

    say(f"this removes {going.pseudonym} for good: {_told(going)}")
    for run in going.dependents:
        say(f"run {run.name} was made from this participant's answers and goes too")
    return typer.confirm("Remove it?", default=False, err=True)


def _told(going: Withdrawal) -> str:
    from tui.counting import counted

    sessions = ", ".join(f"{study} (version {version}, {kind})" for study, version, kind, _ in going.sessions)
    parts = [
        counted(len(going.sessions), "session") + (f" of {sessions}" if sessions else ""),
        counted(going.trials, "trial"),
        counted(going.answers, "answer"),
        counted(len(going.runs) + len(going.dependents), "run"),
        counted(going.notes, "note"),
    ]
    return ", ".join(parts)


def _say_copies(going: Withdrawal) -> None:
    from tui.cli.output import say

    for run in going.dependents:
        say(f"run {run.name} was made from these answers and is removed too")
    for copy in going.copies:
        gone = "" if copy.there else " (no longer there, or elsewhere)"
        say(f"delete by hand: {copy.what} of {utc(copy.created)} at {copy.where}{gone}")
    say("stores of other stations, and copies that were made otherwise, are not known here")


def _document(going: Withdrawal) -> dict[str, object]:
    return {
        "pseudonym": going.pseudonym,
        "sessions": [
            {"study": study, "version": version, "kind": kind, "state": state}
            for study, version, kind, state in going.sessions
        ],
        "trials": going.trials,
        "answers": going.answers,
        "notes": going.notes,
        "runs": [run.name for run in going.runs],
        "dependent_runs": [run.name for run in going.dependents],
        "copies": [
            {"what": copy.what, "where": copy.where, "created": copy.created, "there": copy.there}
            for copy in going.copies
        ],
    }
