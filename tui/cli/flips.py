"""The table of an intervention: what came right and what went wrong, and how much of that a sham does too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from core.flips import Change, Compared, Flips
from core.tally import ALL
from sessions.flips import Intervened
from tui.cli.output import console, fits, markdown_table, put, say
from tui.inert import one_line

if TYPE_CHECKING:
    from rich.table import Table

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


def print_flips(found: Sequence[Intervened], format_: str) -> None:
    """A table for each run with interventions; on stderr what would be needed for one where there is none."""
    for one in found:
        if one.rows and format_ == "md":
            put(f"\n**{_title(one)}**\n")
            put(markdown_table(*_grid(one.rows)))
            put("\n".join(_notes(one)))
        elif one.rows:
            _print(one)
        else:
            say(f"{one.run}: {_missing(one)}")


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
    out += [one_line(f"left out, unfinished there or in {other}: {n} of {run}") for (run, other), n in lost.items()]
    if any(row.asked_anew for row in one.rows):
        out.append("the steps before were asked anew, and may differ as well; --from takes them over")
    return out


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


def _print(one: Intervened) -> None:
    """Whole where there is room; on a narrow screen without what stayed as it was."""
    out = console()
    header, rows = _grid(one.rows)
    if not fits(out, _table(one, header, rows)):
        kept = [index for index, name in enumerate(header) if name not in STAYED]
        header, rows = [header[index] for index in kept], [[row[index] for index in kept] for row in rows]
    out.print(_table(one, header, rows))


def _table(one: Intervened, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(
        title=_title(one),
        caption="\n".join(_notes(one)),
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE,
        padding=(0, 1, 0, 0),
    )
    for name in header:
        text = name in TEXTS
        shown = name.replace(" ", "\n")
        table.add_column(shown, justify="left" if text else "right", overflow="fold", no_wrap=not text)
    place = header.index("what")
    last: list[str] = []
    for row in rows:
        head = list(row[:place])
        if head[:-1] != last[:-1] and last:
            table.add_section()
        told = [value if head[: at + 1] != last[: at + 1] else "" for at, value in enumerate(head)]
        last = head
        table.add_row(*told, *row[place:])
    return table
