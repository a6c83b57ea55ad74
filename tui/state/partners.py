"""With what a trajectory can be compared: forks of its item, and what other runs have of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from core.records import Trajectory
from sessions.rivals import Rival
from tui.state.comparing import Side
from tui.state.forking import aim, deed
from tui.state.standing import standing
from tui.state.stepping import Stepping

_KINDS = {"model": "", "baseline": " (baseline)", "human": " (person)"}


@dataclass(frozen=True, slots=True)
class Partner:
    """One line of the list: ``title`` for its column, ``note`` how it came out. ``row`` is its number in the store
    where it has to be read first."""

    title: str
    note: str
    asked: str
    trajectory: Trajectory | None = None
    row: int = 0


def title_of(trajectory: Trajectory, stepping: Stepping) -> str:
    """A trajectory of this run in words."""
    if trajectory.parent is None:
        return f"repeat {trajectory.repeat + 1}" if trajectory.repeat else "plain path"
    what = _what(trajectory, stepping)
    alike = [t.id for t in stepping.family.all() if t.parent is not None and _what(t, stepping) == what]
    numbered = len(alike) > 1 and trajectory.id in alike
    return f"{what} ({alike.index(trajectory.id) + 1} of {len(alike)})" if numbered else what


def _what(fork: Trajectory, stepping: Stepping) -> str:
    if len(fork.steps) > fork.fork:
        own = fork.steps[fork.fork]
        return f"fork at {fork.fork + 1} {own.turn.step}: {deed(own)}"
    kept, turn = stepping.kept_of(fork), stepping.engine.next_turn(fork)
    what = f": {aim(kept.deed)}, stopped" if kept is not None and kept.deed.kind else ""
    return f"fork at {fork.fork + 1} {turn.step if turn is not None else 'end'}{what}"


def here(stepping: Stepping) -> Side:
    """The trajectory that is looked at."""
    return Side(stepping.current, title_of(stepping.current, stepping), stepping.plan.respondent.name)


async def partners(stepping: Stepping) -> list[Partner]:
    """The path that it left first, then the other paths of this run, then other runs."""
    current, asked, found = stepping.current, stepping.plan.respondent.name, list[Partner]()
    left = stepping.family.shares_with(current)
    for t in sorted(stepping.family.all(), key=lambda t: (t is not left, t.id)):
        if t.id != current.id and t.steps:
            found.append(Partner(title_of(t, stepping), _came_out(t, stepping.scorer), asked, t))
    if stepping.archive is not None:
        for rival in await asyncio.to_thread(stepping.archive.rivals, stepping.item):
            note = f"{rival.protocol}, {rival.progress.value}"
            found.append(Partner(rival_title(rival), note, rival.respondent, row=rival.trajectory))
    return found


async def side(stepping: Stepping, partner: Partner) -> Side | None:
    """The partner whole, None where it was deleted meanwhile."""
    if partner.trajectory is not None:
        return Side(partner.trajectory, partner.title, partner.asked)
    assert stepping.archive is not None
    try:
        loaded = await asyncio.to_thread(stepping.archive.load, stepping.item, partner.row)
    except KeyError:
        return None
    return Side(loaded, partner.title, partner.asked)


def rival_title(rival: Rival) -> str:
    """Who, in which run, behind which interventions."""
    words = [f"{rival.respondent}{_KINDS[rival.kind]}", rival.run]
    words += [f"repeat {rival.repeat + 1}"] if rival.repeat else []
    words += [f"{'fork ' if rival.parent is not None else ''}{rival.lane}"] if rival.lane else []
    return " · ".join(words)


def _came_out(trajectory: Trajectory, scorer: str) -> str:
    plain = Trajectory(trajectory.item, 0, trajectory.steps, progress=trajectory.progress)
    return standing([plain], scorer).word
