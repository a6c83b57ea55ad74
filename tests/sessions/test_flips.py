"""Which runs belong together, which of their answers are compared, and that repeats are read as they were stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.records import Origin, Parse, Progress, Score
from sessions.flips import Intervened, flips_of
from sessions.journal import StoreJournal
from sessions.repeats import repeats_of
from sessions.runs import Run
from sessions.store import Store
from tests.stored import STEPS, a_run, a_score, a_step, an_item

Bits = Callable[[int, str], int]
GOLD = [{"step": "describe", "kind": "gold", "property": "", "text": ""}]
SHAM = [{"step": "describe", "kind": "sham", "property": "", "text": ""}]
ITEMS = 6


async def filled(store: Store, run: Run, bits: Bits, *, lane: str = "", origin: Origin = Origin.RESPONDENT) -> None:
    """Six items, each step with these bits; ``lane`` begins at the first step, which has that origin."""
    journal = StoreJournal(store, run)
    for number in range(ITEMS):
        trajectory = await journal.take_up(an_item(number), 0)
        for name in STEPS:
            own = origin if name == STEPS[0] else Origin.RESPONDENT
            step = a_step(name, scores=(a_score(bits(number, name)),), lane=lane, origin=own)
            trajectory = await journal.add_step(trajectory, step)
        await journal.finish(trajectory, Progress.DONE)


async def three_runs(store: Store) -> list[Run]:
    """Plain: even items right. Gold at describe: all but item 5 right after it. Sham: items 0 and 1 change places."""
    plain, gold, sham = (a_run(store, name, interventions=what) for name, what in
                         (("plain", []), ("gold", GOLD), ("sham", SHAM)))  # fmt: skip
    await filled(store, plain, lambda number, _: 7 * (number % 2 == 0))
    await filled(store, gold, lambda number, _: 7 * (number != 5), lane="describe=gold", origin=Origin.GOLD)
    await filled(store, sham, lambda number, _: 7 * (number in (1, 2, 4)), lane="describe=sham")
    return [plain, gold, sham]


def figures(found: Intervened, step: str, compared: str) -> tuple[int, ...]:
    ((change),) = [
        row.figures for row in found.rows if (row.step, row.compared, row.property) == (step, compared, "all")
    ]
    return change.right_right, change.right_wrong, change.wrong_right, change.wrong_wrong


async def test_an_intervention_stands_beside_its_plain_run_and_its_sham(store: Store) -> None:
    (found,) = flips_of(store, await three_runs(store))
    assert (found.run, found.base, found.sham, found.interventions) == ("gold", "plain", "sham", "describe=gold")
    for step in ("relate", "apply"):
        assert figures(found, step, "intervention - plain") == (3, 0, 2, 1)
        assert figures(found, step, "sham - plain") == (2, 1, 1, 2)
        assert figures(found, step, "intervention - sham") == (3, 0, 2, 1)
    described = {row.compared for row in found.rows if row.step == "describe"}
    assert described == {"sham - plain"}, "what was put in is nobody's answer"


async def test_steps_taken_over_from_another_respondent_are_told(store: Store) -> None:
    plain = (await three_runs(store))[0]
    about = {"respondent": "someone", "identity_of_respondent": {"kind": "someone"}, "base_run": plain.uid}
    other = a_run(store, "other", interventions=GOLD, **about)
    await filled(store, other, lambda number, _: 7, lane="describe=gold", origin=Origin.GOLD)
    (found,) = flips_of(store, [other])
    assert found.interventions == "describe=gold and asking someone instead of oracle"


async def test_a_sham_alone_and_a_run_without_a_plain_one(store: Store) -> None:
    plain, gold, sham = await three_runs(store)
    (alone,) = flips_of(store, [plain, sham])
    assert (alone.run, {row.compared for row in alone.rows}) == ("sham", {"sham - plain"})
    other = a_run(store, "other", interventions=GOLD, seed=1)
    (nothing,) = flips_of(store, [other])
    assert (nothing.base, nothing.sham, nothing.rows) == ("", "", ())
    assert gold.name not in {alone.run, nothing.run}


async def test_runs_of_other_prompts_models_or_data_are_no_base(store: Store) -> None:
    await three_runs(store)
    for changes in ({"prompts": {"voila.describe": "p3"}}, {"respondent": "noisy"}, {"data_digest": "d2"},
                    {"filter": {"where": {}, "pictures": "drawn"}}):  # fmt: skip
        run = a_run(store, f"other {changes}", interventions=GOLD, **changes)
        (found,) = flips_of(store, [run])
        assert found.base == ""
    some = a_run(store, "some items", interventions=GOLD, filter={"where": {"rule": ["1"]}})
    assert flips_of(store, [some])[0].base == "plain"


async def test_taken_over_steps_are_compared_with_nothing(store: Store) -> None:
    plain, _, _ = await three_runs(store)
    late = [{"step": "apply", "kind": "prompt", "property": "", "text": "So?"}]
    run = a_run(store, "late", interventions=late, base_run=plain.uid)
    journal, theirs = StoreJournal(store, run, base=plain), StoreJournal(store, plain)
    for number in range(ITEMS - 1):
        trajectory = await journal.take_up(an_item(number), 0)
        (stored,) = await theirs.all_on(an_item(number))
        for step in stored.steps[:2]:
            trajectory = trajectory.then(step)
        trajectory = await journal.add_step(trajectory, a_step("apply", 7, lane="apply=prompt"))
        await journal.finish(trajectory, Progress.DONE)
    failed = await journal.take_up(an_item(5), 0)
    await journal.finish(failed, Progress.FAILED, "gone", step="apply")
    (found,) = flips_of(store, [run])
    assert {row.step for row in found.rows} == {"apply"}
    assert {(row.left_out, row.asked_anew) for row in found.rows} == {(1, False)}
    assert figures(found, "apply", "intervention - plain") == (3, 0, 2, 0)


async def test_numbers_asked_anew_before_the_intervention_are_told(store: Store) -> None:
    await three_runs(store)
    run = a_run(store, "anew", interventions=[GOLD[0] | {"step": "relate"}])
    journal = StoreJournal(store, run)
    trajectory = await journal.add_step(await journal.take_up(an_item(0), 0), a_step("describe"))
    trajectory = await journal.add_step(trajectory, a_step("relate", origin=Origin.GOLD, lane="relate=gold"))
    await journal.finish(await journal.add_step(trajectory, a_step("apply", lane="relate=gold")), Progress.DONE)
    (found,) = flips_of(store, [run])
    assert {(row.step, row.asked_anew) for row in found.rows} == {("apply", True)}


async def test_repeats_are_read_with_their_values_and_never_mixed(store: Store) -> None:
    run = a_run(store, "thrice")
    journal = StoreJournal(store, run)
    bits: Any = {0: (7, 7, 0), 1: (7, 0, 0), 2: (7, 7)}
    for number, of_item in bits.items():
        for repeat, right in enumerate(of_item):
            trajectory = await journal.take_up(an_item(number), repeat)
            step = a_step("describe", right, repeat=repeat)
            await journal.finish(await journal.add_step(trajectory, step), Progress.DONE)
    found = {(cell.group, cell.property): (cell.right, cell.n) for cell in repeats_of(store, [run])}
    assert found["majority of 3", "all"] == (1, 2), "the item with two repeats is left out"
    assert found["best of 3", "all"] == (2, 2)
    assert found["all of 3", "all"] == (0, 2)
    assert {cell.group_by for cell in repeats_of(store, [run])} == {"repeats"}
    assert repeats_of(store, [a_run(store, "once", seed=2)]) == []


async def test_repeats_of_which_none_could_be_read_are_a_wrong_majority(store: Store) -> None:
    run = a_run(store, "unread")
    journal = StoreJournal(store, run)
    nothing = Score("rule", "1", Parse.NO_ANSWER, 0, 7)
    for number in range(2):
        for repeat in range(3):
            step = replace(a_step("describe", repeat=repeat), scores=(nothing,))
            await journal.finish(
                await journal.add_step(await journal.take_up(an_item(number), repeat), step), Progress.DONE
            )
    found = {(cell.group, cell.property): (cell.right, cell.n) for cell in repeats_of(store, [run])}
    for group in ("majority of 3", "best of 3", "all of 3"):
        assert found[group, "all"] == (0, 2), group
