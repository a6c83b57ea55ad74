"""The demo packs that ship."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from core.benchmarks.voila.make import write_table
from core.benchmarks.voila.sample import plan
from core.errors import UsageError
from core.packs import pack
from tests.voila_data import loaded


@pytest.mark.parametrize(("subset", "count"), [("WD", 38), ("ND", 14)])
def test_voilas_packs_hold_two_questions_of_each_structure(subset: str, count: int) -> None:
    data = loaded(pack("voila", subset), subset)
    assert data.problems() == []
    often = Counter(item.groups["structure"] for item in data)
    assert set(often.values()) == {2}
    assert sum(often.values()) == count


@pytest.mark.parametrize("subset", ["WD", "ND"])
def test_the_card_gives_the_seed_that_makes_a_pack_again(subset: str, tmp_path: Path) -> None:
    file = pack("voila", subset)
    card = json.loads((file.parent / "card.json").read_text(encoding="utf-8"))["packs"][subset]
    write_table(tmp_path / "again.csv", plan(subset, card["questions"], card["seed"], variants=card["variants"]))
    assert (tmp_path / "again.csv").read_bytes() == file.read_bytes()
    assert hashlib.sha256(file.read_bytes()).hexdigest() == card["sha256"]


def test_a_pack_there_is_not_is_refused_naming_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"voila:ND, voila:WD"):
        pack("voila", "XX")
