"""The pictures of the README, made by the app. After a wanted change, run this file with --snapshot-update."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tui.batching import bench_on, until
from tests.tui.pilots import app_on, idle, press
from tests.tui.stage import stepping
from tests.tui.svg import clean
from tui.app import PhoropterApp

FOLDER = Path(__file__).parents[2] / "docs" / "screens"
SIZE, LOW = (120, 38), (120, 20)


@pytest.fixture
def same(request: pytest.FixtureRequest) -> Any:
    """Compares what the app shows with the picture of that name, or makes it anew."""

    def compare(app: PhoropterApp, name: str) -> None:
        shown, file = clean(app.export_screenshot(title="phoropter")), FOLDER / f"{name}.svg"
        if request.config.getoption("update_snapshots"):
            file.write_text(shown, encoding="utf-8")
        assert file.read_text(encoding="utf-8") == shown, f"docs/screens/{name}.svg is not what the app shows"

    return compare


async def test_the_first_wrong_step_with_a_gold_fork_beside_it(same: Any) -> None:
    app = app_on(stepping("seeing:0.5"), title="")
    async with app.run_test(size=SIZE) as pilot:
        await press(pilot, "r", "b", "b", "g", "r", "k", "k", "k", "k", "k", "k")
        assert app.shown is not None
        state = app.shown.stepping
        assert (state.current.parent, state.cursor) == (None, 0)
        await idle(pilot)
        same(app, "stepping")


async def test_accuracy_with_its_intervals(same: Any, path: Path) -> None:
    with bench_on(path, "seeing:0.8", still=True) as bench:
        app = app_on(bench.stepping, bench=bench)
        async with app.run_test(size=LOW) as pilot:
            await bench.manager.start(bench.asked, bench.items()).wait()
            bench.newly_ended()
            await press(pilot, "a")
            await until(lambda: not (bench.watching.busy or bench.watching.stirred()))
            await idle(pilot)
            same(app, "accuracy")
