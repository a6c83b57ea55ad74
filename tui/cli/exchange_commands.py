"""``phoropter export``, ``import`` and ``merge`` with their options, as typer reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from core.files import user_path
from tui.cli import options as o
from tui.cli.notebook_commands import export_app
from tui.cli.places import store_of

import_app = typer.Typer(help="Data into the store.", no_args_is_help=True)

Runs: TypeAlias = Annotated[
    list[str] | None, typer.Argument(metavar="[RUN]...", help="Which runs (default: everything in the store).")
]
Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", parser=user_path, help="Into this file (default: stdout).")
]
OutFile: TypeAlias = Annotated[Path, typer.Option("--out", metavar="FILE", parser=user_path, help="Into this file.")]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace the file where there is one.")]
AnsweredBy: TypeAlias = Annotated[
    str, typer.Option("--respondent", metavar="NAME", help="Who replied (default: as the file's name tells).")
]
AskedBy: TypeAlias = Annotated[
    str, typer.Option("--protocol", metavar="NAME", help="How an item was asked (default: the one with one step).")
]
RunName: TypeAlias = Annotated[str | None, typer.Option("--name", metavar="NAME", help="Name of the new run.")]
File: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE", parser=user_path)]


@import_app.callback()
def import_() -> None:
    """Data into the store."""


@export_app.command("jsonl")
def export_jsonl(
    context: typer.Context,
    runs: Runs = None,
    out: Out = None,
    without_pictures: Annotated[
        bool, typer.Option("--without-pictures", help="Pictures by their hash alone, without their bytes.")
    ] = False,
    force: Force = False,
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """Everything of runs, one JSON object a line: `import jsonl` gives the same store back."""
    from tui.cli.exporting import export_lines

    place = store_of(context, store, config)
    return export_lines(place, runs or (), out, pictures=not without_pictures, force=force)


@export_app.command("csv")
def export_csv(
    context: typer.Context,
    runs: Runs = None,
    out: Out = None,
    bom: Annotated[bool, typer.Option("--bom", help="Begin with a byte order mark, which Excel wants.")] = False,
    formula_safe: Annotated[
        bool, typer.Option("--formula-safe", help="For spreadsheets: an apostrophe before what they would run.")
    ] = False,
    force: Force = False,
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """One tidy table: a row for each step and scorer."""
    from tui.cli.exporting import export_csv as write

    place = store_of(context, store, config)
    return write(place, runs or (), out, bom=bom, formula_safe=formula_safe, force=force)


@export_app.command("parquet")
def export_parquet(
    context: typer.Context,
    out: OutFile,
    runs: Runs = None,
    force: Force = False,
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """The same table as parquet."""
    from tui.cli.exporting import export_parquet as write

    return write(store_of(context, store, config), runs or (), out, force=force)


@export_app.command("inspect")
def export_inspect(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN")],
    out: OutFile,
    force: Force = False,
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """A run as a log of inspect-ai (.eval): every message, picture and score."""
    from tui.cli.exporting import export_inspect as write

    return write(store_of(context, store, config), run, out, force=force)


@export_app.command("store")
def export_store(context: typer.Context, out: OutFile, store: o.Store = None, config: o.Config = None) -> int:
    """All of it as another store, whatever is being written: a safe copy (`cp` leaves out what lies in its log)."""
    from tui.cli.exporting import export_store as write

    return write(store_of(context, store, config), out)


@import_app.command("jsonl")
def import_jsonl(
    context: typer.Context, file: File, store: o.Store = None, config: o.Config = None, as_json: o.AsJson = False
) -> int:
    """What `export jsonl` wrote: all of it or nothing; a second time adds nothing."""
    from tui.cli.importing import import_lines

    return import_lines(store_of(context, store, config), file, as_json=as_json)


def _results(
    context: typer.Context,
    tool: str,
    benchmark: str,
    file: Path,
    *,
    data: Path | None,
    protocol: str,
    options: list[str] | None,
    respondent: str,
    name: str | None,
    mapping: list[str] | None,
    store: Path | None,
    config: Path | None,
    as_json: bool,
    judged: list[str] | None = None,
) -> int:
    from tui.cli.importing_results import Wanted, import_results

    wanted = Wanted(
        benchmark, data, protocol, o.pairs(options, "--set"), respondent, o.run_name(name), o.pairs(mapping, "--map")
    )
    return import_results(store_of(context, store, config), tool, file, wanted, judged or (), as_json=as_json)


@import_app.command("voila-results")
def import_voila_results(
    context: typer.Context,
    file: File,
    benchmark: Annotated[
        str,
        typer.Option(
            "--benchmark",
            metavar="voila:ND|voila:WD",
            help="Default: as the data is, without --data as its prompts tell.",
        ),
    ] = "",
    judged: Annotated[
        list[str] | None,
        typer.Option("--judged", metavar="[STEP=]FILE", help="Batch output of the authors' judge; repeatable."),
    ] = None,
    data: o.Data = None,
    respondent: AnsweredBy = "",
    name: RunName = None,
    mapping: o.Mapping = None,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Replies that the VOILA authors' inference script recorded, and what their judge said of them."""
    return _results(
        context, "voila-results", benchmark, file, data=data, protocol="l2m", options=None, respondent=respondent,
        name=name, mapping=mapping, store=store, config=config, as_json=as_json, judged=judged,
    )  # fmt: skip


def _importer(tool: str, told: str) -> None:
    """A command for the replies of one tool that records no protocol and no options of the benchmark."""

    @import_app.command(tool, help=told)
    def import_replies(
        context: typer.Context,
        benchmark: o.Benchmark,
        file: File,
        data: o.Data = None,
        protocol: AskedBy = "",
        set_: o.Set = None,
        respondent: AnsweredBy = "",
        name: RunName = None,
        mapping: o.Mapping = None,
        store: o.Store = None,
        config: o.Config = None,
        as_json: o.AsJson = False,
    ) -> int:
        return _results(
            context, tool, benchmark, file, data=data, protocol=protocol, options=set_, respondent=respondent,
            name=name, mapping=mapping, store=store, config=config, as_json=as_json,
        )  # fmt: skip


_importer("lmms-eval", "Replies that lmms-eval recorded (--log_samples).")
_importer("vlmevalkit", "Replies that VLMEvalKit recorded: its table of predictions as xlsx, tsv, csv or JSON.")


def merge(
    context: typer.Context,
    store: Annotated[Path, typer.Argument(metavar="A", parser=user_path, help="The store that grows.")],
    others: Annotated[
        list[Path], typer.Argument(metavar="B...", parser=user_path, help="Stores that are only read.")
    ],
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="C", parser=user_path, help="Leave A as it is; a new store takes all."),
    ] = None,
    as_json: o.AsJson = False,
) -> int:
    """Join stores: runs of one identity become one, others stand side by side, conflicts are named."""
    from tui.cli.importing import merge_stores

    return merge_stores(store, others, into, as_json=as_json)
