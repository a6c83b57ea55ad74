"""The table of an intervention: what came right and what went wrong, and how much of that a sham does too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from core.cells import ALL
from core.flips import Change, Compared, Flips
from core.tables import Table
from sessions.flips import Intervened
from tui.cli.output import say
from tui.counting import counted
from tui.inert import one_line

HEADER: Final = (
    "step", "property", "what", "n", "came right", "went wrong", "stayed right", "stayed wrong",
    "change", "95%", "p",
)  # fmt: skip
TEXTS: Final = ("step", "property", "what", "scorer")
STAYED: Final = ("stayed right", "stayed wrong")
LABELS: Final[Mapping[Compared, str]] = {
    "intervention - plain": "what-if",
    "sham - plain": "sham",
    "intervention - sham": "vs sham",
}
CAPTION: Final = (
    "what-if and sham: against the plain run; vs sham: the what-if against the sham",
    "change: points of accuracy, 95% over items; p: exact sign test over items",
)


def flip_tables(found: Sequence[Intervened]) -> list[Table]:
    """A table for each run with interventions; on stderr what would be needed for one where there is none."""
    tables = []
    for one in found:
        if one.rows:
            tables.append(_table(one))
        else:
            say(f"{one.run}: {_missing(one)}")
    return tables


def _missing(one: Intervened) -> str:
    if not one.base:
        return "no plain run to set it against; the same command without --intervene makes one"
    return f"nothing to compare with {one.base} yet: no finished trajectory was asked a step after the intervention"


def _title(one: Intervened) -> str:
    what = f"what {one.interventions} changed" if one.interventions else "what its own turns changed"
    return one_line(f"{one.run}: {what} against {one.base or one.sham}")


def _notes(one: Intervened) -> list[str]:
    out = [*CAPTION]
    if one.sham:
        out.append(one_line(f"sham: {one.sham}"))
    elif not any(row.compared == "sham - plain" for row in one.rows):
        out.append("no sham was run (--sham): how much of this is chance of the server is not known")
    lost = {(row.run, row.against): row.left_out for row in one.rows if row.left_out}
    out += [
        one_line(
            f"in no row: {counted(n, 'trajectory')} of {run}, unfinished or without a finished counterpart in {other}"
        )
        for (run, other), n in lost.items()
    ]
    if one.base_repeats > one.repeats:
        out.append(one_line(f"{one.base}: {some_repeats(one.repeats, one.base_repeats)} compared"))
    if any(row.asked_anew for row in one.rows):
        out.append("the steps before were asked anew, and may differ as well; --from takes them over")
    return out


def some_repeats(taken: int, there: int) -> str:
    """Which of a run's repeats of an item are taken: ``of its 3 repeats of an item the first alone is``."""
    those = "alone is" if taken == 1 else f"{taken} alone are"
    return f"of its {counted(there, 'repeat')} of an item the first {those}"


def _grid(rows: Sequence[Flips]) -> tuple[list[str], list[list[str]]]:
    """Header and rows: what is compared stands together under its step and property."""
    scorers = len({row.scorer for row in rows}) > 1
    single = len({row.property for row in rows} - {ALL}) == 1
    groups: dict[tuple[str, str, str], list[Flips]] = {}
    steps = list(dict.fromkeys(row.step for row in rows))
    for row in sorted(rows, key=lambda row: steps.index(row.step)):
        if not (single and row.property == ALL):
            groups.setdefault((row.scorer, row.step, row.property), []).append(row)
    out = []
    for (scorer, step, name), together in groups.items():
        for row in together:
            head = [*([scorer] if scorers else []), step, name, LABELS[row.compared]]
            out.append([*head, *_figures(row.figures)])
    return [*(["scorer"] if scorers else []), *HEADER], out


def _figures(figures: Change) -> list[str]:
    counts = (figures.n, figures.wrong_right, figures.right_wrong, figures.right_right, figures.wrong_wrong)
    interval = f"{100 * figures.low:+.1f} to {100 * figures.high:+.1f}"
    p = "<0.001" if figures.p < 0.001 else f"{figures.p:.3f}"
    return [*map(str, counts), f"{100 * figures.change:+.1f}", interval, p]


def _table(one: Intervened) -> Table:
    """On a narrow screen without what stayed as it was."""
    header, rows = _grid(one.rows)
    merged = header.index("what")
    return Table(
        _title(one), header, rows, words=TEXTS, notes=_notes(one), merged=merged, parted=merged - 1, spare=STAYED
    )
