"""What measures read of runs: sizes of models, kinds of wrong answers, answers to one step."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from core.benchmarks.mmra.question import Question
from core.config import Config
from core.planning import Request, prepare
from core.records import Answer, Field, Item, Origin, Parse, Progress, Score, Step, Text, Turn
from core.respondents.settings import ServerSettings
from sessions.journal import StoreJournal
from sessions.opening import open_prepared
from sessions.outcomes import run_answers, size_of
from sessions.scoring import keep_scores
from sessions.store import Store
from tests.stored import CONFIG, a_run, a_score, a_step, an_item, outcomes_of, walk


@pytest.mark.parametrize(
    ("settings", "size"),
    [
        (ServerSettings(model="some-model", base_url=("http://localhost:1/v1",), size_b=2.2), 2.2),
        (ServerSettings(model="Qwen2-VL-7B", base_url=("http://localhost:1/v1",)), 7),
        (ServerSettings(model="gpt-4o", base_url=("http://localhost:1/v1",)), None),
    ],
)
def test_a_models_size_is_kept_with_the_run_and_no_part_of_its_identity(
    store: Store, settings: ServerSettings, size: float | None
) -> None:
    def opened(said: ServerSettings) -> tuple[float | None, str]:
        config = Config(respondents={"m": said})
        request = Request("voila:WD", respondent="m", pictures="drawn")
        run = open_prepared(store, prepare(request, config)).run
        return size_of(run), run.uid

    found, uid = opened(settings)
    assert found == size
    assert opened(replace(settings, size_b=99.0)) == (found, uid)  # the same run goes on, as it began


def test_a_baseline_has_no_size(store: Store) -> None:
    assert size_of(a_run(store, "noisy-7B", respondent="noisy-7B")) is None


def a_choice(letter: str | None, right: bool) -> Step:
    turn = Turn("answer", (Text("Which?"),), (Field("answer", ("A", "B", "C")),), {"answer": "B"})
    parsed = {"answer": letter} if letter else {}
    score = Score("rule", "1", Parse.OK if letter else Parse.NO_ANSWER, int(right), 1, parsed)
    return Step(turn, Answer(letter or "?"), (score,))


async def test_wrong_answers_have_the_kind_that_the_newest_score_reads(store: Store) -> None:
    view = Question("RP", "choice", "Which?", "B", {"A": "a", "B": "b", "C": "None of them"}, marks={"A": "absent"})
    run = a_run(store, benchmark="mmra", subset="", protocol="iq", options={})
    journal = StoreJournal(store, run)
    for number, (letter, right) in enumerate((("A", False), ("C", False), ("B", True), (None, False), ("A", False))):
        item = Item("mmra", "", f"m-{number}", (), view.groups(), {**view.to_facts(), "question": f"{number}"})
        trajectory = await journal.add_step(await journal.take_up(item, 0), a_choice(letter, right))
        await journal.finish(trajectory, Progress.DONE)
    newer = Score("rule", "2", Parse.OK, 0, 1, {"answer": "C"})
    keep_scores(store, run, [(trajectory.steps[-1].id, newer)])
    found = [(step.mistake, step.right) for one in outcomes_of(store, run, "rule") for step in one.steps]
    assert found == [("absent", False), ("no relation", False), ("", True), ("", False), ("no relation", False)]


async def test_steps_taken_over_from_another_run_count_with_its_scores(store: Store) -> None:
    """Their scores stand under that run, under none where it was deleted."""
    run = a_run(store, benchmark="mmra", subset="", protocol="iq", options={})
    view = Question("RP", "choice", "Which?", "B", {"A": "a", "B": "b", "C": "None of them"}, marks={"A": "absent"})
    journal = StoreJournal(store, run)
    for number, (letter, right) in enumerate((("A", False), ("B", True), ("C", False))):
        item = Item("mmra", "", f"m-{number}", (), view.groups(), {**view.to_facts(), "question": f"{number}"})
        trajectory = await journal.add_step(await journal.take_up(item, 0), a_choice(letter, right))
        await journal.finish(trajectory, Progress.DONE)
    before = list(outcomes_of(store, run, "rule"))
    assert [one.steps[0].mistake for one in before] == ["absent", "", "no relation"]
    last = trajectory.steps[-1].id
    store.write(lambda db: db.execute("UPDATE scores SET run = NULL WHERE step <> ?", (last,)))
    assert list(outcomes_of(store, run, "rule")) == before
    assert list(outcomes_of(store, run, "nobody")) == []


def test_answers_are_the_respondents_own_and_plain(store: Store) -> None:
    async def fill() -> None:
        journal = StoreJournal(store, run)
        for number, right in enumerate((7, 3, 1)):
            made = await walk(journal, an_item(number), right=right)
            fork = await journal.fork(made, 1)
            await journal.add_step(fork, a_step("apply", 0, repeat=5))
        trajectory = await journal.take_up(an_item(3), 0)
        await journal.add_step(trajectory, a_step("apply", 5, lane="relate=gold"))
        trajectory = await journal.take_up(an_item(4), 0)
        await journal.add_step(trajectory, replace(a_step("apply", 5), origin=Origin.EDITED))

    run = a_run(store, subset="WD")
    asyncio.run(fill())
    (answers,) = run_answers(store, [run])
    assert sorted((one.right, one.scored, one.count) for one in answers.answers("apply")) == [
        (1, 7, 1), (3, 7, 1), (7, 7, 1)
    ]  # fmt: skip
    assert list(answers.answers("generate")) == []
    assert set(answers.group("rule").values()) == {"0", "1", "2"}


def test_parts_are_joined_under_the_name_of_their_step(store: Store) -> None:
    async def fill() -> None:
        journal = StoreJournal(store, run)
        for number, bits in enumerate((7, 5)):
            trajectory = await journal.take_up(an_item(number), 0)
            for bit, name in enumerate(("number", "subject", "action")):
                score = a_score(bits & (1 << bit), 1 << bit)
                trajectory = await journal.add_step(trajectory, a_step(f"relate.{name}", scores=(score,)))

    run = a_run(store, subset="WD", options=dict(CONFIG.options) | {"subprompts": "yes"})
    asyncio.run(fill())
    (answers,) = run_answers(store, [run])
    assert sorted((one.right, one.scored) for one in answers.answers("relate")) == [(5, 7), (7, 7)]
