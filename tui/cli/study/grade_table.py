"""How far grading is and how far two graders agree, in a table or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.cells import ALL
from tui.cli.output import console, put, put_json
from tui.counting import counted
from tui.inert import one_line

if TYPE_CHECKING:
    from sessions.studies.grading_tables import GradingReport


def print_grading(found: GradingReport, *, as_json: bool = False) -> None:
    """On stdout."""
    if as_json:
        put_json(found.to_json())
        return
    for each in found.done:
        what = "settles" if each.settles else "grades"
        untold = f", of {each.cannot_tell} it could not be told" if each.cannot_tell else ""
        put(
            f"{one_line(each.author)} {what}: {each.answers:,} of {counted(each.of, 'answer')},"
            f" {counted(each.verdicts, 'judgement')}{untold}"
        )
    if not found.done:
        put(f"nobody has judged any of {counted(found.answers, 'answer')} yet")
    if found.agreement:
        _print_agreement(found)
        if found.open:
            put(f"still to be settled: {counted(found.open, 'difference')} (--adjudicate)")


def _print_agreement(found: GradingReport) -> None:
    from rich.table import Table

    table = Table(
        title="Graders against each other, before anything was settled",
        caption="n: answers (describe: pictures) that both found right or wrong; kappa: Cohen; alpha: Krippendorff",
        title_justify="left",
        caption_justify="left",
    )
    for name in ("graders", "step", "property"):
        table.add_column(name, overflow="fold")
    for name in ("n", "agree", "kappa", "alpha", "cannot tell", "differ", "settled"):
        table.add_column(name, justify="right")
    for row in found.agreement:
        table.add_row(
            one_line(f"{row.first} / {row.second}"),
            row.step,
            "all (question)" if row.property == ALL else row.property,
            str(row.n),
            f"{100 * row.agree / row.n:.1f}%" if row.n else "-",
            _number(row.kappa),
            _number(row.alpha),
            str(row.cannot_tell),
            str(row.differ),
            str(row.settled),
        )
    console().print(table)


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
