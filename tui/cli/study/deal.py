"""``phoropter study deal``: slots and pseudonyms for stations on several machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.files import user_path
from tui.cli import options as o
from tui.cli.places import store_of
from tui.cli.study.options import File


def deal(
    context: typer.Context,
    file: File,
    stations: Annotated[
        int, typer.Option("--stations", metavar="N", help="Deal all free slots to so many new stores.")
    ] = 0,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", parser=user_path, help="Where the stores are made.")
    ] = Path(),
    take_back: Annotated[
        str, typer.Option("--take-back", metavar="STATION", help="What it did not answer is free here again.")
    ] = "",
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Deal a study to stations on other machines; without an option, say how far it is.

    Each gets a store with slots and pseudonyms of its own; `phoropter merge` joins what comes back.
    """
    from core.errors import UsageError
    from sessions.store import Store
    from sessions.studies import stations as dealing
    from sessions.studies.coverage import coverage
    from tui.cli.output import put, put_json
    from tui.cli.study.opened import kept_study
    from tui.counting import counted

    if stations < 0 or (stations and take_back):
        raise UsageError("say either --stations N or --take-back STATION", where="study deal")
    with Store.open(store_of(context, store, config)) as opened:
        record, prepared = kept_study(opened, file)
        made: tuple[dealing.Station, ...] = ()
        freed = 0
        if stations:
            names = dealing.new_names(opened, record, stations)
            made = dealing.deal_stations(opened, record, prepared, names, out)
        elif take_back:
            freed = dealing.take_back(opened, record, take_back)
        found = coverage(opened, record)
    if as_json:
        told = [
            {
                "station": one.name,
                "store": str(one.path),
                "slots": one.slots,
                "answers": one.answers,
                "pseudonyms": list(one.pseudonyms),
            }
            for one in made
        ]
        put_json({"study": record.name, "stations": told, "freed": freed, "coverage": found.to_json()})
        return 0
    lines = [
        f"{one.name:<12}{one.path}: {counted(one.slots, 'slot')}, {counted(one.answers, 'answer')}, pseudonyms"
        f" {one.pseudonyms[0]} to {one.pseudonyms[-1]}"
        for one in made
    ]
    lines += [f"{take_back}: {counted(freed, 'answer')} free again"] if take_back else []
    lines.append(
        f"{record.name} version {record.version}: {found.done:,} of {found.wanted:,} answers, {found.sitting:,} with"
        f" people now, {found.dealt:,} dealt to stations, {found.free:,} free"
    )
    put("\n".join(lines))
    return 0
