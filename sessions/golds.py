"""Stored scores counted against another gold: corrected where somebody gave the right value, or undisputed alone.

Nothing stored changes. What reads answers by rule is held against the corrected values; what people and judges
scored stays as it is: nobody knows what they would have said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.benchmarks import registry
from core.disputes import GOLDS, Dispute, Gold, corrections, rescored
from core.errors import UsageError
from core.records import Item, Score, Step
from core.scoring import RULE, scorers_of
from sessions import encoding
from sessions.disputes import all_disputes
from sessions.grading import OVERRULED, graders
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class GoldView:
    """``left_out`` are rows of items that do not count, ``corrected`` those that count against other values."""

    gold: Gold
    left_out: frozenset[int]
    corrected: Mapping[int, Sequence[Dispute]]

    @property
    def apart(self) -> frozenset[int]:
        """Items whose stored scores do not count as they are."""
        return self.left_out | self.corrected.keys()


PUBLISHED_GOLD = GoldView("published", frozenset(), {})


def gold_view(store: Store, gold: str) -> GoldView:
    """The items that stand apart under that gold. Raises UsageError for one there is not."""
    known = next((one for one in GOLDS if one == gold), None)
    if known is None:
        raise UsageError(f"there is no gold {gold!r}", where="--gold", remedy=f"Known: {', '.join(GOLDS)}")
    held = all_disputes(store) if known != "published" else {}
    if known == "undisputed":
        return GoldView(known, frozenset(held), {})
    return GoldView(
        known, frozenset(), {row: those for row, those in held.items() if any(one.corrected for one in those)}
    )


@dataclass(frozen=True, slots=True)
class Recounted:
    """The respondent's own answers of one trajectory, in order, with the scores that count now; ``row`` is the
    item's."""

    row: int
    item: Item
    forked: bool
    steps: tuple[Step, ...]


def recounted(store: Store, run: Run, view: GoldView) -> Iterator[Recounted]:
    """The answers of a run on the corrected items."""
    db = store.reader()
    replay, people = Replay(db), graders(store, run.id)
    for row, disputes in view.corrected.items():
        own: dict[int, list[int]] = {}
        forked = set()
        for trajectory, step, counted in db.execute(
            "SELECT t.id, s.id, max(scores.counted) FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id"
            " JOIN scores ON scores.step = s.id WHERE t.run = ? AND t.item = ? GROUP BY s.id ORDER BY t.id, s.id",
            (run.id, row),
        ):
            if counted != encoding.NOT_OWN:
                own.setdefault(trajectory, []).append(step)
                forked |= {trajectory} if counted == encoding.OWN_ON_FORK else set()
        item = replay.item(row) if own else None
        for trajectory, steps in own.items():
            assert item is not None
            found = sorted((step for step, _, _ in replay.steps(steps)), key=lambda step: step.id)
            yield Recounted(row, item, trajectory in forked, counting(item, found, disputes, people))


def counting(
    item: Item, steps: Iterable[Step], disputes: Sequence[Dispute], people: Sequence[str] = ()
) -> tuple[Step, ...]:
    """The steps with the scores that count under those disputes, and those of the rule overruled by ``people``."""
    benchmark = registry.get(item.benchmark)
    reading = {scorer.name for scorer in scorers_of(benchmark)}
    out = []
    for step in steps:
        layout = benchmark.layout(step.turn.step)
        values = corrections(benchmark, item, step.turn, disputes)
        scores = [
            rescored(layout, score, values) if values and score.scorer in reading else score for score in step.scores
        ]
        out.append(replace(step, scores=(*scores, *overruled(scores, people))))
    return tuple(out)


def overruled(scores: Sequence[Score], people: Sequence[str]) -> Iterator[Score]:
    """The rule's score, each grader's in its place where there is one."""
    by_name = {score.scorer: score for score in scores}
    for name in people:
        score = by_name.get(name) or by_name.get(RULE)
        if score is not None:
            yield replace(score, scorer=f"{OVERRULED}{name}")
