"""Forks: an intervention, another respondent or another try at any step, beside a path that stays as it is."""

from __future__ import annotations

from core.forking import ForkingEngine
from core.interventions import Intervention
from core.records import Origin, Trajectory
from tests.core.questions import change_of_all
from tests.core.scripted import Scripted, gold, plan_of
from tests.memory_journal import MemoryJournal


async def test_one_turn_is_sent_to_another_respondent_and_the_rest_of_the_fork_to_the_plans_own() -> None:
    own, other, journal = Scripted(lambda _: "two dogs"), Scripted(gold), MemoryJournal()
    other.name = "other"
    engine = ForkingEngine(plan_of(own), journal)
    plain = await engine.advance(await journal.take_up(change_of_all(), 0))
    fork = await engine.ask_other(plain, 0, other)
    assert (fork.parent, fork.fork, fork.steps[0].origin) == (plain.id, 0, Origin.OTHER)
    assert fork.steps[0].lane == "describe=@other"
    assert other.asked[0].turn == plain.steps[0].turn
    before = len(own.asked)
    fork = await engine.advance(fork)
    assert (len(own.asked), fork.steps[1].origin) == (before + 1, Origin.RESPONDENT)
    assert journal.trajectories[plain.id] == plain


async def test_what_is_done_to_a_changed_turn_is_told_by_the_change_and_orders_are_those_of_the_question() -> None:
    respondent, journal = Scripted(gold), MemoryJournal()
    engine = ForkingEngine(plan_of(respondent), journal)
    first = Intervention("describe", "pictures", text="2,1,3")
    fork = await engine.intervene(Trajectory(change_of_all()), 0, first)
    again = await engine.ask_again(fork, 0, 1)
    put_in = await engine.intervene(fork, 0, Intervention("describe", "gold"))
    assert again.steps[0].lane == "describe=pictures:2,1,3+describe=again"
    assert put_in.steps[0].lane == "describe=pictures:2,1,3+describe=gold"
    other = await engine.intervene(fork, 0, Intervention("describe", "pictures", text="3,2,1"))
    assert [show.of for show in other.steps[0].turn.shows] == [(2,), (1,), (0,)]
    assert other.lane == "describe=pictures:3,2,1"


async def test_a_persons_answer_is_put_in_under_their_own_origin() -> None:
    respondent, journal = Scripted(gold), MemoryJournal()
    engine = ForkingEngine(plan_of(respondent), journal)
    fork = await engine.intervene(
        Trajectory(change_of_all()), 0, Intervention("describe", "person", text="three cats")
    )
    step = fork.steps[0]
    assert (step.origin, step.answer.text, step.lane) == (Origin.PERSON, "three cats", "describe=person")
    assert respondent.asked == []


async def test_a_fork_leaves_the_old_path_as_it_was() -> None:
    journal = MemoryJournal()
    engine = ForkingEngine(plan_of(Scripted(lambda r: "no idea")), journal)
    old = await engine.to_end(await journal.take_up(change_of_all(), 0))
    forked = await engine.intervene(old, 0, Intervention("describe", "gold"))
    finished = await engine.to_end(forked)
    assert journal.trajectories[old.id] == old
    assert finished.parent == old.id
    assert finished.steps[0].answer.text == old.steps[0].turn.gold_text
    assert [step.lane for step in finished.steps] == ["describe=gold"] * 3


async def test_asking_again_is_a_fork_with_its_own_repeat() -> None:
    journal = MemoryJournal()
    respondent = Scripted(gold)
    engine = ForkingEngine(plan_of(respondent), journal)
    old = await engine.to_end(await journal.take_up(change_of_all(), 0))
    again = await engine.ask_again(old, 1, repeat=1)
    assert [step.turn.step for step in again.steps] == ["describe", "relate"]
    assert again.steps[1].lane == "relate=again"
    assert respondent.asked[-1].repeat == 1
