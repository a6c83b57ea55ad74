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

from core.pictures import SCREEN_BYTES, Pictures
from core.records import Item, Picture
from tests.memory_journal import MemoryJournal
from tests.tui.stage import items, plan
from tui.app import PhoropterApp
from tui.imaging import Imaging
from tui.state.ready import Ready
from tui.state.stepping import Stepping
from tui.widgets.pictures import PictureBox, PictureRow

SIDE = 1024
ITEMS = 500
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


async def painted(app: PhoropterApp) -> None:
    """Until the item's three pictures are drawn."""
    until = time.monotonic() + 60
    while True:
        if time.monotonic() > until:
            raise TimeoutError("the pictures never came")
        bodies = [box.query_one(".picture-body") for box in app.screen.query(PictureBox)]
        rows = list(app.screen.query(PictureRow))
        here = bool(rows) and rows[0]._wanted[2:3] == (app.shown.stepping.item.id,)
        if here and len(bodies) == 3 and all(body.display for body in bodies):
            return
        await asyncio.sleep(0.01)


async def measured(kind: str, count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        found = pictured(Path(name), count)
        state = Stepping(plan("oracle"), MemoryJournal(), found, clock=lambda: 0.0)
        shown = Ready(state, Pictures(cache_bytes=SCREEN_BYTES), "bench")
        app = PhoropterApp(shown, Imaging(kind))  # type: ignore[arg-type]
        async with app.run_test(size=(120, 40)) as pilot:
            await painted(app)
            cold: list[float] = []
            for position in range(2, 40, 2):  # each second one, so that nothing was made ahead
                start = time.perf_counter()
                await state.open_item(position % count)
                await pilot.pause()
                words = time.perf_counter() - start
                await painted(app)
                await pilot.pause()
                cold.append(time.perf_counter() - start)
                if position == 2:
                    print(f"words of an item: {words * 1000:.0f} ms")
            cold.sort()
            print(f"its three pictures of {SIDE}x{SIDE}, {kind}: median {cold[len(cold) // 2] * 1000:.0f} ms, "
                  f"longest {cold[-1] * 1000:.0f} ms (asked for: 400 ms in half blocks)")  # fmt: skip
            before = 0.0
            for position in range(count):
                await state.open_item(position)
                await painted(app)
                if position == WARM:
                    before = resident()
            grown = resident() - before
            print(f"{count} items walked through: {grown:+.0f} MB over {before:.0f} MB (asked for: less than 50)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", default="halfcell")
    parser.add_argument("--items", type=int, default=ITEMS)
    given = parser.parse_args(None if sys.argv[0].endswith("bench_screen.py") else [])
    asyncio.run(measured(given.kind, given.items))


if __name__ == "__main__":
    main()
