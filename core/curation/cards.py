"""The card of a made set: what was made from what, by whom, checked by whom, and when."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.plan import Plan
from core.prompts import prompt_hashes
from core.records import Json
from core.respondents.addresses import without_place
from core.respondents.base import Respondent
from core.version import own_version

CARD: Final = "card.json"
UNSTATED: Final = "not stated by whoever made this set"


@dataclass(frozen=True, slots=True)
class Making:
    """What a card says of how a set was made. ``made`` is the day (ISO), ``reviewers`` pseudonyms by round."""

    run: str
    seed: int
    options: Mapping[str, str]
    respondents: Mapping[str, Json]
    prompts: Mapping[str, str]
    reviewers: Mapping[str, Sequence[str]]
    made: str
    licence: str = UNSTATED

    def card(self, benchmark: str, counts: Mapping[str, int], file: Path, **more: Json) -> dict[str, Json]:
        """The card's content; ``file`` is the data file, written already."""
        return {
            "benchmark": benchmark,
            **more,
            "counts": dict(counts),
            "seed": self.seed,
            "options": dict(self.options),
            "respondents": dict(self.respondents),
            "prompts": dict(self.prompts),
            "reviewers": {name: list(who) for name, who in self.reviewers.items()},
            "made": self.made,
            "made_by": f"phoropter {own_version()}",
            "run": self.run,
            "file": file.name,
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "licence": self.licence,
        }


def save(card: Mapping[str, Json], folder: Path) -> None:
    """Write the card into the set's folder."""
    text = json.dumps(card, ensure_ascii=False, indent=2) + "\n"
    (folder / CARD).write_text(text, encoding="utf-8")


def respondents_of(plan: Plan, judge: Respondent | None = None) -> dict[str, Json]:
    """Who was asked what, without the places of servers: by step, the usual one as ``default``."""
    asked = {"default": plan.respondent, **plan.respondents_at, **({"judge": judge} if judge is not None else {})}
    return {step: whose(one) for step, one in asked.items()}


def whose(respondent: Respondent) -> Json:
    """A respondent's name, kind and parameters."""
    identity = dict(respondent.identity)
    return {"name": without_place(respondent.name), "kind": respondent.kind, "parameters": identity}


def prompts_of(plan: Plan) -> Mapping[str, str]:
    """The version of each prompt: a hash of its words."""
    return prompt_hashes(plan.benchmark.name, plan.protocol.prompts)


def counted(states: Iterable[str]) -> dict[str, int]:
    """How many items ended how."""
    return dict(sorted(Counter(states).items()))
