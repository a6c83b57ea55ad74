"""Drawn pictures kept in one file of pixels, as the model's processor would give them, and how they are varied."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.drawing.palette import Dice
from core.eyes.scenes import Scene, others, voila
from core.pictures.collage import GAP

SIDE: Final = 128
"""Pixels a side of what the model sees."""

Pixels = NDArray[np.uint8]
_MIRRORED: Final = frozenset({"voila", "face", "alone", "marked", "layout", "place", "view", "moment", "table"})
"""Kinds in which left and right can be exchanged."""
_PIXELS: Final = "pixels.npy"
_SEEN: Final = "seen.json"


def squared(image: Image.Image) -> Pixels:
    """The picture as the model's processor makes it: stretched to ``SIDE`` x ``SIDE``."""
    rgb = image.convert("RGB")
    if rgb.size != (SIDE, SIDE):
        rgb = rgb.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    return np.asarray(rgb, dtype=np.uint8)


@dataclass(frozen=True)
class Album:
    """Pictures by number: their pixels, their kind and what is to be seen in them."""

    pixels: Pixels
    kinds: Sequence[str]
    seen: Sequence[Mapping[str, str]]

    @cached_property
    def of_kind(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the pictures of each kind."""
        found: dict[str, list[int]] = {}
        for number, kind in enumerate(self.kinds):
            found.setdefault(kind, []).append(number)
        return found

    @cached_property
    def _showing(self) -> Mapping[tuple[str, tuple[tuple[str, str], ...]], Sequence[int]]:
        """Pictures by kind and by all they show, and by each part of it."""
        found: dict[tuple[str, tuple[tuple[str, str], ...]], list[int]] = {}
        for number, (kind, seen) in enumerate(zip(self.kinds, self.seen, strict=True)):
            whole = tuple(sorted(seen.items()))
            for key in {whole, *((pair,) for pair in whole)}:
                found.setdefault((kind, key), []).append(number)
        return found

    def showing(self, kind: str, **seen: str) -> Sequence[int]:
        """The numbers of the pictures of a kind that show one thing, or all of a picture's."""
        return self._showing.get((kind, tuple(sorted(seen.items()))), ())

    @cached_property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """Everything that is to be seen, by name, in a fixed order."""
        found: dict[str, set[str]] = {}
        for seen in self.seen:
            for name, value in seen.items():
                found.setdefault(name, set()).add(value)
        return {name: tuple(sorted(found[name])) for name in sorted(found)}

    def varied(self, number: int, dice: Dice) -> Pixels:
        """A picture shifted, mirrored, tinted, in grey, or in a border, by chance."""
        return vary(self.pixels[number], dice, mirror=self.kinds[number] in _MIRRORED)


def vary(pixels: Pixels, dice: Dice, *, mirror: bool) -> Pixels:
    """The same picture, seen a little differently."""
    if mirror and dice.chance(0.5):
        pixels = pixels[:, ::-1]
    if dice.chance(0.5):
        x, y = (int(dice.between(-6, 7)) for _ in range(2))
        wide = np.pad(pixels, ((6, 6), (6, 6), (0, 0)), mode="edge")
        pixels = wide[6 + y : 6 + y + SIDE, 6 + x : 6 + x + SIDE]
    if dice.chance(0.08):
        pixels = _bordered(pixels, int(dice.between(4, 16)), int(dice.between(200, 256)))
    if dice.chance(0.3):
        gains = np.array([dice.between(0.85, 1.1) for _ in range(3)], dtype=np.float32)
        pixels = (pixels * gains).clip(0, 255).astype(np.uint8)
    if dice.chance(0.06):
        grey = (pixels * np.array([0.299, 0.587, 0.114], dtype=np.float32)).sum(-1)
        pixels = np.repeat(grey[..., None], 3, axis=-1).astype(np.uint8)
    return np.ascontiguousarray(pixels)


def _bordered(pixels: Pixels, width: int, shade: int) -> Pixels:
    inner = Image.fromarray(pixels).resize((SIDE - 2 * width,) * 2, Image.Resampling.BILINEAR)
    out = np.full_like(pixels, shade)
    out[width:-width, width:-width] = np.asarray(inner)
    return out


def collage(pictures: Sequence[Pixels]) -> Pixels:
    """Pictures in a row on white, as the app joins them, stretched to what the model sees."""
    gap = round(GAP / 2)
    row = np.full((SIDE, SIDE * len(pictures) + gap * (len(pictures) - 1), 3), 255, dtype=np.uint8)
    for k, pixels in enumerate(pictures):
        row[:, k * (SIDE + gap) : k * (SIDE + gap) + SIDE] = pixels
    return squared(Image.fromarray(row))


def _drawn(scene: Scene) -> Pixels:
    return squared(scene.paint())


def draw_album(scenes: Sequence[Scene], processes: int = 1) -> Album:
    """All of the scenes, drawn by that many processes."""
    pixels = np.empty((len(scenes), SIDE, SIDE, 3), dtype=np.uint8)
    for number, drawn in enumerate(_all_drawn(scenes, processes)):
        pixels[number] = drawn
    return Album(pixels, [scene.kind for scene in scenes], [dict(scene.seen) for scene in scenes])


def _all_drawn(scenes: Sequence[Scene], processes: int) -> Iterator[Pixels]:
    if processes < 2:
        yield from map(_drawn, scenes)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_drawn, scenes, chunksize=64)


def album_in(folder: Path, variants: int, each: int, processes: int = 2) -> Album:
    """The album kept in a folder, drawn first where it is not there."""
    if not (folder / _SEEN).exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = draw_album([*voila(variants), *others(each)], processes)
        np.save(folder / _PIXELS, made.pixels)
        told = [[kind, seen] for kind, seen in zip(made.kinds, made.seen, strict=True)]
        (folder / _SEEN).write_text(json.dumps(told), encoding="utf-8")
    told_again: list[Any] = json.loads((folder / _SEEN).read_text(encoding="utf-8"))
    pixels: Pixels = np.load(folder / _PIXELS, mmap_mode="r")
    return Album(pixels, [kind for kind, _ in told_again], [seen for _, seen in told_again])
