"""The options that commands share, under the names of the contract."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

from core.errors import UsageError
from core.files import user_path

MOST_ITEMS = 1_000_000_000
MOST_REPEATS = 100_000
MOST_AT_ONCE = 4096
SEEDS = 2**53
"""Up to this size every reader of JSON has the same number."""

Benchmark: TypeAlias = Annotated[str, typer.Argument(metavar="BENCHMARK[:SUBSET]", help="For example voila:ND.")]
BenchmarkOrStudy: TypeAlias = Annotated[
    str, typer.Argument(metavar="BENCHMARK[:SUBSET]", help="For example voila:ND; not needed with --study.")
]
Study: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--study",
        metavar="FILE",
        parser=user_path,
        help="Ask what the participants of this study are asked, as they are.",
    ),
]
Condition: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--condition", metavar="NAME", help="With --study: only this condition (default: each); repeatable."
    ),
]
Store: TypeAlias = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE", parser=user_path, help="The store (default: in your data folder)."),
]
Config: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", parser=user_path, help="phoropter.toml (default: here, then your config folder)."
    ),
]
Data: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="PATH",
        parser=user_path,
        help="The benchmark's file or folder (default: what was fetched, else the demo pack).",
    ),
]
Pictures: TypeAlias = Annotated[
    str, typer.Option("--pictures", metavar="FOLDER|drawn", help="Where the pictures lie; drawn: our stand-ins.")
]
Concurrency: TypeAlias = Annotated[
    int,
    typer.Option(
        "--concurrency", min=0, max=MOST_AT_ONCE, metavar="N", help="At once (default: the respondent's own number)."
    ),
]
Budget: TypeAlias = Annotated[
    float | None,
    typer.Option("--budget", metavar="USD", help="The run stops before it has cost more than this in all."),
]
Protocol: TypeAlias = Annotated[str, typer.Option("--protocol", metavar="NAME", help="How an item is asked.")]
Set: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="An option of the protocol; repeatable.")
]
Prompts: TypeAlias = Annotated[
    Path | None,
    typer.Option("--prompts", metavar="FILE", parser=user_path, help="Prompts in the place of the built-in ones."),
]
NOBODY_NAMED: Final = "oracle"
"""Who answers where nobody is named."""
Respondents: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--respondent", metavar="NAME", help="Who answers (default: oracle); repeatable, one run each."),
]
Respondent: TypeAlias = Annotated[str, typer.Option("--respondent", metavar="NAME", help="Who answers.")]
RespondentAt: TypeAlias = Annotated[
    list[str] | None, typer.Option("--respondent-at", metavar="STEP=NAME", help="Somebody else for one step.")
]
Where: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="KEY=VALUE", help="Only items of that group (rule=19) or id; repeatable."),
]
Limit: TypeAlias = Annotated[
    int, typer.Option("--limit", min=0, max=MOST_ITEMS, metavar="N", help="Only the first N items (0: all).")
]
Sample: TypeAlias = Annotated[
    int, typer.Option("--sample", min=0, max=MOST_ITEMS, metavar="N", help="N items drawn by --seed (0: all).")
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", min=-SEEDS, max=SEEDS, metavar="S", help="For samples and baselines.")
]
Repeats: TypeAlias = Annotated[
    int, typer.Option("--repeats", min=1, max=MOST_REPEATS, metavar="N", help="Trajectories on each item.")
]
Intervene: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--intervene",
        metavar="STEP=WHAT",
        help="gold, gold:PROPERTY, wrong:PROPERTY, text:FILE, prompt:FILE or pictures:2,1,3 at a step; repeatable.",
    ),
]
Judge: TypeAlias = Annotated[
    str, typer.Option("--judge", metavar="NAME", help="A respondent that scores the answers, under its own name.")
]
ViaBatch: TypeAlias = Annotated[
    str,
    typer.Option("--via", metavar="live|batch", help="batch: the server's Batch API; submit, leave, collect later."),
]
RunsOn: TypeAlias = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="processes[:N]|ray[:ADDRESS]",
        help="Run in processes of this machine, or over a Ray cluster (extra ray).",
    ),
]
Workers: TypeAlias = Annotated[
    int,
    typer.Option(
        "--workers", min=0, max=MOST_AT_ONCE, metavar="N", help="With --on: how many (default: one a GPU or CPU)."
    ),
]
Shard: TypeAlias = Annotated[
    str, typer.Option("--shard", metavar="I/N", help="Only the I-th of N parts of the items; `merge` joins them.")
]
Poll: TypeAlias = Annotated[
    float,
    typer.Option("--poll", min=0, max=86_400, metavar="SECONDS", help="Between two looks; implies --wait (60)."),
]
Estimate: TypeAlias = Annotated[
    bool, typer.Option("--estimate", help="Ask a few trajectories, keep them, and say what the rest will take.")
]
Log: TypeAlias = Annotated[
    Path | None,
    typer.Option("--log", metavar="FILE", parser=user_path, help="Write what happens there too, as JSON lines."),
]
Mapping: TypeAlias = Annotated[
    list[str] | None, typer.Option("--map", metavar="FIELD=FIELD", help="The data's own name of a field; repeatable.")
]
Images: TypeAlias = Annotated[
    str,
    typer.Option(
        "--images",
        metavar="KIND",
        help="How pictures are shown: auto (as the terminal can), kitty, sixel, iterm2, halfcell, unicode or off.",
    ),
]
What: TypeAlias = Annotated[
    str, typer.Argument(metavar="ITEM|TRAJECTORY", help="An item's id, or a trajectory's number.")
]
OfRun: TypeAlias = Annotated[str, typer.Option("--run", metavar="RUN", help="Of this run.")]
AtStep: TypeAlias = Annotated[
    str, typer.Option("--step", metavar="NAME", help="Which step (default: the first wrong one).")
]
Format: TypeAlias = Annotated[
    str,
    typer.Option(
        "--format", metavar="table|md|csv|json|tex|html", help="How (default: by --out's ending, or table)."
    ),
]
ReportFile: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", parser=user_path, help="Into a file instead of onto stdout.")
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace files that are there.")]
FormulaSafe: TypeAlias = Annotated[
    bool, typer.Option("--formula-safe", help="csv for spreadsheets: an apostrophe before what they would run.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]


def refuse_empty(context: typer.Context, parameter: typer.CallbackParam, value: object) -> object:
    """The value as it is. Raises UsageError for an empty text on the command line, such as that of a variable which
    was never set: it would be taken for an option that was not given."""
    parts = value if isinstance(value, list | tuple) else (value,)
    source = context.get_parameter_source(parameter.name or "")
    if "" in parts and source is not None and source.name == "COMMANDLINE":
        name = parameter.opts[0] if parameter.opts[0].startswith("-") else str(parameter.metavar or parameter.name)
        raise UsageError("an empty text says nothing", where=f"{name} ''", remedy="Leave it out, or say something")
    return value


def with_own_words(value: str) -> str:
    """The callback of a text whose command says more where it is empty than :func:`refuse_empty` can."""
    return value


def refusing_empty(command: Any) -> Any:
    """The same click command; it and those below it refuse empty texts where a text may be left out. One that may
    not has words of its own."""
    for parameter in command.params:
        if not parameter.required and parameter.callback is None:
            parameter.callback = refuse_empty
    for below in getattr(command, "commands", {}).values():
        refusing_empty(below)
    return command


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """``key=value`` texts as a dict. Raises UsageError for one without ``=`` or given twice with two values."""
    found: dict[str, str] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise UsageError(f"{option} takes KEY=VALUE, not {text!r}", where=f"{option} {text}")
        if found.get(key, value) != value:
            raise UsageError(f"{option} {key} is given twice", where=f"{option} {text}")
        found[key] = value
    return found


def grouped_pairs(given: Sequence[str] | None, option: str) -> dict[str, tuple[str, ...]]:
    """The same where a key may have several values, repeated or with commas."""
    found: dict[str, tuple[str, ...]] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise UsageError(f"{option} takes KEY=VALUE, not {text!r}", where=f"{option} {text}")
        found[key] = (*found.get(key, ()), *(part for part in value.split(",") if part))
    return found


def shard(given: str) -> tuple[int, int] | None:
    """``--shard``: which part (from 1) of how many; "" (not given) is None. Raises UsageError."""
    if not given:
        return None
    part, slash, parts = given.partition("/")
    if slash and all(each.isascii() and each.isdigit() and len(each) < 8 for each in (part, parts)):
        which, of = int(part), int(parts)
        if 1 <= which <= of:
            return which, of
    raise UsageError(
        "that is no part of the items", where=f"--shard {given}", remedy="For example 1/8, and up to 8/8"
    )


def run_name(given: str | None, where: str = "--name") -> str:
    """A run's own name, "" where none was given. Raises UsageError for an empty one and for what looks an option."""
    if given is not None and not given.strip():
        remedy = "Leave the option out, or name the run" if where.startswith("-") else "Say what it is to be called"
        raise UsageError("a run's name cannot be empty", where=where, remedy=remedy)
    if given is not None and given.lstrip().startswith("-"):
        raise UsageError(
            "a run's name cannot begin with -: it would be taken for an option", where=f"{where} {given}"
        )
    if given:
        from sessions.identity import check_name

        return check_name(given)
    return ""


def amount(given: float | None) -> float | None:
    """``--budget``: a sum of money. Raises UsageError for what is none."""
    if given is not None and not (math.isfinite(given) and given > 0):
        raise UsageError("a budget is a sum of USD above 0", where=f"--budget {given:g}")
    return given


def pictures_place(given: str) -> str:
    """``--pictures``: nothing, ``drawn``, or a folder, which may begin with ``~``."""
    return given if given in ("", "drawn") else str(user_path(given, f"--pictures {given}"[:200]))


def refuse_beside(option: str, what: str, *, plain: bool) -> None:
    """Raises UsageError where an option that replaces the tables was given with others that shape them."""
    if not plain:
        raise UsageError(f"{what} is not broken down", where=option, remedy="Leave the other options of report out")
