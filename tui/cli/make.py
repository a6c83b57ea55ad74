"""``phoropter make``: new items."""

from __future__ import annotations

import sys
from pathlib import Path

from core.benchmarks.voila.make import count_rows, write
from core.benchmarks.voila.rules import READINGS
from core.errors import UsageError
from tui.cli.output import console, put_json, put_table, say
from tui.counting import counted

SUBSETS = ("WD", "ND")


def make_voila_questions(
    subset: str, count: int, seed: int, out: Path | None, size: int, *, dry_run: bool, as_json: bool
) -> int:
    """Write a data set, or (``dry_run``) say how many questions there can be, naming each count."""
    subset = subset.upper()
    if subset not in SUBSETS:
        raise UsageError(f"voila has no subset {subset}", where="--subset", remedy=f"Known: {', '.join(SUBSETS)}")
    if dry_run:
        return _dry_run(subset, count, seed, as_json=as_json)
    if out is None:
        raise UsageError("where to?", where="--out", remedy="Name a new folder with --out FOLDER")

    def progress(done: int, of: int) -> None:
        if sys.stderr.isatty() and (done % 20 == 0 or done == of):
            sys.stderr.write(f"\rdrawn {done}/{of}" + ("\n" if done == of else ""))
            sys.stderr.flush()

    made = write(out.expanduser(), subset, count, seed, size=size, progress=progress)
    if as_json:
        put_json({"folder": str(made.folder), "file": str(made.file), "card": made.card})
    else:
        say(f"{counted(count, 'question')} and {counted(made.card['pictures'], 'picture')} in {made.folder}")
        say(f"try: phoropter run voila:{subset} --data {made.file} --respondent oracle")
    return 0


def _dry_run(subset: str, count: int, seed: int, *, as_json: bool) -> int:
    rows = count_rows(subset, count, seed)
    if as_json:
        put_json({"counts": READINGS, "rows": rows})
        return 0
    from rich.table import Table

    letters = dict(zip(READINGS, "abcdefgh", strict=False))
    table = Table(
        title=f"voila:{subset}: questions to make, and how many each structure can give", title_justify="left"
    )
    for name in ("rule", "structure", "questions", *letters.values()):
        table.add_column(name, justify="right")
    for row in rows:
        if row["rule"] == "all":
            table.add_section()
        shown = [f"{row[reading]:,}" for reading in READINGS]
        table.add_row(str(row["rule"]), str(row["structure"]), f"{row['questions']:,}", *shown)
    out = console()
    put_table(table, out)
    for reading, letter in letters.items():
        out.print(f"{letter}: {READINGS[reading]}")
    return 0
