"""A local model as a judge: asked by words alone, read like any other, its calls marked in the ledger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.benchmarks import registry
from core.config import Config
from core.judging.judge import make_judge
from core.prompts import prompts_for
from core.records import Answer
from core.respondents.settings import LocalSettings
from tests.core.questions import change_of_all


async def test_words_that_make_no_sense_are_a_judge_error_and_no_score(folder: Callable[..., Path]) -> None:
    voila = registry.get("voila")
    settings = LocalSettings(model=str(folder("llama")), looks=False, max_tokens=12)
    judge = make_judge("tiny", Config(respondents={"tiny": settings}), voila, ("apply",))
    turn = voila.protocols["direct"]("ND", {}, prompts_for("voila")).next_turn(change_of_all(), ())
    assert turn is not None
    try:
        found = await judge.judge(change_of_all(), turn, Answer("two dogs walking"))
    finally:
        await judge.close()
    assert found.score is None
    assert "no JSON object" in found.error
    assert found.call is not None
    assert found.call.purpose == "judge"
    assert found.call.request["schema"]["required"] == ["number", "subject", "action"]
    assert "two dogs walking" in found.call.request["prompt"]
