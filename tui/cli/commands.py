"""Every command with its options, as typer reads them. The work is imported only when a command runs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from core.files import user_path
from tui.cli import options as o
from tui.cli.data_commands import fetch
from tui.cli.exchange_commands import import_app, merge
from tui.cli.make_commands import make_app
from tui.cli.notebook_commands import export_app, notes_app
from tui.cli.places import given, store_of
from tui.cli.respondents_commands import respondents_app
from tui.cli.runs_commands import runs_app
from tui.cli.study import study_app

HELP = "See where visual reasoning breaks: models and people on the same items, one step at a time, one scorer."

app = typer.Typer(
    help=HELP,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(runs_app, name="runs", rich_help_panel=None)
app.add_typer(respondents_app, name="respondents")
app.add_typer(make_app, name="make")
app.add_typer(notes_app, name="notes")
app.add_typer(export_app, name="export")
app.add_typer(import_app, name="import")
app.add_typer(study_app, name="study")


@cache
def application() -> Any:
    """The click command behind all of it."""
    return o.refusing_empty(typer.main.get_command(app))


def _version(wanted: bool) -> None:
    if wanted:
        from core.version import own_version
        from tui.cli.output import put

        put(f"phoropter {own_version()}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    store: o.Store = None,
    config: o.Config = None,
    run: Annotated[
        str, typer.Option("--run", metavar="RUN", help="Open the app on this run (default: the latest).")
    ] = "",
    images: o.Images = "",
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Say it.")] = False,
) -> int:
    """See where visual reasoning breaks: models and people on the same items, one step at a time, one scorer.

    Without a command: the app on the store.
    """
    context.obj = {"store": store, "config": config, "images": images}
    if context.invoked_subcommand is not None:
        return 0
    from tui.cli.opening import open_app

    return open_app(store, config, run, images)


@app.command()
def demo(
    context: typer.Context,
    store: o.Store = None,
    config: o.Config = None,
    subset: Annotated[str, typer.Argument(metavar="[BENCHMARK[:SUBSET]]", help="Which pack.")] = "",
    respondent: Annotated[str, typer.Option("--respondent", metavar="NAME", help="Who answers; else eyes.")] = "",
    protocol: o.Protocol = "",
    images: o.Images = "",
) -> int:
    """The app on the built-in packs and a small model; without a terminal, a small batch and its report."""
    from tui.cli.opening import demonstrate

    places = given(context, "store", store), given(context, "config", config)
    return demonstrate(subset, respondent, protocol, *places, given(context, "images", images or None) or "")


@app.command()
def items(
    context: typer.Context,
    benchmark: o.Benchmark,
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Show these whole.")] = None,
    data: o.Data = None,
    pictures: o.Pictures = "",
    where: o.Where = None,
    limit: o.Limit = 0,
    sample: o.Sample = 0,
    seed: o.Seed = 0,
    mapping: o.Mapping = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad rows out.")] = False,
    as_json: o.AsJson = False,
) -> int:
    """List a benchmark's items, or show some of them whole."""
    from core.planning import Request
    from core.selection import Filter
    from tui.cli.choosing import chosen_data
    from tui.cli.items import list_items, show_items

    chosen = Filter(o.grouped_pairs(where, "--where"), sample, seed, limit)
    request = Request(
        benchmark,
        data=chosen_data(benchmark, data),
        pictures=o.pictures_place(pictures),
        filter=chosen,
        mapping=o.pairs(mapping, "--map"),
        skip_bad=skip_bad,
    )
    return show_items(request, ids, as_json=as_json) if ids else list_items(request, as_json=as_json)


@app.command()
def run(
    context: typer.Context,
    benchmark: o.BenchmarkOrStudy = "",
    respondent: o.Respondents = None,
    study: o.Study = None,
    condition: o.Condition = None,
    data: o.Data = None,
    pictures: o.Pictures = "",
    protocol: o.Protocol = "",
    set_: o.Set = None,
    prompts: o.Prompts = None,
    respondent_at: o.RespondentAt = None,
    where: o.Where = None,
    limit: o.Limit = 0,
    sample: o.Sample = 0,
    shard: o.Shard = "",
    seed: o.Seed = 0,
    repeats: o.Repeats = 1,
    intervene: o.Intervene = None,
    sham: Annotated[bool, typer.Option("--sham", help="The control: ask those steps again, put nothing in.")] = False,
    from_run: Annotated[
        str, typer.Option("--from", metavar="RUN", help="Start from that run's steps before the intervention.")
    ] = "",
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="Name of a new run.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="A new run though one like it exists.")] = False,
    concurrency: o.Concurrency = 0,
    budget: o.Budget = None,
    judge: o.Judge = "",
    via: o.ViaBatch = "live",
    on: o.RunsOn = "",
    workers: o.Workers = 0,
    wait: Annotated[bool, typer.Option("--wait", help="With --via batch: look again until all is done.")] = False,
    poll: o.Poll = 0.0,
    log: o.Log = None,
    mapping: o.Mapping = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Run the rest where rows or pictures are bad.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="The first request whole and the counts; asks nothing.")
    ] = False,
    estimate: o.Estimate = False,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Run a headless batch; the same command again resumes it."""
    from core.planning import Request
    from core.selection import Filter
    from tui.cli.batches import Via
    from tui.cli.choosing import chosen_data
    from tui.cli.elsewhere import On
    from tui.cli.running import run_batch
    from tui.cli.study.models import asked_alike

    asked = asked_alike(context, study, condition, benchmark)
    chosen = Filter(o.grouped_pairs(where, "--where"), sample, seed, limit, o.shard(shard))
    data = chosen_data(benchmark, data) if asked is None else None
    where_pictures = o.pictures_place(pictures)
    requests = [
        Request(
            benchmark,
            data=data,
            pictures=where_pictures,
            protocol=protocol,
            options=o.pairs(set_, "--set"),
            prompts=prompts,
            respondent=who,
            respondents_at=o.pairs(respondent_at, "--respondent-at"),
            interventions=tuple(intervene or ()),
            sham=sham,
            repeats=repeats,
            filter=chosen,
            mapping=o.pairs(mapping, "--map"),
            skip_bad=skip_bad,
            base_run=from_run,
        )
        for who in respondent or [o.NOBODY_NAMED]
    ]
    if asked is not None:
        requests = [asked_so for request in requests for asked_so in asked(request)]
    return run_batch(
        requests,
        store=given(context, "store", store),
        config=given(context, "config", config),
        name=o.run_name(name),
        fresh=fresh,
        concurrency=concurrency,
        budget=o.amount(budget),
        dry_run=dry_run,
        as_json=as_json,
        judge=judge,
        via=Via.of(via, wait=wait, poll_s=poll),
        log=log,
        estimate=estimate,
        on=On.of(on, workers),
        unnamed=not respondent,
    )


@app.command()
def show(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="ITEM|TRAJECTORY", help="An item's id, or a trajectory's number.")],
    run: Annotated[str, typer.Option("--run", metavar="RUN", help="Of this run alone.")] = "",
    raw: Annotated[bool, typer.Option("--raw", help="With the requests and replies as they went.")] = False,
    save_pictures: Annotated[
        str, typer.Option("--save-pictures", metavar="FOLDER", help="Write the pictures that were made into it.")
    ] = "",
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FOLDER",
            parser=user_path,
            help="Write them there with their pictures, as curl can send them.",
        ),
    ] = None,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """A transcript: every turn, picture, prompt, answer and score."""
    from tui.cli.show import show_transcripts

    where = (store_of(context, store, config), given(context, "config", config))
    pictures = user_path(save_pictures, f"--save-pictures {save_pictures}") if save_pictures else None
    return show_transcripts(*where, what, run, raw=raw, save=save, save_pictures=pictures, as_json=as_json)


@app.command()
def score(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN")],
    scorer: Annotated[str, typer.Option("--scorer", metavar="NAME", help="Which scorer (default: rule).")] = "",
    judge: o.Judge = "",
    again: Annotated[
        bool, typer.Option("--again", help="Ask the judge about all once more, beside the old.")
    ] = False,
    prompts: o.Prompts = None,
    concurrency: o.Concurrency = 0,
    diff: Annotated[bool, typer.Option("--diff", help="List what changed.")] = False,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Score a run's stored answers again, by rule or by a judge; asks no respondent."""
    from core.errors import UsageError
    from tui.cli.score import score_again, score_by_judge

    place = store_of(context, store, config)
    if not judge:
        if again or prompts is not None or concurrency:
            raise UsageError(
                "--again, --prompts and --concurrency are a judge's", where="score", remedy="Add --judge"
            )
        return score_again(place, run, scorer, diff=diff, as_json=as_json)
    if scorer:
        raise UsageError("one scores at a time", where=f"--scorer {scorer}", remedy="Leave --scorer or --judge out")
    return score_by_judge(
        place,
        run,
        judge,
        config=given(context, "config", config),
        prompts=prompts,
        concurrency=concurrency,
        again=again,
        diff=diff,
        as_json=as_json,
    )


@app.command()
def report(
    context: typer.Context,
    run: Annotated[list[str] | None, typer.Argument(metavar="[RUN]...", help="Default: all runs.")] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="GROUP", help="Broken down by rule, structure ...; again for several; or all."),
    ] = None,
    scorer: Annotated[str, typer.Option("--scorer", metavar="NAME", help="Only this scorer.")] = "",
    format_: o.Format = "",
    out: o.ReportFile = None,
    figures: Annotated[
        Path | None,
        typer.Option(
            "--figures",
            metavar="FOLDER",
            parser=user_path,
            help="Figures too: svg, pdf, png, csv (extra plots).",
        ),
    ] = None,
    failing: Annotated[
        int | None,
        typer.Option(
            "--failing",
            min=0,
            max=10_000,
            metavar="N",
            help="html: wrong trajectories of a run (12, of all together 600).",
        ),
    ] = None,
    published: Annotated[
        str, typer.Option("--published", metavar="BENCHMARK", help="The papers' own tables instead; needs no store.")
    ] = "",
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="published|people|SCORER",
            help="The papers' figures, or people's, beside; with --agreement, another scorer (default: rule).",
        ),
    ] = "",
    agreement: Annotated[
        str,
        typer.Option(
            "--agreement", metavar="SCORER", help="How far this scorer, such as a judge, agrees with another one."
        ),
    ] = "",
    gold: Annotated[
        str,
        typer.Option(
            "--gold", metavar="published|corrected|undisputed", help="Which gold counts where somebody disputes it."
        ),
    ] = "published",
    tags: Annotated[bool, typer.Option("--tags", help="Instead: how often each tag stands at each step.")] = False,
    force: o.Force = False,
    formula_safe: o.FormulaSafe = False,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """The accuracy tables: each step by property, with intervals."""
    from tui.cli.formats.writing import wanted

    how = wanted(format_, out, as_json=as_json, force=force, formula_safe=formula_safe)
    plain = not (by or scorer or against or gold != "published" or figures is not None)
    if published:
        from tui.cli.published import report_published

        alone = plain and not (run or tags or agreement)
        return report_published(published, how, alone=alone)
    if tags:
        from tui.cli.notebook import report_tags

        o.refuse_beside("--tags", "a table of tags", plain=plain and not agreement)
        return report_tags(store_of(context, store, config), run or [], how)
    from tui.cli.report import Asked, report_agreement, report_runs

    if agreement:
        unbroken = not (by or scorer or gold != "published" or figures is not None)
        o.refuse_beside("--agreement", "a table of agreement", plain=unbroken)
        return report_agreement(store_of(context, store, config), run or [], agreement, against, how)
    asked = Asked(tuple(by or ()), scorer, against, gold, figures, failing)
    return report_runs(store_of(context, store, config), run or [], asked, how)


@app.command()
def compare(
    context: typer.Context,
    sides: Annotated[
        list[str],
        typer.Argument(
            metavar="A B...", help="Runs, or respondents with one run; `people` (or people:STUDY/CONDITION)."
        ),
    ],
    scorer: Annotated[str, typer.Option("--scorer", metavar="NAME", help="Another scorer than the rule.")] = "",
    unmatched: Annotated[bool, typer.Option("--unmatched", help="Though they were asked otherwise.")] = False,
    format_: o.Format = "",
    out: o.ReportFile = None,
    force: o.Force = False,
    formula_safe: o.FormulaSafe = False,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """The same items, paired: differences with intervals and exact tests, and what differed between the sides."""
    from tui.cli.compare import compare_runs
    from tui.cli.formats.writing import wanted

    how = wanted(format_, out, as_json=as_json, force=force, formula_safe=formula_safe)
    return compare_runs(store_of(context, store, config), sides, scorer, how, unmatched=unmatched)


app.command()(fetch)


@app.command()
def doctor(context: typer.Context, store: o.Store = None, config: o.Config = None, as_json: o.AsJson = False) -> int:
    """What works here: terminal, pictures, store, keys, packages, and what to do about the rest."""
    from tui.cli.doctor import examine

    return examine(given(context, "store", store), given(context, "config", config), as_json=as_json)


app.command()(merge)
