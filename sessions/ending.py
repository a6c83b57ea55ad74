"""Do trajectories end where their protocol does? Most tell it by the step they are at, the others are replayed."""

from __future__ import annotations

import json
import sqlite3
from typing import Final

from core.benchmarks import registry
from core.benchmarks.base import ProtocolLike
from core.errors import PhoropterError
from core.prompts import prompts_for
from core.records import Progress
from core.tally import REASKED
from sessions import encoding
from sessions.identity import RunConfig
from sessions.replay import Replay

MOST: Final = 1000
"""So many trajectories of a run that stand at the same step are replayed."""

_DONE: Final = encoding.PROGRESS_CODE[Progress.DONE]
_HEADS: Final = (
    "SELECT t.progress, n.name, json_group_array(t.id) FROM trajectories AS t JOIN steps AS s ON s.id = t.head"
    " JOIN step_names AS n ON n.id = s.name"
    " WHERE t.run = ? AND (t.progress = ? OR t.progress = ? AND t.parent IS NULL) GROUP BY t.progress, n.name"
)


def contradicted(db: sqlite3.Connection) -> tuple[list[int], list[int], bool]:
    """The trajectories that are done though their protocol asks on, those open though it asks nothing more, and
    whether these are all.

    A participant's open ones and open forks are left out: they end when somebody says so. So are pipelines, whose
    protocols look beyond one trajectory, and runs of a protocol that this program does not know.
    """
    early: list[int] = []
    late: list[int] = []
    whole = True
    replay = Replay(db)
    codes = (_DONE, encoding.PROGRESS_CODE[Progress.OPEN])
    for run, kind, configuration in db.execute("SELECT id, respondent_kind, configuration FROM runs").fetchall():
        protocol = _protocol(RunConfig.from_json(encoding.from_json(configuration)))
        if protocol is None:
            continue
        for progress, name, rows in db.execute(_HEADS, (run, *codes)).fetchall():
            at_last = encoding.from_text(name).removesuffix(REASKED) == protocol.steps[-1]
            done = progress == _DONE
            if done != at_last and (done or kind != "person"):
                found, standing = early if done else late, json.loads(rows)
                found += [row for row in standing[:MOST] if _asks_on(replay, protocol, row) == done]
                whole = whole and len(standing) <= MOST
    return early, late, whole


def _protocol(config: RunConfig) -> ProtocolLike | None:
    try:
        benchmark = registry.get(config.benchmark)
        if benchmark.pipeline:
            return None
        return benchmark.protocols[config.protocol](config.subset, config.options, prompts_for(benchmark.name, None))
    except (PhoropterError, KeyError):
        return None


def _asks_on(replay: Replay, protocol: ProtocolLike, row: int) -> bool:
    trajectory = replay.trajectory(row)
    return protocol.next_turn(trajectory.item, trajectory.steps) is not None
