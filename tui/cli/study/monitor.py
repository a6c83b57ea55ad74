"""``phoropter study monitor``: a live screen on a study that is being held."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tui.cli import options as o
from tui.cli.places import store_and_config
from tui.cli.study.named import Named, study_name


def monitor(
    context: typer.Context,
    study: Named,
    kind: Annotated[
        str,
        typer.Option("--kind", metavar="main|pilot|simulated", help="Whose coverage; sessions of all are listed."),
    ] = "main",
    experimenter: Annotated[
        str, typer.Option("--experimenter", metavar="AB", help="Who watches: signs pauses, notes and the like.")
    ] = "",
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Watch a study: who sits, where they are, how fast, catch trials, coverage, health. Pause, note, end, hand back.

    Without a terminal, or with --json, the same as one document. Nothing here says how accurate answers are.
    """
    from core.errors import UsageError
    from sessions.store import default_path
    from sessions.studies import book
    from sessions.studies.reading import KINDS
    from sessions.studies.watching import Watcher, opened
    from tui.cli.output import put_json

    wanted = next((known for known in KINDS if known == kind), None)
    if wanted is None:
        raise UsageError(f"there are no {kind!r} sessions", where="--kind", remedy=f"Known: {', '.join(KINDS)}")
    name = study_name(study)
    path, settings = store_and_config(context, store, config)
    path = path or default_path()
    with opened(path) as found:  # one that is not there at the start is a mistake; one that vanishes later is told
        if not study.is_file():
            book.find(found, name)
    watcher = Watcher(path, name, wanted)
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        try:
            put_json(watcher.look().to_json())
        finally:
            watcher.close()
        return 0
    from tui.grounded import run_in_terminal
    from tui.monitor.app import MonitorApp

    app = MonitorApp(watcher, watcher.look(), author=experimenter, theme=settings.theme)
    watcher.close()  # the first look was in this thread; from now on the store is its own thread's
    try:
        return run_in_terminal(app, instead="Use --json")
    finally:
        app.close()
