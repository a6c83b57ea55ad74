"""Forty columns: help is offered on every screen, and no footer runs out of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from sessions.store import Store
from tests.tui.books import written
from tests.tui.pilots import app_on, press
from tui.actions import cells
from tui.keymap import Keymap
from tui.scopes import SCOPES, TYPED_INTO
from tui.widgets.keybar import KeyBar

WIDTH = 40
KEYS = ("e", "n", "S", "t", "exclamation_mark")


@pytest.mark.parametrize("enter", ["", "choose"])
@pytest.mark.parametrize("scope", [scope for scope in SCOPES if scope != "help"])
def test_help_stays_in_every_footer(scope: str, enter: str) -> None:
    for before in ("", "2 to 9: so many more"):
        bar = KeyBar(SCOPES[scope], typed=scope in TYPED_INTO, enter=enter, before=before)
        for keymap in (Keymap(), Keymap({"app.help": "ctrl+shift+f12,question_mark"})):
            said, actions = bar.fitted(WIDTH, keymap)
            assert any(action.id == "app.help" for action in actions)
            assert cell_len(said) + cells(actions) <= WIDTH


async def test_help_stays_on_every_screen_that_keys_open(tmp_path: Path) -> None:
    seen: dict[str, str] = {}
    with Store.open(tmp_path / "store.db") as store:
        async with app_on(written(store)).run_test(size=(WIDTH, 24)) as pilot:
            await press(pilot, "space")
            for key in KEYS:
                await press(pilot, key)
                seen[type(pilot.app.screen).__name__] = str(pilot.app.screen.query_one(KeyBar).content)
                await press(pilot, "escape")
    assert len(seen) == len(KEYS), sorted(seen)
    assert {name: bar for name, bar in seen.items() if " help " not in bar[:WIDTH]} == {}
