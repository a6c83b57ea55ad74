"""The mouse, and what is copied."""

from __future__ import annotations

from tests.tui.pilots import app_on, idle, press
from tests.tui.stage import Told, stepping
from tui.screens.help import HelpScreen
from tui.screens.zoom import ZoomScreen
from tui.widgets.detail import Detail
from tui.widgets.keybar import KeyBar
from tui.widgets.pictures import PictureBox
from tui.widgets.steps import Steps


async def test_steps_pictures_and_the_footer_can_be_clicked() -> None:
    state = stepping()
    async with app_on(state).run_test(size=(100, 30)) as pilot:
        await press(pilot, "space", "space")
        assert state.cursor == 1
        await pilot.click(Steps, offset=(8, 1))
        await idle(pilot)
        assert state.cursor == 0
        await pilot.click(PictureBox, offset=(5, 3))
        await idle(pilot)
        assert isinstance(pilot.app.screen, ZoomScreen)
        await press(pilot, "escape")
        said = str(pilot.app.screen.query_one(KeyBar).content)
        await pilot.click(KeyBar, offset=(said.index("help"), 0))
        await idle(pilot)
        assert isinstance(pilot.app.screen, HelpScreen)
        said = str(pilot.app.screen.query_one(KeyBar).content)
        await pilot.click(KeyBar, offset=(said.index("back"), 0))
        await idle(pilot)
        assert not isinstance(pilot.app.screen, HelpScreen)


async def test_y_copies_the_answer_the_prompt_before_one_and_nothing_that_commands_a_terminal() -> None:
    async with app_on(stepping(Told("one \x1b]52;c;AA\x07 [b]two"))).run_test(size=(100, 30)) as pilot:
        await press(pilot, "y")
        assert "say what it contains" in pilot.app.clipboard
        await press(pilot, "space", "y")
        assert pilot.app.clipboard == "one ␛]52;c;AA␇ [b]two"


async def test_ctrl_c_copies_what_is_selected_and_does_not_quit() -> None:
    async with app_on(stepping(Told("four wolves"))).run_test(size=(100, 30)) as pilot:
        await press(pilot, "space")
        detail = pilot.app.screen.query_one(Detail)
        await pilot.mouse_down(detail, offset=(12, 1))
        await pilot.hover(detail, offset=(30, 3))
        await pilot.mouse_up(detail, offset=(30, 3))
        await idle(pilot)
        assert pilot.app.screen.get_selected_text()
        await press(pilot, "ctrl+c")
        assert pilot.app.clipboard
        assert not pilot.app.screen.get_selected_text()
        assert pilot.app.is_running
