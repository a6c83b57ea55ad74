"""A reviewer's own text of a planning item read back, and its place in the review that is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.benchmarks.vrex.question import Question
from core.curation.replies import words
from core.curation.vrex.merging import CHAIN, STEP, Distractor, Merged, reworded
from core.curation.vrex.replies import Asked
from core.errors import UsageError
from core.records import Json

GOLD = "gold"


def read_text(view: Question, text: str) -> Json:
    """``as_text`` after a person changed it, as JSON. Raises UsageError that names the line.

    Questions and distractors may change, gold answers and the number of steps may not: those are the chain's.
    """
    steps: list[dict[str, Json]] = []
    for number, line in enumerate(text.splitlines(), 1):
        said = line.strip()
        if not said:
            continue
        where = f"line {number}"
        if said.casefold().startswith("step ") and ":" not in said:
            steps.append({GOLD: "", "distractors": []})
            continue
        kind, colon, rest = said.partition(":")
        kind = kind.strip().casefold()
        question, equals, answer = (part.strip() for part in rest.rpartition("="))
        if not colon or kind not in (GOLD, STEP, CHAIN) or not equals or not question or not answer:
            raise UsageError("a line is `gold: Question = answer`, or step: or chain: instead", where=where)
        if not steps:
            raise UsageError("the first line names its step: `step 1`", where=where)
        if kind == GOLD:
            at = len(steps)
            if at <= len(view.steps) and answer != view.steps[at - 1].answer:
                raise UsageError("a gold answer cannot be changed here", where=where, remedy="Mend it in the chains")
            if steps[-1][GOLD]:
                raise UsageError("this step has two gold questions", where=where)
            steps[-1][GOLD] = question
        else:
            steps[-1]["distractors"].append({"question": question, "answer": answer, "kind": kind})
    if len(steps) != len(view.steps) or not all(step[GOLD] for step in steps):
        raise UsageError(f"the chain has {len(view.steps)} steps, each with one gold question")
    return {"steps": steps}


def applied(view: Question, merged: Merged, edit: Json) -> Merged:
    """An item with a stored edit in it; one that does not fit (somebody forked before it) leaves it as it was."""
    steps: Sequence[Json] = edit.get("steps", ()) if isinstance(edit, Mapping) else ()
    if len(steps) != len(view.steps):
        return merged
    questions = [words(step.get(GOLD)) for step in steps]
    distractors = [
        [
            Distractor(Asked(words(one["question"]), words(one["answer"])), STEP if one["kind"] == STEP else CHAIN)
            for one in step["distractors"]
        ]
        for step in steps
    ]
    return reworded(merged, questions, distractors)
