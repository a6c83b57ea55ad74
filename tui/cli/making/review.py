"""``phoropter make review``: people look at what a pipeline made, at a screen or from a file of verdicts."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.config import load_config
from core.errors import DataError, PhoropterError, Problem, UsageError
from core.files import read_text
from sessions.curating.desk import Desk, verdict_named
from sessions.curating.state import standings
from sessions.reopening import reopen
from sessions.runs import find_run
from sessions.store import Store
from tui.cli.output import put_json, say
from tui.cli.places import chosen_store
from tui.counting import counted

if TYPE_CHECKING:
    from core.curation.review import VerdictName


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file of verdicts."""

    number: int
    item: str
    verdict: VerdictName
    text: str
    reason: str
    repeat: int = 0


def review(
    run: str,
    reviewer: str,
    *,
    store: Path | None,
    config: Path | None,
    images: str,
    pictures: str,
    verdicts: Path | None,
    as_json: bool,
) -> int:
    """Open the screen, or take verdicts from a file, or (``as_json``) say what waits for this reviewer.

    ``pictures`` is where the pictures lie now, "" where they lay when the run was made.
    """
    settings = load_config(config)
    with Store.open(chosen_store(store, settings), create=False) as opened:
        found = find_run(opened, run)
        reopened = reopen(opened, found, settings, pictures)
        desk = Desk(opened, found, reopened.plan, reviewer)
        if verdicts is not None:
            return _from_file(desk, verdicts, as_json=as_json)
        if as_json:
            waiting = [
                {
                    "item": one.trajectory.item.id,
                    "repeat": one.trajectory.repeat,
                    "step": one.turn.step,
                    "text": one.draft.text,
                    "faults": list(one.draft.faults),
                    "notes": list(one.draft.notes),
                }
                for one in desk.all()
            ]
            put_json({"run": found.name, "reviewer": desk.reviewer, "waiting": waiting})
            return 0
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError("reviewing needs a terminal", remedy="--json and --verdicts FILE do without")
        from tui.grounded import run_in_terminal
        from tui.imaging import decide
        from tui.manners import manners_of
        from tui.reviewing.app import ReviewingApp

        asked = manners_of(config)
        imaging = decide(asked.images, option=images)
        app = ReviewingApp(desk, reopened.pictures, imaging, theme=asked.theme)
        status = run_in_terminal(app, mouse=asked.mouse, instead="Use --json and --verdicts FILE")
        say(f"{desk.reviewer}: {counted(desk.done, 'verdict')}; {counted(len(desk.rows()), 'item')} left for you")
        return status


def _from_file(desk: Desk, file: Path, *, as_json: bool) -> int:
    lines = {(line.item, line.repeat): line for line in _read(file)}
    known = {
        (one.trajectory.item.id, one.trajectory.repeat) for one in standings(desk.store, desk.run, desk.plan.protocol)
    }
    problems = [
        Problem(str(file), line.number, line.item, f"the run has no such item (repeat {line.repeat})")
        for place, line in lines.items()
        if place not in known
    ]
    kept, heard = 0, 0
    for waiting in desk.all():
        line = lines.get((waiting.trajectory.item.id, waiting.trajectory.repeat))
        if line is None:
            continue
        heard += 1
        try:
            kept += asyncio.run(desk.keep(waiting, line.verdict, text=line.text, reason=line.reason))
        except PhoropterError as error:
            problems.append(Problem(str(file), line.number, line.item, error.what))
    left = len(desk.rows())
    idle = len(known & lines.keys()) - heard
    more = f"; {counted(idle, 'line')} of what does not wait for {desk.reviewer}" if idle else ""
    say(f"{desk.reviewer}: {counted(kept, 'verdict')} kept; {counted(left, 'item')} left{more}")
    if as_json:
        put_json({"run": desk.run.name, "reviewer": desk.reviewer, "kept": kept, "left": left})
    if problems:
        raise DataError(problems, remedy="The other verdicts are kept; mend these lines and give the file again")
    return 0


def _read(file: Path) -> Iterator[Line]:
    """JSON lines ``{"item", "verdict", "text"?, "reason"?, "repeat"?}``. Raises DataError with all bad lines."""
    problems, found = list[Problem](), list[Line]()
    for number, line in enumerate(read_text(file, "the file of verdicts").split("\n"), 1):
        if not line.strip():
            continue
        try:
            said = json.loads(line)
            if not isinstance(said, dict) or not isinstance(said.get("item"), str):
                raise TypeError
            verdict = verdict_named(str(said.get("verdict")), "")
            text, reason, repeat = said.get("text", ""), said.get("reason", ""), said.get("repeat", 0)
            if not (isinstance(text, str) and isinstance(reason, str) and isinstance(repeat, int)):
                raise TypeError
        except UsageError as error:
            problems.append(Problem(str(file), number, "verdict", error.what))
        except (ValueError, TypeError, RecursionError):
            problems.append(Problem(str(file), number, "", "no object with item and verdict"))
        else:
            found.append(Line(number, said["item"], verdict, text, reason, repeat))
    if problems:
        raise DataError(problems, remedy="Nothing was kept")
    yield from found
