"""``phoropter study new``: a commented file for a study of a benchmark."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from tui.cli import options as o
from tui.cli.study.options import File


def new(
    file: File,
    benchmark: Annotated[str, typer.Option("--benchmark", metavar="BENCHMARK[:SUBSET]", help="What is asked about.")],
    data: o.Data = None,
    pictures: o.Pictures = "",
    protocol: Annotated[
        str, typer.Option("--protocol", metavar="NAME", help="How items are asked (default: as people are, usually).")
    ] = "",
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The study's name (default: the file's).")] = "",
    seed: Annotated[int, typer.Option("--seed", min=0, max=o.SEEDS, metavar="S", help="For all that is drawn.")] = 0,
    language: Annotated[
        list[str] | None,
        typer.Option("--language", metavar="XX", help="A table of texts in another language, too; repeatable."),
    ] = None,
) -> int:
    """Write a commented study file for a benchmark; what only you can know is left as blanks."""
    from core.study.wanted import BLANK
    from core.study.writing import Wish, named_after, save, written
    from tui.cli.choosing import chosen_data
    from tui.cli.output import put, say
    from tui.counting import counted

    wish = Wish(
        benchmark,
        name or named_after(file),
        chosen_data(benchmark, data),
        o.pictures_place(pictures),
        protocol,
        seed,
        tuple(dict.fromkeys(language or ())),
    )
    text = written(wish, file)
    save(text, file)
    blanks = sum(len(BLANK.findall(line)) for line in text.splitlines() if not line.startswith("#"))
    say(f"{counted(blanks, 'blank')} to fill in: look for <FILL IN in the file")
    say(f"then: phoropter study check {shlex.quote(str(file))}")
    put(str(file))
    return 0
