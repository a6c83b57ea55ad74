from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from core.errors import UsageError
from core.records import Parse
from core.study.definition import Condition, Design, Items
from sessions.comparing import compare
from sessions.journal import StoreJournal
from sessions.runs import Run
from sessions.store import Store
from tests.sitting import STUDY, a_study, says, sit
from tests.stored import a_run, a_score, a_step, an_item, walk

ITEMS = 6


async def answered(store: Store, name: str, wrong: set[int], repeats: int = 1, **changes: object) -> Run:
    """A run on six items, wrong at the last step on some; ``wrong`` by repeat times ten."""
    run = a_run(store, name, respondent=name, identity_of_respondent={"kind": name}, **changes)
    journal = StoreJournal(store, run)
    for repeat in range(repeats):
        for number in range(ITEMS):
            right = 0 if number in wrong or number + 10 * repeat in wrong - {number} else 7
            await walk(journal, an_item(number), repeat, right=right)
    return run


async def test_two_runs_on_the_items_they_share(store: Store) -> None:
    await answered(store, "first", set())
    second = await answered(store, "second", {0, 1, 2, 3})
    await walk(StoreJournal(store, second), an_item(99), right=0)

    found = compare(store, ["first", "second"])

    row = next(row for row in found.differences if (row.step, row.property) == ("apply", "all"))
    assert (row.n, row.accuracy_a, row.a_only, row.b_only) == (ITEMS, 1.0, 4, 0)
    assert row.difference == pytest.approx(4 / 6)
    assert row.mcnemar == pytest.approx(0.125)
    assert row.p == pytest.approx(0.125)
    assert found.items == (ITEMS, ITEMS + 1)
    assert [differing.what for differing in found.asked] == ["respondent"]
    assert found.correlations == ()


async def test_a_respondent_stands_for_its_only_run(store: Store) -> None:
    await answered(store, "first", set())
    run = a_run(store, "other", respondent="someone", identity_of_respondent={"kind": "someone"})
    await walk(StoreJournal(store, run), an_item(0), right=7)
    assert [side.name for side in compare(store, ["first", "someone"]).sides] == ["first", "other"]
    a_run(store, "another", respondent="someone", subset="ND")
    with pytest.raises(UsageError, match="someone has several runs") as caught:
        compare(store, ["first", "someone"])
    assert "another" in str(caught.value)
    assert "other (" in str(caught.value)
    with pytest.raises(UsageError, match="nobody"):
        compare(store, ["first", "nobody"])


async def test_what_if_trajectories_never_count(store: Store) -> None:
    await answered(store, "first", set())
    run = await answered(store, "second", set())
    journal = StoreJournal(store, run)
    path = await journal.take_up(an_item(0), 0, with_steps=True)
    fork = await journal.fork(path, 1)
    fork = await journal.add_step(fork, a_step("relate", right=0, repeat=1))
    await journal.add_step(fork, a_step("apply", right=0, repeat=1))
    before = compare(store, ["first", "second"])

    other = await journal.take_up(an_item(1), 1)
    other = await journal.add_step(other, a_step("describe", right=0, repeat=1, lane="describe=gold"))

    after = compare(store, ["first", "second"])
    assert [row.difference for row in before.differences] == [0.0] * len(before.differences)
    assert [row.difference for row in after.differences] == [0.0] * len(after.differences)


async def test_majority_against_majority_and_never_against_one_answer(store: Store) -> None:
    await answered(store, "once", {0, 1})
    await answered(store, "thrice", {0, 11, 12}, repeats=3)
    await answered(store, "again", {5}, repeats=3)

    found = compare(store, ["once", "thrice", "again"])

    pairs = {(row.a, row.b) for row in found.differences if row.rule == "majority"}
    assert pairs == {("thrice", "again")}
    row = next(row for row in found.differences if (row.rule, row.step, row.property) == ("majority", "apply", "all"))
    assert (row.accuracy_a, row.accuracy_b) == (5 / 6, 5 / 6)
    assert row.mcnemar == 1.0
    assert len(found.remarks) == 1
    assert "no majority of thrice, again is set against single answers of once" in found.remarks[0]


async def test_what_is_behind_an_intervention_is_compared_with_nothing_and_stands_for_nobody(store: Store) -> None:
    await answered(store, "first", set())
    gold = [{"step": "describe", "kind": "gold", "property": "", "text": ""}]
    behind = a_run(store, "behind", respondent="first", identity_of_respondent={"kind": "first"}, interventions=gold)
    await walk(StoreJournal(store, behind), an_item(0), lane="describe=gold")
    await answered(store, "second", {1})

    assert [side.name for side in compare(store, ["first", "second"]).sides] == ["first", "second"]
    with pytest.raises(UsageError, match="after an intervention is compared with no other run") as caught:
        compare(store, ["behind", "second"])
    assert "phoropter report behind" in str(caught.value)


async def test_a_majority_of_answers_that_cannot_be_read_is_wrong_and_counts(store: Store) -> None:
    await answered(store, "read", set(), repeats=2)
    journal = StoreJournal(store, a_run(store, "garbled", respondent="g", identity_of_respondent={"kind": "g"}))
    unread = replace(a_score(0, status=Parse.NO_ANSWER), parsed={})
    for number in range(ITEMS):
        for repeat in range(2):
            scores = {"scores": (unread,)} if number < 2 else {}
            await walk(journal, an_item(number), repeat, **scores)

    found = compare(store, ["read", "garbled"])

    row = next(row for row in found.differences if (row.rule, row.step, row.property) == ("majority", "apply", "all"))
    assert (row.n, row.accuracy_a, row.accuracy_b) == (ITEMS, 1.0, 4 / 6)


async def test_runs_that_were_asked_otherwise_are_refused(store: Store) -> None:
    await answered(store, "first", set())
    await answered(store, "second", set(), prompts={"voila.describe": "other"}, protocol="direct")

    with pytest.raises(UsageError, match=r"protocol \(l2m / direct\); .*prompt voila.describe \(p1 / other\)"):
        compare(store, ["first", "second"])

    found = compare(store, ["first", "second"], unmatched=True)
    assert {row.what for row in found.asked if row.matters} == {"protocol", "steps", "prompt voila.describe"}


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["first"], "needs two"),
        (["first", "first"], "needs two"),
        (["first", "nobody"], "no run of that name"),
        (["first", "people"], "holds no study"),
        (["first", "people:nothing"], "no such study"),
    ],
)
async def test_what_cannot_be_compared_is_told(store: Store, names: list[str], told: str) -> None:
    await answered(store, "first", set())

    with pytest.raises(UsageError, match=told):
        compare(store, names)


async def test_runs_without_a_shared_item_are_refused(store: Store) -> None:
    await answered(store, "first", set())
    other = a_run(store, "other", respondent="other")
    await walk(StoreJournal(store, other), an_item(77))

    with pytest.raises(UsageError, match="share no item"):
        compare(store, ["first", "other"])


PEOPLE = replace(STUDY, items=Items(sample=6), design=Design(raters=3, per_session=6, no_picture_twice="off"))


async def test_people_and_a_run(store: Store) -> None:
    """The run here is a simulated person's: asked the same, of the same items."""
    record, prepared = a_study(store, PEOPLE)
    for number, person in enumerate(("P01", "P02", "P03")):
        await sit(store, record, prepared, person, says(0.5, number))
    await sit(store, record, prepared, kind="simulated", say=says(1.0))

    found = compare(store, ["people", "mmra-people/simulated:P01"])

    (row, *_) = [row for row in found.differences if row.property == "all"]
    assert (row.rule, row.n, row.accuracy_b, row.mcnemar) == ("single answers", 6, 1.0, None)
    assert row.accuracy_a == pytest.approx(
        store.reader()
        .execute(
            "SELECT avg(right) FROM scores AS c JOIN runs AS r ON r.id = c.run WHERE r.respondent_kind = 'human'"
            " AND c.scorer = (SELECT id FROM scorers WHERE name = 'rule')"
        )
        .fetchone()[0]
    )
    assert row.crossed_low is not None
    assert row.crossed_low < row.difference < (row.crossed_high or 0)
    assert not [row for row in found.differences if row.rule == "majority"]
    assert found.sides[0].name == "people (mmra-people)"
    assert {row.what for row in found.asked} >= {"respondent", "kind", "answers an item"}
    assert not [row.what for row in found.asked if row.matters]
    assert [(row.n, row.rho) for row in found.correlations if row.property == "all"] == [(6, None)]


async def test_a_run_without_the_peoples_examples_is_refused(store: Store) -> None:
    study = replace(PEOPLE, conditions={"with": Condition(examples=("lo-002",), picture_px=200)})
    record, prepared = a_study(store, study)
    await sit(store, record, prepared, "P01")
    plain = replace(PEOPLE, name="plain")
    other, asked = a_study(store, plain)
    await sit(store, other, asked, kind="simulated")

    with pytest.raises(UsageError, match=r"worked examples \(lo-002 / none\); largest picture \(200 px / as sent\)"):
        compare(store, ["people:mmra-people", "plain/simulated:P01"])
    with pytest.raises(UsageError, match="does not say which study's people"):
        compare(store, ["people", "plain/simulated:P01"])
    with pytest.raises(UsageError, match="no such condition"):
        compare(store, ["people:mmra-people/without", "plain/simulated:P01"])
    assert compare(store, ["people:mmra-people/with", "plain/simulated:P01"], unmatched=True).differences


def test_it_is_imported_without_numpy_or_scipy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, sessions.comparing, sessions.studies.reporting, tui.cli.compare\n"
         "assert not {'numpy', 'scipy', 'pyarrow', 'pandas'} & set(sys.modules)"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


async def test_two_conditions_of_one_study(store: Store) -> None:
    study = replace(
        PEOPLE,
        conditions={"plain": Condition(), "small": Condition(picture_px=100)},
        design=replace(PEOPLE.design, conditions="within", blocks=2),
    )
    record, prepared = a_study(store, study)
    for number in range(6):
        await sit(store, record, prepared, f"P{number}", says(0.6, number))

    with pytest.raises(UsageError, match=r"largest picture \(as sent / 100 px\)"):
        compare(store, ["people:mmra-people/plain", "people:mmra-people/small"])
    found = compare(store, ["people:mmra-people/plain", "people:mmra-people/small"], unmatched=True)

    row = next(row for row in found.differences if row.property == "all")
    assert row.crossed_low is not None
    assert row.crossed_low <= row.difference <= (row.crossed_high or 0)
    assert [side.name for side in found.sides] == ["people (mmra-people, plain)", "people (mmra-people, small)"]
