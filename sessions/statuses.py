"""How many answers of a run are no whole answers: cut off at the token limit, empty, refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from core.records import Origin, Status
from sessions import encoding
from sessions.runs import Run
from sessions.store import Store

# the index of such steps is all that is read of them, however many others there are
_COUNTED: Final = (
    "SELECT t.run, s.status, count(*) FROM steps AS s CROSS JOIN trajectories AS t ON t.id = s.trajectory"
    " WHERE s.status <> 0 AND s.origin IN (?1, ?2) AND t.run IN (SELECT value FROM json_each(?3))"
    " GROUP BY t.run, s.status"
)
_ASKED: Final = tuple(encoding.ORIGIN_CODE[origin] for origin in (Origin.RESPONDENT, Origin.OTHER))


def not_whole(store: Store, runs: Sequence[Run]) -> dict[int, Counter[Status]]:
    """By run (its row's number) and status, what respondents said or made there that is no whole answer: stored once,
    counted once. Runs that have none are left out. What such an answer scores is the scorer's own affair."""
    found: dict[int, Counter[Status]] = {}
    parameters = (*_ASKED, encoding.to_json([run.id for run in runs]))
    for run, status, count in store.reader().execute(_COUNTED, parameters):
        found.setdefault(run, Counter())[encoding.STATUSES[status]] = count
    return found
