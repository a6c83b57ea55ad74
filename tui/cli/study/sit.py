"""``phoropter study sit``: a participant's session at this terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import UsageError
from tui.cli import options as o
from tui.cli.places import store_and_config
from tui.cli.study.options import File

if TYPE_CHECKING:
    from core.study.checking import Dry
    from sessions.store import Store
    from sessions.studies.runs import SessionKind
    from tui.imaging import Imaging


def sit(
    context: typer.Context,
    file: File,
    participant: Annotated[
        str, typer.Option("--participant", metavar="P17", help="The person's pseudonym (default: the screen asks).")
    ] = "",
    experimenter: Annotated[
        str, typer.Option("--experimenter", metavar="AB", help="Who is there, by a short mark.")
    ] = "",
    station: Annotated[str, typer.Option("--station", metavar="NAME", help="Which place in the lab this is.")] = "",
    same_person: Annotated[
        bool, typer.Option("--same-person", help="This pseudonym has been here before, and it is the same person.")
    ] = False,
    pilot: Annotated[
        bool, typer.Option("--pilot", help="Try it: blanks may be left, nothing is frozen, nothing fills the quota.")
    ] = False,
    store: o.Store = None,
    config: o.Config = None,
    images: o.Images = "",
) -> int:
    """Let a participant sit: the study and nothing else, until it is over or the experimenter's key ends it."""
    from core.study.checking import check
    from core.study.reading import read_file
    from sessions.store import Store
    from sessions.studies.book import keep_draft
    from sessions.studies.people import check_pseudonym
    from tui.cli.output import say
    from tui.cli.places import given
    from tui.grounded import run_in_terminal
    from tui.imaging import decide
    from tui.manners import manners_of
    from tui.sitting.app import SittingApp
    from tui.sitting.conducting import Conductor
    from tui.sitting.desk import Desk

    if participant:
        check_pseudonym(participant)
    dry = check(read_file(file))
    if not pilot:
        _refuse_blanks(dry, str(file))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "a participant needs a terminal", remedy="phoropter study simulate FILE N holds sessions without one"
        )
    path, _ = store_and_config(context, store, config)
    asked = manners_of(given(context, "config", config))
    imaging = decide(asked.images, option=given(context, "images", images or None) or "")
    _refuse_station(dry, imaging)
    with Store.open(path) as opened:
        record = keep_draft(opened, dry.study, dry.content)
        kind: SessionKind = "pilot" if pilot else "main"
        desk = Desk(opened, record, dry.prepared, kind, participant, same_person or None, station, experimenter)
        conductor = Conductor(desk, imaging)
        app = SittingApp(conductor, imaging, theme=asked.theme)
        try:
            status = run_in_terminal(app, mouse=asked.mouse, instead="Use a full terminal")
        finally:
            if conductor.sitting is not None:
                conductor.sitting.close()
        if conductor.sitting is not None and not conductor.failure:
            say(_told(opened, dry.study.name, conductor.sitting.uid))
    if app.failure is not None and not app.caught:
        raise app.failure
    if conductor.failure:
        say(f"phoropter: the session stopped, since nothing could be saved: {conductor.failure}")
    return status


def _told(store: Store, study: str, uid: str) -> str:
    """How far a session came, for the experimenter."""
    from sessions.studies import people as book

    db = store.reader()
    for person in book.everybody(store):
        for one in book.earlier_sessions(db, person.id, study):
            if one.uid == uid:
                return f"{person.pseudonym}: {one.state}, {one.answered} of {one.given} items"
    return "this session was removed"


def _refuse_station(dry: Dry, imaging: Imaging) -> None:
    """Raises UsageError where this terminal cannot show pictures as the study's [display] asks."""
    from shutil import get_terminal_size

    from tui.sitting.measuring import unfit

    size = get_terminal_size()
    if reasons := unfit(dry.prepared, imaging, (size.columns, size.lines)):
        raise UsageError(
            f"this station cannot be used: {'; '.join(reasons)}",
            where="[display]",
            remedy="`phoropter study check FILE --display` tries it",
        )


def _refuse_blanks(dry: Dry, file: str) -> None:
    """Raises UsageError where something is still open that a live session cannot begin without."""
    if not dry.blocked:
        return
    open_ones = [(line, ".".join(place), what) for line, place, what in dry.blanks if place[:1] != ("reporting",)]
    line, place, what = open_ones[0]
    more = f" (and {len(open_ones) - 1} more)" if len(open_ones) > 1 else ""
    raise UsageError(
        f"{place}: {what}{more}",
        where=f"{file}, line {line}" if line else file,
        remedy="Fill it in (`phoropter study check FILE` lists all), or try the study with --pilot",
    )
