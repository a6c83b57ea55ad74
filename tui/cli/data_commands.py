"""``phoropter fetch``, which brings data, with its options, as typer reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.files import user_path
from tui.cli import options as o


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
