"""Versions of a study: a draft until somebody is asked, frozen by the first live session, amended with a reason."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import StoreError, UsageError
from core.study.content import Content, digest_of
from core.study.definition import Design, Study, Texts
from core.study.reading import parse_study
from sessions.identity import RunConfig
from sessions.runs import open_run
from sessions.store import Store
from sessions.studies import book

CONTENT = Content({"direct_wd": "aa"}, {"voila-1": "11", "voila-2": "22"}, "pp")
READY = Texts(consent="I take part", instructions="Look")


def study() -> Study:
    return replace(
        parse_study('name = "people"\nbenchmark = "voila:WD"\nseed = 7\nexperimenter_key = "blue"\n'),
        text={"en": READY},
    )


def use(store: Store, row: int) -> None:
    """A pilot session hangs on that version."""

    def change(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO participants (pseudonym, created) VALUES (?, 0)", (f"P{row}",))
        db.execute(
            "INSERT INTO sessions (study, participant, kind, seed, created)"
            " VALUES (?, last_insert_rowid(), 'pilot', 0, 0)",
            (row,),
        )

    store.write(change)


def test_a_draft_is_kept_once_and_written_over_while_nobody_was_asked(store: Store) -> None:
    first = book.keep_draft(store, study(), CONTENT)
    assert (first.version, first.state, first.seed) == (1, "draft", 7)
    assert first.digest == digest_of(study(), CONTENT)
    assert book.keep_draft(store, study(), CONTENT) == first
    changed = book.keep_draft(store, replace(study(), seed=8), CONTENT)
    assert (changed.id, changed.version, changed.seed) == (first.id, 1, 8)
    other_items = book.keep_draft(store, study(), replace(CONTENT, items={"voila-1": "12", "voila-2": "22"}))
    assert other_items.digest != first.digest
    assert len(book.versions(store, "people")) == 1


def test_a_draft_that_somebody_was_asked_by_stays(store: Store) -> None:
    piloted = book.keep_draft(store, study(), CONTENT)
    use(store, piloted.id)
    changed = book.keep_draft(store, replace(study(), seed=8), CONTENT)
    assert (changed.version, changed.state, changed.amends) == (2, "draft", 0)
    assert [record.digest for record in book.versions(store, "people")] == [piloted.digest, changed.digest]
    assert book.find(store, "people").version == 2
    assert book.find(store, "people", 1).digest == piloted.digest


def test_the_key_is_in_no_store_and_opens_all_the_same(store: Store, path: Path) -> None:
    kept = book.keep_draft(store, replace(study(), experimenter_key="quite-a-secret"), CONTENT)
    assert kept.study.unlocked_by("quite-a-secret")
    assert book.find(store, "people").study.unlocked_by("quite-a-secret")
    store.close()
    assert b"quite-a-secret" not in path.read_bytes()


def test_blanks_keep_a_study_from_going_live(store: Store) -> None:
    for text, said in (
        (Texts(instructions="Look"), "text.en.consent: is empty"),
        (Texts(consent="I, <FILL IN: who>", instructions="Look"), "<FILL IN: who>"),
        (Texts(consent="I take part"), "text.en.instructions: is empty"),
    ):
        draft = book.keep_draft(store, replace(study(), text={"en": text}), CONTENT)
        with pytest.raises(UsageError, match="not ready for a live session") as caught:
            book.freeze(store, draft)
        assert said in str(caught.value)
        assert not book.find(store, "people").live
    with pytest.raises(UsageError, match="experimenter_key"):
        book.freeze(store, book.keep_draft(store, replace(study(), experimenter_key=""), CONTENT))


def test_a_frozen_study_refuses_a_changed_file_and_says_what_differs(store: Store) -> None:
    live = book.freeze(store, book.keep_draft(store, study(), CONTENT))
    assert live.live
    assert live.frozen > 0
    assert book.freeze(store, live) == live
    assert book.keep_draft(store, study(), CONTENT) == live
    assert book.keep_draft(store, replace(study(), experimenter_key="green"), CONTENT).id == live.id
    for changed, content, said in (
        (replace(study(), seed=8), CONTENT, "seed 7 -> 8"),
        (replace(study(), design=Design(raters=4)), CONTENT, "design.raters 3 -> 4"),
        (replace(study(), text={"en": replace(READY, consent="x" * 90)}), CONTENT, "text.en.consent changed"),
        (study(), replace(CONTENT, prompts={"direct_wd": "ab"}), "prompt direct_wd changed"),
        (
            study(),
            replace(CONTENT, items={"voila-1": "13", "voila-3": "33"}),
            "item voila-1 changed; item voila-3 added",
        ),
        (study(), replace(CONTENT, pictures="qq"), "the pictures changed"),
    ):
        with pytest.raises(UsageError) as caught:
            book.keep_draft(store, changed, content)
        assert said in str(caught.value)
        assert "study amend FILE --keep-quota" in str(caught.value)
        assert live.digest[:12] in str(caught.value)
    assert book.versions(store, "people") == (book.find(store, "people", 1),)
    assert book.find(store, "people").digest == live.digest


def test_what_was_never_frozen_is_not_amended_whatever_it_lacks(store: Store) -> None:
    draft = replace(study(), experimenter_key="")
    book.keep_draft(store, draft, CONTENT)
    with pytest.raises(UsageError, match="nothing is frozen yet"):
        book.amend(store, draft, CONTENT, keep_quota=True, reason="why")


def test_amendments_keep_the_old_version_and_the_quota_where_asked(store: Store) -> None:
    one = book.freeze(store, book.keep_draft(store, study(), CONTENT))
    old, two = book.amend(store, replace(study(), seed=8), CONTENT, keep_quota=True, reason=" a typo ")
    assert (old.id, old.digest, old.state) == (one.id, one.digest, "live")
    assert (two.version, two.state, two.amends, two.keeps_quota_of, two.reason) == (
        2,
        "live",
        one.id,
        (one.id,),
        "a typo",
    )
    _, three = book.amend(store, replace(study(), seed=9), CONTENT, keep_quota=True, reason="again")
    assert three.keeps_quota_of == (two.id, one.id)
    _, four = book.amend(store, replace(study(), seed=10), CONTENT, keep_quota=False, reason="anew")
    assert (four.amends, four.keeps_quota_of) == (three.id, ())
    _, five = book.amend(store, replace(study(), seed=11), CONTENT, keep_quota=True, reason="more")
    assert five.keeps_quota_of == (four.id,)
    assert book.find(store, "people", 1).study.seed == 7
    with pytest.raises(UsageError, match="has changed since version 5"):
        book.keep_draft(store, study(), CONTENT)
    assert book.by_id(store, five.id) == replace(five, study=book.by_id(store, five.id).study)


def test_what_cannot_be_amended(store: Store) -> None:
    with pytest.raises(UsageError, match="nothing is frozen yet"):
        book.amend(store, study(), CONTENT, keep_quota=True, reason="x")
    draft = book.keep_draft(store, study(), CONTENT)
    with pytest.raises(UsageError, match="nothing is frozen yet"):
        book.amend(store, replace(study(), seed=8), CONTENT, keep_quota=True, reason="x")
    book.freeze(store, draft)
    with pytest.raises(UsageError, match="as it was"):
        book.amend(store, study(), CONTENT, keep_quota=True, reason="x")
    with pytest.raises(UsageError, match="needs its reason"):
        book.amend(store, replace(study(), seed=8), CONTENT, keep_quota=True, reason="  ")
    with pytest.raises(UsageError, match="not ready"):
        book.amend(store, replace(study(), text={}), CONTENT, keep_quota=True, reason="x")
    assert len(book.versions(store, "people")) == 1


def test_a_new_run_is_not_compared_with_a_sitting(store: Store) -> None:
    plain = RunConfig("voila", "WD", "direct", "m", "model")
    sitting = replace(plain, respondent="P1", respondent_kind="human", filter={"study": "people", "version": 1})
    open_run(store, plain, "first")
    open_run(store, sitting, "people/P1".replace("/", "-"))
    _, resumption = open_run(store, replace(plain, told={"lists": "yes", "worked": "voila-1"}))
    assert resumption.line("n", 1) == "new run n: study's lists yes added, study's worked voila-1 added"


def test_what_is_not_there_is_named(store: Store) -> None:
    with pytest.raises(UsageError, match="no such study"):
        book.find(store, "people")
    book.keep_draft(store, study(), CONTENT)
    with pytest.raises(UsageError, match=r"There are: people"):
        book.find(store, "poeple")
    with pytest.raises(UsageError, match=r"no version 3. There are: 1"):
        book.find(store, "people", 3)
    with pytest.raises(StoreError):
        book.by_id(store, 99)
