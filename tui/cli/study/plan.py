"""``phoropter study plan``: how exact a study of that size will be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.files import user_path
from tui.cli import options as o


def plan(
    study: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", parser=user_path, help="A study's file: sizes from there.")
    ] = None,
    raters: Annotated[
        list[int] | None, typer.Option("--raters", min=1, max=1000, metavar="K", help="People an item; repeatable.")
    ] = None,
    items: Annotated[
        list[int] | None, typer.Option("--items", min=1, max=10_000, metavar="N", help="Items; repeatable.")
    ] = None,
    people: Annotated[
        list[int] | None, typer.Option("--people", min=1, max=1000, metavar="M", help="People; repeatable.")
    ] = None,
    accuracy: Annotated[float, typer.Option("--accuracy", metavar="SHARE", help="What people will about get.")] = 0.7,
    person_sd: Annotated[
        float | None, typer.Option("--person-sd", metavar="LOGITS", help="How much people differ (0.7).")
    ] = None,
    item_sd: Annotated[
        float | None, typer.Option("--item-sd", metavar="LOGITS", help="How much items differ (1.0).")
    ] = None,
    studies: Annotated[
        int, typer.Option("--studies", min=10, max=10_000, metavar="N", help="Studies to make up for each size.")
    ] = 200,
    seed: o.Seed = 0,
    format_: o.Format = "",
    out: o.ReportFile = None,
    force: o.Force = False,
    as_json: o.AsJson = False,
) -> int:
    """Interval width for k raters x n items x m people, from made-up studies with effects of persons and items."""
    from itertools import product

    from core.study.effects import ITEM_SD, PERSON_SD, Effects, expected
    from tui.cli.formats.writing import wanted, write
    from tui.cli.study.plan_table import expected_report

    how = wanted(format_, out, as_json=as_json, force=force)
    effects = Effects(
        accuracy, PERSON_SD if person_sd is None else person_sd, ITEM_SD if item_sd is None else item_sd
    )
    if study is not None:
        k, n, m = _sizes(study)
        raters, items, people = raters or [k], items or [n], people or [m]
    sizes = list(product(raters or [3], items or [100], people or [20]))
    possible = [(k, n, m) for k, n, m in sizes if k <= m]
    rows = [expected(effects, m, n, k, studies=studies, seed=seed) for k, n, m in possible or sizes]
    write(expected_report(rows, effects), how)
    return 0


def _sizes(file: Path) -> tuple[int, int, int]:
    """Raters, items and about how many people the study of that file takes."""
    from core.study.preparing import prepare_study
    from core.study.reading import read_study
    from core.study.slots import deal

    study = read_study(file)
    prepared = prepare_study(study, check_pictures=False)
    sessions = len(deal(study, prepared.pool))
    return study.design.raters, len(prepared.pool.items), max(sessions, study.design.raters)
