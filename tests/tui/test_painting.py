"""A screen that is painted in what has changed alone is the screen that Textual itself would paint."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region
from textual.widget import Widget

from tests.tui.pilots import app_on, press
from tests.tui.stage import stepping
from tui.painting import Painting, _seen

SCREEN = Region(0, 0, 80, 24)
NOTHING_AFTER = re.compile(r"\x1b\[\d+;\d+H(?=\x1b\[\d+;\d+H|\n|$)")
"""A place that the cursor is sent to and nothing is written at: Textual's own does so right of what has changed."""


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What every change was painted as, here and by Textual's own."""
    found: list[tuple[str, str]] = []
    ours: Callable[[Painting], ChopsUpdate | None] = Painting.render_partial_update

    def both(self: Painting) -> ChopsUpdate | None:
        console, changed = self.root.app.console, set(self._dirty_regions)  # type: ignore[union-attr]
        update = ours(self)
        self._dirty_regions.update(changed)
        own = Compositor.render_partial_update(self)
        if update is not None and own is not None:
            written = (each.render_segments(console) for each in (update, own))
            found.append(tuple(NOTHING_AFTER.sub("", each) for each in written))  # type: ignore[arg-type]
        assert (update is None) == (own is None)
        return update

    monkeypatch.setattr(Painting, "render_partial_update", both)
    return found


async def test_every_change_is_painted_as_textual_paints_it(compared: list[tuple[str, str]]) -> None:
    async with app_on(stepping("noisy:0.6")).run_test(size=(100, 30)) as pilot:
        await press(pilot, "space", "b", "g", "greater_than_sign", "r", "less_than_sign", "i", "j", "escape", "up")
    assert len(compared) > 10
    for ours, own in compared:
        assert ours == own


def test_what_others_hide_is_not_painted() -> None:
    behind, front, aside = Widget(), Widget(), Widget()
    places = {
        front: (Region(0, 0, 40, 5), SCREEN),
        aside: (Region(40, 0, 40, 5), SCREEN),
        behind: (SCREEN, SCREEN),
    }
    assert list(_seen(places, [Region(3, 1, 10, 1)])) == [front]
    assert list(_seen(places, [Region(3, 1, 50, 1)])) == [front, aside, behind]
    assert list(_seen(places, [Region(3, 7, 10, 1)])) == [behind]
    assert list(_seen({front: (Region(0, 0, 40, 5), Region(0, 0, 0, 0)), **places}, [])) == []
