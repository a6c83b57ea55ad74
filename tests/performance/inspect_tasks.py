"""Questions of VOILA as ours asks them, written down for inspect-ai to ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.prompts import prompts_for
from core.records import Answer, Step

PEER: Final = Path(__file__).with_name("inspect_peer.py")


def tasks_file(table: Path, pictures: Path, out: Path, limit: int) -> Path:
    """The questions as ours asks them, gold answers in between, for :mod:`tests.performance.inspect_peer`."""
    benchmark = registry.get("voila")
    protocol = benchmark.protocols["l2m"]("ND", {}, prompts_for("voila"))
    with out.open("w", encoding="utf-8") as stream:
        for number, item in enumerate(benchmark.load(table, "ND", LoadOptions(pictures=pictures))):
            if number == limit:
                break
            steps: list[Step] = []
            texts = []
            while (turn := protocol.next_turn(item, steps)) is not None:
                texts.append(turn.text)
                steps.append(Step(turn, Answer(turn.gold_text), ()))
            paths = [picture.path for picture in item.pictures]
            told = {"id": item.id, "pictures": paths, "turns": texts, "gold": steps[-1].turn.gold_text}
            stream.write(json.dumps(told) + "\n")
    return out
