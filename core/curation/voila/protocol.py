"""How a picture of a content is made and kept: made, looked at by a judge, and accepted or rejected by a person.

Each candidate is a trajectory of its own, a repeat of its content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.benchmarks.base import ProtocolMaker
from core.benchmarks.options import settled
from core.benchmarks.voila.question import GENERATE, SINGLE_LAYOUT
from core.benchmarks.voila.vocabulary import PROPERTIES
from core.curation.review import REVIEW, Draft, Verdict, review_turn, reviews
from core.curation.voila.load import content_of
from core.errors import UsageError
from core.prompts import filled
from core.records import Item, Json, Score, Step, Text, Turn
from core.scoring import RULE

KEPT: Final = 10
MADE: Final = 30
"""Of each content so many pictures were made for the paper, and so many kept (section 3.1)."""


@dataclass(frozen=True, slots=True)
class MakePicture:
    """``kept``: how many of a content a reviewer is asked for."""

    prompts: Mapping[str, str]
    options: Mapping[str, str]
    name: str = "picture"
    steps: tuple[str, ...] = (GENERATE, f"{REVIEW}.1")
    draws: tuple[str, ...] = (GENERATE,)

    @property
    def kept(self) -> int:
        return int(self.options["kept"])

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        content = content_of(item)
        text = content.text()
        if not steps:
            words = filled(self.prompts["draw"], content=text, Content=text[:1].upper() + text[1:])
            return Turn(GENERATE, (Text(words),), gold_text=text, afresh=True, makes="picture")
        if steps[0].answer.picture is None or reviews(steps):
            return None
        return review_turn(f"{REVIEW}.1", filled(self.prompts[REVIEW], content=text), text)

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """Nothing is chosen."""
        return None

    def thrown_out(self, item: Item, steps: Sequence[Step]) -> str | None:
        """A refusal, or an empty reply, is no picture."""
        return "no picture was made" if steps and steps[0].answer.picture is None else None

    # -- reviews

    def draft(self, item: Item, steps: Sequence[Step]) -> Draft:
        notes = []
        for score in steps[0].scores if steps else ():
            if score.scorer != RULE:
                verdicts = (f"{name} {'right' if judged(score, name) else 'wrong'}" for name in PROPERTIES)
                notes.append(f"{score.scorer} judged: {', '.join(verdicts)}")
        return Draft(notes=tuple(notes))

    def edited(self, item: Item, steps: Sequence[Step], text: str) -> Json:
        """Raises UsageError: a picture has no words."""
        raise UsageError("a picture has no words to edit", where=item.id, remedy="Accept it, or reject it")

    def written(self, who: str, edit: Json, reason: str) -> str:
        return Verdict(who, "reject", reason).text()

    def forbidden(self, steps: Sequence[Step]) -> frozenset[str]:
        return frozenset()

    def rank(self, steps: Sequence[Step]) -> int:
        """Candidates that a judge holds right come first: the number of properties that somebody holds wrong."""
        scores = [score for score in (steps[0].scores if steps else ()) if score.scorer != RULE]
        return min((sum(not judged(score, name) for name in PROPERTIES) for score in scores), default=0)


def judged(score: Score, name: str) -> bool:
    """Whether a judge holds that property right."""
    return bool(score.right & SINGLE_LAYOUT.bit(name))


def make_picture(subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> MakePicture:
    """The protocol. Raises UsageError for an option or value that it does not know."""
    kept = options.get("kept", str(KEPT))
    settled("picture", {}, {key: value for key, value in options.items() if key not in ("kept", "seed")})
    if not kept.isdecimal() or int(kept) < 1:
        raise UsageError(f"kept cannot be {kept!r}", where=f"--set kept={kept}", remedy="Give a number from 1")
    return MakePicture(dict(prompts), {"kept": str(int(kept)), "seed": options.get("seed", "0")})


PROTOCOLS: Final[dict[str, ProtocolMaker]] = {"picture": make_picture}
