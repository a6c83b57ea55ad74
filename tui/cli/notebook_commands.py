"""``phoropter notes`` and ``phoropter export`` with their options, as typer reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.files import user_path
from tui.cli import options as o
from tui.cli.places import store_and_config, store_of
from tui.cli.study.named import Named

notes_app = typer.Typer(help="The notebook: notes, tags, own scores, disputed golds.", invoke_without_command=True)
export_app = typer.Typer(help="Data out of the store.", no_args_is_help=True)


@export_app.callback()
def export() -> None:
    """Data out of the store."""


@notes_app.callback()
def notes(
    context: typer.Context,
    tag: Annotated[str, typer.Option("--tag", metavar="TAG", help="Only steps with this tag.")] = "",
    item: Annotated[str, typer.Option("--item", metavar="ID", help="Only of this item.")] = "",
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """What stands in the notebook; the commands below write into it, signed with your pseudonym."""
    context.obj = {"store": store, "config": config}
    if context.invoked_subcommand is not None:
        return 0
    from tui.cli.notebook import list_notes

    return list_notes(store_of(context, store, config), tag, item, as_json=as_json)


@notes_app.command("write")
def notes_write(
    context: typer.Context,
    what: o.What,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The note; what it said before is kept.", callback=o.with_own_words)
    ] = "",
    run: o.OfRun = "",
    step: o.AtStep = "",
    on_item: Annotated[bool, typer.Option("--on-item", help="On the item itself, whatever the run.")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="Take the note away; its words stay in the past.")] = False,
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """A note on a trajectory, on its step, or on the item."""
    from tui.cli.notebook import write_note

    place, settings = store_and_config(context, store, config)
    return write_note(place, settings, what, text, run, step, item=on_item, delete=delete)


@notes_app.command("tag")
def notes_tag(
    context: typer.Context,
    what: o.What,
    tag: Annotated[str, typer.Argument(metavar="TAG", help="perception, relation, rule ... or your own.")],
    run: o.OfRun = "",
    step: o.AtStep = "",
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """Tag the first wrong step, or the one named; the same again takes the tag away."""
    from tui.cli.notebook import tag_step

    place, settings = store_and_config(context, store, config)
    return tag_step(place, settings, what, tag, run, step)


@notes_app.command("grade")
def notes_grade(
    context: typer.Context,
    what: o.What,
    verdicts: Annotated[
        list[str],
        typer.Argument(metavar="PROPERTY=right|wrong|unscored...", help="Others stay as the rule has them."),
    ],
    run: o.OfRun = "",
    step: o.AtStep = "",
    reason: Annotated[str, typer.Option("--reason", metavar="parser-wrong|judge-wrong|other", help="Why.")] = "",
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="In your words.")] = "",
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """Your own score of a step, beside the rule's; nothing is overwritten."""
    from tui.cli.notebook import grade_step

    place, settings = store_and_config(context, store, config)
    return grade_step(place, settings, what, run, step, o.pairs(verdicts, "grade"), reason, note)


@notes_app.command("dispute")
def notes_dispute(
    context: typer.Context,
    what: o.What,
    reason: Annotated[str, typer.Argument(metavar="[REASON]", help="Why the gold is wrong.")] = "",
    run: o.OfRun = "",
    step: Annotated[str, typer.Option("--step", metavar="NAME", help="At which step (default: all of it).")] = "",
    right: Annotated[
        list[str] | None, typer.Option("--right", metavar="FIELD=VALUE", help="The right value; repeatable.")
    ] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Dispute it no longer.")] = False,
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """Dispute an item's gold, with the right values where you know them; report --gold counts by it."""
    from tui.cli.notebook import dispute_gold

    place, settings = store_and_config(context, store, config)
    values = o.pairs(right, "--right")
    return dispute_gold(place, settings, what, reason, run, step, values, withdraw=withdraw)


@export_app.command("notes")
def export_notes(
    context: typer.Context,
    format_: Annotated[str, typer.Option("--format", metavar="csv|jsonl|md", help="How.")] = "csv",
    past: Annotated[bool, typer.Option("--past", help="With what was changed or taken back since.")] = False,
    formula_safe: o.FormulaSafe = False,
    store: o.Store = None,
    config: o.Config = None,
) -> int:
    """The whole notebook: notes, tags, people's scores with their reasons, disputed golds."""
    from tui.cli.notebook import export_notes as put_notes

    return put_notes(store_of(context, store, config), format_, past=past, formula_safe=formula_safe)


@export_app.command("study")
def export_study(
    context: typer.Context,
    study: Named,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", parser=user_path, help="A new folder (default: after the study)."),
    ] = None,
    bom: Annotated[bool, typer.Option("--bom", help="CSV with a byte order mark, as Excel wants UTF-8.")] = False,
    formula_safe: Annotated[
        bool, typer.Option("--formula-safe", help="CSV with an apostrophe before what a spreadsheet would compute.")
    ] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Parquet files too (needs pyarrow).")] = False,
    kind: Annotated[
        str, typer.Option("--kind", metavar="main|pilot|simulated", help="Which sessions; never several together.")
    ] = "main",
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """A study's tables (trials, participants, sessions, events), dictionary, BIDS files and checklist."""
    from tui.cli.study.exporting import export_study as written

    form = {"bom": bom, "formula_safe": formula_safe, "parquet": parquet}
    return written(store_of(context, store, config), study, out, kind, form, as_json=as_json)
