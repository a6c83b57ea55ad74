"""The list of items keeps up with what comes: the last change too, however soon it came behind the one before."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from tests.tui.pilots import app_on, press, until
from tests.tui.stage import stepping
from tui.screens import items
from tui.state.standing import RIGHT, wrong_at
from tui.widgets.items import FacetLines, ItemLines


@pytest.mark.parametrize("text", ["", "status=right"])
async def test_values_and_a_filter_follow_the_last_change(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items, "LOOK_S", 0.05)
    state = stepping()
    state.roster.take_standings({"voila-2": RIGHT}, all_known=True)
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "i")
        screen = pilot.app.screen
        assert isinstance(screen, items.ItemsScreen)
        values, lines = screen.query_one(FacetLines), screen.query_one(ItemLines)
        screen.query_one(Input).value = text
        await until(pilot, lambda: lines.count == (1 if text else 4))
        turn = screen._turn
        state.roster.take_standings({"voila-1": wrong_at("relate"), "voila-3": RIGHT, "voila-4": RIGHT})

        def counted() -> dict[str | None, int]:
            return {values.row(at).value: values.row(at).number for at in range(values.count)}

        await until(pilot, lambda: counted().get("right") == 3)
        assert lines.count == (3 if text else 4)
        settled = screen._turn
        assert settled > turn
        await pilot.pause(0.3)
        assert screen._turn == settled, "what is settled is not worked out again and again"
