"""``phoropter study exclude``: sessions left out by hand, without a look at how accurate they were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tui.cli import options as o
from tui.cli.places import store_and_config
from tui.cli.study.named import Named, study_name

if TYPE_CHECKING:
    from core.study.conduct import Conduct
    from sessions.studies.reading import Sat


def exclude(
    context: typer.Context,
    study: Named,
    session: Annotated[
        str, typer.Argument(metavar="[SESSION]", help="Its number, or the participant; without it: the sessions.")
    ] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")] = "",
    lift: Annotated[bool, typer.Option("--lift", help="Take back what was excluded by hand.")] = False,
    kind: Annotated[str, typer.Option("--kind", metavar="main|pilot|simulated", help="Which sessions.")] = "main",
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Exclude a session by hand, with a reason. Nothing here tells how accurate anybody was."""
    from core.errors import UsageError
    from sessions.store import SIT_FIRST, Store
    from sessions.studies import doings, excluding, reading
    from tui.cli.output import put_json, say

    place, settings = store_and_config(context, store, config)
    wanted = next((known for known in reading.KINDS if known == kind), None)
    if wanted is None:
        raise UsageError(f"there are no {kind!r} sessions", where="--kind", remedy="Known: main, pilot, simulated")
    name = study_name(study)
    with Store.open(place, create=False, first=SIT_FIRST) as opened:
        found = reading.find(opened, name, wanted)
        if session:
            one = reading.find_session(found, session)
            if lift:
                excluding.lift(opened, one)
                say(f"session {one.id} ({one.person}) counts again" if not excluding.again(opened, one).excluded
                    else f"session {one.id} ({one.person}): a rule of the study still excludes it")  # fmt: skip
            else:
                excluding.exclude(opened, one, reason, settings.pseudonym)
                say(f"session {one.id} ({one.person}) does not count any more; its items can be given out again")
            return 0
        if reason or lift:
            raise UsageError("which session?", where=name, remedy="Without options the command lists them")
        conduct = doings.conduct_of(opened, found, found.sessions)
    documents = [_document(one, conduct[one.id]) for one in found.sessions]
    if as_json:
        put_json({"sessions": documents})
    elif not documents:
        say("there are no such sessions")
    else:
        _print(documents)
    return 0


def _document(session: Sat, conduct: Conduct) -> dict[str, object]:
    from statistics import median

    count = len(conduct.answers)
    return {
        "session": session.id,
        "participant": session.person,
        "state": session.state,
        "trials": count,
        "median_s": round(median(conduct.seconds), 2) if conduct.seconds else None,
        "timed_out": sum(conduct.timed_out),
        "without_answer": sum(not answer for answer in conduct.answers),
        "excluded": [{"rule": each.rule, "reason": each.reason, "by": each.author} for each in session.exclusions],
    }


def _print(documents: list[dict[str, object]]) -> None:
    from rich.table import Table

    from tui.cli.output import put_table
    from tui.inert import one_line

    table = Table(box=None, pad_edge=False)
    for name in ("session", "participant", "state", "trials", "median s", "timed out", "no answer", "excluded"):
        table.add_column(name, justify="left" if name in ("participant", "state", "excluded") else "right")
    for each in documents:
        excluded = each["excluded"]
        assert isinstance(excluded, list)
        why = "; ".join(f"{one['rule'] or 'by hand'}: {one['reason']}" for one in excluded)
        values = [each[name] for name in list(each)[:-1]]
        table.add_row(*(one_line("-" if value is None else str(value)) for value in values), one_line(why))
    put_table(table)
