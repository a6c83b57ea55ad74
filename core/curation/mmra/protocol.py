"""How pictures are captioned and pairs become items (paper sections 2.1 to 2.4): pure functions of the steps so far.

Annotate, let somebody else review, wait for the leakage check of the whole set; what leaks comes back to the
annotator with the reason, as often as ``MOST_ROUNDS`` says, and is thrown out then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from core.benchmarks.base import ProtocolMaker
from core.benchmarks.mmra.question import SUBTASKS
from core.benchmarks.options import settled
from core.curation.mmra import annotation
from core.curation.mmra.annotation import BLANK, Annotation
from core.curation.replies import the_object, words
from core.curation.review import REVIEW, Draft, rejected, review_turn, verdict_of
from core.errors import UsageError
from core.prompts import filled
from core.records import Item, Json, Part, Score, Show, Step, Text, Turn
from core.tally import REASKED

CAPTION: Final = "caption"
ANNOTATE: Final = "annotate"
LEAK: Final = "leak"
MOST_ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Caption:
    """One sentence on one picture."""

    prompts: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)
    name: str = CAPTION
    steps: tuple[str, ...] = (CAPTION,)
    draws: ClassVar[tuple[str, ...]] = ()

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        if steps:
            return None
        return Turn(CAPTION, (Show((0,)), Text(self.prompts[CAPTION])), afresh=True, shared=True)

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """Nothing is chosen."""
        return None


@dataclass(frozen=True, slots=True)
class Annotate:
    """``reviews``: how many other people look at each version, ``captions``: whether an annotator is told them."""

    prompts: Mapping[str, str]
    options: Mapping[str, str]
    steps: tuple[str, ...]
    name: str = ANNOTATE
    draws: ClassVar[tuple[str, ...]] = ()

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        last = steps[-1] if steps else None
        if last is None:
            return self._annotating(item, steps, 1)
        name, _, number = last.turn.step.removesuffix(REASKED).partition(".")
        round_ = int(number)
        if self.thrown_out(item, steps) is not None:
            return None
        if name == ANNOTATE:
            said = annotation.read(last.answer.text)
            if said.problem and not last.turn.step.endswith(REASKED):
                return self._once_more(last.turn, said.problem)
            return self._reviewing(item, steps, round_) or self._leak(round_)
        if name == REVIEW:
            return self._leak(round_)
        return self._annotating(item, steps, round_ + 1) if leaking(last) else None

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """Nothing is chosen."""
        return None

    # -- what came of it

    def annotated(self, steps: Sequence[Step]) -> Annotation | None:
        """The item as it stands, a reviewer's edits in it; None where there is nothing usable."""
        found = None
        for step in steps:
            name = step.turn.step.partition(".")[0]
            if name == ANNOTATE:
                found = annotation.read(step.answer.text).annotation
            elif name == REVIEW:
                verdict = verdict_of(step)
                if verdict is not None and verdict.verdict == "edit" and isinstance(verdict.edit, Mapping):
                    found = annotation.of_json(verdict.edit) or found
        return found

    def thrown_out(self, item: Item, steps: Sequence[Step]) -> str | None:
        """Why nothing comes of the pair, None while something may."""
        last = steps[-1] if steps else None
        if last is None:
            return None
        name, _, number = last.turn.step.removesuffix(REASKED).partition(".")
        if name == REVIEW:
            return rejected([last])
        if name == LEAK:
            return f"still leaks: {leaking(last)}" if leaking(last) and int(number) >= MOST_ROUNDS else None
        said = annotation.read(last.answer.text)
        if not said.fits:
            return "no question of this subtask fits the pair"
        unusable = said.annotation is None or (bool(said.problem) and not self._reviewed)
        if unusable and last.turn.step.endswith(REASKED):
            return f"the annotation cannot be used: {said.problem}"
        return None

    @property
    def _reviewed(self) -> bool:
        return self.options["reviews"] != "0"

    # -- reviews

    def draft(self, item: Item, steps: Sequence[Step]) -> Draft:
        turn = self.next_turn(item, steps)
        name = turn.step.partition(".")[0] if turn is not None else LEAK
        found = self.annotated(steps)
        if name == ANNOTATE:
            return Draft(found.text() if found is not None else BLANK, notes=tuple(self._reason(steps)), writes=True)
        if name == REVIEW and found is not None:
            return Draft(found.text(), tuple(annotation.faults(found)))
        return Draft(closed=True)

    def edited(self, item: Item, steps: Sequence[Step], text: str) -> Json:
        return annotation.read_text(text).to_json()

    def written(self, who: str, edit: Json, reason: str) -> str:
        said: dict[str, Json] = dict(edit) if isinstance(edit, Mapping) else {"fits": False}
        return json.dumps(said | {"by": who} | ({"reason": reason} if reason else {}), ensure_ascii=False)

    def forbidden(self, steps: Sequence[Step]) -> frozenset[str]:
        """Whoever wrote it: another person reviews."""
        wrote = (annotation.read(step.answer.text).by for step in steps if step.turn.step.startswith(ANNOTATE))
        return frozenset(who for who in wrote if who)

    # -- turns

    def _annotating(self, item: Item, steps: Sequence[Step], round_: int) -> Turn:
        subtask = item.facts["subtask"]
        said = filled(
            self.prompts["annotate"], subtask=SUBTASKS[subtask][0], definition=self.prompts[f"define_{subtask}"]
        )
        content: list[Part] = [Show((0,)), Show((1,)), Text(said)]
        first, second = item.facts["captions"]
        if self.options["captions"] == "told":
            content.append(
                Text(filled(self.prompts["captions"], caption1=first or "none", caption2=second or "none"))
            )
        content += [Text(reason) for reason in self._reason(steps)]
        return Turn(
            f"{ANNOTATE}.{round_}", tuple(content), answer_format=self.prompts["annotate_format"], afresh=True
        )

    def _reason(self, steps: Sequence[Step]) -> list[str]:
        """Why the item came back, with its last version."""
        reason = leaking(steps[-1]) if steps and steps[-1].turn.step.startswith(LEAK) else ""
        before = self.annotated(steps)
        if not reason or before is None:
            return []
        return [filled(self.prompts["again_leaks"], reason=reason, before=before.text())]

    def _once_more(self, turn: Turn, why: str) -> Turn:
        said = Text(filled(self.prompts["again"], why=why))
        format_ = turn.answer_format
        return Turn(f"{turn.step}{REASKED}", (*turn.content, said), answer_format=format_, afresh=True)

    def _reviewing(self, item: Item, steps: Sequence[Step], round_: int) -> Turn | None:
        found = self.annotated(steps)
        if not self._reviewed or found is None:
            return None
        subtask = item.facts["subtask"]
        definition = f"{SUBTASKS[subtask][0]}: {self.prompts[f'define_{subtask}']}"
        shown = "\n".join([found.text(), *(f"To be mended: {fault}" for fault in annotation.faults(found))])
        return review_turn(f"{REVIEW}.{round_}", filled(self.prompts["review"], definition=definition), shown)

    def _leak(self, round_: int) -> Turn:
        return Turn(f"{LEAK}.{round_}", (Text(self.prompts[LEAK]),), gold_text=leak_text(""), afresh=True)


def leaking(step: Step) -> str:
    """Why the leakage check sends the item back, "" where it does not."""
    said = the_object(step.answer.text)
    return words(said.get("reason")) or "it leaks" if said.get("flagged") is True else ""


def leak_text(reason: str) -> str:
    """What the check says of an item: the reason for which it goes back, "" for none."""
    return json.dumps({"flagged": bool(reason), **({"reason": reason} if reason else {})}, ensure_ascii=False)


def make_caption(subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> Caption:
    """The protocol of captions. Raises UsageError for an option: it has none."""
    settled(CAPTION, {}, options)
    return Caption({name: text for name, text in prompts.items() if name == CAPTION})


def make_annotate(subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> Annotate:
    """The protocol of annotation. Raises UsageError for an option or value that it does not know."""
    seed = options.get("seed", "0")
    if not seed.removeprefix("-").isdecimal():
        raise UsageError(f"seed cannot be {seed!r}", where=f"--set seed={seed}", remedy="Give a whole number")
    known = {"reviews": ("1", "0"), "captions": ("told", "hidden")}
    chosen = settled(ANNOTATE, known, {key: value for key, value in options.items() if key != "seed"})
    rounds = range(1, MOST_ROUNDS + 1)
    steps = tuple(f"{name}.{number}" for number in rounds for name in (ANNOTATE, REVIEW, LEAK))
    if chosen["reviews"] == "0":
        steps = tuple(step for step in steps if not step.startswith(REVIEW))
    used = {name: text for name, text in prompts.items() if name != CAPTION}
    return Annotate(used, chosen | {"seed": str(int(seed))}, steps)


PROTOCOLS: Final[dict[str, ProtocolMaker]] = {ANNOTATE: make_annotate, CAPTION: make_caption}
