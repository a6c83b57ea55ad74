"""``phoropter make`` with its options, as typer reads them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from core.files import user_path
from tui.cli import options as o
from tui.cli.places import given

if TYPE_CHECKING:
    from tui.cli.making.going import How

make_app = typer.Typer(help="Make new items.", no_args_is_help=True)

Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FOLDER", parser=user_path, help="A new folder for the set.")
]
Name: TypeAlias = Annotated[str | None, typer.Option("--name", metavar="NAME", help="Name of a new run.")]
Licence: TypeAlias = Annotated[str, typer.Option("--licence", metavar="TEXT", help="Of the set, for its card.")]
SkipBad: TypeAlias = Annotated[bool, typer.Option("--skip-bad", help="Leave bad rows out.")]
TextOnly: TypeAlias = Annotated[
    list[str] | None, typer.Option("--text-only", metavar="NAME", help="Whom the words are tried on; repeatable.")
]
Judge: TypeAlias = Annotated[str, typer.Option("--judge", metavar="NAME", help="Who checks what was made.")]


def _how(
    context: typer.Context,
    store: Path | None,
    config: Path | None,
    concurrency: int,
    budget: float | None,
    *,
    out: Path | None = None,
    name: str | None = None,
    licence: str = "",
    as_json: bool,
) -> How:
    from core.curation.cards import UNSTATED
    from tui.cli.making.going import How

    return How(
        given(context, "store", store),
        given(context, "config", config),
        out=out,
        name=o.run_name(name),
        concurrency=concurrency,
        budget=o.amount(budget),
        licence=licence or UNSTATED,
        as_json=as_json,
    )


@make_app.command("voila")
def make_voila(
    context: typer.Context,
    subset: Annotated[str, typer.Option("--subset", metavar="WD|ND", help="With or without distraction.")] = "WD",
    count: Annotated[
        int, typer.Option("--count", min=1, max=o.MOST_ITEMS, metavar="N", help="How many questions.")
    ] = 190,
    seed: o.Seed = 0,
    out: Out = None,
    size: Annotated[
        int, typer.Option("--size", min=48, max=2048, metavar="PIXELS", help="Of a drawn picture.")
    ] = 512,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many questions there can be.")] = False,
    maker: Annotated[
        str, typer.Option("--maker", metavar="NAME", help="Who makes the pictures (default: they are drawn).")
    ] = "",
    judge: Judge = "",
    made: Annotated[int, typer.Option("--made", min=1, max=1000, metavar="N", help="Pictures of each content.")] = 30,
    kept: Annotated[int, typer.Option("--kept", min=1, max=1000, metavar="N", help="How many of them stay.")] = 10,
    needed: Annotated[
        bool, typer.Option("--needed", help="Only of contents that the questions show, not of all 728.")
    ] = False,
    name: Name = None,
    licence: Licence = "",
    prompts: o.Prompts = None,
    concurrency: o.Concurrency = 0,
    budget: o.Budget = None,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """New VOILA questions in the published form (algorithm 1), with drawn pictures or a maker's (docs/making.md)."""
    if not maker or dry_run:
        from tui.cli.make import make_voila_questions

        return make_voila_questions(subset, count, seed, out, size, dry_run=dry_run, as_json=as_json)
    from tui.cli.making.voila import Wanted, make_voila_pictures

    how = _how(context, store, config, concurrency, budget, out=out, name=name, licence=licence, as_json=as_json)
    wanted = Wanted(maker, subset.upper(), count, seed, judge, made, kept, needed, prompts)
    return make_voila_pictures(wanted, how)


@make_app.command("vrex")
def make_vrex(
    context: typer.Context,
    chains: Annotated[
        Path, typer.Argument(metavar="CHAINS", parser=user_path, help="Pictures and gold chains: JSON lines.")
    ],
    respondent: Annotated[str, typer.Option("--respondent", metavar="NAME", help="Who makes distractors.")],
    confuser: Annotated[
        str, typer.Option("--confuser", metavar="NAME", help="Whom the misleading chains are tried on.")
    ] = "",
    selector: Annotated[
        str, typer.Option("--selector", metavar="NAME", help="Who picks the most diverse distractors.")
    ] = "",
    judge: Judge = "",
    options: Annotated[
        int, typer.Option("--options", min=3, max=6, metavar="N", help="Questions to choose from at each step.")
    ] = 6,
    rounds: Annotated[int, typer.Option("--rounds", min=0, max=3, metavar="N", help="Reviews, each by another.")] = 2,
    seed: o.Seed = 0,
    out: Out = None,
    name: Name = None,
    licence: Licence = "",
    prompts: o.Prompts = None,
    where: o.Where = None,
    limit: o.Limit = 0,
    pictures: o.Pictures = "",
    mapping: o.Mapping = None,
    skip_bad: SkipBad = False,
    concurrency: o.Concurrency = 0,
    budget: o.Budget = None,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """V-REX planning items from gold chains: distractors made, merged, checked, reviewed (docs/making.md)."""
    from core.selection import Filter
    from tui.cli.making.vrex import make_vrex_items

    return make_vrex_items(
        chains,
        respondent,
        {"confuser": confuser, "selector": selector, "judge": judge},
        _how(context, store, config, concurrency, budget, out=out, name=name, licence=licence, as_json=as_json),
        options={"options": str(options), "rounds": str(rounds), "seed": str(seed)},
        prompts=prompts,
        chosen=Filter(o.grouped_pairs(where, "--where"), limit=limit),
        pictures=o.pictures_place(pictures),
        mapping=o.pairs(mapping, "--map"),
        skip_bad=skip_bad,
    )


@make_app.command("mmra")
def make_mmra(
    context: typer.Context,
    pictures: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", parser=user_path, help="Pictures; with captions in descriptions.jsonl."),
    ],
    out: Out = None,
    annotator: Annotated[
        str, typer.Option("--annotator", metavar="NAME", help="Who writes questions (default: people).")
    ] = "people",
    captioner: Annotated[
        str, typer.Option("--captioner", metavar="NAME", help="Who captions pictures that have no caption.")
    ] = "",
    text_only: TextOnly = None,
    subtask: Annotated[
        list[str] | None, typer.Option("--subtask", metavar="NAME", help="Only this one; repeatable.")
    ] = None,
    each: Annotated[
        int, typer.Option("--each", min=1, max=o.MOST_ITEMS, metavar="N", help="Pairs for each subtask.")
    ] = 90,
    similarity: Annotated[
        float, typer.Option("--similarity", min=-1.0, max=1.0, metavar="COSINE", help="Least, of two captions.")
    ] = 0.5,
    reviews: Annotated[int, typer.Option("--reviews", min=0, max=1, metavar="N", help="By another person.")] = 1,
    seed: o.Seed = 0,
    name: Name = None,
    licence: Licence = "",
    prompts: o.Prompts = None,
    concurrency: o.Concurrency = 0,
    budget: o.Budget = None,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """MMRA pairs from a folder of pictures: annotated, reviewed, checked for leakage (docs/making.md)."""
    from tui.cli.making.mmra import Wanted, make_mmra_items

    how = _how(context, store, config, concurrency, budget, out=out, name=name, licence=licence, as_json=as_json)
    wanted = Wanted(
        pictures,
        annotator,
        captioner,
        tuple(text_only or ()),
        tuple(subtask or ()),
        each,
        similarity,
        reviews,
        seed,
        prompts,
    )
    return make_mmra_items(wanted, how)


@make_app.command("leakage")
def make_leakage(
    context: typer.Context,
    data: Annotated[Path, typer.Argument(metavar="PATH", parser=user_path, help="An MMRA set.")],
    text_only: TextOnly = None,
    seed: o.Seed = 0,
    concurrency: o.Concurrency = 0,
    budget: o.Budget = None,
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Whether the words of a set give its answers away: guessers by one cue, and respondents that see no picture."""
    from tui.cli.making.leakage import leakage

    how = _how(context, store, config, concurrency, budget, as_json=as_json)
    return leakage(data, tuple(text_only or ()), how, seed=seed)


@make_app.command("review")
def make_review(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help="What a `make` command named.")],
    reviewer: Annotated[str, typer.Option("--reviewer", metavar="NAME", help="Your pseudonym.")],
    verdicts: Annotated[
        Path | None,
        typer.Option(
            "--verdicts",
            metavar="FILE",
            parser=user_path,
            help='Instead of a screen: JSON lines {"item", "verdict", "text"?, "reason"?}.',
        ),
    ] = None,
    pictures: o.Pictures = "",
    store: o.Store = None,
    config: o.Config = None,
    images: o.Images = "",
    as_json: o.AsJson = False,
) -> int:
    """Accept, edit or reject what was made, one item at a time; different people in each round."""
    from tui.cli.making.review import review

    return review(
        run,
        reviewer,
        store=given(context, "store", store),
        config=given(context, "config", config),
        images=given(context, "images", images or None) or "",
        pictures=o.pictures_place(pictures),
        verdicts=verdicts,
        as_json=as_json,
    )
