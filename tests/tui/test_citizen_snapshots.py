"""Help where one is, the models and the settings as they look; every theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.config import Config
from core.respondents.settings import ServerSettings
from tests.tui.pilots import app_on, press
from tests.tui.stage import stepping
from tests.tui.test_models import models, report
from tui.app import PhoropterApp
from tui.manners import Manners
from tui.state.models import Checked
from tui.themes import OWN

SIZES = [(80, 24), (120, 40), (160, 48)]
SCREENS = {
    "help_while_typing": ("space", "e", "f1"),
    "models": ("M",),
    "add_model": ("M", "a"),
    "settings": ("comma",),
}


@pytest.fixture
def app(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> PhoropterApp:
    """With a configuration whose place says the same on every machine."""
    monkeypatch.chdir(tmp_path)
    made = models(tmp_path, report())
    made.config = Config(made.file.relative_to(tmp_path), {"big": ServerSettings(model="big-model")})
    made.file = made.file.relative_to(tmp_path)
    monkeypatch.setattr(made.__class__, "read", lambda self: None)
    made.checks = {"big": Checked("usable", report()), "random": Checked("failed", why="the server is gone")}
    shown = app_on(stepping("noisy:0.6"), manners=Manners(file=made.file))
    shown._models = made
    return shown


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("screen", SCREENS)
def test_screen(screen: str, size: tuple[int, int], app: PhoropterApp, snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, *SCREENS[screen])

    assert snap_compare(app, run_before=keys, terminal_size=size)


@pytest.mark.parametrize("theme", [name for name in OWN if name not in ("dark", "light")])
def test_theme(theme: str, snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, "space")

    assert snap_compare(app_on(stepping("noisy:0.6"), theme=theme), run_before=keys, terminal_size=(80, 24))
