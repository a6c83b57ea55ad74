"""Where a grader is: one property of one answer after the other, one back, on where it was left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sessions.studies.grading import Offer, Verdict
from sessions.studies.grading_pool import Gradable
from tui.state.marks import RIGHT, UNSCORED, WRONG

SIGNS: Final[dict[Verdict, str]] = {True: RIGHT, False: WRONG, None: "?"}
WORDS: Final[dict[Verdict, str]] = {True: "right", False: "wrong", None: "cannot tell"}


@dataclass(frozen=True, slots=True)
class Place:
    """One property of one answer."""

    answer: Gradable
    bit: int

    @property
    def key(self) -> tuple[int, int]:
        return self.answer.step, self.bit

    @property
    def unit(self) -> int:
        return self.answer.place_of(self.bit)[0]

    @property
    def property(self) -> str:
        return self.answer.place_of(self.bit)[1]


HELD_S: Final = 0.3
"""A key that comes again so soon is held down: nobody judges that fast."""


class Presses:
    """Which presses of the keys that judge count: not before what they judge is seen (``open``), and none of a key
    that is held. Times are those of the events, in seconds."""

    def __init__(self) -> None:
        self.open = False
        self._key = ""
        self._at = 0.0

    def counts(self, key: str, at: float) -> bool:
        held = key == self._key and at - self._at < HELD_S
        self._key, self._at = key, at
        return self.open and not held


class Way:
    """A grader's way through what was offered. Verdicts are given here only when they are on disk (``said``)."""

    def __init__(self, offered: Offer) -> None:
        self.author = offered.author
        self.settles = offered.settles
        self.answers = offered.answers
        self._places = tuple(Place(answer, bit) for answer in offered.answers for bit in answer.bits)
        self._said = dict(offered.said)
        self._at = next((i for i, place in enumerate(self._places) if place.key not in self._said), len(self._places))

    @property
    def place(self) -> Place | None:
        """What is asked now; None when all is judged."""
        return self._places[self._at] if self._at < len(self._places) else None

    @property
    def done(self) -> int:
        """Single verdicts given."""
        return len(self._said)

    @property
    def of(self) -> int:
        return len(self._places)

    def verdict(self, answer: Gradable, bit: int) -> tuple[bool, Verdict]:
        """Whether something was said of it, and what."""
        return (answer.step, bit) in self._said, self._said.get((answer.step, bit))

    def said(self, place: Place, verdict: Verdict) -> None:
        """It is on disk: on to the next that nothing was said of, or after a step back to the one that follows."""
        self._said[place.key] = verdict
        if self.place is place:
            self._at += 1

    def back(self) -> None:
        """One property back, to be changed or passed again."""
        self._at = max(self._at - 1, 0)

    def on(self) -> bool:
        """One property on, where something was said of the one here."""
        if self.place is None or self.place.key not in self._said:
            return False
        self._at += 1
        return True

    # -- words

    def heading(self) -> str:
        what = "what two graders differ on" if self.settles else "answers"
        place = self.place
        number = f"answer {self.answers.index(place.answer) + 1} of {len(self.answers)}" if place else "all done"
        return f"{self.author} judges {what}: {number}; {self.done} of {self.of} judged"

    def strip(self) -> list[tuple[str, bool]]:
        """The answer's properties with what was said of each, a line a unit; the one asked about is marked."""
        place = self.place
        if place is None:
            return []
        out: list[tuple[str, bool]] = []
        unit = -1
        for bit in place.answer.bits:
            its_unit, name = place.answer.place_of(bit)
            if its_unit != unit:
                lead = f"picture {its_unit}:  " if its_unit else ""
                out.append((f"{chr(10) if out else ''} {lead}", False))
                unit = its_unit
            told, verdict = self.verdict(place.answer, bit)
            out.append((f"{name} {SIGNS[verdict] if told else UNSCORED}", bit == place.bit))
            out.append(("   ", False))
        return out

    def asked(self) -> str:
        """The question that a key answers."""
        place = self.place
        if place is None:
            return ""
        if place.property == "answer":
            return "Is the answer right?"
        return f"Is the {place.property}{f' of picture {place.unit}' if place.unit else ''} right?"
