"""``phoropter study simulate``: whole sessions of simulated people."""

from __future__ import annotations

from typing import Annotated

import typer

from tui.cli import options as o
from tui.cli.places import store_of
from tui.cli.study.options import File


def simulate(
    context: typer.Context,
    file: File,
    count: Annotated[int, typer.Argument(metavar="N", help="How many people.")],
    skill: Annotated[
        float, typer.Option("--skill", metavar="P", help="How probably each value of an answer is right.")
    ] = 0.8,
    seed: o.Seed = 0,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Let N simulated people sit whole sessions, recorded as people's are, marked simulated and counted apart."""
    from core.errors import UsageError
    from sessions.store import Store
    from sessions.studies.coverage import coverage
    from sessions.studies.simulated import simulate as sat_by
    from tui.cli.output import put, put_json, say
    from tui.cli.study.opened import kept_study
    from tui.counting import counted

    if count < 1:
        raise UsageError("at least one person has to sit", where=f"N {count}")
    if not 0.0 <= skill <= 1.0:
        raise UsageError("a probability lies between 0 and 1", where=f"--skill {skill:g}", remedy="For example 0.8")
    with Store.open(store_of(context, store, config)) as opened:
        record, prepared = kept_study(opened, file)
        sat = sat_by(opened, record, prepared, count, skill, seed=seed)
        found = coverage(opened, record, "simulated")
    if len(sat) < count:
        say(
            f"phoropter: no slot was left for {counted(count - len(sat), 'more person')}".replace("persons", "people")
        )
    answers = sum(one.answered for one in sat)
    if as_json:
        people = [
            {"pseudonym": one.pseudonym, "session": one.session, "slot": one.slot, "answered": one.answered}
            for one in sat
        ]
        put_json({"study": record.name, "version": record.version, "people": people, "coverage": found.to_json()})
        return 0
    put(
        f"{record.name} version {record.version}: {counted(len(sat), 'simulated session')},"
        f" {counted(answers, 'answer')}; {found.done:,} of {found.wanted:,} answers of simulated people are there"
    )
    return 0
