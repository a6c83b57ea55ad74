"""Notes and tags: edited without losing what they said, counted by step, gone with their run."""

from __future__ import annotations

import sqlite3

import pytest

from core.errors import UsageError
from core.records import Trajectory
from sessions import notebook
from sessions.entries import entries
from sessions.journal import StoreJournal
from sessions.notebook import KINDS, Target, page_of, tag_counts, toggle, write
from sessions.runs import delete_run
from sessions.store import Store
from tests.stored import a_run, an_item, walk

MEAN = "[red]bold[/] \x1b[31m \u202e שלום 🦓 日本 \ud800"


async def walked(store: Store, number: int = 0, **changes: object) -> tuple[StoreJournal, Trajectory]:
    journal = StoreJournal(store, a_run(store, **changes))
    return journal, await walk(journal, an_item(number))


async def test_a_note_on_each_of_step_path_and_item(store: Store) -> None:
    _, trajectory = await walked(store)
    step = Target(step=trajectory.steps[1].id)
    for target, text in ((step, "of the step"), (Target(trajectory.id), "of the path"), (Target(), "of the item")):
        write(store, an_item(), target, "ann", text)
    page = page_of(store, an_item())
    assert [(note.target, note.text) for note in page.notes] == [
        (step, "of the step"), (Target(trajectory.id), "of the path"), (Target(), "of the item"),
    ]  # fmt: skip
    assert [note.text for note in page.notes_on(step)] == ["of the step"]


def test_an_item_that_nothing_is_stored_on_can_have_a_note(store: Store) -> None:
    write(store, an_item(7), Target(), "ann", "looked at")
    assert [note.text for note in page_of(store, an_item(7)).notes] == ["looked at"]


async def test_editing_keeps_what_was_said_and_an_emptied_note_is_shown_no_more(store: Store) -> None:
    await walked(store)
    for text in ("first", "first", "second", ""):
        write(store, an_item(), Target(), "ann", text)
    assert page_of(store, an_item()).notes == ()
    assert [entry.text for entry in entries(store, past=True)] == ["first", "second"]
    assert list(entries(store)) == []
    write(store, an_item(), Target(), "ann", "third")
    (note,) = page_of(store, an_item()).notes
    assert (note.text, note.earlier) == ("third", 3)


async def test_each_author_has_a_note(store: Store) -> None:
    await walked(store)
    write(store, an_item(), Target(), "ann", "hers")
    write(store, an_item(), Target(), "bob", "his")
    assert [(note.author, note.text) for note in page_of(store, an_item()).notes] == [("ann", "hers"), ("bob", "his")]


@pytest.mark.parametrize(
    "text", [MEAN, "x" * 200_000, "\n".join(map(str, range(5000)))], ids=["signs", "long", "lines"]
)
async def test_notes_hold_any_text(store: Store, text: str) -> None:
    await walked(store)
    write(store, an_item(), Target(), "ann", text)
    assert page_of(store, an_item()).notes[0].text == text


async def test_a_note_that_is_too_long_or_on_nothing_is_refused(store: Store) -> None:
    await walked(store)
    with pytest.raises(UsageError, match="200,000"):
        write(store, an_item(), Target(), "ann", "x" * 200_001)
    with pytest.raises(UsageError, match="no such step"):
        write(store, an_item(), Target(step=999), "ann", "x")


async def test_a_tag_is_given_and_taken_away_by_its_author_alone(store: Store) -> None:
    _, trajectory = await walked(store)
    step = trajectory.steps[0].id
    assert toggle(store, step, "ann", "#Perception ")
    assert toggle(store, step, "bob", "perception")
    assert page_of(store, an_item()).tags_of(step) == ("perception",)
    assert not toggle(store, step, "ann", "perception")
    assert page_of(store, an_item()).tags_of(step) == ("perception",)
    assert not toggle(store, step, "bob", "perception")
    assert page_of(store, an_item()).tags_of(step) == ()


@pytest.mark.parametrize("tag", ["", "#", "a,b", 'a"b', "x=y", "a\x1bb", "x" * 61])
async def test_what_is_no_tag_is_refused(store: Store, tag: str) -> None:
    _, trajectory = await walked(store)
    with pytest.raises(UsageError, match="a tag is"):
        toggle(store, trajectory.steps[0].id, "ann", tag)


async def test_own_tags_are_learned_the_commonest_first(store: Store) -> None:
    _, trajectory = await walked(store)
    for step, tag in ((0, "zebra"), (1, "zebra"), (2, "left and right"), (0, "rule")):
        toggle(store, trajectory.steps[step].id, "ann", tag)
    assert notebook.known_tags(store) == [*KINDS, "zebra", "left-and-right"]


async def test_tags_are_counted_by_run_and_step_once_a_step(store: Store) -> None:
    journal, trajectory = await walked(store)
    other, second = await walked(store, 1, seed=5)
    for author in ("ann", "bob"):
        toggle(store, trajectory.steps[0].id, author, "perception")
    toggle(store, second.steps[0].id, "ann", "perception")
    toggle(store, second.steps[2].id, "ann", "rule")
    found = [(c.run, c.step, c.tag, c.count) for c in tag_counts(store, [journal.run.id, other.run.id])]
    assert found == [
        (journal.run.name, "describe", "perception", 1),
        (other.run.name, "describe", "perception", 1),
        (other.run.name, "apply", "rule", 1),
    ]


async def test_a_deleted_run_takes_notes_and_tags_on_it_along_and_leaves_those_on_items(store: Store) -> None:
    journal, trajectory = await walked(store)
    write(store, an_item(), Target(), "ann", "of the item")
    for text in ("of the path", "changed"):
        write(store, an_item(), Target(trajectory.id), "ann", text)
    toggle(store, trajectory.steps[0].id, "ann", "rule")
    delete_run(store, journal.run.name)
    assert [(entry.kind, entry.text) for entry in entries(store, past=True)] == [("note", "of the item")]
    with sqlite3.connect(store.path) as db:
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("SELECT count(*) FROM earlier_notes").fetchone() == (0,)
