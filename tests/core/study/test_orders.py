from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.study.definition import Catch, Condition, Design, Study
from core.study.pool import Pool
from core.study.slots import deal
from tests.fuzzing import fuzzed
from tests.studies import a_pool, session_plan

POOL = a_pool(40, groups=4)
STUDY = Study("s", "voila:ND", design=Design(raters=5, per_session=10, blocks=2), catch=Catch(every=4))
WITH_MORE = replace(POOL, practice=tuple(a_pool(3, seed=8).items.values()), catch=tuple(a_pool(5).items.values()))


@fuzzed(60)
@given(
    seed=st.integers(0, 500),
    slot=st.integers(0, 15),
    order=st.sampled_from(("random", "latin")),
    data=st.data(),
)
def test_a_session_is_a_permutation_of_its_slot_and_of_what_is_left_of_it(
    seed: int, slot: int, order: str, data: st.DataObject
) -> None:
    study = replace(STUDY, seed=seed, design=replace(STUDY.design, order=order))  # type: ignore[arg-type]
    pool = replace(WITH_MORE)
    assigned = {(place.item, place.condition) for place in deal(study, pool)[slot].places}
    whole = [each for each in session_plan(study, pool, slot) if each.kind == "main"]
    assert Counter((each.item.id, each.condition) for each in whole) == Counter(assigned)
    answered = data.draw(st.sets(st.sampled_from(sorted(assigned))))
    rest = [each for each in session_plan(study, pool, slot, answered) if each.kind == "main"]
    assert [each.item.id for each in rest] == [
        each.item.id for each in whole if (each.item.id, each.condition) not in answered
    ]


def test_positions_kinds_and_blocks() -> None:
    planned = session_plan(STUDY, WITH_MORE, 3)
    assert [each.position for each in planned] == list(range(len(planned)))
    assert [each.kind for each in planned] == [
        *["practice"] * 3,
        *["main"] * 4,
        "catch",
        *["main"] * 4,
        "catch",
        *["main"] * 2,
    ]
    main = [each for each in planned if each.kind == "main"]
    assert [each.block for each in main] == [0] * 5 + [1] * 5
    assert len({each.item.id for each in planned if each.kind == "catch"}) == 2
    assert all(each.part == -1 for each in planned if each.kind != "main")
    assert {each.part for each in main} <= set(range(5))


def test_catch_trials_end_with_the_items_for_them() -> None:
    study = replace(STUDY, catch=Catch(every=1))
    kinds = Counter(each.kind for each in session_plan(study, WITH_MORE, 0))
    assert kinds["catch"] == 5


def test_a_hundred_sessions_have_a_hundred_orders_rebuilt_elsewhere_from_seed_and_slot_alone() -> None:
    """In another process, with other hash values of strings."""
    study = Study("s", "voila:ND", seed=11, design=Design(raters=50, per_session=20))
    plans = [[each.item.id for each in session_plan(study, POOL, slot)] for slot in range(100)]
    assert len({tuple(plan) for plan in plans}) == 100
    code = (
        "from core.study.definition import Design, Study\n"
        "from tests.studies import a_pool, session_plan\n"
        "study = Study('s', 'voila:ND', seed=11, design=Design(raters=50, per_session=20))\n"
        "pool = a_pool(40, groups=4)\n"
        "print([[each.item.id for each in session_plan(study, pool, slot)] for slot in range(99, -1, -1)][::-1])\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(plans)


def test_another_seed_is_another_order_and_another_dealing() -> None:
    one, other = (session_plan(replace(STUDY, seed=seed), replace(POOL), 0) for seed in (1, 2))
    assert {each.item.id for each in one} != {each.item.id for each in other}


def test_blocks_of_items_go_by_a_latin_square() -> None:
    """Every block of items stands at every place equally often, whoever is asked them."""
    design = Design(raters=3, per_session=9, blocks=3, order="latin", stratify="rule")
    study = Study("s", "voila:ND", design=design)
    pool = a_pool(36, groups=3)
    slots = deal(study, pool)
    counts: Counter[tuple[int, int]] = Counter()
    for slot in slots:
        own = {place.item: place.block for place in slot.places}
        of_place: dict[int, set[int]] = {}
        for each in session_plan(study, pool, slot.index):
            of_place.setdefault(each.block, set()).add(own[each.item.id])
        assert all(len(blocks) == 1 for blocks in of_place.values())
        counts.update((place, next(iter(blocks))) for place, blocks in of_place.items())
    table = [counts[place, block] for place in range(3) for block in range(3)]
    assert max(table) - min(table) <= 1
    items = {place.item: place.block for slot in slots for place in slot.places}
    assert all(items[place.item] == place.block for slot in slots for place in slot.places)


@pytest.mark.parametrize("taken", [1, 4, 7, 12])
def test_conditions_within_a_session_are_balanced_however_many_came(taken: int) -> None:
    ways = {name: Condition() for name in "abc"}
    design = Design(raters=2, per_session=9, blocks=3, order="latin", conditions="within")
    study = Study("s", "voila:ND", conditions=ways, design=design)
    pool = a_pool(20)
    counts: Counter[tuple[int, str]] = Counter()
    for slot in range(taken):
        counts.update({(each.block, each.condition) for each in session_plan(study, pool, slot)})
    table = [counts[block, way] for block in range(3) for way in ways]
    assert max(table) - min(table) <= 1


def test_practice_takes_a_sessions_conditions_by_turns() -> None:
    ways = {"a": Condition(), "b": Condition()}
    design = Design(raters=1, per_session=8, blocks=2, order="latin", conditions="within")
    study = Study("s", "voila:ND", conditions=ways, design=design)
    planned = session_plan(study, replace(WITH_MORE), 1)
    first = [each.condition for each in planned if each.kind == "practice"]
    assert first == ["b", "a", "b"]


def test_pictures_are_told_apart_by_content_path_or_name() -> None:
    from core.records import Picture
    from core.study.pool import pictures_of

    item = next(iter(a_pool(1).items.values()))
    embedded = replace(item, pictures=(Picture("a", data=b"1"), Picture("b", data=b"1"), Picture("c", path="/c")))
    assert len(pictures_of(embedded)) == 2
    assert isinstance(Pool({}).dealt, dict)
