"""The packs come out of their tables alike each time, and are small."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from core.making import demo_mmra, demo_vrex
from core.making.dealing import Dealer
from core.making.saving import as_lines, as_list, save_picture
from core.packs import pack

Paint = Callable[[], Image.Image]

VREX = {chain.name: chain.paint for chain in demo_vrex.CHAINS[::5]}
MMRA = {
    f"{name}-{k}": paint for name, pair in list(demo_mmra.named())[::7] for k, paint in enumerate(pair.pictures, 1)
}
SAMPLE = [("vrex", "demo", *entry) for entry in VREX.items()] + [
    ("mmra", "metadata", *entry) for entry in MMRA.items()
]


@pytest.mark.parametrize(("benchmark", "subset", "name", "paint"), SAMPLE, ids=[entry[2] for entry in SAMPLE])
def test_a_picture_is_drawn_alike_each_time(
    benchmark: str, subset: str, name: str, paint: Paint, tmp_path: Path
) -> None:
    for attempt in ("first.png", "second.png"):
        save_picture(paint(), tmp_path / attempt)
    assert (tmp_path / "first.png").read_bytes() == (tmp_path / "second.png").read_bytes()
    shipped = pack(benchmark, subset).parent / "images" / f"{name}.png"
    with Image.open(shipped) as old, Image.open(tmp_path / "first.png") as new:
        assert old.size == new.size
        # not byte for byte: another build of zlib or FreeType may pack or smooth the same drawing otherwise
        difference = ImageStat.Stat(ImageChops.difference(old.convert("RGB"), new.convert("RGB")))
        assert max(difference.mean) < 1


def test_the_tables_give_the_shipped_text_byte_for_byte() -> None:
    for file, text in (
        (pack("vrex", "demo"), as_lines(demo_vrex.records())),
        (pack("mmra", "metadata"), as_list(demo_mmra.records())),
    ):
        raw = file.read_bytes()
        assert raw == text.encode("utf-8")
        card = json.loads((file.parent / "card.json").read_text(encoding="utf-8"))
        assert card["packs"][file.stem]["sha256"] == hashlib.sha256(raw).hexdigest()


def test_all_packs_together_stay_under_eight_megabytes() -> None:
    folder = pack("vrex", "demo").parent.parent
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 8_000_000


def test_a_dealer_gives_each_letter_once_before_any_twice() -> None:
    dealer = Dealer("test")
    for _ in range(5):
        dealt = [dealer.deal("any", "right", ["one", "two", "three"]) for _ in range(4)]
        assert sorted(letter for _, letter in dealt) == ["A", "B", "C", "D"]
        assert all(options[letter] == "right" for options, letter in dealt)
