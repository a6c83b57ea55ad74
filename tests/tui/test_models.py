"""The models: listed, filtered, checked, added; the same items with another one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.widget import Widget
from textual.widgets import Input, Select

from core.checking import Line, Report, Verdict
from core.config import Config, load_config
from core.errors import ConfigError, RespondentError, UsageError
from core.respondents.base import OnLoading
from sessions.drafts import Drafts
from tests.tui.batching import Gate, bench_on, until
from tests.tui.pilots import app_on, idle, press, words
from tests.tui.stage import drawn, stepping
from tui.app import PhoropterApp
from tui.imaging import Imaging
from tui.manners import Manners
from tui.screens.add_model import AddModelScreen
from tui.screens.models import ModelsScreen
from tui.screens.stepping import SteppingScreen
from tui.state.bench import Bench
from tui.state.crew import Crew
from tui.state.models import Form, Models
from tui.state.ready import Ready
from tui.widgets.models import ModelLines

FILE = '[respondents.big]  # slow\nkind = "openai"\nmodel = "b[/]\\u001b[31m"\n'


def report(*, usable: bool = True) -> Report:
    reached = Line("reachable", Verdict.YES, "answered in 0.1 s")
    largest = Line("largest turn", Verdict.YES if usable else Verdict.NO, "\x1b[2J 3 pictures", "Raise max_tokens")
    return Report("big", "model", "voila:ND", "l2m", "i", "describe", (reached, largest), "[b]four\x1b]0;x\x07")


def models(folder: Path, found: Report | Exception | None = None, stage: str = "") -> Models:
    file = folder / "phoropter.toml"
    file.write_text(FILE, encoding="utf-8")

    async def check(name: str, config: Config, on_loading: OnLoading) -> Report:
        if found is None:
            on_loading(stage)
            await asyncio.Event().wait()
        if isinstance(found, Exception):
            raise found
        assert isinstance(found, Report)
        return found

    made = Models(file, check)
    made.read()
    return made


def test_the_files_own_come_first_and_words_filter(tmp_path: Path) -> None:
    state = models(tmp_path)
    assert [row.name for row in state.rows()][:3] == ["big", "oracle", "random"]
    assert {row.shown: row.name for row in state.rows()}["noisy:P"] == "noisy:0.6"
    state.wanted = "openai b"
    assert {row.shown for row in state.rows()} == {"big"} | {r.shown for r in state.rows() if r.kind == "openai"}
    state.wanted = "no such"
    assert state.rows() == ()


@pytest.mark.parametrize(
    ("found", "standing"),
    [(report(), "usable"), (report(usable=False), "not usable"), (RespondentError("no key"), "failed")],
)
async def test_a_check_is_kept_with_its_report_or_its_reason(
    tmp_path: Path, found: Report | Exception, standing: str
) -> None:
    state = models(tmp_path, found)
    row = state.rows()[0]
    await state.run_check(row)
    checked = state.checked(row)
    assert checked.standing == standing
    assert checked.report is found or checked.why == "no key"


async def test_a_model_that_is_being_loaded_is_told_for_its_check_and_for_a_batch(tmp_path: Path) -> None:
    state = models(tmp_path, stage="loading the weights (3.2 GB) for cpu")
    row, other = state.rows()[:2]
    checking = asyncio.ensure_future(state.run_check(row))
    await asyncio.sleep(0)
    assert state.loading(row) == "loading the weights (3.2 GB) for cpu"
    state.loads = lambda: {f"judge {other.name}": "importing"}
    assert state.loading(other) == "importing, as a judge"
    checking.cancel()
    await asyncio.gather(checking, return_exceptions=True)
    assert state.loading(row) == ""


async def test_the_screen_says_that_a_model_is_being_loaded(tmp_path: Path) -> None:
    state = models(tmp_path)
    loading: dict[str, str] = {}
    state.loads = lambda: loading
    async with app_on(stepping()).run_test(size=(80, 24)) as pilot:
        pilot.app.push_screen(ModelsScreen(state, "l2m"))
        await idle(pilot)
        assert "being loaded" not in words(pilot)
        loading["judge big"] = "importing torch"
        pilot.app.screen._tell()
        assert "its model is being loaded: importing torch, as a judge" in words(pilot)


def test_a_new_one_is_written_and_the_form_is_empty_again(tmp_path: Path) -> None:
    state = models(tmp_path)
    state.form = Form("mine", "openai", "m", "http://a/v1, http://b/v1", "MY_KEY")
    assert state.add() == "mine"
    made = load_config(state.file).respondents["mine"]
    assert (made.base_url, made.api_key_env) == (("http://a/v1", "http://b/v1"), "MY_KEY")  # type: ignore[union-attr]
    assert state.file.read_text(encoding="utf-8").startswith(FILE.splitlines()[0])
    assert state.form == Form()


@pytest.mark.parametrize(
    ("form", "error"),
    [
        (Form("", model="m"), UsageError),
        (Form("oracle", model="m"), UsageError),
        (Form("noisy:7", model="m"), UsageError),
        (Form("openai:x", model="m"), UsageError),
        (Form("big", model="m"), UsageError),
        (Form("new", model=""), ConfigError),
        (Form("new", model="m", base_url="ftp://user:pw@host"), ConfigError),
        (Form("new", model="m", api_key_env="sk-abc"), ConfigError),
        (Form("new", "transformers", "m", base_url="http://a"), UsageError),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_written(tmp_path: Path, form: Form, error: type[Exception]) -> None:
    state = models(tmp_path)
    state.form = form
    with pytest.raises(error) as caught:
        state.add()
    assert "sk-abc" not in str(caught.value)
    assert "pw" not in str(caught.value)
    assert state.file.read_text(encoding="utf-8") == FILE
    assert state.form == form


def opened(folder: Path, found: Report | None = None) -> PhoropterApp:
    app = app_on(stepping(), manners=Manners(file=folder / "phoropter.toml"))
    app._models = models(folder, found)
    return app


async def test_check_and_stop_from_the_screen(tmp_path: Path) -> None:
    async with opened(tmp_path, report(usable=False)).run_test(size=(100, 30)) as pilot:
        await press(pilot, "M")
        assert isinstance(pilot.app.screen, ModelsScreen)
        assert "not checked yet" in words(pilot)
        await press(pilot, "c")
        shown = words(pilot)
        assert "✗ largest turn" in shown
        assert "→ Raise max_tokens" in shown
        assert "[b]four" in shown
        assert "\x1b" not in shown
    async with opened(tmp_path).run_test(size=(100, 30)) as pilot:
        await press(pilot, "M")
        await pilot.press("c")
        await pilot.pause()
        assert "asking" in words(pilot)
        await pilot.press("x")
        await idle(pilot)
        assert "was stopped" in words(pilot)


def shown(pilot: Any, widget: Widget) -> str:
    """What of it stands on the screen."""
    lines = ["".join(segment.text for segment in line) for line in pilot.app.screen._compositor.render_strips()]
    region = widget.region
    return "".join(line[region.x : region.right].rstrip() for line in lines[region.y : region.bottom])


async def test_one_is_added_by_hand_and_what_is_wrong_is_told_in_place(tmp_path: Path) -> None:
    async with opened(tmp_path).run_test(size=(80, 24)) as pilot:
        await press(pilot, "M", "a")
        assert isinstance(pilot.app.screen, AddModelScreen)
        assert shown(pilot, pilot.app.screen.query_one(".heading")).endswith("phoropter.toml"), "the path is whole"
        await press(pilot, "m", "?", "escape", "a")
        assert pilot.app.screen.query_one("#add-name", Input).value == "m?"
        await press(pilot, "ctrl+s")
        assert "model" in words(pilot)
        pilot.app.screen.query_one("#add-kind", Select).value = "transformers"
        pilot.app.screen.query_one("#add-model", Input).value = "hub/id"
        await idle(pilot)
        assert not pilot.app.screen.query_one("#field-base_url").display
        await press(pilot, "ctrl+s")
        assert isinstance(pilot.app.screen, ModelsScreen)
        row = pilot.app.screen.query_one(ModelLines).row
        assert row is not None
        assert (row.name, row.kind) == ("m?", "transformers")


async def test_what_was_typed_for_a_new_one_outlives_the_app_and_no_key_is_kept(tmp_path: Path) -> None:
    state, file = stepping(), tmp_path / "drafts"
    for first in (True, False):
        state.drafts = Drafts(file)
        async with app_on(state, manners=Manners(file=tmp_path / "phoropter.toml")).run_test(size=(80, 24)) as pilot:
            await press(pilot, "M", "a")
            screen = pilot.app.screen
            if first:
                screen.query_one("#add-name", Input).value = "mine"
                screen.query_one("#add-kind", Select).value = "openai"
                screen.query_one("#add-base_url", Input).value = "http://user:sk-1@host/v1"
                screen.query_one("#add-api_key_env", Input).value = "sk-2"
                await press(pilot, "escape")
                assert "sk-" not in file.read_text(encoding="utf-8")
                continue
            assert screen.query_one("#add-name", Input).value == "mine"
            screen.query_one("#add-base_url", Input).value = "http://host/v1"
            screen.query_one("#add-api_key_env", Input).value = "MY_KEY"
            screen.query_one("#add-model", Input).value = "m"
            await press(pilot, "ctrl+s")
            assert isinstance(pilot.app.screen, ModelsScreen)
    assert Drafts(file) == {}


async def test_one_that_was_added_can_be_sent_turns_and_items_at_once(tmp_path: Path) -> None:
    with bench_on(tmp_path / "store.db", limit=2) as bench:
        bench.stepping.crew = crew = Crew(Config(), drawn())
        kept = crew.get("oracle")
        app = app_on(bench.stepping, bench=bench, manners=Manners(file=tmp_path / "phoropter.toml"))
        app._models = state = models(tmp_path)
        async with app.run_test(size=(100, 30)) as pilot:
            await press(pilot, "M")
            state.form = Form("mine", "openai", "m", "http://127.0.0.1:9/v1")
            state.add()
            await press(pilot, "escape")
            assert ("mine", "") in crew.names()
            assert crew.get("mine").name == "mine"
            assert crew.get("oracle") is kept
            assert "mine" in bench.config.respondents
        await crew.close()


class Opener:
    """Opens another state for the name that it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.items: list[str] = []

    def stored(self) -> Ready | None:
        raise AssertionError

    def demo(self) -> Ready:
        raise AssertionError

    def with_respondent(self, name: str, item: str, uid: str = "") -> Ready:
        self.asked.append(name)
        self.items.append(item)
        if name == "big":
            raise RespondentError("OPENAI_API_KEY is not set")
        return Ready(stepping(name), None, f"with {name}")


async def _until(done: Any, pilot: Any) -> None:
    while not done():
        await pilot.pause(0.01)


async def test_the_same_items_open_with_another_respondent_or_it_says_why_not(tmp_path: Path) -> None:
    opener = Opener()
    app = PhoropterApp(Ready(stepping()), Imaging("halfcell"), opener=opener)
    app._models = models(tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "M", "u")
        await asyncio.wait_for(_until(lambda: len(app._notifications) > 1, pilot), 20)
        assert any("OPENAI_API_KEY is not set" in note.message for note in app._notifications)
        assert isinstance(app.screen, SteppingScreen)
        await press(pilot, "M", "j", "j", "u")
        await asyncio.wait_for(_until(lambda: "with random" in words(pilot), pilot), 20)
    assert (opener.asked, opener.items) == (["big", "random"], ["voila-1"] * 2)


async def test_batches_that_run_here_go_on_when_another_model_is_opened(tmp_path: Path) -> None:
    opener, gate = Opener(), Gate(held=True)
    with bench_on(tmp_path / "store.db", gate, limit=4) as bench:
        app = PhoropterApp(Ready(bench.stepping, bench=bench), Imaging("halfcell"), opener=opener)
        app._models = models(tmp_path)
        other = Bench(bench.asked, stepping("random"), bench.config)
        opener.with_respondent = lambda *_: Ready(other.stepping, None, "with random", bench=other)  # type: ignore[method-assign]
        async with app.run_test(size=(100, 30)) as pilot:
            batch = bench.begin_here()
            await until(lambda: batch.under_way == 2)
            await press(pilot, "M", "j", "j", "u")
            await asyncio.wait_for(_until(lambda: "with random" in words(pilot), pilot), 20)
            assert app.shown is not None
            assert app.shown.bench is other
            assert batch.live
            assert other.batches == [batch]
            assert "▶ running 0/4" in words(pilot)
            gate.let_through()
            await batch.wait()
            await asyncio.wait_for(_until(lambda: "✓ done 4/4" in words(pilot), pilot), 20)
