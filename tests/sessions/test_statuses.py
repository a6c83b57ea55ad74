"""Answers that are no whole ones, counted by run and status."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import CallError
from core.records import Answer, Origin, Progress, Status
from core.totals import Totals
from sessions import statuses
from sessions.journal import StoreJournal
from sessions.provenance import provenance
from sessions.statuses import not_whole
from sessions.store import Store
from tests.stored import a_run, a_step, an_item, walk
from tui.answer_words import not_whole_words
from tui.cli.provenance_tables import RUNS_NAMED, provenance_table
from tui.cli.run_words import summarise


def said(status: Status, text: str = "one one one") -> Answer:
    return Answer(text, status)


async def test_each_status_is_counted_apart_by_run_and_only_of_respondents(store: Store) -> None:
    run, other, whole = a_run(store, "a"), a_run(store, "b", protocol="direct"), a_run(store, "c", subset="wd")
    journal = StoreJournal(store, run)
    await walk(journal, an_item(0))
    for number, answer in enumerate(
        (said(Status.TRUNCATED), said(Status.TRUNCATED, "<think>one"), said(Status.EMPTY, ""), said(Status.REFUSAL)),
        1,
    ):
        await walk(journal, an_item(number), steps=("describe",), answer=answer)
    put_in = replace(a_step(), answer=said(Status.EMPTY, ""), origin=Origin.PERSON)
    await journal.add_step(await journal.take_up(an_item(6), 0), put_in)
    someone = replace(a_step(), answer=said(Status.TRUNCATED), origin=Origin.OTHER)
    await journal.add_step(await journal.take_up(an_item(7), 0), someone)
    await walk(StoreJournal(store, other), an_item(0), steps=("describe",), answer=said(Status.EMPTY, ""))
    await walk(StoreJournal(store, whole), an_item(0))
    expected = {Status.TRUNCATED: 3, Status.EMPTY: 1, Status.REFUSAL: 1}
    assert not_whole(store, [run, other, whole]) == {run.id: expected, other.id: {Status.EMPTY: 1}}
    assert not_whole(store, [other]) == {other.id: {Status.EMPTY: 1}}
    told = provenance(store, [run, other, whole], ("rule",))
    assert [(one.truncated, one.empty, one.refused) for one in told.runs] == [(3, 1, 1), (0, 1, 0), (0, 0, 0)]
    assert told.to_json()["runs"][0]["truncated"] == 3
    assert provenance_table(told).notes[1:] == [
        "a: 3 answers cut off at the token limit (raise max_tokens), 1 empty, 1 refused",
        "b: 1 answer empty",
    ]


async def test_only_the_index_of_such_steps_is_read(store: Store) -> None:
    plan = store.reader().execute(f"EXPLAIN QUERY PLAN {statuses._COUNTED}", (0, 5, json.dumps([1]))).fetchall()
    (of_steps,) = [row[3] for row in plan if " s " in row[3]]
    assert of_steps == "SCAN s USING COVERING INDEX steps_not_ok"


async def test_many_such_runs_are_not_all_named(store: Store) -> None:
    runs = []
    for number in range(RUNS_NAMED + 2):
        runs.append(a_run(store, f"r{number}", options={"n": str(number)}))
        journal = StoreJournal(store, runs[-1])
        trajectory = await journal.add_step(
            await journal.take_up(an_item(), 0), a_step(answer=said(Status.EMPTY, ""))
        )
        await journal.finish(trajectory, Progress.DONE)
    notes = provenance_table(provenance(store, runs, ("rule",))).notes
    assert len(notes) == 1 + RUNS_NAMED + 1
    assert notes[-1] == "and 2 more runs with such answers"


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, ""),
        ({Status.TRUNCATED: 0}, ""),
        ({Status.TRUNCATED: 1}, "1 answer cut off at the token limit (raise max_tokens)"),
        ({Status.REFUSAL: 2, Status.EMPTY: 1200}, "1,200 answers empty, 2 refused"),
    ],
)
def test_words(counts: dict[Status, int], words: str) -> None:
    assert not_whole_words(counts) == words


async def test_a_store_that_fails_does_not_hide_why_a_run_ended(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    run = a_run(store, "mine")
    opened: Any = SimpleNamespace(run=run, store=store)
    store.close()
    summarise(opened, 3, Totals(finished=1), CallError("the key is wrong", where="gpt"), None)
    said = capsys.readouterr().err
    assert "the run mine stopped: gpt: the key is wrong" in said
    assert "mine: 1 finished, 2 left open" in said
