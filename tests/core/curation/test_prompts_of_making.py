"""What the papers print is quoted as they print it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.benchmarks.mmra.question import SUBTASKS
from core.prompts import built_in

SEEDS = os.environ.get("PHOROPTER_SEEDS", "")
needs_papers = pytest.mark.skipif(not SEEDS, reason="PHOROPTER_SEEDS does not name the folder with the papers' texts")


def paper(number: str) -> str:
    (file,) = Path(SEEDS).glob(f"{number}_*.txt")
    return file.read_text(encoding="utf-8")


@needs_papers
def test_the_generation_prompts_are_those_of_section_9_2() -> None:
    text, prompts = paper("001"), built_in("make-vrex")
    assert f"System Prompt for Step-Level Generation (Part 1) {prompts['step_1']}\n" in text
    for heading, name in (
        ("System Prompt for Step-Level Generation (Part 2)", "step_2"),
        ("System Prompt for Chain-Level Distractor Generation (Part 1)", "chain_1"),
        ("System Prompt for Chain-Level Distractor Generation (Part 2)", "chain_2"),
    ):
        assert f"{heading}\n\n{prompts[name]}\n" in text
    assert prompts["plan"] == built_in("vrex")["plan"]


@needs_papers
def test_the_definitions_are_those_of_section_2_2() -> None:
    text, prompts = paper("003"), built_in("make-mmra")
    for short, (full, _) in SUBTASKS.items():
        assert f"{full} ({short}): {prompts[f'define_{short}']}\n" in text


@needs_papers
def test_pictures_are_asked_for_as_the_paper_did() -> None:
    assert "for example “Two dogs walking”" in paper("000")
    assert built_in("make-voila")["draw"] == "{Content}"
