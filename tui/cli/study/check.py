"""``phoropter study check``: a dry run of a study's file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tui.cli import options as o
from tui.cli.places import store_of
from tui.cli.study.options import File

if TYPE_CHECKING:
    from core.study.checking import Dry
    from core.toml_places import Place

SHOWN = 12


def check(
    context: typer.Context,
    file: File,
    display: Annotated[
        bool, typer.Option("--display", help="Whether this terminal can show every item as the study asks.")
    ] = False,
    images: o.Images = "",
    store: o.Store = None,
    config: o.Config = None,
    as_json: o.AsJson = False,
) -> int:
    """Try a study without asking anybody: what would be asked of whom, what is still blank, what is wrong."""
    from core.study.checking import check as tried
    from core.study.reading import read_file
    from tui.cli.output import put, put_json, say

    dry = tried(read_file(file))
    kept = _kept(dry, store_of(context, store, config))
    shown = _display(dry, images) if display else None
    if as_json:
        put_json({**dry.to_json(), "kept": kept, **({"display": shown} if shown is not None else {})})
    else:
        put("\n".join([*_lines(dry), *_kept_lines(kept)]))
    if shown is None:
        return 0
    if not as_json:
        fit = "" if shown["refusals"] else ": every item can be shown as asked"
        put(f"{'display':<{HEAD}}{shown['station']}{fit}")
    for refusal in shown["refusals"]:
        say(f"phoropter: this station cannot be used: {refusal}")
    return 2 if shown["refusals"] else 0


HEAD = 12
"""Columns of the words at the beginning of a line."""


def _lines(dry: Dry) -> list[str]:
    from tui.counting import counted

    study, pool = dry.study, dry.prepared.pool
    least, most = min(dry.sessions), max(dry.sessions)
    size = f"{most}" if least == most else f"{least} to {most}"
    minutes, hours = dry.seconds / 60, dry.seconds * len(dry.sessions) / 3600
    apart = [
        counted(len(pool.practice), "practice item"),
        counted(len(pool.catch), "catch item"),
        counted(len(pool.examples), "worked example"),
    ]
    lines = [
        f"{study.name}: {dry.prepared.name}, digest {dry.digest[:12]}",
        f"{'items':<{HEAD}}{counted(len(pool.items), 'item')} asked about; {', '.join(apart)}",
    ]
    reasons: dict[str, int] = {}
    for one in pool.left_out:
        reasons[one.why] = reasons.get(one.why, 0) + 1
    lines += [f"{'':<{HEAD}}left out: {counted(count, 'item')}, since {why}" for why, count in
              sorted(reasons.items(), key=lambda found: -found[1])[:SHOWN]]  # fmt: skip
    for way in dry.ways:
        condition = study.ways[way.name]
        options = " ".join(f"{key}={value}" for key, value in condition.options.items())
        said = [
            f"{way.protocol}{' ' + options if options else ''}",
            f"{way.steps:.3g} step{'' if way.steps == 1 else 's'} an item",
            *([f"examples {', '.join(condition.examples)}"] if condition.examples else []),
            "lists shown" if condition.lists else "no lists",
        ]
        if condition.picture_px:
            said.append(f"pictures at most {condition.picture_px} px")
        lines.append(
            f"{'condition' if way.name else 'asked as':<{HEAD}}{way.name + ': ' if way.name else ''}{', '.join(said)}"
        )
    lines += [
        f"{'people':<{HEAD}}{counted(len(dry.sessions), 'session')} of {size} items, "
        f"{counted(dry.answers, 'answer')}: each item by {study.design.raters}"
        + (" in each condition" if len(dry.ways) > 1 else ""),
        f"{'time':<{HEAD}}about {minutes:.0f} min a session at a guess, {hours:.1f} h in all",
    ]
    for language, lacks in dry.lacking.items():
        here = " (in use)" if language == study.language else ""
        state = "complete" if not lacks else f"{counted(len(lacks), 'word')} missing, shown as they stand"
        lines.append(f"{'language':<{HEAD}}{language}{here}: {state}")
        lines += [f"{'':<{HEAD}}{words}" for words in _lacking_lines(lacks)]
    if dry.blanks:
        later = sum(place[:1] == ("reporting",) for _, place, _ in dry.blanks)
        end = "only a report needs them"
        if dry.blocked:
            end = f"a live session needs {len(dry.blanks) - later} of them filled in, a report the others"
        lines.append(f"{'blank':<{HEAD}}{counted(len(dry.blanks), 'blank')}; {end}")
        lines += [f"{'':<{HEAD}}{_place(line, place)}: {what}" for line, place, what in dry.blanks]
    else:
        lines.append(f"{'blank':<{HEAD}}nothing: the study can go live")
    return lines


def _lacking_lines(lacks: Sequence[tuple[int, Place, str]]) -> list[str]:
    """What a language lacks, a line for each of its tables."""
    by_table: dict[tuple[int, str], list[str]] = {}
    for line, place, _ in lacks:
        table = place[2] if len(place) > 3 else ""
        by_table.setdefault((line, table), []).append(place[-1])
    return [
        f"{table}{f' (line {line})' if line else ''}: {', '.join(names)}".lstrip()
        for (line, table), names in by_table.items()
    ]


def _place(line: int, place: Place) -> str:
    return f"{'.'.join(place)} (line {line})" if line else ".".join(place)


# -- what the store has of it


def _kept(dry: Dry, path: Path | None) -> dict[str, Any] | None:
    """The newest version in the store, and what differs; None where there is no store or no such study in it."""
    from core.study.differing import differences
    from sessions.store import Store, default_path
    from sessions.studies.book import versions

    place = path if path is not None else default_path()
    if not place.exists():
        return None
    with Store.open(place, create=False, read_only=True) as store:
        found = versions(store, dry.study.name)
    if not found:
        return None
    newest = found[-1]
    same = newest.digest == dry.digest
    changed = () if same else differences(newest.study, newest.content, dry.study, dry.content)
    return {"version": newest.version, "state": newest.state, "digest": newest.digest, "differs": list(changed)}


def _kept_lines(kept: dict[str, Any] | None) -> list[str]:
    if kept is None:
        return []
    version = (
        f"version {kept['version']}, {'frozen' if kept['state'] == 'live' else 'a draft'}, {kept['digest'][:12]}"
    )
    if not kept["differs"]:
        return [f"{'store':<{HEAD}}{version}: the same"]
    lines = [f"{'store':<{HEAD}}{version}: the file differs: {'; '.join(kept['differs'])}"]
    if kept["state"] == "live":
        lines.append(f"{'':<{HEAD}}nobody can sit with it as it is: put it back, or `phoropter study amend FILE`")
    return lines


# -- this terminal


def _display(dry: Dry, images: str) -> dict[str, Any]:
    """How large this terminal shows the pictures of every item, and why it cannot be used. Raises UsageError where
    there is no terminal."""
    import os
    import sys

    from core.errors import UsageError
    from core.study.display import refusals
    from tui.imaging import decide
    from tui.sitting.measuring import shown_at, station_of

    try:
        size = os.get_terminal_size(sys.__stderr__.fileno() if sys.__stderr__ is not None else 2)
    except (OSError, ValueError):
        remedy = "Run it at the station, in the window that people will sit at"
        raise UsageError("there is no terminal to look at", where="--display", remedy=remedy) from None
    imaging = decide(option=images)
    station = station_of(imaging, (size.columns, size.lines))
    shown = shown_at(dry.prepared, imaging, (size.columns, size.lines))
    least = min(shown, key=lambda one: one.least, default=None)
    width, height = station.cell_px
    said = f"{size.columns}x{size.lines} cells of {width}x{height} px, pictures as {imaging.caption}"
    if least is not None:
        said += f", the smallest at {least.px[0]}x{least.px[1]} px ({least.item})"
    return {
        "station": said,
        "cells": list(station.cells),
        "cell_px": list(station.cell_px),
        "pictures": station.pictures,
        "smallest": {"item": least.item, "px": list(least.px)} if least is not None else None,
        "refusals": refusals(dry.study.display, station, shown),
    }
