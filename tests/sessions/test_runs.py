"""Runs: what identifies one, what its name may be, how it is found, renamed, deleted."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from core.errors import UsageError
from core.records import Answer, Call, Json, Progress, SentPicture
from sessions.identity import RunConfig, automatic_name, check_name, differences
from sessions.journal import StoreJournal
from sessions.runs import delete_run, find_run, open_run, rename_run, runs
from sessions.store import Store
from tests.stored import CONFIG, a_run, a_step, an_item, walk

OTHERS = [
    replace(CONFIG, data_digest="d2"),
    replace(CONFIG, filter={"where": {"rule": ["1"]}}),
    replace(CONFIG, options={"steps": "2"}),
    replace(CONFIG, prompts={"voila.describe": "p9", "voila.relate": "p2"}),
    replace(CONFIG, identity_of_respondent={"kind": "oracle", "temperature": 0.7}),
    replace(CONFIG, respondents_at={"apply": {"name": "random"}}),
    replace(CONFIG, interventions=[{"step": "describe", "kind": "gold"}]),
    replace(CONFIG, base_run="abc"),
    replace(CONFIG, seed=1),
    replace(CONFIG, respondent="random"),
]


async def test_the_same_command_resumes_its_run(store: Store) -> None:
    run, first = open_run(store, CONFIG, versions={"phoropter": "0.1"}, recipe={"limit": 3})
    assert (first.resumed, first.line(run.name)) == (False, "new run voila-nd-l2m-oracle")
    journal = StoreJournal(store, run)
    for number in range(3):
        await walk(journal, an_item(number))
    await journal.finish(await journal.take_up(an_item(8), 0), Progress.FAILED, "no", step="describe")
    await journal.add_step(await journal.take_up(an_item(9), 0), a_step())
    again, second = open_run(store, replace(CONFIG, options=dict(CONFIG.options)), versions={"phoropter": "0.2"})
    assert again == run
    assert again.versions == {"phoropter": "0.1"}
    assert again.recipe == {"limit": 3}
    assert (second.resumed, second.done, second.failed, second.open) == (True, 3, 1, 1)
    assert second.line(run.name, 3689) == "resuming voila-nd-l2m-oracle 3/3689, 1 failed"


def test_whatever_can_change_an_answer_makes_another_run(store: Store) -> None:
    a_run(store)
    made = {open_run(store, config)[0].id for config in OTHERS}
    assert len(made) == len(OTHERS)
    assert len({config.identity() for config in (CONFIG, *OTHERS)}) == len(OTHERS) + 1


@pytest.mark.parametrize("config", [CONFIG, *OTHERS])
def test_a_configuration_comes_back_from_the_store(store: Store, config: RunConfig) -> None:
    run, _ = open_run(store, config)
    stored = find_run(store, run.uid)
    assert stored.config.to_json() == config.to_json()
    assert stored.config.identity() == stored.identity == config.identity()


GOLD: dict[str, Json] = {"step": "describe", "kind": "gold", "property": "number", "text": ""}
OWN: dict[str, Json] = {"step": "relate", "kind": "text", "property": "", "text": "one"}
FILES: dict[str, Json] = {"drawn": False, "max_pixels": 9, "files": "f1"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"prompts": {"voila.describe": "p1", "voila.relate": "p9"}}, "prompt voila.relate changed"),
        ({"identity_of_respondent": {"kind": "oracle", "temperature": 0.7}}, "temperature 0.7 added"),
        ({"data_digest": "d2"}, "data changed"),
        ({"seed": 4}, "seed 0 -> 4"),
        ({"options": {"steps": "2"}}, "option steps 2 added"),
        ({"filter": {"where": {}, "sample": 10, "seed": 0}}, "sample none -> 10"),
        ({"filter": {"where": {"rule": ["1", "2"]}}}, "rule any -> 1, 2"),
        ({"interventions": [GOLD]}, "interventions none -> describe=gold:number"),
        ({"respondents_at": {"relate": {"name": "b", "identity": {}}}}, "respondent at relate none -> b"),
        ({"respondent": "random"}, "respondent oracle -> random"),
        ({"seed": 4, "data_digest": "d2"}, "data changed, seed 0 -> 4"),
    ],
)
def test_a_new_run_says_what_changed_against_the_run_most_like_it(
    store: Store, changes: dict[str, object], words: str
) -> None:
    a_run(store, "quite other", respondent="somebody", seed=77)
    a_run(store)
    run, resumption = open_run(store, replace(CONFIG, **changes))
    assert resumption.line(run.name) == f"new run {run.name}: {words}"
    assert resumption.like == "voila-nd-l2m-oracle"


def test_parameters_are_told_as_old_and_new() -> None:
    old = replace(CONFIG, identity_of_respondent={"temperature": 0.0, "extra_body": {"top_k": 5}})
    new = replace(CONFIG, identity_of_respondent={"temperature": 0.7, "extra_body": {"top_k": 6}})
    assert differences(old, new) == ("temperature 0 -> 0.7", "extra_body top_k 5 -> 6")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"rule": ["1"]}, {"rule": ["2", "3"]}, ("rule 1 -> 2, 3",)),
        ({"rule": ["1"], "id": ["voila-1"]}, {}, ("rule 1 -> any", "id voila-1 -> any")),
        ({"id": [f"voila-{n}" for n in range(99)]}, {"id": ["voila-1"]}, ("id changed",)),
    ],
)
def test_the_items_chosen_are_told_by_their_values(
    before: dict[str, Json], after: dict[str, Json], words: tuple[str, ...]
) -> None:
    old, new = (replace(CONFIG, filter={"where": where}) for where in (before, after))
    assert differences(old, new) == words


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ({"sample": 3, "seed": 0}, {}, ("sample 3 -> none",)),
        ({"sample": 3, "seed": 0}, {"sample": 4, "seed": 0}, ("sample 3 -> 4",)),
        ({"sample": 3, "seed": 0}, {"sample": 3, "seed": 2}, ("seed of the sample 0 -> 2",)),
        ({"mapping": {"id": "a"}}, {"mapping": {"id": "b"}}, ("column id a -> b",)),
        ({}, {"mapping": {"id": "b"}}, ("column id b added",)),
        ({"pictures": FILES}, {"pictures": FILES | {"files": "f2"}}, ("picture files changed",)),
        ({"pictures": FILES}, {"pictures": FILES | {"max_side": 512}}, ("max_side none -> 512",)),
        (
            {"pictures": FILES},
            {"pictures": {"drawn": True, "max_pixels": 9, "drawings": 3}},
            ("pictures files -> drawn stand-ins",),
        ),
        (
            {"pictures": {"drawn": True, "drawings": 3}},
            {"pictures": {"drawn": True, "drawings": 4}},
            ("version of the drawings 3 -> 4",),
        ),
        ({}, {"pictures": FILES}, ("pictures not shown -> shown",)),
        ({"study": "a"}, {"study": "b"}, ("study a -> b",)),
    ],
)
def test_what_is_asked_of_the_data_is_told_in_words(
    before: dict[str, Json], after: dict[str, Json], words: tuple[str, ...]
) -> None:
    old, new = (replace(CONFIG, filter={"where": {}} | more) for more in (before, after))
    assert differences(old, new) == words


def test_that_another_respondent_looks_at_the_pictures_goes_without_saying() -> None:
    new = replace(CONFIG, respondent="eyes", filter={"where": {}, "pictures": FILES})
    assert differences(replace(CONFIG, filter={"where": {}}), new) == ("respondent oracle -> eyes",)


def test_the_seed_of_the_run_and_of_its_sample_is_told_once() -> None:
    old, new = (replace(CONFIG, seed=n, filter={"where": {}, "sample": 3, "seed": n}) for n in (0, 2))
    assert differences(old, new) == ("seed 0 -> 2",)


def test_interventions_and_other_respondents_are_told_by_what_they_are() -> None:
    assert differences(*(replace(CONFIG, interventions=[each]) for each in (GOLD, OWN))) == (
        "interventions describe=gold:number -> relate=text",
    )
    assert differences(*(replace(CONFIG, interventions=[each]) for each in (OWN, OWN | {"text": "two"}))) == (
        "words put in by relate=text changed",
    )
    one, other = (
        replace(CONFIG, respondents_at={"relate": {"name": "b", "identity": {"temperature": t}}}) for t in (0.0, 0.7)
    )
    assert differences(one, other) == ("respondent at relate: temperature 0 -> 0.7",)
    assert differences(one, CONFIG) == ("respondent at relate b -> none",)
    makers = ({"name": "a", "identity": {"model": "m", "mode": "edit"}}, {"name": "b", "identity": {"model": "n"}})
    painted, repainted = (replace(CONFIG, respondents_at={"generate": maker}) for maker in makers)
    assert differences(painted, repainted) == ("respondent at generate a -> b",)


# -- names


@pytest.mark.parametrize(
    ("respondent", "name"),
    [
        ("oracle", "voila-nd-l2m-oracle"),
        ("noisy:0.8", "voila-nd-l2m-noisy-0.8"),
        ("openai:gpt-4o@http://localhost:8000/v1", "voila-nd-l2m-openai-gpt-4o-http-localhost-8000-v1"),
        ("模型/é", "voila-nd-l2m-模型-é"),
        ("../../etc/passwd\n\x1b[31m", "voila-nd-l2m-etc-passwd-31m"),
        ("x" * 500, "voila-nd-l2m-" + "x" * 99),
        ("\ud800", "voila-nd-l2m"),
    ],
)
def test_an_automatic_name_is_readable_and_safe(store: Store, respondent: str, name: str) -> None:
    config = replace(CONFIG, respondent=respondent)
    assert automatic_name(config) == check_name(name) == name
    assert open_run(store, config)[0].name == name
    assert [open_run(store, config, fresh=True)[0].name for _ in range(2)] == [f"{name}-2", f"{name}-3"]


@pytest.mark.parametrize(
    "name", ["", "  ", "a/b", "a\\b", "a\nb", "x" * 121, " a", "..", "\ud800", "a\x00b", "a\x1b[1m"]
)
def test_a_name_that_cannot_be_one_is_refused(store: Store, name: str) -> None:
    with pytest.raises(UsageError, match="name"):
        open_run(store, CONFIG, name)


def test_a_name_keeps_its_case_and_is_unique_without_it(store: Store) -> None:
    run = a_run(store, "Pilot Ä 1")
    assert run.name == "Pilot Ä 1"
    assert open_run(store, CONFIG, "pilot Ä 1")[0].id == run.id
    with pytest.raises(UsageError, match="already"):
        rename_run(store, a_run(store, "other").name, "PILOT Ä 1")


def test_a_taken_name_with_another_configuration_is_refused_with_the_difference(store: Store) -> None:
    a_run(store, "pilot")
    with pytest.raises(UsageError, match="seed 0 -> 3"):
        open_run(store, replace(CONFIG, seed=3), "pilot")
    with pytest.raises(UsageError, match="already"):
        open_run(store, CONFIG, "pilot", fresh=True)
    assert open_run(store, CONFIG, "another")[0].name == "another"
    assert open_run(store, CONFIG)[0].name == "another"  # the latest of the same identity


def test_a_run_is_found_by_its_name_or_a_beginning_that_is_its_alone(store: Store) -> None:
    a_run(store, "gpt-4o")
    a_run(store, "gpt-4o-mini")
    a_run(store, "Gemma")
    assert find_run(store, "gpt-4o").name == "gpt-4o"
    assert find_run(store, "gpt-4o-").name == "gpt-4o-mini"
    assert find_run(store, "gem").name == "Gemma"
    with pytest.raises(UsageError, match="2 runs begin so"):
        find_run(store, "gp")
    with pytest.raises(UsageError) as caught:
        find_run(store, "gemna")
    assert "Gemma" in caught.value.remedy
    with pytest.raises(UsageError, match="no run"):
        find_run(store, "")
    with pytest.raises(UsageError, match="no run"):
        find_run(store, "%")


def test_renaming_keeps_everything_else(store: Store) -> None:
    run = a_run(store)
    renamed = rename_run(store, "voila", "Paper 1")
    assert renamed == replace(run, name="Paper 1")
    assert open_run(store, CONFIG)[0].name == "Paper 1"
    assert rename_run(store, "Paper 1", "paper 1").name == "paper 1"
    with pytest.raises(UsageError):
        rename_run(store, "paper 1", "a/b")


# -- deleting


def contents(store: Store) -> dict[str, int]:
    db = store.reader()
    tables = (
        "runs",
        "items",
        "trajectories",
        "steps",
        "scores",
        "readings",
        "calls",
        "prompts",
        "golds",
        "pictures",
        "texts",
        "served",
    )
    return {table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in (*tables, "picture_sets")}


def sent(number: int) -> SentPicture:
    data = f"picture {number}".encode()
    return SentPicture(hashlib.sha256(data).hexdigest(), "image/png", (1, 1), (1, 1), data=data)


def asked(what: str) -> Call:
    return Call("describe", "h", {"messages": ["a prompt that all share " * 30, f"{what} " * 200]}, {})


async def test_deleting_a_run_leaves_the_other_as_if_the_first_had_never_been(store: Store) -> None:
    keep = StoreJournal(store, a_run(store, "keep"))
    for number in range(3):
        await walk(keep, an_item(number), answer=Answer("x", sent=(sent(0), sent(number)), call=asked("shared")))
    before = contents(store)
    goes = StoreJournal(store, a_run(store, "goes"))
    for number in range(2, 6):
        trajectory = await walk(
            goes, an_item(number), answer=Answer("x", sent=(sent(0), sent(number + 10)), call=asked("its own"))
        )
        fork = await goes.fork(trajectory, 1)
        await goes.add_step(fork, a_step("relate", text="other", lane="relate=text"))
    assert contents(store)["pictures"] > before["pictures"]
    summary = delete_run(store, "goes")
    assert (summary.run.name, summary.items, summary.done) == ("goes", 4, 4)
    assert contents(store) == before
    assert [found.run.name for found in runs(store)] == ["keep"]
    assert store.reader().execute("PRAGMA foreign_key_check").fetchall() == []
    delete_run(store, "keep")
    assert set(contents(store).values()) == {0}


async def test_steps_that_another_run_stands_on_stay_until_that_run_goes(store: Store) -> None:
    base = a_run(store, "base")
    await walk(StoreJournal(store, base), an_item())
    run = a_run(store, "on top", base_run=base.uid)
    journal = StoreJournal(store, run, base=base)
    trajectory = await journal.take_up(an_item(), 0)
    for step in await journal.base_steps(an_item(), 0, "relate"):
        trajectory = trajectory.then(step)
    trajectory = await journal.add_step(trajectory, a_step("relate", lane="relate=gold"))
    expected = [step.turn.step for step in trajectory.steps]
    delete_run(store, "base")
    assert contents(store)["steps"] == 2
    (after,) = await StoreJournal(store, run).all_on(an_item())
    assert [step.turn.step for step in after.steps] == expected == ["describe", "relate"]
    assert after.steps[0].scores
    assert store.reader().execute("PRAGMA foreign_key_check").fetchall() == []
    delete_run(store, "on top")
    assert set(contents(store).values()) == {0}


async def test_the_list_counts_what_each_run_has(store: Store) -> None:
    journal = StoreJournal(store, a_run(store, "one"))
    for number in range(3):
        for repeat in range(2):
            await walk(journal, an_item(number), repeat)
    await journal.finish(await journal.take_up(an_item(7), 0), Progress.FAILED, "gone", step="describe")
    a_run(store, "two")
    second, first = runs(store)
    assert (second.run.name, second.items, second.done) == ("two", 0, 0)
    assert (first.run.name, first.items, first.done, first.failed, first.open) == ("one", 4, 6, 1, 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("openai:m@http://127.0.0.1:9101/v1", "openai:m@http://127.0.0.1:9112/v1", False),
        ("openai:m@http://a/v1", "openai:m@http://b/v1", False),
        ("openai:m@http://a/v1", "openai:m@http://A/v1/", True),
        ("openai:m", "openai:m@http://a/v1", False),
        ("openai:org/m@v2@http://a/v1", "openai:org/m@v3@http://a/v1", False),
        ("replay:one.jsonl", "replay:moved/one.jsonl", True),
    ],
)
def test_an_address_in_the_name_says_who_answers_and_a_files_path_does_not(
    store: Store, one: str, other: str, same: bool
) -> None:
    first, _ = open_run(store, replace(CONFIG, respondent=one))
    second, _ = open_run(store, replace(CONFIG, respondent=other))
    assert (first.uid == second.uid) is same
