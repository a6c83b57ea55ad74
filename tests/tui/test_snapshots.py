"""The screens as they look, at three sizes. After a wanted change, run this file with --snapshot-update."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.tui.pilots import app_on, press
from tests.tui.stage import stepping

SIZES = [(80, 24), (120, 40), (160, 48)]
SCREENS = {
    "fresh": (),
    "wrong_step": ("space", "space", "space", "f"),
    "fork_with_gold": ("space", "space", "b", "g", "r"),
    "help": ("question_mark",),
    "items": ("r", "i"),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("screen", SCREENS)
def test_screen(screen: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, *SCREENS[screen])

    assert snap_compare(app_on(stepping("noisy:0.6")), run_before=keys, terminal_size=size)


def test_light(snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, "space")

    app = app_on(stepping("noisy:0.6"), theme="textual-light")
    assert snap_compare(app, run_before=keys, terminal_size=(80, 24))


def test_without_colour(snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def keys(pilot: Any) -> None:
        await press(pilot, "space", "space", "f")

    assert snap_compare(app_on(stepping("noisy:0.6")), run_before=keys, terminal_size=(80, 24))
