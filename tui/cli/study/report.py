"""``phoropter study report``: everything a study found, on one page."""

from __future__ import annotations

from typing import Annotated

import typer

from tui.cli import options as o
from tui.cli.places import store_of
from tui.cli.study.named import Named, study_name


def report(
    context: typer.Context,
    study: Named,
    by: Annotated[str, typer.Option("--by", metavar="GROUP", help="Accuracy broken down by rule, subtask ...")] = "",
    scorer: Annotated[str, typer.Option("--scorer", metavar="NAME", help="Another scorer than the rule.")] = "",
    kind: Annotated[
        str, typer.Option("--kind", metavar="main|pilot|simulated", help="Which sessions; never several together.")
    ] = "main",
    checklist: Annotated[
        bool, typer.Option("--checklist", help="Instead: the reporting checklist, filled in.")
    ] = False,
    items: Annotated[bool, typer.Option("--items", help="All items by difficulty, not only the hardest.")] = False,
    format_: o.Format = "",
    out: o.ReportFile = None,
    force: o.Force = False,
    formula_safe: o.FormulaSafe = False,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Who took part, who is excluded, accuracy with and without them, agreement, difficulty, response times."""
    import os

    from core.benchmarks import registry
    from core.errors import UsageError
    from core.scoring import RULE
    from sessions.store import SIT_FIRST, Store, default_path
    from sessions.studies import collected
    from sessions.studies.reading import KINDS, find, runs_of
    from sessions.studies.reporting import report as made
    from tui.cli.formats.writing import wanted as wanted_format
    from tui.cli.formats.writing import write
    from tui.cli.output import say
    from tui.cli.report import refuse_unknown_scorer
    from tui.cli.study.report_pages import checklist_report, say_changes, say_what_lacks, study_report

    how = wanted_format(format_, out, as_json=as_json, force=force, formula_safe=formula_safe)
    wanted = next((known for known in KINDS if known == kind), None)
    if wanted is None:
        raise UsageError(f"there are no {kind!r} sessions", where="--kind", remedy=f"Known: {', '.join(KINDS)}")
    name = study_name(study)
    place = store_of(context, store, config) or default_path()
    locked = place.exists() and not os.access(place, os.W_OK)
    with Store.open(place, create=False, read_only=locked, first=SIT_FIRST) as opened:
        if locked:
            say("the store cannot be written to: rules are counted as they were applied last")
        found = find(opened, name, wanted)
        if scorer:
            refuse_unknown_scorer(opened, list(runs_of(opened, found).values()), scorer)
        if by and by not in found.benchmark.groups:
            known = ", ".join(registry.get(found.benchmark.name).groups)
            raise UsageError(f"{found.benchmark.name} has no group {by!r}", where="--by", remedy=f"Known: {known}")
        told = made(opened, name, kind=wanted, scorer=scorer or RULE, group_by=by)
        filled = collected.checklist(opened, told)
    say_changes(told)
    if checklist:
        write(checklist_report(filled), how)
    else:
        write(study_report(told, filled, items=items), how)
        say_what_lacks(told, filled)
    return 0
