"""``phoropter runs`` with its options, as typer reads them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from tui.cli import options as o
from tui.cli.places import store_of

runs_app = typer.Typer(help="Runs in the store: list, rename, delete.", invoke_without_command=True)

Yes: TypeAlias = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@runs_app.callback()
def runs(context: typer.Context, store: o.Store = None, config: o.Config = None, as_json: o.AsJson = False) -> int:
    """Runs in the store: list, rename, delete."""
    context.obj = {"store": store, "config": config}
    if context.invoked_subcommand is not None:
        return 0
    from tui.cli.runs import list_runs

    return list_runs(store_of(context, store, config), as_json=as_json)


@runs_app.command("list")
def runs_list(
    context: typer.Context, store: o.Store = None, config: o.Config = None, as_json: o.AsJson = False
) -> int:
    """All runs with their counts."""
    from tui.cli.runs import list_runs

    return list_runs(store_of(context, store, config), as_json=as_json)


@runs_app.command("rename")
def runs_rename(context: typer.Context, run: str, name: str, store: o.Store = None, config: o.Config = None) -> int:
    """Give a run another name."""
    from tui.cli.runs import rename_run

    return rename_run(store_of(context, store, config), run, o.run_name(name, "rename"))


@runs_app.command("delete")
def runs_delete(
    context: typer.Context,
    run: str,
    store: o.Store = None,
    config: o.Config = None,
    yes: Yes = False,
) -> int:
    """Delete a run with its trajectories; steps that other runs stand on stay."""
    from tui.cli.runs import delete_run

    return delete_run(store_of(context, store, config), run, yes=yes)


@runs_app.command("delete-fork")
def runs_delete_fork(
    context: typer.Context,
    trajectory: Annotated[int, typer.Argument(metavar="TRAJECTORY", help="Its number, as `show` tells it.")],
    store: o.Store = None,
    config: o.Config = None,
    yes: Yes = False,
) -> int:
    """Delete a fork with the forks made from it; what was answered on the main path is never deleted alone."""
    from tui.cli.runs import delete_fork

    return delete_fork(store_of(context, store, config), trajectory, yes=yes)


@runs_app.command("release")
def runs_release(
    context: typer.Context,
    run: str,
    store: o.Store = None,
    config: o.Config = None,
    yes: Yes = False,
) -> int:
    """Give up what is out in batches: the next run asks it again."""
    from tui.cli.runs import release_run

    return release_run(store_of(context, store, config), run, yes=yes)
