"""One writer for all reports: a format and a place, and each format's module only where it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import UsageError
from core.tables import Report
from tui.cli.output import put, put_json, say
from tui.cli.placing import refuse_place, write_file
from tui.inert import one_line

FORMATS: Final = ("table", "md", "csv", "json", "tex", "html")
KNOWN: Final = "|".join(FORMATS)
"""As a metavar of ``--format``."""

_ENDINGS: Final = {"txt": "table", "htm": "html", "latex": "tex", "markdown": "md"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a report is wanted, and where: on stdout, or in a file, which is replaced with ``force`` alone."""

    format: str
    out: Path | None = None
    force: bool = False
    formula_safe: bool = False

    @property
    def shows(self) -> bool:
        """Whether it goes to a reader's eyes here and now."""
        return self.format == "table" and self.out is None


def wanted(
    format_: str, out: Path | None = None, *, as_json: bool = False, force: bool = False, formula_safe: bool = False
) -> Wanted:
    """What the options say; without a format the file's ending does. Raises UsageError for what cannot be written."""
    if as_json:
        format_ = "json"
    elif not format_:
        format_ = _by_ending(out) if out is not None else "table"
    if format_ not in FORMATS:
        raise UsageError(f"there is no format {format_!r}", where="--format", remedy=f"Known: {', '.join(FORMATS)}")
    refuse_formulas(format_, formula_safe=formula_safe)
    if out is not None:
        refuse_place(out, force=force)
    return Wanted(format_, out, force, formula_safe)


def _by_ending(out: Path) -> str:
    """The format that a file's name asks for, a table where it has no ending. Raises UsageError for an ending that
    is no format's."""
    ending = out.suffix.removeprefix(".").lower()
    if ending in ("", *FORMATS):
        return ending or "table"
    if ending not in _ENDINGS:
        known = ", ".join(f".{name}" for name in sorted({*FORMATS, *_ENDINGS} - {"table"}))
        raise UsageError(
            f"no format has the ending .{ending}", where=f"--out {out}", remedy=f"Known: {known}; or say --format"
        )
    return _ENDINGS[ending]


def refuse_formulas(format_: str, *, formula_safe: bool) -> None:
    """Raises UsageError where ``--formula-safe`` is given and the format is none that spreadsheets read."""
    if formula_safe and format_ != "csv":
        raise UsageError("only csv is read by spreadsheets", where="--formula-safe", remedy="Add --format csv")


def write(report: Report, how: Wanted, page: Callable[[], str] | None = None) -> None:
    """The report in the wanted format at its place; ``page`` makes the HTML where it holds more than the tables."""
    if how.shows:
        from tui.cli.formats import terminal

        terminal.show(report.parts)
    elif how.out is None and how.format == "json":
        put_json(report.document)
    elif how.out is None:
        put(_text(report, how, page))
    else:
        write_file(how.out, _text(report, how, page).encode("utf-8", "backslashreplace"), force=how.force)
        say(f"{how.format}: {one_line(str(how.out))}")


def _text(report: Report, how: Wanted, page: Callable[[], str] | None) -> str:
    if how.format == "json":
        return json.dumps(report.document, ensure_ascii=True, indent=2, default=str) + "\n"
    if how.format == "csv":
        from tui.cli.formats import delimited

        return delimited.text(report, formula_safe=how.formula_safe)
    if how.format == "md":
        from tui.cli.formats import markdown

        return markdown.text(report)
    if how.format == "tex":
        from tui.cli.formats import latex

        return latex.text(report)
    if how.format == "html":
        from tui.cli.formats.page import text

        return page() if page is not None else text(report)
    from tui.cli.formats import terminal

    return terminal.text(report)
