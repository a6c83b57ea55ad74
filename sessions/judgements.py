"""What judges were asked and gave no score for: counted beside their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from core.records import Origin
from sessions import encoding
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class JudgeErrors:
    """``count`` of a run's own answers that a judge was asked about and has not scored in any version."""

    run: int
    scorer: str
    step: str
    lane: str
    forked: bool
    count: int
    group: str = ""


_ERRORS: Final = (
    "SELECT t.run, scorers.name, n.name, lanes.label, t.parent IS NOT NULL, items.groups, count(DISTINCT s.id)"
    # CROSS JOIN keeps SQLite to this order: failed judgements are few, steps many
    " FROM judgements AS j CROSS JOIN scorers ON scorers.id = j.scorer CROSS JOIN steps AS s ON s.id = j.step"
    " CROSS JOIN trajectories AS t ON t.id = s.trajectory CROSS JOIN items ON items.id = t.item"
    " CROSS JOIN step_names AS n ON n.id = s.name CROSS JOIN lanes ON lanes.id = s.lane"
    " WHERE j.error <> '' AND (?1 IS NULL OR t.run IN (SELECT value FROM json_each(?1)))"
    " AND s.origin = ?2 AND (?3 IS NULL OR scorers.name = ?3)"
    " AND t.item NOT IN (SELECT value FROM json_each(?4))"
    " AND NOT EXISTS (SELECT 1 FROM scores JOIN scorers AS other ON other.id = scores.scorer"
    "  WHERE scores.step = s.id AND other.name = scorers.name)"
    " GROUP BY t.run, scorers.name, n.name, lanes.label, t.parent IS NOT NULL, items.groups"
)


def judge_errors(
    store: Store,
    runs: Sequence[int] | None,
    *,
    scorer: str | None = None,
    group_by: str | None = None,
    without: Collection[int] = (),
) -> list[JudgeErrors]:
    """Of each judge (all, or the one named) the answers of the respondent itself in these runs (None: in all) that it
    gave no score for, those on the items ``without`` left out."""
    counts: Counter[tuple[int, str, str, str, bool, str]] = Counter()
    own = encoding.ORIGIN_CODE[Origin.RESPONDENT]
    name = None if scorer is None else encoding.to_text(scorer)
    for run, judge, step, lane, forked, groups, count in store.reader().execute(
        _ERRORS, (None if runs is None else encoding.to_json(list(runs)), own, name, encoding.to_json(list(without)))
    ):
        group = encoding.from_json(groups).get(group_by, "") if group_by is not None else ""
        said = (encoding.from_text(judge), encoding.from_text(step), encoding.from_text(lane))
        counts[run, *said, bool(forked), group] += count
    return [JudgeErrors(*where[:5], count, where[5]) for where, count in counts.items()]
