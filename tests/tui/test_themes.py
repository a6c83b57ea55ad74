"""The colours: five of the house, remembered; a broken one falls back; nothing is said by colour alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from core.config import load_config
from core.respondents.settings import ServerSettings
from tests.tui.pilots import app_on, idle, notices, press, words
from tests.tui.stage import Told, stepping
from tests.tui.test_app import WRONG
from tui import themes
from tui.manners import Manners
from tui.screens.choose import RowLines
from tui.widgets.items import ItemLines
from tui.widgets.lines import Lines
from tui.widgets.steps import Steps

FILE = '# mine\n[respondents.a]\nkind = "openai"\nmodel = "m"  # small\n'


async def test_a_theme_is_chosen_by_key_and_remembered_with_the_comments_kept(tmp_path: Path) -> None:
    file = tmp_path / "phoropter.toml"
    file.write_text(FILE, encoding="utf-8")
    async with app_on(stepping(), theme="", manners=Manners(file=file)).run_test(size=(80, 24)) as pilot:
        assert pilot.app.theme == "dark"
        await press(pilot, "T", "T")
        assert pilot.app.theme == "contrast"
        await press(pilot, "T", "T")
        assert pilot.app.theme == "16-colours"
        assert notices(pilot).splitlines()[-1] == "the terminal's 16 colours"
        assert "high contrast colours" in notices(pilot)
        await press(pilot, "T", "T", "T")
    assert file.read_text(encoding="utf-8").startswith(FILE)
    config = load_config(file)
    assert (config.theme, config.respondents["a"]) == ("contrast", ServerSettings(model="m"))


async def test_a_file_that_cannot_be_written_is_told_and_the_theme_is_used_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("no folder", encoding="utf-8")
    file = tmp_path / "a" / "phoropter.toml"
    async with app_on(stepping(), theme="", manners=Manners(file=file)).run_test(size=(80, 24)) as pilot:
        await press(pilot, "T")
        assert pilot.app.theme == "light"
        assert any("not remembered" in note.message for note in pilot.app._notifications)


async def test_a_theme_that_is_none_falls_back_with_a_notice() -> None:
    for wanted, near in (("ligth", "the nearest is light"), (3, "no theme '3'"), ("[bold", "no theme '[bold'")):
        async with app_on(stepping(), theme="", manners=Manners(theme=wanted)).run_test(size=(80, 24)) as pilot:
            await idle(pilot)
            assert pilot.app.theme == "dark"
            assert any(near in note.message for note in pilot.app._notifications)


async def test_every_theme_draws_every_screen() -> None:
    async with app_on(stepping(Told(WRONG))).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        for name in [*themes.OWN, "nord"]:
            pilot.app.theme = name
            await press(pilot, "question_mark", "escape", "i", "escape", "M", "escape")
            if "16" in name:
                assert pilot.app.native_ansi_color


@pytest.mark.parametrize("name", ["dark", "light", "contrast", "colour-blind"])
def test_right_and_wrong_can_be_read_on_every_background(name: str) -> None:
    made = {"dark": BUILTIN_THEMES["textual-dark"], "light": BUILTIN_THEMES["textual-light"]}
    theme = made.get(name) or next(each for each in (themes._CONTRAST, themes._COLOUR_BLIND) if each.name == name)
    colours = theme.to_color_system().generate()
    least = 7.0 if name == "contrast" else 3.0
    for role in ("text-success", "text-error", "text-accent"):
        behind = Color.parse(colours["background"])
        assert _contrast(behind + Color.parse(colours[role]), behind) >= least, role


def _contrast(one: Color, other: Color) -> float:
    """WCAG's contrast ratio."""

    def luminance(colour: Color) -> float:
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


async def test_without_colour_the_cursor_is_the_one_row_in_reverse(monkeypatch: pytest.MonkeyPatch) -> None:
    def reversed_rows(lines: Lines) -> list[int]:
        strips = [lines.render_line(y) for y in range(min(lines.count, lines.size.height))]
        return [y for y, strip in enumerate(strips) if all(s.style is not None and s.style.reverse for s in strip)]

    for colour in (False, True):
        monkeypatch.delenv("NO_COLOR", raising=False)
        if not colour:
            monkeypatch.setenv("NO_COLOR", "1")
        async with app_on(stepping(Told(WRONG))).run_test(size=(80, 24)) as pilot:
            await press(pilot, "space", "space")
            steps = pilot.app.screen.query_one(Steps)
            assert reversed_rows(steps) == ([] if colour else [steps.cursor])
            for opens, kind in (("w", RowLines), ("i", ItemLines)):
                await press(pilot, opens, "j")
                lines = pilot.app.screen.query_one(kind)
                assert reversed_rows(lines) == ([] if colour else [1])
                await press(pilot, "escape")


async def test_without_colour_a_screen_says_the_same_in_signs() -> None:
    async with app_on(stepping(Told(WRONG))).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        plain = "\n".join(
            "".join(segment.text for segment in line) for line in pilot.app.screen._compositor.render_strips()
        )
        assert re.search(r"1 describe\s+\d/9 N[✓✗] S[✓✗] A[✓✗]", plain)
        assert "wrong" in words(pilot) or "read" in words(pilot)
