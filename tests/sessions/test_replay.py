"""Whatever a turn, an answer and its scores hold comes back from the store equal."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.records import (
    Answer,
    Call,
    Field,
    Item,
    Origin,
    Parse,
    Picture,
    Score,
    SentPicture,
    Show,
    Status,
    Step,
    Text,
    Turn,
    Usage,
)
from sessions import reading
from sessions.journal import StoreJournal
from sessions.replay import Replay
from sessions.store import Store
from tests.fuzzing import fuzzed
from tests.stored import a_run, a_step, an_item

# any text that Python can hold: unpaired surrogates, NUL, control characters
texts = st.text(st.characters(), max_size=30)
names = st.text(st.characters(), min_size=1, max_size=12)
mappings = st.dictionaries(names, texts, max_size=4)
sizes = st.tuples(st.integers(1, 9999), st.integers(1, 9999))
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | texts
    | texts.map(lambda text: f"long {text} " * 80),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(texts | st.sampled_from(["$text", "$plain"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def pictures(draw: st.DrawFn) -> SentPicture:
    data = draw(st.binary(max_size=40))
    mime = draw(st.sampled_from(["image/png", "image/jpeg"]))
    return SentPicture(hashlib.sha256(data).hexdigest(), mime, draw(sizes), draw(sizes), draw(texts), data)


turns = st.builds(
    Turn,
    step=names,
    content=st.lists(
        st.builds(Text, texts) | st.builds(Show, st.lists(st.integers(0, 9), min_size=1, max_size=3).map(tuple)),
        max_size=4,
    ).map(tuple),
    form=st.lists(st.builds(Field, names, st.lists(texts, max_size=3).map(tuple), texts), max_size=3).map(tuple),
    gold=mappings,
    gold_text=texts,
    answer_format=texts,
    afresh=st.booleans(),
    makes=st.sampled_from(["text", "picture"]),
    made_by=st.sampled_from(["protocol", "person"]),
)

calls = st.builds(
    Call,
    purpose=texts,
    request_hash=st.text(max_size=20) | st.binary(min_size=32, max_size=32).map(bytes.hex),
    request=json_values,
    reply=json_values,
    served_model=texts,
    attempts=st.integers(1, 9),
    seconds=st.floats(0, 1e6),
    usage=st.builds(Usage, st.integers(0, 10**9), st.integers(0, 10**9), st.none() | st.floats(0, 1e3)),
    error=texts,
)

answers = st.builds(
    Answer,
    text=texts,
    status=st.sampled_from(list(Status)),
    reasoning=texts,
    picture=st.none() | pictures(),
    sent=st.lists(pictures(), max_size=3).map(tuple),
    call=st.none() | calls,
)


@st.composite
def scores(draw: st.DrawFn) -> tuple[Score, ...]:
    out = []
    for scorer in sorted(draw(st.sets(names, max_size=3))):
        parsed = draw(mappings)
        places = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6))
        fields = draw(st.sampled_from([list(parsed), list(parsed)[:1], ["elsewhere"], []]))
        scored = draw(st.integers(0, 2**63 - 1))
        spans = {name: draw(places) for name in fields}
        bits = (draw(st.integers(0, 2**63 - 1)) & scored, scored)
        out.append(Score(scorer, draw(texts), draw(st.sampled_from(list(Parse))), *bits, parsed, spans))
    return tuple(out)


steps = st.builds(
    Step,
    turn=turns,
    answer=answers,
    scores=scores(),
    origin=st.sampled_from(list(Origin)),
    choice=st.none() | texts,
    lane=texts,
    repeat=st.integers(0, 5),
)


@fuzzed(150)
@given(path=st.lists(steps, min_size=1, max_size=3), again=st.booleans())
def test_a_trajectory_comes_back_equal(tmp_path_factory: Any, path: list[Step], again: bool) -> None:
    async def check(store: Store) -> None:
        journal = StoreJournal(store, a_run(store))
        trajectory = await journal.take_up(an_item(), 0)
        for step in path:
            trajectory = await journal.add_step(trajectory, step)
        if again:  # and when its words are known already
            for step in path:
                await journal.add_sibling(trajectory, step)
        found = reading.trajectory(store, trajectory.id, calls=True)
        assert found is not None
        assert found[1] == trajectory
        replay = Replay(store.reader())
        for step in path:
            for picture in (*step.answer.sent, *([step.answer.picture] if step.answer.picture else [])):
                assert replay.picture(picture.hash) == (picture.data or None)

    folder: Path = tmp_path_factory.mktemp("replay")
    with Store.open(folder / "phoropter.db") as store:
        asyncio.run(check(store))


async def test_a_very_long_answer_comes_back_equal(store: Store) -> None:
    text = "€\x00[b]" * 50_000
    journal = StoreJournal(store, a_run(store))
    trajectory = await journal.take_up(an_item(), 0)
    trajectory = await journal.add_step(trajectory, a_step(answer=Answer(text, reasoning=text)))
    assert (await journal.take_up(an_item(), 0)) == trajectory


json_facts = st.dictionaries(names, json_values, max_size=3)
items = st.builds(
    Item,
    benchmark=names,
    subset=texts,
    id=names,
    pictures=st.lists(
        st.builds(Picture, name=texts, path=texts, depicts=texts, data=st.none() | st.binary(max_size=20)), max_size=3
    ).map(tuple),
    groups=mappings,
    facts=json_facts,
)


@fuzzed(100)
@given(item=items)
def test_an_item_comes_back_equal_with_its_embedded_pictures(tmp_path_factory: Any, item: Item) -> None:
    async def check(store: Store) -> None:
        journal = StoreJournal(store, a_run(store))
        await journal.add_step(await journal.take_up(item, 0), a_step())
        (row,) = reading.find_items(store, item.id)
        stored = reading.item(store, row)
        assert stored == item
        assert stored.hash == item.hash

    with Store.open(tmp_path_factory.mktemp("items") / "phoropter.db") as store:
        asyncio.run(check(store))
