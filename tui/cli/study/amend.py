"""``phoropter study amend``: a new version of a study that is frozen."""

from __future__ import annotations

from typing import Annotated

import typer

from tui.cli import options as o
from tui.cli.places import store_of
from tui.cli.study.options import File


def amend(
    context: typer.Context,
    file: File,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it stands in every report.")],
    keep_quota: Annotated[
        bool, typer.Option("--keep-quota", help="What was collected so far counts for the new version too.")
    ] = False,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Make the changed file a new version of a frozen study; the old version and its answers stay as they are."""
    from core.study.checking import check
    from core.study.differing import differences
    from core.study.reading import read_file
    from sessions.store import SIT_FIRST, Store
    from sessions.studies.book import amend as amended
    from tui.cli.output import put, put_json

    dry = check(read_file(file))
    with Store.open(store_of(context, store, config), create=False, first=SIT_FIRST) as opened:
        old, new = amended(opened, dry.study, dry.content, keep_quota=keep_quota, reason=reason)
    changed = differences(old.study, old.content, new.study, new.content)
    if as_json:
        put_json(
            {
                "study": new.name,
                "old": {"version": old.version, "digest": old.digest},
                "new": {"version": new.version, "digest": new.digest},
                "keeps_quota": keep_quota,
                "reason": new.reason,
                "changed": list(changed),
            }
        )
        return 0
    counts = "what was collected so far counts" if keep_quota else "counting begins anew"
    put(
        "\n".join(
            [
                f"{new.name}: version {new.version} in place of version {old.version}; {counts}",
                f"  old {old.digest}",
                f"  new {new.digest}",
                *(f"  {change}" for change in changed),
            ]
        )
    )
    return 0
