"""What the store holds beside the run on the screen: others on the item, runs made from it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Input

from core.config import Config
from core.errors import UsageError
from core.interventions import another_prompt
from core.pictures import Pictures
from core.placeholders import drafted
from core.planning import Request, prepare
from core.records import Text
from core.selection import Filter
from sessions.opening import OpenRun, open_prepared
from sessions.reading import finished
from sessions.runs import runs
from sessions.store import Store
from tests.tui.batching import bench_on, until
from tests.tui.pilots import app_on, notices, press, words
from tui.screens.choose import ChooseScreen, RowLines
from tui.screens.compare import CompareScreen
from tui.screens.stepping import SteppingScreen
from tui.screens.sweep import SweepScreen
from tui.state.archive import Archive
from tui.state.crew import Crew
from tui.state.partners import partners, side
from tui.state.stepping import Stepping
from tui.state.sweeping import command, sweep


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "phoropter.db") as opened:
        yield opened


async def ran(store: Store, respondent: str, name: str, **given: object) -> OpenRun:
    """Three items of the pack, asked to the end."""
    request = Request("voila:WD", respondent=respondent, filter=Filter({}, limit=3), **given)  # type: ignore[arg-type]
    opened = open_prepared(store, prepare(request, Config()), name)
    await opened.engine().run(opened.prepared.selection)
    return opened


def on(opened: OpenRun, count: int) -> Stepping:
    items = list(prepare(Request("voila:WD"), Config()).selection)[:count]
    state = Stepping(opened.prepared.plan, opened.journal, items, clock=lambda: 0.0)
    state.archive = Archive(opened.store, opened.run)
    return state


async def test_other_runs_on_the_item_are_partners_and_are_read_whole(store: Store) -> None:
    await ran(store, "oracle", "right")
    state = on(await ran(store, "seeing:0.3", "mine"), 3)
    await state.open_item(0)
    (found,) = await partners(state)
    assert (found.title, found.note, found.asked) == ("oracle (baseline) · right", "l2m, done", "oracle")
    other = await side(state, found)
    assert other is not None
    assert [step.turn.step for step in other.trajectory.steps] == ["describe", "relate", "apply"]
    assert all(step.scores[0].correct for step in other.trajectory.steps)


async def test_the_whole_way_from_a_key_to_accuracy_before_and_after(store: Store) -> None:
    await ran(store, "oracle", "right")
    mine = await ran(store, "seeing:0", "mine")
    gold = {"interventions": ("describe=gold",), "base_run": "mine"}
    await ran(store, "seeing:0", "with gold", **gold)
    await ran(store, "seeing:0", "its sham", **gold, sham=True)
    app = app_on(on(mine, 4))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "c", "enter")
        assert isinstance(app.screen, CompareScreen)
        assert "seeing:0 (baseline) · its sham · describe=sham" in words(pilot)
        await press(pilot, "escape", "b", "b", "W")
        assert isinstance(app.screen, ChooseScreen)
        app.screen.query_one("#search", Input).value = "the gold answer put"
        app.screen.query_one("#search", Input).focus()
        await press(pilot, "enter")
        assert isinstance(app.screen, SweepScreen)
        shown = words(pilot)
        assert "describe=gold over 3 finished items" in shown
        assert [line.split()[:3] for line in shown.splitlines() if "apply" in line and " all " in line] == [
            ["apply", "all", "what-if"],
            ["apply", "all", "sham"],
            ["apply", "all", "vs"],
        ]
        assert "0.0 → 100.0 %" in shown
        await press(pilot, "y", "enter")
        copied = app.clipboard.splitlines()
        assert len(copied) == 3
        assert shlex.split(copied[1])[:10] == [
            "phoropter", "run", "voila:WD", "--respondent", "seeing:0", "--intervene", "describe=gold", "--sham",
            "--from", "mine",
        ]  # fmt: skip
        await press(pilot, "escape")
        assert isinstance(app.screen, SteppingScreen)


async def test_a_run_with_interventions_of_its_own_is_no_base(store: Store) -> None:
    await ran(store, "seeing:0", "mine")
    state = on(await ran(store, "seeing:0", "gold", interventions=("describe=gold",), base_run="mine"), 3)
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "W")
        assert isinstance(pilot.app.screen, SteppingScreen)


async def test_where_nothing_is_finished_the_key_that_runs_the_items_is_named(tmp_path: Path) -> None:
    with bench_on(tmp_path / "store.db", "seeing:0", still=True) as bench:
        state = bench.stepping
        state.archive = Archive(bench.asked.store, bench.asked.run)
        async with app_on(state, bench=bench).run_test(size=(80, 24)) as pilot:
            await press(pilot, "space", "W")
            assert isinstance(pilot.app.screen, SteppingScreen)
            assert "B, then n, runs them all" in notices(pilot)


async def test_enter_begins_the_intervention_and_its_sham_on_the_finished_items(tmp_path: Path) -> None:
    with bench_on(tmp_path / "store.db", "seeing:0", name="mine", still=True) as bench:
        state = bench.stepping
        state.archive = Archive(bench.asked.store, bench.asked.run)
        app = app_on(state, bench=bench)
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, "r", "b", "b", "W")
            app.screen.query_one("#search", Input).value = "the gold answer put"
            app.screen.query_one("#search", Input).focus()
            await press(pilot, "enter", "y", "enter")
            await until(lambda: len(bench.batches) == 2 and not any(batch.live for batch in bench.batches))
            done = {summary.run.name: summary.done for summary in runs(bench.asked.store)}
            assert sorted(done.values()) == [1, 1, 1], "of each the one item that was finished"
            recipes = [Request.from_json(one.run.recipe) for one in runs(bench.asked.store) if one.run.name != "mine"]
    shown = app.clipboard.splitlines()[:2]
    where = f"--where id={state.item.id}"
    assert all(where in line for line in shown)
    begun = [command(replace(one, base_run="mine"), store=str(tmp_path / "store.db")) for one in recipes]
    assert sorted(begun) == sorted(shown), "the runs are those that the commands make and go on with"


async def test_the_very_prompt_of_a_fork_goes_over_the_items_and_a_command_says_the_same(tmp_path: Path) -> None:
    with bench_on(tmp_path / "store.db", "seeing:0", name="mine", still=True) as bench:
        state, store = bench.stepping, bench.asked.store
        state.archive = Archive(store, bench.asked.run)
        app = app_on(state, bench=bench)
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, "r", "b", "b")
            plain = state.current.steps[0].turn
            text = drafted(plain).replace("Image 2:", "And here:")
            await state.intervene(another_prompt("describe", text))
            await press(pilot, "r", "W")
            lines = app.screen.query_one(RowLines)
            assert lines.rows[0].words == "describe=prompt", "also from a later step of the fork"
            await press(pilot, "enter")
            assert "describe=prompt over 1 finished item" in words(pilot)
            await press(pilot, "y", "enter")
            await until(lambda: len(bench.batches) == 2 and not any(batch.live for batch in bench.batches))
        (made,) = (one.run for one in runs(store) if one.run.name.endswith("describe-prompt"))
        (stored,) = made.config.interventions
        assert (stored["text"], stored["placed"]) == (text, True)
        (asked,) = finished(store, made.id)
        assert asked.steps[0].turn.content[:2] == plain.content[:2]
        assert asked.steps[0].turn.content[2] == Text("And here:")
        file = Path(Request.from_json(made.recipe).interventions[0].partition("prompt:")[2])
        assert file.read_text(encoding="utf-8") == f"{text}\n"
        assert file.stat().st_mode & 0o777 == 0o600
        assert f"--intervene describe=prompt:{file} --from mine" in app.clipboard.splitlines()[0]
        (found,) = Archive(store, bench.asked.run).intervened("describe=prompt")
        assert (found.interventions, found.sham != "") == ("describe=prompt", True)


async def test_a_turn_goes_to_somebody_else_over_the_items_with_the_respondents_own_sham(tmp_path: Path) -> None:
    with bench_on(tmp_path / "store.db", "seeing:0", name="mine", still=True) as bench:
        state, store = bench.stepping, bench.asked.store
        state.archive, state.crew = Archive(store, bench.asked.run), Crew(Config(), Pictures())
        app = app_on(state, bench=bench)
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, "r", "b", "W")
            app.screen.query_one("#search", Input).value = "another respondent"
            app.screen.query_one("#search", Input).focus()
            await press(pilot, "enter", *"oracle", "enter")
            assert "relate=@oracle over 1 finished item" in words(pilot)
            await press(pilot, "y", "enter")
            await until(lambda: len(bench.batches) == 2 and not any(batch.live for batch in bench.batches))
        treatment, control, _ = app.clipboard.splitlines()
        assert "--respondent-at relate=oracle --from mine" in treatment
        assert "--intervene relate=gold --sham --from mine" in control
        (found,) = Archive(store, bench.asked.run).intervened("relate=@oracle")
        assert found.interventions == "relate=@oracle"
        assert found.sham.endswith("relate-sham")
        assert {row.compared for row in found.rows} == {
            "intervention - plain", "sham - plain", "intervention - sham",
        }  # fmt: skip
    again = sweep(Request("voila:ND"), "mine", "relate=@noisy:0.5")
    assert (again.label, again.treatment.respondents_at) == ("relate=@noisy:0.5", {"relate": "noisy:0.5"})
    with pytest.raises(UsageError, match="say whom relate is to be asked of: relate=@NAME"):
        sweep(Request("voila:ND"), "mine", "relate=@")


async def test_an_id_with_a_comma_is_started_here_and_no_command_is_shown_for_it(store: Store) -> None:
    made = sweep(Request("voila:WD"), "mine", "describe=gold", ("a,b", "c"))
    app = app_on(on(await ran(store, "seeing:0", "mine"), 3))
    async with app.run_test(size=(120, 40)) as pilot:
        app.push_screen(screen := SweepScreen(made, "/store.db", [], can_start=True))
        await press(pilot, "y")
        assert "--where" in words(pilot)
        assert "phoropter run" not in words(pilot)
        assert app.clipboard == ""
        assert "has a comma" in "".join(note.message for note in app._notifications)
        await press(pilot, "enter")
        assert app.screen is not screen
