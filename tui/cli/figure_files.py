"""A report's figures: as files in a folder with their numbers beside, or within a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.errors import UsageError, joined
from core.figures.records import FIELDS, Figure
from core.tables import Report, Table
from sessions.provenance import Provenance
from tui.cli.formats import delimited
from tui.cli.formats.page import Drawing
from tui.cli.output import say
from tui.cli.placing import refuse_place, write_file
from tui.cli.progress import WorkProgress
from tui.counting import counted
from tui.inert import one_line

RUNS: Final = "runs.csv"
"""What the figures of a folder stand on."""
_SHOWN: Final = ("panel", "series", "x", "value", "low", "high", "n", "source")
_WORDS: Final = ("panel", "series", "x", "source")


def refuse_folder(folder: Path) -> None:
    """Raises UsageError where there can be no figures, before any work is done for them."""
    from tui.cli.formats import plotting  # noqa: F401  (it says so where its library is missing)

    if folder.exists() and not folder.is_dir():
        raise UsageError("this is no folder", where=str(folder), remedy="Name one with --figures")


def write_figures(
    figures: Sequence[Figure], folder: Path, told: Provenance, progress: WorkProgress, *, force: bool
) -> None:
    """Each figure as svg, pdf and png, its numbers as csv, and what they stand on. Raises UsageError."""
    from tui.cli.formats import plotting

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder cannot be made ({error.strerror})", where=str(folder)) from None
    stems = plotting.names_of(figures)
    for stem in stems:
        for ending in (*plotting.ENDINGS, "csv"):
            refuse_place(folder / f"{stem}.{ending}", force=force)
    progress.expect(len(stems))
    for stem, figure in zip(stems, figures, strict=True):
        progress.begin(f"drawing {stem}")
        for ending, data in plotting.files(figure).items():
            write_file(folder / f"{stem}.{ending}", data, force=force)
        records = [{**record, "version": told.version} for record in figure.records()]
        numbers = delimited.text(Report("", (), {}, records, FIELDS))
        write_file(folder / f"{stem}.csv", numbers.encode("utf-8", "backslashreplace"), force=force)
        progress.did()
    runs = [{**run.to_json(), "filter": run.chosen, "version": told.version, "gold": told.gold} for run in told.runs]
    about = delimited.text(Report("", (), {}, runs))
    write_file(folder / RUNS, about.encode("utf-8", "backslashreplace"), force=True)
    say(f"{counted(len(figures), 'figure')} in {one_line(str(folder))}: svg, pdf and png, numbers beside them as csv")


def drawings(figures: Sequence[Figure], progress: WorkProgress) -> tuple[list[Drawing], list[str]]:
    """The figures for a page, and what to say where they cannot be drawn."""
    try:
        from tui.cli.formats import plotting
    except UsageError as error:
        return [], [f"No figures: {joined(error.what, error.remedy)}."]
    from tui.cli.formats.inline_svg import inline

    out = []
    progress.expect(len(figures))
    for number, figure in enumerate(figures, 1):
        progress.begin(f"drawing {figure.title}")
        svg = inline(plotting.for_page(figure), figure.title, prefix=f"f{number}-", ink=plotting.INK)
        out.append(Drawing(figure.title, svg, _numbers(figure)))
        progress.did()
    return out, []


def _numbers(figure: Figure) -> Table:
    rows = [[_text(record[name]) for name in _SHOWN] for record in figure.records()]
    return Table("", _SHOWN, rows, words=_WORDS, merged=2, parted=1)


def _text(value: object) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else one_line(str(value))
