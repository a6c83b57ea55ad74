"""The small model's recorded answers: a first minute in a real terminal, and whole packs as batches; no torch."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.benchmark import BENCHMARK as VOILA
from core.packs import pack
from core.prompts import built_in
from core.records import Answer, Item, Step
from core.respondents import eyes
from core.respondents.base import Exchange, Request
from core.respondents.baselines import make_baseline
from tests.end_to_end.commands import phoropter, told
from tests.end_to_end.terminals import Tmux

RECORDED = eyes.RECORDED


def right(item: Item, gold: str = "") -> dict[str, bool]:
    """By step, whether the recorded answer is right; the gold stands in at the step ``gold``."""

    async def asked() -> dict[str, bool]:
        respondent = make_baseline(RECORDED)
        assert respondent is not None
        protocol = VOILA.protocols["l2m"]("WD", {}, built_in("voila"))
        steps: list[Step] = []
        while (turn := protocol.next_turn(item, steps)) is not None:
            request = Request(item, turn, tuple(Exchange(step.turn, step.answer.text) for step in steps))
            put_in = Answer(turn.gold_text) if turn.step == gold else None
            answer = put_in or await respondent.answer(request)
            steps.append(Step(turn, answer, (VOILA.score(item, turn, answer.text),)))
        return {step.turn.step: bool(step.scores[0].correct) for step in steps}

    return asyncio.run(asked())


def recovering() -> int:
    """The place of an item that it describes wrongly, gets wrong, and gets right from the gold description."""
    items = VOILA.load(pack("voila", "WD"), "WD", LoadOptions())
    for place, item in enumerate(items):
        plain = right(item)
        if not plain["describe"] and not plain["apply"] and all(right(item, "describe").values()):
            return place
    raise AssertionError("there is no such item in the pack")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    made = Tmux(tmp_path, 120, 40)
    yield made
    made.kill()


def test_it_fails_at_a_named_step_and_recovers_from_the_gold(tmux: Tmux, tmp_path: Path) -> None:
    place = recovering()
    tmux.start("demo", "voila:WD", "--respondent", RECORDED, "--store", str(tmp_path / "demo.db"))
    tmux.wait_for("next: space asks")
    tmux.wait_for(f"{RECORDED} (baseline)")
    for number in range(place):
        tmux.press(">")
        tmux.wait_for(f"{number + 2}/38")
    tmux.wait_until_still("1 describe")
    tmux.press("f")  # runs to the first wrong step, which is the first
    tmux.wait_for("✗ Image")
    assert "1 describe" in tmux.wait_until_still("2 relate   next")
    tmux.press("g")
    tmux.wait_until_still("╰ describe: gold put in")
    tmux.press("r")
    tmux.wait_for("3 apply    N✓ S✓ A✓")
    tmux.wait_for("2 relate   N✓ S✓ A✓")
    tmux.press("q")
    tmux.wait_for("ENDED 0")


def test_the_packs_run_whole_on_its_recorded_answers_and_the_gold_helps(tmp_path: Path) -> None:
    """Also with the gold put in, and its sham, which changes nothing: it is deterministic."""
    for name in ("voila:ND", "voila:WD", "mmra", "vrex"):
        done = told(tmp_path, "run", name, "--respondent", RECORDED)
        assert (done["failed"], done["open"]) == (0, 0), done
    gold = ("run", "voila:WD", "--respondent", RECORDED, "--intervene", "describe=gold")
    assert told(tmp_path, *gold)["failed"] == 0
    assert told(tmp_path, *gold, "--sham")["failed"] == 0
    shares: dict[str, float] = {}
    for cell in told(tmp_path, "report")["cells"]:
        if cell["step"] == "apply" and cell["property"] == "all" and cell["subset"] == "WD":
            shares[cell["run"]] = cell["accuracy"]
    plain, mended, sham = (
        shares[f"voila-WD-l2m-{RECORDED}{tail}"] for tail in ("", "-describe-gold", "-describe-sham")
    )
    assert mended > plain == sham


def test_what_is_not_recorded_says_what_to_do(tmp_path: Path) -> None:
    done = phoropter(tmp_path, "run", "voila:WD", "--respondent", RECORDED, "--set", "images=collage", "--limit", "1")
    assert done.returncode == 1
    assert "phoropter[local]" in done.stderr
