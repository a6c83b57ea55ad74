"""``phoropter study grade``: people judge stored answers blind, and how far they agree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tui.cli import options as o
from tui.cli.places import given, store_and_config

if TYPE_CHECKING:
    from sessions.runs import Run
    from sessions.store import Store


def grade(
    context: typer.Context,
    what: Annotated[
        list[str],
        typer.Argument(metavar="RUN|FILE ...", help="Runs, or studies' files (their people's answers); mixed."),
    ],
    grader: Annotated[
        str,
        typer.Option("--grader", metavar="NAME", help="Your pseudonym (default: the one in phoropter.toml)."),
    ] = "",
    only: Annotated[str, typer.Option("--property", metavar="P", help="Judge this property alone.")] = "",
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Settle what two graders differ on, as a third person.")
    ] = False,
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", help="So many of the answers, the same for all graders.")
    ] = 0,
    seed: o.Seed = 0,
    kind: Annotated[
        str, typer.Option("--kind", metavar="main|pilot|simulated", help="Whose answers of a study.")
    ] = "main",
    table: Annotated[
        bool, typer.Option("--table", help="Instead: how far grading is, and how far the graders agree.")
    ] = False,
    store: o.Store = None,
    config: o.Config = None,
    images: o.Images = "",
    as_json: o.AsJson = False,
) -> int:
    """Judge models' and people's answers blind: who answered is hidden, the order is yours alone, one property a key.

    Every verdict is saved at once; come back and go on. Two people judge each answer, a third settles where they
    differ (--adjudicate). Then `report RUN --agreement SCORER --against NAME|adjudicated` has VOILA's tables (B.5).
    """
    from core.config import YOU
    from core.errors import UsageError
    from sessions.store import Store
    from sessions.studies.grading import offer, settle_all
    from sessions.studies.grading_pool import gradable, sampled
    from sessions.studies.grading_tables import report
    from sessions.studies.watching import opened as looked_into

    if sample < 0:
        raise UsageError("a number of answers is at least 1", where=f"--sample {sample}")
    path, settings = store_and_config(context, store, config)
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    looking = table or as_json
    with (
        looked_into(path)
        if looking
        else Store.open(path, create=False, first="Run something first, or let somebody sit") as opened
    ):
        runs = _runs(opened, what, kind)
        found = sampled(gradable(opened, runs, only), sample, seed)
        if not opened.read_only:
            settle_all(opened, found)
        if looking:
            from tui.cli.study.grade_table import print_grading

            print_grading(report(opened, found), as_json=as_json)
            return 0
        author = grader or settings.pseudonym
        if author == YOU:
            raise UsageError(
                "a grader needs a pseudonym",
                where="--grader",
                remedy='Say --grader G1, or pseudonym = "G1" under [notebook] of phoropter.toml',
            )
        offered = offer(opened, found, author, seed=seed, settles=adjudicate)
        if not terminal:
            raise UsageError("grading needs a terminal", remedy="--table shows how far it is without one")
        from tui.grading.app import GradingApp
        from tui.grading.cases import Cases
        from tui.grading.state import Way
        from tui.grounded import run_in_terminal
        from tui.imaging import decide
        from tui.manners import manners_of

        asked = manners_of(given(context, "config", config))
        imaging = decide(asked.images, option=given(context, "images", images or None) or "")
        way = Way(offered)
        app = GradingApp(opened, Cases(opened, runs), way, imaging, theme=asked.theme)
        status = run_in_terminal(app, mouse=asked.mouse, instead="Use --table")
        _tell(way.author, way.done, way.of, adjudicate=adjudicate)
    return status


def _runs(store: Store, names: list[str], kind: str) -> list[Run]:
    """The runs of these names, and those of people in these studies. Raises UsageError, ConfigError."""
    from pathlib import Path

    from core.errors import UsageError
    from core.files import user_path
    from sessions.runs import find_run
    from sessions.studies.grading_pool import runs_of_people
    from sessions.studies.reading import KINDS, find
    from tui.cli.study.named import study_name

    wanted = next((known for known in KINDS if known == kind), None)
    if wanted is None:
        raise UsageError(f"there are no {kind!r} sessions", where="--kind", remedy=f"Known: {', '.join(KINDS)}")
    out: dict[int, Run] = {}
    for name in names:
        file = Path(user_path(name))
        if file.suffix == ".toml":
            if not file.is_file():
                raise UsageError("there is no such file", where=name)
            people = runs_of_people(store, find(store, study_name(file), wanted))
            if not people:
                raise UsageError(f"no {kind} session has answered anything yet", where=name)
            out |= {run.id: run for run in people}
        else:
            run = find_run(store, name)
            out[run.id] = run
    return list(out.values())


def _tell(author: str, done: int, of: int, *, adjudicate: bool) -> None:
    from tui.cli.output import say

    rest = "" if done < of else "; that is all" + ("" if adjudicate else ": --table shows how far graders agree")
    say(f"{author}: {done} of {of} judged{rest}")
