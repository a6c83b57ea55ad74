"""``phoropter study people``: pseudonyms made beforehand, and who has sat."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from core.moments import utc
from tui.cli import options as o
from tui.cli.places import store_of
from tui.cli.study.options import File


def people(
    context: typer.Context,
    file: File,
    issue: Annotated[int, typer.Option("--issue", metavar="N", help="Make so many new pseudonyms.")] = 0,
    prefix: Annotated[str, typer.Option("--prefix", metavar="P", help="What they begin with.")] = "P",
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """List a study's participants by pseudonym, or make pseudonyms beforehand. Who they are is never in the store."""
    from core.errors import UsageError
    from core.study.reading import read_file
    from sessions.store import SIT_FIRST, Store
    from sessions.studies import people as book
    from tui.cli.output import put, put_json

    study = read_file(file).study
    if issue < 0:
        raise UsageError("a number of people is at least 1", where=f"--issue {issue}")
    with Store.open(store_of(context, store, config), create=issue > 0, first=SIT_FIRST) as opened:
        made = book.issue(opened, issue, prefix) if issue else ()
        if made:
            rows: list[dict[str, Any]] = [{"pseudonym": person.pseudonym} for person in made]
        else:
            db = opened.reader()
            rows = [
                {"pseudonym": person.pseudonym, "sessions": [_session(one) for one in earlier]}
                for person in book.everybody(opened)
                if (earlier := book.earlier_sessions(db, person.id, study.name)) or not person.simulated
            ]
    if as_json:
        put_json({"study": study.name, "issued" if made else "people": rows})
        return 0
    if made:
        put("\n".join(person.pseudonym for person in made))
        return 0
    put("\n".join(_line(row) for row in rows) or "nobody yet: --issue N makes pseudonyms")
    return 0


def _session(earlier: Any) -> dict[str, Any]:

    return {
        "session": earlier.uid,
        "version": earlier.version,
        "kind": earlier.kind,
        "state": earlier.state,
        "slot": earlier.slot,
        "answered": earlier.answered,
        "given": earlier.given,
        "seen": utc(earlier.seen),
        "station": earlier.station,
    }


def _line(row: dict[str, Any]) -> str:
    told = [
        f"{one['state']}{'' if one['kind'] == 'main' else ' (' + one['kind'] + ')'}, {one['answered']} of"
        f" {one['given']} items, last seen {one['seen']}"
        for one in row["sessions"]
    ]
    return f"{row['pseudonym']:<16}{'; '.join(told) or 'has not sat in this study'}"
