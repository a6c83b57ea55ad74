"""``phoropter respondents`` with its options, as typer reads them."""

from __future__ import annotations

from typing import Annotated

import typer

from tui.cli import options as o
from tui.cli.places import given

respondents_app = typer.Typer(help="Who can answer, and checks of them.", invoke_without_command=True)


@respondents_app.callback()
def respondents(context: typer.Context, config: o.Config = None, as_json: o.AsJson = False) -> int:
    """Who can answer: baselines and what the configuration names."""
    if context.invoked_subcommand is not None:
        return 0
    from tui.cli.respondents import list_respondents

    return list_respondents(given(context, "config", config), as_json=as_json)


@respondents_app.command("check")
def respondents_check(
    context: typer.Context,
    name: str,
    benchmark: Annotated[
        str, typer.Option("--for", metavar="BENCHMARK[:SUBSET]", help="What it is to be used for (default: voila).")
    ] = "",
    protocol: o.Protocol = "",
    options: o.Set = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Ask a respondent the largest turn of a protocol with drawn pictures and say what works and what does not."""
    from tui.cli.check import check_respondent

    where = given(context, "config", config)
    return check_respondent(name, where, benchmark, protocol, o.pairs(options, "--set"), as_json=as_json)
