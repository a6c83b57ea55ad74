"""Who answered is noted once a run, and a change is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.records import Answer, Call
from sessions.journal import StoreJournal
from sessions.runs import delete_run
from sessions.served import changes, served
from sessions.store import Store
from tests.stored import a_run, a_step, an_item


async def answered(
    journal: StoreJournal, number: int, model: str, version: str | None = None, asked: str = "m"
) -> None:
    """One step, answered by that model."""
    reply = {"model": model, "system_fingerprint": version}
    call = Call("answer", f"{number:064x}", {"model": asked}, reply, model)
    trajectory = await journal.take_up(an_item(number), 0)
    await journal.add_step(trajectory, replace(a_step("describe"), answer=Answer("one", call=call)))


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        ([("m-1", None), ("m-1", None)], []),
        ([("m-1", None), ("m-2", None)], ["the model behind m changed within this run: m-1, then m-2"]),
        ([("m-1", "fp_a"), ("m-1", "fp_a")], []),
        ([("m-1", "fp_a"), ("m-1", "fp_b")], ["the server of m changed within this run: fp_a, then fp_b"]),
        ([("", None), ("m-1", None)], []),
    ],
    ids=["same", "model", "same version", "version", "unnamed"],
)
async def test_a_change_within_a_run_is_said(
    store: Store, heard: list[tuple[str, str | None]], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, other = a_run(store), a_run(store, seed=1)
    monkeypatch.setattr("sessions.encoding.now_ms", iter(range(1000)).__next__)
    for number, (model, version) in enumerate(heard):
        await answered(StoreJournal(store, run), number, model, version)
    await answered(StoreJournal(store, other), 9, "elsewhere")
    assert list(changes(served(store, run.id))) == said
    assert list(changes(served(store, other.id))) == []


async def test_another_model_for_another_name_is_no_change(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await answered(journal, 0, "big-1", asked="big")
    await answered(journal, 1, "small-1", asked="small")
    assert list(changes(served(store, journal.run.id))) == []


async def test_many_calls_are_one_row_and_go_with_their_run(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    for number in range(5):
        await answered(journal, number, "m-1")
    assert len(served(store, journal.run.id)) == 1
    delete_run(store, journal.run.name)
    assert store.reader().execute("SELECT count(*) FROM served").fetchone() == (0,)
