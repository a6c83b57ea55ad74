"""Gold questions and distractors merged into a planning item (paper section 9.1, "Question Integration").

A pure function of the chain and of what was generated, picked and edited: no order is drawn here. Letters are dealt
when the set is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.benchmarks.vrex.question import Question
from core.curation.vrex.replies import Asked, ChainReply, StepReply
from core.curation.wording import normal, tells_itself

STEP: Final = "step"
CHAIN: Final = "chain"


@dataclass(frozen=True, slots=True)
class Distractor:
    """A question that leads away. ``kind`` is ``step`` or ``chain``."""

    asked: Asked
    kind: str


@dataclass(frozen=True, slots=True)
class Merged:
    """A planning item before its letters are dealt: by step the gold question and what stands beside it."""

    questions: tuple[str, ...]
    """The gold questions, as a reviewer may have reworded them."""
    distractors: tuple[tuple[Distractor, ...], ...]
    paraphrases: tuple[str, ...] = ()


def barred(view: Question, paraphrases: Sequence[str]) -> frozenset[str]:
    """What no distractor may be, after normalising: any gold question, the final one, and a gold question's
    paraphrase (it would be right as well)."""
    gold = (step.question for step in view.steps)
    return frozenset(normal(text) for text in (view.question, *gold, *paraphrases) if text)


def why_not(asked: Asked, never: frozenset[str]) -> str:
    """Why a question cannot be a distractor, "" where it can."""
    if normal(asked.question) in never:
        return "is a gold question"
    if tells_itself(asked.question, asked.answer):
        return "holds its own answer"
    return ""


def usable(found: Sequence[Asked], never: frozenset[str]) -> tuple[Asked, ...]:
    """Those that can be distractors, none twice."""
    kept: dict[str, Asked] = {}
    for asked in found:
        if not why_not(asked, never):
            kept.setdefault(normal(asked.question), asked)
    return tuple(kept.values())


def hardest(candidates: Sequence[Asked], count: int) -> tuple[Asked, ...]:
    """Those with the highest unhelpfulness, in their order: what stands where nobody picked, or too few."""
    ranked = sorted(range(len(candidates)), key=lambda at: (-candidates[at].unhelpfulness, at))[:count]
    return tuple(candidates[at] for at in sorted(ranked))


def merge(
    view: Question,
    steps: Sequence[StepReply],
    chains: ChainReply,
    retained: int | None,
    picked: Sequence[Sequence[Asked]],
    options: int,
) -> Merged:
    """At each step the gold question, the retained chain's and step-level ones, ``options`` in all as far as there
    are so many. ``retained`` is 0 or 1 (None: neither), ``picked`` what was selected at each step ((): nobody was
    asked, so the hardest stand)."""
    paraphrases = paraphrases_of(view, steps, chains)
    never = barred(view, paraphrases)
    merged = []
    for at in range(len(view.steps)):
        chain = chain_question(chains, retained, at, never)
        beside = [Distractor(chain, CHAIN)] if chain is not None else []
        room = options - 1 - len(beside)
        candidates = candidates_at(steps, at, never, chain)
        kept = [asked for asked in picked[at] if asked in candidates][:room]
        rest = [asked for asked in candidates if asked not in kept]
        kept += hardest(rest, room - len(kept))
        beside += [Distractor(asked, STEP) for asked in kept]
        merged.append(tuple(beside))
    return Merged(tuple(step.question for step in view.steps), tuple(merged), paraphrases)


def paraphrases_of(view: Question, steps: Sequence[StepReply], chains: ChainReply) -> tuple[str, ...]:
    """Of each gold question the paraphrase made with the chains, else the one made at its step, else ""."""
    whole = chains.paraphrases or ("",) * len(view.steps)
    alone = [reply.paraphrase for reply in steps] + [""] * len(view.steps)
    return tuple(one or other for one, other in zip(whole, alone, strict=False))


def chain_question(chains: ChainReply, which: int | None, at: int, never: frozenset[str]) -> Asked | None:
    """What a misleading chain asks at a step, None where it asks nothing usable."""
    chain = chains.chains[which] if which is not None else ()
    found = chain[at] if at < len(chain) else None
    return found if found is not None and not why_not(found, never) else None


def candidates_at(
    steps: Sequence[StepReply], at: int, never: frozenset[str], chain: Asked | None
) -> tuple[Asked, ...]:
    """The step-level distractors that can stand at a step beside the retained chain's question."""
    found = steps[at].distractors if at < len(steps) else ()
    also = never | {normal(chain.question)} if chain is not None else never
    return usable(found, also)


def faults(view: Question, merged: Merged, options: int) -> list[str]:
    """What must be mended before the item can be accepted."""
    out = []
    never = barred(view, merged.paraphrases) | {normal(text) for text in merged.questions}
    for number, beside in enumerate(merged.distractors, 1):
        seen = set[str]()
        if not beside:
            out.append(f"step {number} has no distractor")
        if len(beside) > options - 1:
            out.append(f"step {number} has {len(beside)} distractors; {options - 1} is the most")
        for one in beside:
            if why := why_not(one.asked, never):
                out.append(f"step {number}: {one.asked.question!r} {why}")
            if normal(one.asked.question) in seen:
                out.append(f"step {number}: {one.asked.question!r} stands twice")
            seen.add(normal(one.asked.question))
        gold = view.steps[number - 1]
        if tells_itself(merged.questions[number - 1], gold.answer):
            out.append(f"step {number}: the gold question holds its own answer")
    if len({normal(text) for text in (*merged.questions, view.question)}) <= len(merged.questions):
        out.append("two gold questions are the same")
    return out


def as_text(view: Question, merged: Merged) -> str:
    """The form in which people read and edit an item."""
    lines = []
    for number, (gold, beside) in enumerate(zip(merged.questions, merged.distractors, strict=True), 1):
        lines += [f"step {number}", f"gold: {gold} = {view.steps[number - 1].answer}"]
        lines += [f"{one.kind}: {one.asked.question} = {one.asked.answer}" for one in beside]
    return "\n".join(lines)


def reworded(merged: Merged, questions: Sequence[str], distractors: Sequence[Sequence[Distractor]]) -> Merged:
    """With a reviewer's words; distractors that were there keep their scores."""
    known = {one.asked.question: one.asked.unhelpfulness for beside in merged.distractors for one in beside}

    def scored(one: Distractor) -> Distractor:
        return replace(one, asked=replace(one.asked, unhelpfulness=known.get(one.asked.question, 0)))

    kept = tuple(tuple(scored(one) for one in beside) for beside in distractors)
    return Merged(tuple(questions), kept, merged.paraphrases)
