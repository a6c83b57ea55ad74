"""Pictures on the screen: when words and pictures of an item are painted, and what 500 items leave in memory.

``python -m tests.performance.bench_screen`` paints in half blocks, 120 x 40, without a terminal; ``--kind sixel`` and
the like makes what that terminal would be sent.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import io
import os
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from textual.widgets import Static

from core.pictures import SCREEN_BYTES, Pictures
from core.records import Item, Picture
from tests.memory_journal import MemoryJournal
from tests.performance.figures import figure
from tests.tui.stage import items, plan
from tui.app import PhoropterApp
from tui.imaging import Imaging
from tui.screens.stepping import SteppingScreen
from tui.state.ready import Ready
from tui.state.stepping import Stepping
from tui.widgets.pictures import PictureBox, PictureRow

SIDE = 1024
ITEMS = 500
COLD = 40
"""Items on which the pictures are timed."""
WARM = 20
"""Items that are walked before memory is looked at: imports, caches and styles have settled by then."""


def photograph() -> bytes:
    """About as hard as a photograph."""
    noise = Image.effect_noise((SIDE // 4, SIDE // 4), 60).resize((SIDE, SIDE), Image.Resampling.BICUBIC)
    buffer = io.BytesIO()
    Image.merge("RGB", [noise, noise.rotate(90), noise.rotate(180)]).save(buffer, "JPEG", quality=85)
    return buffer.getvalue()


def pictured(folder: Path, count: int) -> list[Item]:
    """Items of three pictures each, no two files alike."""
    data, plain = photograph(), items(1)[0]
    out = []
    for number in range(count):
        pictures = []
        for place in range(3):
            path = folder / f"{number}-{place}.jpg"
            path.write_bytes(data + b"%d-%d" % (number, place))  # after the picture's end: another file, as hard
            pictures.append(Picture(path.name, str(path)))
        out.append(Item(plain.benchmark, plain.subset, f"item-{number}", tuple(pictures), plain.groups, plain.facts))
    return out


def resident() -> float:
    """Megabytes this process holds in memory."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Watched(PhoropterApp):
    """Notes when an item's words were painted, and when the last of its pictures."""

    words: tuple[str, float] = ("", 0.0)
    pictures: tuple[str, float] = ("", 0.0)

    def post_display_hook(self) -> None:
        if not isinstance(self.screen, SteppingScreen):
            return
        item, now = self.screen.stepping.item.id, time.perf_counter()
        if item != self.words[0] and str(self.screen.query_one("#top", Static).content).startswith(f"{item} "):
            self.words = (item, now)
        row, boxes = self.screen.query_one(PictureRow), [box._image for box in self.screen.query(PictureBox)]
        drawn = len(boxes) == 3 and all(box is not None and box.image is not None for box in boxes)
        if item != self.pictures[0] and drawn and row._wanted[2:3] == (item,):
            self.pictures = (item, now)

    async def painted(self, item: str) -> None:
        """Until all of it is."""
        until = time.monotonic() + 60
        while (self.words[0], self.pictures[0]) != (item, item):
            if time.monotonic() > until:
                raise TimeoutError("the pictures never came")
            await asyncio.sleep(0.005)


def spread(what: str, seconds: list[float], asked: str = "") -> None:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(seconds)
    figure(f"{what}, median", ordered[len(ordered) // 2] * 1e3, "ms", asked=asked)
    figure(f"{what}, 95th percentile", ordered[int(len(ordered) * 0.95) - 1] * 1e3, "ms")


async def measured(kind: str, count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        found = pictured(Path(name), count)
        state = Stepping(plan("oracle"), MemoryJournal(), found, clock=lambda: 0.0)
        shown = Ready(state, Pictures(cache_bytes=SCREEN_BYTES), "bench")
        app = Watched(shown, Imaging(kind))  # type: ignore[arg-type]
        async with app.run_test(size=(120, 40)):
            await app.painted(found[0].id)
            words: list[float] = []
            cold: list[float] = []
            cpu = time.thread_time()
            for number in range(1, COLD + 1):  # each third item, so that nothing was made ahead
                start, position = time.perf_counter(), 3 * number % count
                app.stillness.stir()  # as the key does that goes there: pictures wait for a quiet keyboard
                await state.open_item(position)
                await app.painted(found[position].id)
                words.append(app.words[1] - start)
                cold.append(app.pictures[1] - start)
            cpu = time.thread_time() - cpu
            spread("words of an item", words)
            spread(f"its three pictures of {SIDE}x{SIDE}, {kind}", cold, asked="400 ms in half blocks")
            figure("CPU of the painting thread, an item", cpu / COLD * 1e3, "ms")
            before = 0.0
            for position in range(count):
                await state.open_item(position)
                await app.painted(found[position].id)
                if position == WARM:
                    before = resident()
            grown = resident() - before
            figure(f"{count} items walked through, memory more", grown, "MB",
                   against="before", base=before, asked="less than 50 MB")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", default="halfcell")
    parser.add_argument("--items", type=int, default=ITEMS)
    given = parser.parse_args(None if sys.argv[0].endswith("bench_screen.py") else [])
    asyncio.run(measured(given.kind, given.items))


if __name__ == "__main__":
    main()
