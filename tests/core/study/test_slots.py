from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.errors import UsageError
from core.records import Item, Picture
from core.study import repairing
from core.study.definition import Condition, Design, Items, Study
from core.study.pool import Pool, pictures_of
from core.study.preparing import prepare_study
from core.study.slots import Slot, deal, even, spread
from tests.fuzzing import fuzzed
from tests.studies import a_pool, a_study
from tests.voila_data import voila_file

TWO = {"a": Condition(), "b": Condition()}
THREE = {**TWO, "c": Condition()}


def copies(slots: tuple[Slot, ...]) -> Counter[tuple[str, str]]:
    return Counter((place.item, place.condition) for slot in slots for place in slot.places)


def shown_twice(slots: tuple[Slot, ...], pool: Pool) -> list[int]:
    out = []
    for slot in slots:
        shown = Counter(picture for place in slot.places for picture in pictures_of(pool.items[place.item]))
        if any(count > 1 for count in shown.values()):
            out.append(slot.index)
    return out


@fuzzed(120)
@given(
    items=st.integers(1, 60),
    raters=st.integers(1, 4),
    per_session=st.integers(1, 20),
    blocks=st.integers(1, 4),
    order=st.sampled_from(("random", "latin")),
    conditions=st.sampled_from(("between", "within")),
    ways=st.integers(1, 3),
    groups=st.integers(1, 4),
    stratify=st.booleans(),
    seed=st.integers(0, 1000),
)
@example(
    items=10,
    raters=1,
    per_session=3,
    blocks=3,
    order="random",
    conditions="within",
    ways=3,
    groups=4,
    stratify=True,
    seed=152,
)  # a stratum of two, thrice in a slot at first
def test_a_dealing_asks_everything_as_often_as_asked_for_and_nobody_twice(
    items: int,
    raters: int,
    per_session: int,
    blocks: int,
    order: str,
    conditions: str,
    ways: int,
    groups: int,
    stratify: bool,
    seed: int,
) -> None:
    names = dict(list(THREE.items())[:ways]) if ways > 1 else {}
    design = Design(
        raters=raters,
        per_session=per_session,
        blocks=blocks,
        order=order,  # type: ignore[arg-type]
        conditions=conditions,  # type: ignore[arg-type]
        stratify="rule" if stratify else "",
    )
    study = Study("s", "voila:ND", seed=seed, conditions=names, design=design)
    pool = a_pool(items, groups=groups)
    try:
        slots = deal(study, pool)
    except UsageError as error:
        assert error.where == "[design]"  # noqa: PT017
        assert items < 2 * per_session or blocks > per_session  # only where items are few, or blocks many
        return
    assert set(copies(slots)) == {(item, way) for item in pool.items for way in study.ways}
    assert set(copies(slots).values()) == {raters}
    assert [slot.index for slot in slots] == list(range(len(slots)))
    for slot in slots:
        asked = [place.item for place in slot.places]
        assert len(asked) == len(set(asked))
        assert 0 < len(asked) <= per_session
        if conditions == "between":
            assert len({place.condition for place in slot.places}) == 1
    parts = Counter((place.item, place.condition, place.part) for slot in slots for place in slot.places)
    assert set(parts.values()) == {1}
    assert {part for _, _, part in parts} == set(range(raters))


@fuzzed(40)
@given(items=st.integers(20, 80), groups=st.integers(2, 5), raters=st.integers(1, 3), seed=st.integers(0, 99))
def test_strata_and_sizes_are_spread_evenly_over_sessions(items: int, groups: int, raters: int, seed: int) -> None:
    study = Study("s", "voila:ND", seed=seed, design=Design(raters=raters, per_session=9, stratify="rule"))
    pool = a_pool(items, groups=groups, seed=seed)
    slots = deal(study, pool)
    sizes = [len(slot.places) for slot in slots]
    assert max(sizes) - min(sizes) <= 1
    for group in map(str, range(groups)):
        counts = [sum(pool.items[place.item].groups["rule"] == group for place in slot.places) for slot in slots]
        assert max(counts) - min(counts) <= 1


@fuzzed(40)
@given(seed=st.integers(0, 10_000), shared=st.floats(0.0, 0.3))
def test_no_picture_comes_twice_in_a_slot(seed: int, shared: float) -> None:
    pool = a_pool(60, shared=shared, seed=seed)
    study = Study("s", "voila:ND", seed=seed, design=Design(raters=3, per_session=6))
    worst = max(Counter(p for item in pool.items.values() for p in pictures_of(item)).values())
    assume(worst <= 7)
    assert shown_twice(deal(study, pool), pool) == []


@pytest.mark.parametrize("ways", [TWO, THREE])
def test_within_a_session_places_of_conditions_differ_by_one_at_most(ways: dict[str, Condition]) -> None:
    design = Design(raters=2, per_session=12, blocks=len(ways), order="latin", conditions="within")
    slots = deal(Study("s", "voila:ND", conditions=ways, design=design), a_pool(30))
    counts = Counter(
        (block, condition)
        for slot in slots
        for block, condition in {(place.block, place.condition) for place in slot.places}
    )
    table = [counts[block, way] for block in range(len(ways)) for way in ways]
    assert max(table) - min(table) <= 1
    assert all(len({place.condition for place in slot.places}) == len(ways) for slot in slots)


def test_arrivals_meet_conditions_by_turns() -> None:
    slots = deal(Study("s", "voila:ND", seed=3, conditions=THREE, design=Design(raters=2, per_session=5)), a_pool(25))
    conditions = [slot.places[0].condition for slot in slots]
    assert all(sorted(conditions[i : i + 3]) == ["a", "b", "c"] for i in range(0, len(conditions), 3))
    assert conditions[:3] * 10 != conditions  # the order of each round is drawn


def test_the_published_file_is_dealt_in_no_time(tmp_path: Path) -> None:
    study = a_study(
        data=str(voila_file(tmp_path)),
        items=Items(sample=440),
        design=Design(raters=3, per_session=33, stratify="rule"),
    )
    prepared = prepare_study(study, check_pictures=False)
    before = time.process_time()
    slots = deal(study, prepared.pool)
    print(f"440 items dealt in {time.process_time() - before:.3f} s")
    assert len(slots) == 40
    assert shown_twice(slots, prepared.pool) == []
    assert set(copies(slots).values()) == {3}
    assert sum(
        count > 1 for count in Counter(p for i in prepared.pool.items.values() for p in pictures_of(i)).values()
    )


def test_an_impossible_design_says_how_many_sessions_would_fail() -> None:
    pool = a_pool(12)
    picture = next(iter(pool.items.values())).pictures
    crowded = Pool(
        {key: replace(item, pictures=picture) if i < 5 else item for i, (key, item) in enumerate(pool.items.items())}
    )
    study = Study("s", "voila:ND", design=Design(raters=2, per_session=6))
    with pytest.raises(UsageError) as told:
        deal(study, crowded)
    text = str(told.value)
    assert "0-0.png belongs to 5 items, each asked 2 times" in text
    assert "takes 10 sessions, and there are only 4: 6 would show it twice (3 pictures are like that)" in text
    assert "At most 2 items a session" in text
    fewer = Study("s", "voila:ND", design=Design(raters=2, per_session=2))
    assert shown_twice(deal(fewer, crowded), crowded) == []
    off = Study("s", "voila:ND", design=Design(raters=2, per_session=6, no_picture_twice="off"))
    assert len(deal(off, crowded)) == 4


def test_a_design_that_is_too_tight_is_given_up_and_says_how_many_slots_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six items of which every two share a picture, but no three the same one: only one fits in a slot."""
    monkeypatch.setattr(repairing, "LOOKS", 2000)
    items = {}
    for one in range(6):
        pictures = tuple(Picture(f"{min(one, other)}{max(one, other)}") for other in range(6) if other != one)
        items[f"i{one}"] = Item("voila", "ND", f"i{one}", pictures, {}, {})
    with pytest.raises(UsageError, match=r"3 of 3 sessions would show a picture twice.*fewer than 2 items"):
        deal(Study("s", "voila:ND", design=Design(raters=1, per_session=2)), Pool(items))


def test_more_raters_than_sessions_cannot_be() -> None:
    with pytest.raises(UsageError, match="each item is asked in 3 sessions, and there are only 2"):
        deal(Study("s", "voila:ND", design=Design(raters=3, per_session=15, no_picture_twice="off")), a_pool(10))


@given(st.integers(0, 200), st.integers(1, 40), st.floats(0.0, 0.99))
def test_even_shares_sum_up_and_differ_by_one(total: int, count: int, phase: float) -> None:
    shares = even(total, count, phase)
    assert sum(shares) == total
    assert max(shares) - min(shares) <= 1


@given(st.lists(st.integers(0, 30), min_size=1, max_size=6), st.integers(1, 12), st.integers(0, 99))
def test_spreading_keeps_every_sum_and_every_number_within_one(totals: list[int], count: int, seed: int) -> None:
    sizes = even(sum(totals), count)
    rows = spread(sizes, totals, random.Random(seed))
    assert [sum(row) for row in rows] == sizes
    assert [sum(column) for column in zip(*rows, strict=True)] == totals
    for column in zip(*rows, strict=True):
        assert max(column) - min(column) <= 1
