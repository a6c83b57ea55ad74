"""Milliseconds to load, to make ready and to encode a picture: ``python tests/performance/bench_pictures.py``."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable

from PIL import Image

from core.benchmarks.voila.drawn import draw_depicted
from core.pictures import Pictures, load_rgb
from core.records import Item, Picture, Show
from tests.performance.figures import figure

REPEATS = 20


def photograph(side: int, kind: str, **options: object) -> bytes:
    """A picture about as hard to compress as a photograph."""
    noise = Image.effect_noise((side // 4, side // 4), 60).resize((side, side), Image.Resampling.BICUBIC)
    buffer = io.BytesIO()
    Image.merge("RGB", [noise, noise.rotate(90), noise.rotate(180)]).save(buffer, kind, **options)
    return buffer.getvalue()


def ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(REPEATS):
        work()
    return (time.perf_counter() - start) / REPEATS * 1000


def main() -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    for side in (256, 1024):
        for name, data in (
            ("JPEG", photograph(side, "JPEG", quality=90)),
            ("PNG", photograph(side, "PNG")),
            ("JPEG, turned by EXIF", photograph(side, "JPEG", quality=90, exif=turned)),
        ):
            item = Item("bench", "", "1", (Picture(name, data=data), Picture(name, data=data)), {}, {})
            row(f"{side} {name}", item, Show((0,)), lambda data=data: load_rgb(data))
        item = Item("bench", "", "1", (Picture("a", data=data), Picture("b", data=data)), {}, {})
        row(f"{side} collage of two", item, Show((0, 1)), None)
        drawn = Item("bench", "", "1", (Picture("a", depicts="two hamsters walking"),), {}, {})
        row(f"{side} drawn", drawn, Show((0,)), None, lambda d, n, side=side: draw_depicted(d, n, side))


def row(
    label: str,
    item: Item,
    show: Show,
    load: Callable[[], object] | None,
    drawer: Callable[[str, str], Image.Image | None] | None = None,
) -> None:
    warm = Pictures(drawer=drawer)
    sent = warm.sent(item, show)
    warm.base64(sent)
    figure(f"{label}: size as sent", len(sent.data) / 1024, "KB")
    made = figure(f"{label}: made ready", ms(lambda: Pictures(drawer=drawer).sent(item, show)), "ms").value
    figure(f"{label}: made ready again", ms(lambda: warm.sent(item, show)), "ms", against="the first time", base=made)
    if load is not None:
        figure(f"{label}: loaded for the screen", ms(load), "ms")
    plain = figure(f"{label}: base64", ms(lambda: base64.b64encode(sent.data)), "ms").value
    figure(f"{label}: base64 again", ms(lambda: warm.base64(sent)), "ms", against="the first time", base=plain)


if __name__ == "__main__":
    main()
