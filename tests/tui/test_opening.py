"""A stored run opens whatever became of its data, pictures and respondent; the screen says what is missing."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from PIL import Image

from core.config import Config
from core.errors import UsageError
from core.planning import Request, prepare
from core.records import Item, Progress, Show
from core.respondents.batch_book import Standing
from sessions.left import LeftAt
from sessions.opening import open_prepared
from sessions.runs import delete_run, runs
from sessions.store import Store
from tests.servers import FaultServer, says
from tests.tui.pilots import app_on, idle, press, words
from tests.tui.stage import stepping
from tests.tui.stored import a_file, batch, behind, opened, run_on
from tui.app import PhoropterApp
from tui.cli.opened import Opened
from tui.screens.first_run import FirstRunScreen
from tui.screens.opening import OpeningScreen
from tui.screens.stepping import SteppingScreen
from tui.state.gate import CHECKING
from tui.state.ready import ready
from tui.state.stepping import Stepping
from tui.widgets.detail_text import title


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store.open(tmp_path / "store.db") as made:
        yield made


async def test_a_run_opens_at_its_first_failing_item_with_all_items_of_its_data(store: Store, tmp_path: Path) -> None:
    data = a_file(tmp_path)
    run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.6"), limit=3)
    made = await opened(store, run)
    state = made.stepping
    assert (state.item.id, state.position, len(state.items)) == ("voila-1", 0, 6)
    assert state.roster.complete
    assert state.gate.missing == ""
    assert [state.roster.standing(key).status for key in state.items.keys[3:]] == ["not-run"] * 3
    assert state.lanes()[0].steps[0].n == 9
    await state.open_item(5)
    await state.next()
    assert len(state.current.steps) == 1
    assert len(runs(store)) == 1


@pytest.mark.parametrize("position", [0, 5])
async def test_a_run_opens_at_the_item_looked_at_last_whatever_was_asked_since(
    store: Store, tmp_path: Path, position: int
) -> None:
    data = a_file(tmp_path)
    run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.6"), limit=3)
    first = (await opened(store, run)).stepping
    await first.open_item(4)
    await first.open_item(position)
    first.left.flush()
    file = tmp_path / "store.db.left"
    again = (await opened(store, run)).stepping
    assert file.stat().st_mode & 0o077 == 0
    assert (again.item.id, again.position, len(again.items)) == (first.items.keys[position], position, 6)
    again.left.flush()
    with Store.open(tmp_path / "store.db", read_only=True) as looked_at:
        state = (await opened(looked_at, run)).stepping
        await state.open_item(1)
        state.left.flush()
    assert LeftAt(file).item(run.uid) == first.items.keys[position]
    again.left.note(run.uid, "an item that is gone")
    again.left.flush()
    assert (await opened(store, run)).stepping.item.id == "voila-1", "the first that fails"


async def test_a_run_opens_at_the_path_and_the_step_looked_at_last(store: Store, tmp_path: Path) -> None:
    run = await batch(store, a_file(tmp_path))
    first = (await opened(store, run)).stepping
    await first.open_item(2)
    first.back()
    first.back()
    await first.gold()
    fork = first.current.id
    await first.next()
    first.left.flush()
    again = (await opened(store, run)).stepping
    assert (again.item.id, again.current.id, again.cursor) == (first.item.id, fork, 1)
    again.switch_trajectory(1)
    again.back()
    again.left.flush()
    third = (await opened(store, run)).stepping
    assert (third.current.parent, third.cursor) == (None, 0)
    await third.remove_fork(next(t for t in third.family.all() if t.id == fork))
    third.left.note(run.uid, third.item.id, fork, 1)
    third.left.flush()
    assert (await opened(store, run)).stepping.current.parent is None, "the fork is gone"


@pytest.mark.parametrize("what", ["gone", "moved", "changed", "a folder", "no longer a table"])
async def test_without_its_data_the_stored_items_are_walked_and_asked(
    store: Store, tmp_path: Path, what: str
) -> None:
    data = a_file(tmp_path)
    run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.6"), limit=3)
    if what == "changed":
        text = data.read_text(encoding="utf-8")
        data.write_text(text.replace("two", "three"), encoding="utf-8")
    elif what == "moved":
        data.rename(tmp_path / "elsewhere.csv")
    elif what == "no longer a table":
        data.write_bytes(b"\xff\xfe\x00")
    else:
        data.unlink()
    if what == "a folder":
        data.mkdir()
    state = (await opened(store, run)).stepping
    assert list(state.items.keys) == ["voila-1", "voila-2", "voila-3"]
    assert "stored items only" in state.gate.missing
    assert (str(data) in state.gate.missing) or what == "a folder"
    assert state.current.progress is Progress.DONE
    await state.gold()
    assert state.current.parent is not None
    await state.to_end()  # drawn pictures, and a baseline that looks at none
    assert state.current.progress is Progress.DONE


async def test_a_read_only_store_is_looked_at_and_every_key_that_writes_says_why(tmp_path: Path) -> None:
    data = a_file(tmp_path)
    with Store.open(tmp_path / "store.db") as store:
        run = await batch(store, data)
    with Store.open(tmp_path / "store.db", read_only=True, create=False) as store:
        made = await opened(store, run)
        state = made.stepping
        before = runs(store)[0]
        await state.next_item(-1)
        for act in (state.gold, state.ask_again, state.to_end, lambda: state.edit("x")):
            state.note = ""
            state.back()
            await act()
            assert "read-only" in state.note or state.note == "this path is complete"
        assert state.fork_here() is None
        assert len(state.family.all()) == 1
        assert runs(store)[0] == before


def test_a_store_that_may_not_be_written_is_opened_for_looking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = a_file(tmp_path)
    with Store.open(tmp_path / "store.db") as store:
        asyncio.run(batch(store, data))
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and real(path, mode))
    opening = Opened(None, tmp_path / "store.db", respondent="oracle")
    found = opening.stored()
    assert found is not None
    assert "read-only" in found.stepping.gate.missing
    opening.close()


async def test_a_respondent_that_is_no_more_leaves_its_answers_to_be_read(store: Store, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"item": "voila-1", "step": "describe", "text": "two cats"}\n', encoding="utf-8")
    run = await batch(store, a_file(tmp_path), f"replay:{answers}")
    answers.unlink()
    state = (await opened(store, run)).stepping
    assert len(state.items) == 6
    assert "nothing new can be asked" in state.gate.missing
    await state.open_item(0)
    assert state.current.steps[0].answer.text == "two cats"
    await state.ask_again()
    assert "nobody can be asked" in state.note
    await state.gold()
    assert state.current.parent is not None


async def test_nobody_is_asked_while_requests_are_out_in_a_batch_of_the_server(store: Store, tmp_path: Path) -> None:
    request = Request("voila:ND", data=a_file(tmp_path), pictures="drawn", respondent="oracle")
    run = await run_on(store, request, limit=3)
    state = (await opened(store, run)).stepping
    await state.open_item(4)
    store.write(
        lambda db: db.execute(
            "INSERT INTO calls (run, purpose, request_hash, pending, created) VALUES (?, 'answer', x'00', ?, 0)",
            (run.id, Standing.OUT),
        )
    )
    await state.next()
    assert not state.current.steps
    assert "requests of this run are out in a batch of the server's, and would be paid for twice" in state.note
    await state.open_item(0)
    await state.ask_again()
    assert "through batches again, with via batch" in state.note, "as the dialog for a batch has it"
    await state.gold()
    assert state.current.parent is not None
    await state.open_item(4)
    store.write(lambda db: db.execute("UPDATE calls SET pending = 0"))  # collected, by whoever
    await state.next()
    assert len(state.current.steps) == 1


async def test_other_parameters_than_the_run_was_made_with_ask_nobody(store: Store, tmp_path: Path) -> None:
    run = await batch(store, a_file(tmp_path), "noisy:0.6")
    assert run.recipe is not None
    store.write(lambda db: db.execute("UPDATE runs SET recipe = replace(recipe, 'noisy:0.6', 'noisy:0.7')"))
    state = (await opened(store, run.name)).stepping
    await state.ask_again()
    assert "noisy:0.7" in state.note


async def test_a_base_run_that_was_deleted_stops_asking_alone(store: Store, tmp_path: Path) -> None:
    data = a_file(tmp_path)
    base = await batch(store, data)
    run = await batch(store, data, interventions=("describe=gold",), base_run=base.name)
    delete_run(store, base.name)
    state = (await opened(store, run)).stepping
    assert len(state.items) == 6
    await state.ask_again()
    assert "the run it starts from is gone" in state.note


async def test_a_run_without_a_recipe_opens_too(store: Store, tmp_path: Path) -> None:
    run = await batch(store, a_file(tmp_path))
    state = (await opened(store, replace(run, recipe=None))).stepping
    assert len(state.items) == 6
    assert "stored items only" in state.gate.missing


async def test_a_run_with_neither_data_nor_anything_stored_is_refused(store: Store, tmp_path: Path) -> None:
    data = a_file(tmp_path)
    run = open_prepared(store, prepare(Request("voila:ND", data=data, pictures="drawn"), Config())).run
    data.unlink()
    with pytest.raises(UsageError, match="is not there"):
        ready(store, run, Config())


async def test_pictures_that_were_sent_are_shown_and_asked_with_from_the_store(store: Store, tmp_path: Path) -> None:
    data, folder = a_file(tmp_path, 2), tmp_path / "Test_Images"
    folder.mkdir()
    loaded = prepare(Request("voila:ND", data=data, pictures="drawn"), Config())
    for number, item in enumerate(loaded.selection):
        for which, picture in enumerate(item.pictures):
            Image.new("RGB", (40, 30), (90 * number, 60 * which, 200)).save(folder / picture.name)
    async with FaultServer(lambda received: says("Image 1: two cats running.")) as server:
        who = f"openai:some-model@{server.url}"
        run = await run_on(store, Request("voila:ND", data=data, pictures=str(folder), respondent=who), limit=1)
        shutil.rmtree(folder)
        made = await opened(store, run)
        state = made.stepping
        assert len(state.items) == 2, "the data file is there"
        assert "folder" in state.gate.missing
        await state.open_item(0)
        assert made.pictures is not None
        image = made.pictures.image(state.item, Show((1,)))
        assert (image.size, image.getpixel((5, 5))) == ((40, 30), (0, 60, 200))
        await state.ask_again()
        assert "picture files changed" in state.note
        data.unlink()
        again = (await opened(store, run)).stepping
        again.select(again.rows()[0])
        await again.ask_again()
        assert again.current.parent is not None, "what was sent is asked with again"
        assert [picture.size for picture in again.current.steps[0].answer.sent] == [(40, 30)] * 3
        for plan in (state.plan, again.plan):
            await plan.respondent.close()


# -- the first screens


class _Opener:
    def __init__(self, folder: Path, found: bool) -> None:
        self.folder, self.found = folder, found
        self.opening = Opened(None, demo_store=folder / "demo.db", respondent="noisy:0.6")

    def stored(self) -> Any:
        if self.found:
            raise UsageError("there is no run of that name", where="x")
        return None

    def demo(self) -> Any:
        return self.opening.demo()


async def _until(pilot: Any, kind: type) -> None:
    while not isinstance(pilot.app.screen, kind):
        await pilot.pause(0.02)
    await idle(pilot)


async def test_newcomers_choose_between_three_ways_and_the_demo_opens_in_place(tmp_path: Path) -> None:
    opener = _Opener(tmp_path, found=False)
    app = PhoropterApp(opener=opener)
    async with app.run_test(size=(80, 24)) as pilot:
        await _until(pilot, FirstRunScreen)
        assert "phoropter demo" in words(pilot)
        await press(pilot, "down")
        assert "phoropter fetch voila" in words(pilot)
        await press(pilot, "down")
        assert "phoropter respondents check NAME" in words(pilot)
        await press(pilot, "1")
        await _until(pilot, SteppingScreen)
        await press(pilot, "space")
        assert app.shown is not None
        assert len(app.shown.stepping.current.steps) == 1
        await press(pilot, "q")
    assert app.return_code == 0
    await asyncio.to_thread(opener.opening.close)


async def test_what_is_typed_while_a_run_is_opened_is_acted_on_once_it_stands(tmp_path: Path) -> None:
    opener, may_open = _Opener(tmp_path, found=False), threading.Event()
    demo = opener.demo

    def slowly() -> Any:
        may_open.wait(60)
        return demo()

    opener.demo = slowly  # type: ignore[method-assign]
    app = PhoropterApp(opener=opener, demo=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark", "escape", "space")
        assert isinstance(app.screen, OpeningScreen)
        assert [one.key for one in app.screen.typed] == ["space"]
        may_open.set()
        await _until(pilot, SteppingScreen)
        await idle(pilot)
        assert app.shown is not None
        assert len(app.shown.stepping.current.steps) == 1
    await asyncio.to_thread(opener.opening.close)


async def test_an_error_while_opening_ends_the_app_and_is_told() -> None:
    app = PhoropterApp(opener=_Opener(Path(), found=True))
    async with app.run_test(size=(80, 24)) as pilot:
        while app.failure is None:
            await pilot.pause(0.02)
    assert isinstance(app.failure, UsageError)
    assert app.return_code == 2


async def test_who_asks_before_the_data_was_looked_at_waits_for_that_and_is_answered(
    store: Store, tmp_path: Path
) -> None:
    data = a_file(tmp_path)
    run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.6"), limit=1)
    made = ready(store, run, Config())
    state = made.stepping
    await state.begin()
    asking = asyncio.create_task(state.ask_again())
    await asyncio.sleep(0)
    assert state.running is not None
    assert (state.running.held, len(state.family.all())) == (CHECKING, 1)
    assert CHECKING in title(state.look(), state.plan).plain
    await behind(made)
    await asking
    assert (state.current.parent is None, len(state.family.all())) == (False, 2)


async def test_data_that_cannot_be_looked_at_keeps_nobody_waiting(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(opened: object) -> None:
        raise UsageError("the disk is gone", where="questions.csv")

    monkeypatch.setattr("tui.state.backstage.source", broken)
    run = await run_on(store, Request("voila:ND", pictures="drawn", respondent="noisy:0.6"), limit=1)
    made = ready(store, run, Config())
    state = made.stepping
    await state.begin()
    asking = asyncio.create_task(state.ask_again())
    await behind(made)
    await asking
    assert state.stopped is not None
    assert "the disk is gone" in state.stopped.reason
    assert "the disk is gone" in state.gate.missing


async def test_the_first_item_is_read_once_however_many_want_it(store: Store, tmp_path: Path) -> None:
    data = a_file(tmp_path)
    run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.6"), limit=1)
    state = ready(store, run, Config()).stepping
    looked = state._look_at
    seen: list[int] = []

    async def slow(item: Item, position: int, **given: bool) -> None:
        seen.append(position)
        await asyncio.sleep(0.01)
        await looked(item, position, **given)

    state._look_at = slow  # type: ignore[method-assign]
    await asyncio.gather(state.begin(), state.begin())
    assert (seen, state.opened) == ([state.position], True)


@pytest.mark.parametrize(("key", "at"), [("r", (0, 3)), (">", (1, 0))])
async def test_a_key_typed_before_the_first_item_was_read_comes_after_it(
    key: str, at: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, may_look = Stepping._look_at, asyncio.Event()

    async def slow(state: Stepping, item: Item, position: int, **given: bool) -> None:
        await may_look.wait()
        await looked(state, item, position, **given)

    monkeypatch.setattr(Stepping, "_look_at", slow)
    state = stepping()
    async with app_on(state).run_test() as pilot:
        await pilot.press(key)
        assert (state.opened, state.running) == (False, None)
        may_look.set()
        await idle(pilot)
        assert (state.position, len(state.current.steps)) == at


async def test_a_path_that_others_went_on_with_meanwhile_is_not_asked_again(store: Store, tmp_path: Path) -> None:
    data = a_file(tmp_path)
    run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.6"), limit=1)
    made = ready(store, run, Config())
    state = made.stepping
    await state.begin()
    known = replace(state.current, progress=Progress.OPEN, steps=state.current.steps[:1])
    state.current = known
    asking = asyncio.create_task(state.to_end())
    await behind(made)
    await asking
    assert state.stopped is not None
    assert "somebody else went on" in state.stopped.reason
    assert [len(each.steps) for each in state.family.all()] == [3]


async def test_a_batch_over_data_that_cannot_be_looked_at_says_why(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(opened: object) -> None:
        raise UsageError("the disk is gone", where="questions.csv")

    monkeypatch.setattr("tui.state.backstage.source", broken)
    run = await run_on(store, Request("voila:ND", pictures="drawn", respondent="noisy:0.6"), limit=1)
    made = ready(store, run, Config())
    assert made.bench is not None
    with pytest.raises(UsageError, match="still being read"):
        made.bench.begin_here()
    await behind(made)
    with pytest.raises(UsageError, match="the disk is gone"):
        made.bench.begin_here()


async def test_another_respondent_opens_at_the_same_item_and_leaves_no_empty_run(tmp_path: Path) -> None:
    data, path = a_file(tmp_path), tmp_path / "store.db"
    with Store.open(path) as store:
        run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.6"), limit=1)
    for asks in (False, True, True):
        opener = Opened(None, path, run.name, respondent="oracle")
        first = await asyncio.to_thread(opener.stored)
        assert first is not None
        other = await asyncio.to_thread(opener.with_respondent, "oracle", "voila-4")
        await behind(other)
        await other.stepping.begin()
        assert (other.stepping.item.id, other.stepping.position) == ("voila-4", 3)
        if asks:
            await other.stepping.next()
        await asyncio.to_thread(opener.close)
        with Store.open(path) as store:
            assert [one.run.config.respondent for one in runs(store)] == [*["oracle"] * asks, "noisy:0.6"]


async def test_an_empty_run_that_another_app_shows_stays(tmp_path: Path) -> None:
    """Else what is asked there next, and paid for, could not be stored."""
    data, path = a_file(tmp_path), tmp_path / "store.db"
    with Store.open(path) as store:
        run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.6"), limit=1)
    for shown_elsewhere in (True, False):
        opener = Opened(None, path, run.name, respondent="oracle")
        await asyncio.to_thread(opener.stored)
        other = await asyncio.to_thread(opener.with_respondent, "oracle", "voila-4")
        await behind(other)
        assert other.stepping.archive is not None
        uid = other.stepping.archive.run.uid
        mine = path.with_name(f"{path.name}.{uid[:16]}.app-{os.getpid()}.lock")
        assert mine.exists()
        with FileLock(mine.with_name(f"{path.name}.{uid[:16]}.app-1.lock")) if shown_elsewhere else nullcontext():
            await asyncio.to_thread(opener.close)
        with Store.open(path) as store:
            left = [one for one in runs(store) if one.run.uid == uid]
            assert len(left) == shown_elsewhere
            for one in left:
                delete_run(store, one.run.name)
        assert not mine.exists()


async def test_a_run_that_was_never_opened_opens_at_its_first_wrong_step(store: Store, tmp_path: Path) -> None:
    data = a_file(tmp_path)
    run = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="noisy:0.3"))
    state = (await opened(store, run)).stepping
    await state.next_failing(-1)
    assert "no failing item before" in state.note
    look = state.look()
    assert look.step is not None
    score = look.step.score(state.scorer)
    assert score is not None
    assert not score.correct
    assert all(step.score(state.scorer).correct for step in state.current.steps[: state.cursor])  # type: ignore[union-attr]
    right = await run_on(store, Request("voila:ND", data=data, pictures="drawn", respondent="oracle"))
    state = (await opened(store, right)).stepping
    assert (state.item.id, state.position, state.cursor) == ("voila-1", 0, 0)
    state.forward()
    await state.next_item()
    state.left.flush()
    state = (await opened(store, right)).stepping
    assert (state.item.id, state.cursor) == ("voila-2", 2), "where it was left"
