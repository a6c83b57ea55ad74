"""``phoropter run --study FILE``: a model is asked what the participants of a study are asked, in the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

if TYPE_CHECKING:
    from core.planning import Request

SAID_BY_THE_FILE: Final = (
    "data",
    "pictures",
    "protocol",
    "set_",
    "prompts",
    "where",
    "sample",
    "mapping",
    "skip_bad",
)
"""Options of ``run`` that say what the study's file says."""


def asked_alike(
    context: typer.Context, file: Path | None, conditions: Sequence[str] | None, benchmark: str
) -> Callable[[Request], list[Request]] | None:
    """What makes of a request one for each condition of the study, with its items and its way of asking; None where
    no study is named. Raises UsageError for what contradicts the file, ConfigError, DataError for a bad study.
    """
    from core.errors import UsageError

    if file is None:
        if conditions:
            raise UsageError("conditions are those of a study", where="--condition", remedy="Add --study FILE")
        if not benchmark:
            raise UsageError("nothing is named to be run", remedy="Name a benchmark (voila:ND) or --study FILE")
        return None
    _refuse_contradictions(context, file)
    from core.selection import Filter
    from core.study.checking import check
    from core.study.preparing import request_of
    from core.study.reading import read_file
    from core.study.told import Told
    from tui.cli.output import say
    from tui.counting import counted

    dry = check(read_file(file))
    study = dry.study
    if benchmark and benchmark.casefold() not in (study.benchmark.casefold(), dry.prepared.name.casefold()):
        raise UsageError(f"the study is on {dry.prepared.name}", where=benchmark, remedy="Leave the benchmark out")
    wanted = tuple(dict.fromkeys(conditions or study.ways))
    for name in wanted:
        if name not in study.ways:
            near = get_close_matches(name, study.ways, n=1)
            known = ", ".join(study.ways) if study.conditions else "it has but one, which has no name"
            remedy = f"Did you mean {near[0]}?" if near else f"There are: {known}"
            raise UsageError("the study has no such condition", where=f"--condition {name}", remedy=remedy)
    ids = tuple(dry.prepared.pool.items)
    say(f"study: {study.name}, digest {dry.digest[:12]}, {counted(len(ids), 'item')}, asked as its participants are")

    def alike(request: Request) -> list[Request]:
        asked = Filter({"id": ids}, seed=request.filter.seed, limit=request.filter.limit, shard=request.filter.shard)
        out = []
        for name in wanted:
            way = request_of(study, study.ways[name])
            out.append(
                replace(
                    request,
                    benchmark=study.benchmark,
                    data=way.data,
                    pictures=way.pictures,
                    protocol=way.protocol,
                    options=way.options,
                    prompts=way.prompts,
                    filter=asked,
                    told=Told.of(study, dry.digest, name),
                )
            )
        return out

    return alike


def _refuse_contradictions(context: typer.Context, file: Path) -> None:
    from core.errors import UsageError

    for name in SAID_BY_THE_FILE:
        if context.params.get(name):
            option = {"set_": "--set", "mapping": "--map", "skip_bad": "--skip-bad"}.get(name, f"--{name}")
            raise UsageError(
                "the study's file says this", where=f"{option} with --study {file}", remedy="Leave it out"
            )
