"""The mixture of a gold question and the misleading chains' that the strong respondent chooses from (section 9.1)."""

from __future__ import annotations

from collections.abc import Sequence

from core.benchmarks.vrex.question import Question
from core.benchmarks.vrex.row import PLAN_LETTERS
from core.curation.vrex.merging import barred, chain_question, paraphrases_of
from core.curation.vrex.replies import Asked, ChainReply, StepReply
from core.records import digest


def mixture(
    view: Question, steps: Sequence[StepReply], chains: ChainReply | None, at: int, item_id: str, seed: int
) -> dict[str, tuple[int | None, Asked]]:
    """By letter, in an order that seed, item and step decide: which chain a question is of (None: the gold one), and
    the question. Empty where the chains ask nothing usable at this step."""
    if chains is None or at >= len(view.steps):
        return {}
    never = barred(view, paraphrases_of(view, steps, chains))
    gold = view.steps[at]
    found: list[tuple[int | None, Asked]] = [(None, Asked(gold.question, gold.answer))]
    for which in (0, 1):
        asked = chain_question(chains, which, at, never)
        if asked is not None and asked.question not in (one.question for _, one in found):
            found.append((which, asked))
    if len(found) < 2:
        return {}
    found.sort(key=lambda one: digest([seed, item_id, at, one[0]]))
    return dict(zip(PLAN_LETTERS, found, strict=False))
