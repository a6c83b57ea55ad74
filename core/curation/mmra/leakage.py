"""Does the text alone give answers away? (Paper section 2.4.)

Everybody who saw no picture, guessers by one cue and respondents under ``qo``, is tested in each subtask: exactly,
against each item's own chance. All tests of a check together keep to 5% (Holm), so that a set without leaks is sent
back in at most 5 of 100 checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.benchmarks.mmra.leakage import LEVEL, adjusted, tail
from core.benchmarks.mmra.question import Question
from core.curation.mmra.cues import CUES, guess


@dataclass(frozen=True, slots=True)
class Checked:
    """An item as the check sees it. ``guessed`` says by guesser whether they were right."""

    id: str
    view: Question
    guessed: Mapping[str, bool]

    @property
    def chance(self) -> float:
        return 1 / len(self.view.answers)


@dataclass(frozen=True, slots=True)
class Leak:
    """One guesser in one subtask. ``expected`` is how many chance would have right, ``p`` is corrected for all tests
    of the check."""

    subtask: str
    guesser: str
    right: int
    n: int
    expected: float
    p: float

    @property
    def flagged(self) -> bool:
        return self.p < LEVEL

    def reason(self) -> str:
        """In words, for whoever mends it."""
        chance = 100 * self.expected / self.n
        return f"{self.guesser} is right in {self.right} of {self.n} ({self.subtask}; chance is {chance:.0f}%)"


def checked(items: Iterable[tuple[str, Question]], said: Mapping[str, Mapping[str, bool]]) -> list[Checked]:
    """Items with what the cues guess, and with ``said``: by respondent and item id whether they were right.

    An item that a respondent did not answer (its call failed) counts for nothing in that one's test.
    """
    out = []
    for id_, view in items:
        by_cue = {cue: found == view.answer for cue in CUES if (found := guess(cue, view, id_)) is not None}
        by_respondent = {name: right[id_] for name, right in said.items() if id_ in right}
        out.append(Checked(id_, view, {**by_cue, **by_respondent}))
    return out


def check(items: Sequence[Checked]) -> list[Leak]:
    """Every test that can be made, the likeliest leak first."""
    groups: dict[tuple[str, str], list[Checked]] = {}
    for item in items:
        for guesser in item.guessed:
            groups.setdefault((item.view.subtask, guesser), []).append(item)
    raw = {
        f"{subtask}\0{guesser}": tail(sum(item.guessed[guesser] for item in of), [item.chance for item in of])
        for (subtask, guesser), of in groups.items()
    }
    corrected = adjusted(raw)
    leaks = [
        Leak(
            subtask,
            guesser,
            sum(item.guessed[guesser] for item in of),
            len(of),
            sum(item.chance for item in of),
            corrected[f"{subtask}\0{guesser}"],
        )
        for (subtask, guesser), of in groups.items()
    ]
    return sorted(leaks, key=lambda leak: (leak.p, leak.subtask, leak.guesser))


def sent_back(items: Sequence[Checked], leaks: Sequence[Leak]) -> dict[str, str]:
    """Items by id with the reason for which they go back: those that a flagged guesser had right, in its subtask."""
    out: dict[str, str] = {}
    for leak in leaks:
        for item in items if leak.flagged else ():
            if item.view.subtask == leak.subtask and item.guessed.get(leak.guesser):
                out.setdefault(item.id, leak.reason())
    return out
