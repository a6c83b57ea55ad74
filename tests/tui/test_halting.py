"""What had arrived of a call that was stopped: where it was to go, elsewhere and back, after a restart, until the
step is asked anew."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from core.interventions import Intervention, another_prompt
from sessions.drafts import Drafts, Place
from tests.memory_journal import MemoryJournal
from tests.tui.pilots import app_on, idle, press, until, words
from tests.tui.stage import Held, items, plan, stepping
from tui.screens.closing import ClosingScreen
from tui.state.crew import Crew
from tui.state.stepping import Stepping

WORDS = "the first words"


class OneWord(Crew):
    """Knows one respondent."""

    def __init__(self, held: Held) -> None:
        self._held = held

    def get(self, name: str) -> Held:
        assert name == self._held.name
        return self._held


async def held_at_a_step(file: Path | None = None) -> tuple[Held, Stepping, MemoryJournal]:
    """One step answered, and the next call is held."""
    held, journal = Held(), MemoryJournal()
    state = Stepping(plan(held), journal, items(), drafts=Drafts(file), run="one", clock=lambda: 0.0)
    await state.open_item(0)
    held.let_go.set()
    await state.next()
    held.let_go.clear()
    held.begun.clear()
    return held, state, journal


async def stopped(held: Held, state: Stepping, command: Callable[[], Awaitable[Any]]) -> None:
    """Begin it, and stop it when its first words are there."""
    asking = asyncio.create_task(command())  # type: ignore[arg-type]
    await held.begun.wait()
    assert state.cancel()
    await asking
    held.begun.clear()


def shown(state: Stepping) -> str | None:
    look = state.look()
    return None if look.stopped is None or look.step is not None else look.stopped.text


HOWS: dict[str, Callable[[Stepping, Held], Callable[[], Awaitable[Any]]]] = {
    "again": lambda state, held: state.ask_again,
    "another prompt": lambda state, held: (
        lambda: state.intervene(Intervention("describe", "prompt", text="Say what you see."))
    ),
    "somebody else": lambda state, held: lambda: state.ask_other(held),
}


@pytest.mark.parametrize("how", HOWS)
async def test_a_stopped_fork_stays_where_it_was_until_the_same_is_asked_anew(tmp_path: Path, how: str) -> None:
    file = tmp_path / "drafts"
    held, state, journal = await held_at_a_step(file)
    main = state.current
    await stopped(held, state, HOWS[how](state, held))
    fork = state.current
    assert (fork.parent, shown(state), state.cursor) == (main.id, WORDS, 0)
    assert [row.kind for row in state.rows()] == ["step", "next", "head", "stopped"]
    state.switch_trajectory(1)
    assert (state.current.id, shown(state)) == (main.id, None)
    assert [row.kind for row in state.rows()] == ["step", "next", "head", "stopped"], "it is found from elsewhere"
    await state.next_item()
    await state.next_item(-1)
    again = Stepping(plan(held), journal, items(), drafts=Drafts(file), run="one", clock=lambda: 0.0)
    again.crew = OneWord(held)
    for each in (state, again):
        await each.open_item(0)
        each.select(each.rows()[-1])
        assert (each.current.id, shown(each)) == (fork.id, WORDS)
    held.let_go.set()
    if how == "another prompt":
        again.drafts[Place("prompt one", again.item.id, 0, 0)] = "Say what you see."
    await again.next()
    assert (again.current.parent, len(again.current.steps)) == (main.id, 1)
    own = again.current.steps[0]
    assert own.lane == {"again": "describe=again", "another prompt": "describe=prompt"}.get(how, "describe=@told")
    assert ("Say what you see." in own.turn.text) == (how == "another prompt")
    assert (own.repeat == 1) == (how == "again")
    assert [row.kind for row in again.rows()] == ["step", "next", "head", "step", "next"], "the stopped one is gone"
    assert Drafts(file) == {}


async def test_a_prompt_with_places_for_its_pictures_keeps_them_when_it_is_asked_anew() -> None:
    placed = another_prompt("describe", "What is this?\n[picture 1]\nAnd these?\n[picture 2]\n[picture 3]")
    turns = []
    for stops in (True, False):
        held, state, _ = await held_at_a_step()
        if stops:
            await stopped(held, state, lambda state=state: state.intervene(placed))  # type: ignore[misc]
        held.let_go.set()
        await (state.next() if stops else state.intervene(placed))
        turns.append(state.current.steps[0].turn)
    assert turns[0] == turns[1]
    assert [type(part).__name__ for part in turns[0].content] == ["Text", "Show", "Text", "Show", "Show"]


@pytest.mark.parametrize("key", ["r", "f", "R"])
async def test_going_on_at_a_stopped_fork_does_first_what_it_was_made_for(key: str) -> None:
    held, state, _ = await held_at_a_step()
    await stopped(held, state, state.ask_again)
    held.let_go.set()
    await {"r": state.to_end, "f": state.to_first_wrong, "R": lambda: state.to_step(1)}[key]()
    assert [step.lane for step in state.current.steps[:1]] == ["describe=again"]
    assert len(state.current.steps) == (2 if key == "R" else 3)


async def test_what_had_arrived_of_the_next_turn_is_there_again_on_the_item_and_after_a_restart(
    tmp_path: Path,
) -> None:
    held, journal, file = Held(), MemoryJournal(), tmp_path / "drafts"
    state = Stepping(plan(held), journal, items(), drafts=Drafts(file), run="one", clock=lambda: 0.0)
    await state.open_item(0)
    await stopped(held, state, state.next)
    await state.next_item()
    assert shown(state) is None
    await state.next_item(-1)
    assert shown(state) == WORDS
    again = Stepping(plan(held), journal, items(), drafts=Drafts(file), run="one", clock=lambda: 0.0)
    await again.open_item(0)
    assert (shown(again), again.rows()[0].kind) == (WORDS, "stopped")
    other = Stepping(plan(held), journal, items(), drafts=Drafts(file), run="two", clock=lambda: 0.0)
    await other.open_item(0)
    assert shown(other) is None, "another run's"
    held.let_go.set()
    await again.next()
    assert again.current.steps[0].answer.text != WORDS
    assert (shown(again), Drafts(file)) == (None, {})


async def test_a_call_stopped_from_another_item_is_kept_on_its_own() -> None:
    held, state, _ = await held_at_a_step()
    for command in (state.next, state.ask_again):
        asking = asyncio.create_task(command())  # type: ignore[arg-type]
        await held.begun.wait()
        await state.next_item()
        state.cancel()
        await asking
        held.begun.clear()
        await state.next_item(-1)
        assert shown(state) == WORDS
        state.current, state.cursor = state.family.main, 0
    assert [row.kind for row in state.rows()] == ["step", "stopped", "head", "stopped"]


async def test_what_is_kept_of_a_fork_goes_with_it() -> None:
    held, state, _ = await held_at_a_step()
    await stopped(held, state, state.ask_again)
    assert len(state.drafts) == 1
    await state.remove_fork(state.current)
    assert state.drafts == {}
    assert (state.current.parent, [row.kind for row in state.rows()]) == (None, ["step", "next"])


async def test_a_draft_that_nothing_like_this_wrote_is_shown_as_nothing() -> None:
    state = stepping()
    await state.open_item(0)
    for text in ("", "[", "[1, 2]", '{"a": 1}', "null"):
        state.drafts[state.draft_of("stopped")] = text
        assert state.look().stopped is None


@pytest.mark.parametrize("how", ["now", "wait", "stay"])
async def test_leaving_while_a_call_runs_asks_and_keeps_what_has_arrived(how: str) -> None:
    held = Held()
    state = stepping(held)
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await idle(pilot)
        await pilot.press("space")
        await held.begun.wait()
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, ClosingScreen))
        assert "a call is running" in words(pilot)
        assert "describe is still being asked, on voila-1" in words(pilot)
        if how == "wait":
            await pilot.press("w")
            await pilot.pause()
            assert pilot.app.return_code is None
            held.let_go.set()
        else:
            await pilot.press("y" if how == "now" else "n")
        if how == "stay":
            await until(pilot, lambda: not isinstance(pilot.app.screen, ClosingScreen))
            assert state.running is not None
            held.let_go.set()
            await idle(pilot)
            await press(pilot, "q")
    assert len(state.current.steps) == (0 if how == "now" else 1)
    assert shown(state) == (WORDS if how == "now" else None)
