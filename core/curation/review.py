"""Reviews by people: accept, edit or reject, in rounds by different reviewers, each a step like any other.

An answer to a review is a JSON object: ``{"reviewer", "verdict", "reason", "edit"}``. ``edit`` is what the pipeline
makes of the reviewer's own text, and the next round sees the item so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, runtime_checkable

from core.curation.replies import the_object, words
from core.records import Field, Item, Json, Step, Text, Turn

REVIEW: Final = "review"
REVIEWER: Final = "reviewer"

VerdictName = Literal["accept", "edit", "reject"]
VERDICTS: Final[tuple[VerdictName, ...]] = ("accept", "edit", "reject")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one reviewer said. ``edit`` is empty unless the verdict is ``edit``."""

    reviewer: str
    verdict: VerdictName
    reason: str = ""
    edit: Json = None

    def text(self) -> str:
        """As it is stored."""
        said: dict[str, Json] = {REVIEWER: self.reviewer, "verdict": self.verdict}
        if self.reason:
            said["reason"] = self.reason
        if self.edit is not None:
            said["edit"] = self.edit
        return json.dumps(said, ensure_ascii=False)


def verdict_of(step: Step) -> Verdict | None:
    """What a review step says, None where it cannot be read: an item is never accepted by a guess."""
    said = the_object(step.answer.text)
    verdict = words(said.get("verdict")).casefold()
    if verdict not in VERDICTS or (verdict == "edit") != isinstance(said.get("edit"), Mapping):
        return None
    return Verdict(words(said.get(REVIEWER)), verdict, words(said.get("reason")), said.get("edit"))


def reviews(steps: Sequence[Step]) -> list[Step]:
    """The review steps among these, in order."""
    return [step for step in steps if step.turn.step.partition(".")[0] == REVIEW]


def rejected(steps: Sequence[Step]) -> str | None:
    """Why the item was thrown out by a reviewer, None where it was not. What cannot be read counts as no."""
    for step in reviews(steps):
        verdict = verdict_of(step)
        if verdict is None:
            return "a review that cannot be read"
        if verdict.verdict == "reject":
            return verdict.reason or "no reason given"
    return None


def review_turn(step: str, asked: str, shown: str, *parts: Text) -> Turn:
    """The turn that a reviewer answers: what is asked, and the item as it stands by now."""
    return Turn(
        step,
        (*parts, Text(asked), Text(shown)),
        form=(Field("verdict", ("accept", "reject")),),
        gold={"verdict": "accept"},
        gold_text=Verdict("oracle", "accept").text(),
        afresh=True,
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """What waits for a person. ``text`` is the form in which it is edited, "" where it cannot be; ``faults`` are what
    must be mended before it can be accepted; ``notes`` what else a reviewer is to know. ``writes`` is true where
    there is nothing yet to accept and the person is to write it, ``closed`` where no person is asked after all."""

    text: str = ""
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    writes: bool = False
    closed: bool = False


@runtime_checkable
class Reviewable(Protocol):
    """A protocol whose steps are reviewed by people."""

    def draft(self, item: Item, steps: Sequence[Step]) -> Draft:
        """What the person whom the next turn waits for is shown."""
        ...

    def edited(self, item: Item, steps: Sequence[Step], text: str) -> Json:
        """A person's own text as the pipeline's. Raises UsageError, with the line, for what cannot be used."""
        ...

    def written(self, who: str, edit: Json, reason: str) -> str:
        """A person's work as the answer to a step that is theirs to write; ``edit`` None: they could not."""
        ...

    def forbidden(self, steps: Sequence[Step]) -> frozenset[str]:
        """Whose work it is: they do not review it."""
        ...


@runtime_checkable
class Ending(Protocol):
    """A protocol that throws items out itself, beside what reviewers do."""

    def thrown_out(self, item: Item, steps: Sequence[Step]) -> str | None:
        """Why nothing comes of the item, None while something may."""
        ...


@runtime_checkable
class Picking(Protocol):
    """A protocol of which several trajectories on one item are candidates, and some are kept."""

    @property
    def kept(self) -> int:
        """So many of each item are wanted: no more are reviewed then."""
        ...

    def rank(self, steps: Sequence[Step]) -> int:
        """Candidates with the lowest come first."""
        ...
