"""``phoropter make`` and ``phoropter fetch``, which bring data, with their options, as typer reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.files import user_path
from tui.cli import options as o

make_app = typer.Typer(help="Make new items.", no_args_is_help=True)


@make_app.command("voila")
def make_voila(
    subset: Annotated[str, typer.Option("--subset", metavar="WD|ND", help="With or without distraction.")] = "WD",
    count: Annotated[
        int, typer.Option("--count", min=1, max=o.MOST_ITEMS, metavar="N", help="How many questions.")
    ] = 190,
    seed: o.Seed = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", parser=user_path, help="A new folder for them.")
    ] = None,
    size: Annotated[int, typer.Option("--size", min=48, max=2048, metavar="PIXELS", help="Of a picture.")] = 512,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many questions there can be.")] = False,
    as_json: o.AsJson = False,
) -> int:
    """New VOILA questions with drawn pictures, in the published form (algorithm 1 of the paper)."""
    from tui.cli.make import make_voila_questions

    return make_voila_questions(subset, count, seed, out, size, dry_run=dry_run, as_json=as_json)


def fetch(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK[:SUBSET]", help="voila, vrex or mmra.")],
    source: Annotated[
        Path | None,
        typer.Option(
            "--source",
            metavar="FOLDER|ZIP|PARQUET",
            parser=user_path,
            help="From here instead of the hub; also CSV, JSON.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", parser=user_path, help="Into this folder (default: your data folder)."
        ),
    ] = None,
    revision: Annotated[
        str, typer.Option("--revision", metavar="SHA", help="Of the data set on the hub (default: the one it has).")
    ] = "",
    repository: Annotated[
        str, typer.Option("--repository", metavar="OWNER/NAME", help="Another data set on the hub (a mirror).")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace what was fetched before.")] = False,
    as_json: o.AsJson = False,
) -> int:
    """Get a benchmark's published data: checked, counted, kept with licence and citation."""
    from tui.cli.fetch import fetch_set

    return fetch_set(
        benchmark,
        source=source,
        out=out,
        revision=revision,
        repository=repository,
        force=force,
        as_json=as_json,
    )
