"""Blind grading: what people say of answers property by property, and what settles their differences.

Two graders judge each answer, neither told of the other; an adjudicator under a third pseudonym judges what they
differ on. Each verdict is a row of its own. When a grader has judged all that is asked about an answer, it becomes
this person's score; what both agree on, and what was settled, is the score of ``adjudicated``.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from core.errors import UsageError
from sessions import encoding
from sessions.grading import ADJUDICATED, check_pseudonym, put_grade
from sessions.runs import Run
from sessions.store import Store
from sessions.studies import people
from sessions.studies.grading_pool import Gradable, shuffled
from sessions.vocabulary import Vocabulary

Verdict: TypeAlias = bool | None
"""Right, wrong, or (None) it cannot be told."""

GRADERS: Final = 2
"""So many people judge an answer before somebody settles what they differ on."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What was said of one answer: by grader, and by who settled something, the newest verdict on each bit."""

    graders: Mapping[str, Mapping[int, Verdict]]
    settlers: Mapping[str, Mapping[int, Verdict]]
    settled: Mapping[int, Verdict]

    @property
    def pair(self) -> tuple[str, str] | None:
        """The two graders, by their pseudonyms; None where there are not two yet."""
        names = sorted(self.graders)
        return (names[0], names[1]) if len(names) >= GRADERS else None

    @property
    def both(self) -> dict[int, tuple[Verdict, Verdict]]:
        """By bit what the two said, where both have."""
        if self.pair is None:
            return {}
        first, second = (self.graders[name] for name in self.pair)
        return {bit: (first[bit], second[bit]) for bit in sorted(first.keys() & second.keys())}

    @property
    def differing(self) -> tuple[int, ...]:
        return tuple(bit for bit, (first, second) in self.both.items() if first is not second)

    @property
    def open(self) -> tuple[int, ...]:
        """What they differ on and nobody has settled."""
        return tuple(bit for bit in self.differing if bit not in self.settled)

    @property
    def outcome(self) -> dict[int, Verdict]:
        """By bit what is agreed or settled; what is open is left out."""
        agreed = {bit: first for bit, (first, second) in self.both.items() if first is second}
        return agreed | {bit: self.settled[bit] for bit in self.differing if bit in self.settled}


NONE: Final = Verdicts({}, {}, {})


def verdicts_of(db: sqlite3.Connection, steps: Sequence[int]) -> dict[int, Verdicts]:
    """By step; one that nobody has judged is left out."""
    said: dict[int, tuple[dict[str, dict[int, Verdict]], ...]] = defaultdict(lambda: ({}, {}))
    settled: dict[int, dict[int, Verdict]] = defaultdict(dict)
    for step, author, settles, bit, verdict in db.execute(
        "SELECT step, author, settles, bit, verdict FROM verdicts"
        " WHERE step IN (SELECT value FROM json_each(?)) ORDER BY created, id",
        (encoding.to_json(list(steps)),),
    ):
        told = None if verdict is None else bool(verdict)
        said[step][settles].setdefault(encoding.from_text(author), {})[bit] = told
        if settles:
            settled[step][bit] = told
    return {step: Verdicts(graders, settlers, settled[step]) for step, (graders, settlers) in said.items()}


def open_differences(store: Store, runs: Sequence[Run]) -> int:
    """How many answers of these runs two graders differ on that nobody has settled."""
    db = store.reader()
    rows = db.execute(
        "SELECT DISTINCT v.step FROM verdicts AS v JOIN steps AS s ON s.id = v.step"
        " JOIN trajectories AS t ON t.id = s.trajectory WHERE t.run IN (SELECT value FROM json_each(?))",
        (encoding.to_json([run.id for run in runs]),),
    )
    return sum(bool(each.open) for each in verdicts_of(db, [step for (step,) in rows]).values())


# -- what somebody is to judge


@dataclass(frozen=True, slots=True)
class Offer:
    """The answers somebody is to judge in this person's order, and what of it is said already, by (step, bit)."""

    author: str
    settles: bool
    answers: tuple[Gradable, ...]
    said: Mapping[tuple[int, int], Verdict]


def offer(store: Store, found: Sequence[Gradable], author: str, *, seed: int = 0, settles: bool = False) -> Offer:
    """What ``author`` is to judge of these answers: all that two others have not taken, or (``settles``) what two
    graders differ on.

    Raises UsageError for a pseudonym that cannot be one or is a scorer's, for a grader who would settle what is half
    the own, for an adjudicator who would grade, and where there is nothing to judge.
    """
    author = people.check_pseudonym(author.strip(), "grader")
    check_pseudonym(store, author)
    verdicts = verdicts_of(store.reader(), [each.step for each in found])
    graders = {name for each in verdicts.values() for name in each.graders}
    if settles and author in graders:
        raise UsageError(
            f"{author} is one of the graders",
            where="--grader",
            remedy="What graders differ on is settled under a third pseudonym",
        )
    if not settles and any(author in each.settlers for each in verdicts.values()):
        raise UsageError(
            f"{author} has settled differences between graders of these answers",
            where="--grader",
            remedy="Grade under another pseudonym, or go on with --adjudicate",
        )
    answers = _differing(found, verdicts, author) if settles else _untaken(found, verdicts, author)
    said: dict[tuple[int, int], Verdict] = {}
    for each in answers:
        of_step = verdicts.get(each.step, NONE)
        own = (of_step.settlers if settles else of_step.graders).get(author, {})
        said |= {(each.step, bit): own[bit] for bit in each.bits if bit in own}
    return Offer(author, settles, tuple(shuffled(answers, seed, author)), said)


def _untaken(found: Sequence[Gradable], verdicts: Mapping[int, Verdicts], author: str) -> list[Gradable]:
    out = [each for each in found if len(verdicts.get(each.step, NONE).graders.keys() - {author}) < GRADERS]
    if not out:
        names = sorted({name for each in verdicts.values() for name in each.graders})
        raise UsageError(
            f"two others have judged each of these answers: {', '.join(names)}",
            where="--grader",
            remedy="--adjudicate settles what they differ on; --table shows how far they agree",
        )
    return out


def _differing(found: Sequence[Gradable], verdicts: Mapping[int, Verdicts], author: str) -> list[Gradable]:
    """With the bits that are open, and those this person settled."""
    out = []
    for each in found:
        of_step = verdicts.get(each.step, NONE)
        mine = of_step.settlers.get(author, {})
        bits = tuple(
            bit for bit in each.bits if bit in of_step.differing and (bit not in of_step.settled or bit in mine)
        )
        if bits:
            out.append(replace(each, bits=bits))
    if not out:
        both = sum(len(each.both) for each in verdicts.values())
        raise UsageError(
            "nothing is left to settle: the two graders agree, or somebody has settled it"
            if both
            else "no answer has been judged by two graders yet",
            where="--adjudicate",
        )
    return out


# -- saying it


def keeping(
    words: Vocabulary, answer: Gradable, author: str, bit: int, verdict: Verdict, *, settles: bool = False
) -> Callable[[sqlite3.Connection], None]:
    """The change that keeps one verdict, for a full transaction; the scores that follow from it are written with it.

    Raises UsageError where two others were faster.
    """

    def change(db: sqlite3.Connection) -> None:
        before = verdicts_of(db, [answer.step]).get(answer.step, NONE)
        if not settles and len(before.graders.keys() - {author}) >= GRADERS:
            raise UsageError("two others have judged this answer meanwhile: it needs no third grader")
        (newest,) = db.execute("SELECT max(created) FROM verdicts WHERE step = ?", (answer.step,)).fetchone()
        db.execute(
            "INSERT INTO verdicts (step, author, settles, bit, verdict, created) VALUES (?, ?, ?, ?, ?, ?)",
            (answer.step, encoding.to_text(author), int(settles), bit, verdict, encoding.later(newest)),
        )
        now = verdicts_of(db, [answer.step])[answer.step]
        own = now.graders.get(author, {})
        if not settles and all(each in own for each in answer.bits):
            put_grade(db, words, answer.step, author, *_packed(own))
        _settle(db, words, answer.step, now)

    return change


def settle_all(store: Store, found: Sequence[Gradable]) -> None:
    """Bring ``adjudicated`` up to date: verdicts of two stores may have been merged since."""
    steps = [each.step for each in found]
    if any(each.pair for each in verdicts_of(store.reader(), steps).values()):

        def change(db: sqlite3.Connection) -> None:
            for step, verdicts in verdicts_of(db, steps).items():
                _settle(db, store.vocabulary, step, verdicts)

        store.write(change, full=True)


def _settle(db: sqlite3.Connection, words: Vocabulary, step: int, verdicts: Verdicts) -> None:
    """The score of ``adjudicated``: once both have judged the same properties and nothing is open. Where a grader's
    change of mind opens something again, that is left out of it from then on."""
    if verdicts.pair is None:
        return
    first, second = (verdicts.graders[name] for name in verdicts.pair)
    unfinished = first.keys() != second.keys() or verdicts.open
    if unfinished and not _has_outcome(db, step):
        return
    put_grade(db, words, step, ADJUDICATED, *_packed(verdicts.outcome))


def _has_outcome(db: sqlite3.Connection, step: int) -> bool:
    row = db.execute(
        "SELECT 1 FROM gradings AS g JOIN scorers AS s ON s.id = g.scorer WHERE g.step = ? AND s.name = ?",
        (step, ADJUDICATED),
    ).fetchone()
    return row is not None


def _packed(verdicts: Mapping[int, Verdict]) -> tuple[int, int]:
    """``right`` and ``scored`` as bits; what cannot be told is not scored."""
    scored = sum(bit for bit, verdict in verdicts.items() if verdict is not None)
    return sum(bit for bit, verdict in verdicts.items() if verdict), scored
