"""The first screen: data is pointed at and opened, a model is set up, and nothing ends the app unasked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from core.config import Config, load_config
from core.errors import DataError, UsageError
from core.planning import prepare
from sessions.runs import runs
from sessions.store import Store
from tests.tui.pilots import idle, notices, press, words
from tests.tui.stored import a_file
from tui.app import PhoropterApp
from tui.cli.opened import Opened
from tui.manners import Manners
from tui.screens.add_model import AddModelScreen
from tui.screens.data import DataScreen
from tui.screens.first_run import FirstRunScreen
from tui.screens.stepping import SteppingScreen
from tui.state.pointing import Pointing, entries, found_words, refused_words


def looked(pointing: Pointing) -> Pointing:
    pointing.take(pointing.place, pointing.look(pointing.place))
    return pointing


def test_what_was_found_becomes_a_run_and_what_was_not_does_not(tmp_path: Path) -> None:
    file = a_file(tmp_path, 3)
    pointing = Pointing(str(file), respondent="noisy:0.6 ")
    with pytest.raises(UsageError, match="no data has been found"):
        pointing.request()
    request = looked(pointing).request()
    assert (request.benchmark, request.data, request.respondent) == ("voila:ND", file, "noisy:0.6")
    assert pointing.found is not None
    first, second = found_words(pointing.found, "")
    assert first.startswith("✓ voila:ND: 3 items, 9 of 9 pictures missing")
    assert "drawn" in second
    pointing.pictures = "drawn"
    with pytest.raises(UsageError):
        pointing.request()  # other pictures have not been looked for yet
    assert found_words(looked(pointing).found, "drawn") == ["✓ voila:ND: 3 items, 9 pictures, drawn"]  # type: ignore[arg-type]


def test_bad_data_is_told_as_the_command_tells_it(tmp_path: Path) -> None:
    file = a_file(tmp_path, 9)
    rows = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*rows[:2], *(row.rpartition(",")[0][:9] for row in rows[2:8]), *rows[8:]]), "utf-8")
    pointing = looked(Pointing(str(file), "drawn"))
    assert pointing.found is not None
    with pytest.raises(DataError) as refused:
        prepare(replace(pointing.request(), skip_bad=False), Config())
    problems = [f"  {problem}" for problem in refused.value.problems]
    assert len(problems) == 6
    assert found_words(pointing.found, "drawn") == [
        "✓ voila:ND: 3 items, 9 pictures, drawn",
        "! 6 bad rows left out:",
        *problems[:4],
        "  and 2 more problems",
    ]
    file.write_text("", "utf-8")
    with pytest.raises(UsageError) as nothing:
        looked(pointing)
    assert refused_words(nothing.value) == [
        f"✗ {file}: no benchmark's data can be read there",
        "  voila: the file is empty (0 bytes)",
        "  vrex: the file's name ends in none of .jsonl, .parquet, .json",
        "  mmra: the file is empty (0 bytes)",
    ]
    file.write_text("rule,question\n1,x\n", "utf-8")
    with pytest.raises(UsageError) as other:
        looked(pointing)
    words = refused_words(other.value)
    assert words[1].startswith("  voila: desc_img1: the column is missing")
    assert words[2].startswith("         desc_img2: the column is missing")


def test_paths_go_on_with_what_lies_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "b.csv").touch()
    (tmp_path / "data" / ".a").touch()
    assert entries(f"{tmp_path}/da") == f"{tmp_path}/data/"
    assert entries(f"{tmp_path}/data/") == f"{tmp_path}/data/b.csv"
    assert entries(f"{tmp_path}/data/.") == f"{tmp_path}/data/.a"
    assert [entries(text) for text in ("", "\0", f"{tmp_path}/x", "~nobody-of-that-name/x")] == [None] * 4


@pytest.fixture
def opener(tmp_path: Path) -> Any:
    made = Opened(None, tmp_path / "store.db", respondent="oracle")
    yield made
    made.close()


async def first(pilot: Any) -> None:
    while not isinstance(pilot.app.screen, FirstRunScreen):
        await pilot.pause(0.02)
    await idle(pilot)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 48)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_data_screen(
    size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snap_compare: Callable[..., bool]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = a_file(tmp_path, 3).name

    async def keys(pilot: Any) -> None:
        await first(pilot)
        await press(pilot, "2", *name, "tab", *"drawn", "tab", *"noisy:0.")

    made = Opened(None, tmp_path / "store.db", respondent="oracle")
    app = PhoropterApp(opener=made, manners=Manners(file=tmp_path / "phoropter.toml"))
    assert snap_compare(app, run_before=keys, terminal_size=size)
    made.close()


async def test_data_is_looked_at_as_it_is_typed_and_opened_in_place(tmp_path: Path, opener: Opened) -> None:
    file = a_file(tmp_path, 4)
    app = PhoropterApp(opener=opener, manners=Manners(file=tmp_path / "phoropter.toml"))
    async with app.run_test(size=(80, 24)) as pilot:
        await first(pilot)
        await press(pilot, "2", *"nowhere")
        assert "there is no such file or folder" in words(pilot)
        await press(pilot, "ctrl+s")
        assert "no data has been found at that path yet" in words(pilot)
        app.screen.query_one("#data-path", Input).value = str(file)
        await idle(pilot)
        assert "voila:ND: 4 items, 12 of 12 pictures missing" in words(pilot)
        await press(pilot, "escape", "2")
        assert app.screen.query_one("#data-path", Input).value == str(file), "nothing typed is lost"
        await press(pilot, "tab", *"drawn", "tab", *"nobody", "enter")
        assert isinstance(app.screen, DataScreen)
        assert "nobody" in words(pilot).splitlines()[-3]
        app.screen.query_one("#data-respondent", Input).value = "noisy:0.6"
        await press(pilot, "enter")
        while not isinstance(app.screen, SteppingScreen):
            await pilot.pause(0.02)
        await press(pilot, "r")
        assert app.shown is not None
        assert (len(app.shown.stepping.items), len(app.shown.stepping.current.steps)) == (4, 3)
        await press(pilot, "q")
    assert app.return_code == 0
    with Store.open(tmp_path / "store.db") as store:
        assert [(one.run.config.respondent, one.done) for one in runs(store)] == [("noisy:0.6", 1)]


async def test_a_model_is_set_up_in_its_form_and_offered_for_the_data(tmp_path: Path, opener: Opened) -> None:
    file = tmp_path / "phoropter.toml"
    app = PhoropterApp(opener=opener, manners=Manners(file=file))
    async with app.run_test(size=(80, 24)) as pilot:
        await first(pilot)
        await press(pilot, "3")
        assert isinstance(app.screen, AddModelScreen)
        for name, value in (("name", "big"), ("model", "big-model"), ("base_url", "http://localhost:1/v1")):
            app.screen.query_one(f"#add-{name}", Input).value = value
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, FirstRunScreen)
        assert "big is written; 2 points it at data" in notices(pilot)
        assert "big" in load_config(file).respondents
        await press(pilot, "2")
        assert app.screen.query_one("#data-respondent", Input).value == "big"
        assert "big, oracle" in words(pilot)


async def test_esc_leaves_nothing_and_ctrl_c_has_to_be_meant(tmp_path: Path, opener: Opened) -> None:
    app = PhoropterApp(opener=opener)
    async with app.run_test(size=(80, 24)) as pilot:
        await first(pilot)
        await press(pilot, "escape", "ctrl+c")
        assert "ctrl+c again quits" in notices(pilot)
        assert isinstance(app.screen, FirstRunScreen)
        assert app.is_running
        await pilot.press("ctrl+c")
        await asyncio.sleep(0)
    assert app.return_code == 0
