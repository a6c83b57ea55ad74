"""A made V-REX set on disk: the documented JSON lines, the pictures, and the card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from core.benchmarks.base import LoadOptions
from core.benchmarks.vrex.load import load
from core.benchmarks.vrex.question import GOLD, Choice, Question, question
from core.curation import cards
from core.curation.cards import Making
from core.curation.pictures import copied
from core.curation.vrex.merging import Distractor, Merged
from core.errors import DataError
from core.making.dealing import Dealer
from core.new_folder import new_folder
from core.records import Item, Json

FILE: Final = "vrex.jsonl"


def write(out: Path, made: Sequence[tuple[Item, Merged]], making: Making, counts: Mapping[str, int]) -> Path:
    """The set as a new folder; returns its data file. Letters are dealt from decks by the seed, so that each letter
    is right as often as any other, give or take one. Raises UsageError, DataError, PictureError."""
    with new_folder(out) as folder:
        dealer = Dealer("make-vrex", making.seed)
        rows = [_row(item, merged, dealer, folder) for item, merged in made]
        file = folder / FILE
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        refuse_unusable(file)
        more = {"items": len(rows), "questions": sum(len(row["steps"]) + 1 for row in rows)}
        cards.save(making.card("vrex", {**more, **counts}, file), folder)
    return out / FILE


def refuse_unusable(file: Path) -> None:
    """Raises DataError where V-REX's own loader would find anything wrong with what was written."""
    problems = load(file, "", LoadOptions(protocol="planning")).problems()
    if problems:
        raise DataError(problems, remedy="Nothing was written; mend these items in a review")


def _row(item: Item, merged: Merged, dealer: Dealer, folder: Path) -> dict[str, Json]:
    view = question(item)
    options, answer = _dealt("final", view.final, dealer)
    return {
        "id": item.id,
        "image": copied(item.pictures[0], folder, item.id),
        "category": item.groups.get("category", ""),
        "scenario": item.groups.get("scenario", ""),
        "question": view.question,
        "options": options,
        "answer": answer,
        "steps": [_step(view, merged, at, dealer) for at in range(len(view.steps))],
    }


def _step(view: Question, merged: Merged, at: int, dealer: Dealer) -> dict[str, Json]:
    gold = view.steps[at]
    right = {"question": merged.questions[at], "answer": gold.answer, "kind": GOLD}
    planning, pick = dealer.deal("planning", right, [_option(one) for one in merged.distractors[at]])
    row: dict[str, Json] = {"question": merged.questions[at], "answer": gold.answer}
    if merged.paraphrases[at]:
        row["paraphrase"] = merged.paraphrases[at]
    if gold.following is not None:
        options, answer = _dealt("following", gold.following, dealer)
        row["following"] = {"options": options, "answer": answer}
    row["planning"] = {"options": planning, "answer": pick}
    return row


def _option(one: Distractor) -> dict[str, Json]:
    option: dict[str, Json] = {"question": one.asked.question, "answer": one.asked.answer, "kind": one.kind}
    return option | ({"unhelpfulness": one.asked.unhelpfulness} if one.asked.unhelpfulness else {})


def _dealt(kind: str, choice: Choice, dealer: Dealer) -> tuple[dict[str, str], str]:
    wrong = [text for letter, text in choice.options.items() if letter != choice.answer]
    return dealer.deal(kind, choice.options[choice.answer], wrong)
