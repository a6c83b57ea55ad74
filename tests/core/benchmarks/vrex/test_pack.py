"""The built-in pack: it loads, and the gold is right everywhere under every protocol."""

from __future__ import annotations

import pytest

from core.benchmarks.base import LoadOptions
from core.benchmarks.vrex.question import TAXONOMY
from core.packs import pack
from core.records import Item
from tests.vrex_data import VREX, gold_path, protocol


@pytest.fixture(scope="module")
def items() -> list[Item]:
    dataset = VREX.load(pack("vrex", ""), "", LoadOptions(protocol="planning"))
    assert dataset.problems() == []
    return list(dataset)


def test_every_scenario_is_there_twice(items: list[Item]) -> None:
    scenarios = [scenario for names in TAXONOMY.values() for scenario in names]
    assert sorted(item.groups["scenario"] for item in items) == sorted(scenarios * 2)


@pytest.mark.parametrize("options", ["kept", "rotate"])
@pytest.mark.parametrize("name", list(VREX.protocols))
def test_the_gold_is_right_everywhere(items: list[Item], name: str, options: str) -> None:
    for item in items:
        steps = gold_path(protocol(name, options=options), item)
        assert all(step.scores[0].correct for step in steps)
        assert steps[-1].turn.step == "final"
        assert len(steps) == (1 if name == "direct" else len(item.facts["steps"]) + 1)
