"""Claims about the drawn pictures: repeatable, all different, of the size asked for."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product

import pytest

from core.benchmarks.voila.vocabulary import ACTIONS, NUMBERS, SUBJECTS
from core.drawing import VARIANTS, draw
from core.drawing.actions import STAGES
from core.drawing.scene import FIGURES

CONTENTS = tuple(product(range(1, len(NUMBERS) + 1), SUBJECTS, ACTIONS))


def test_the_words_drawn_are_the_words_of_voila() -> None:
    assert set(FIGURES) == set(SUBJECTS)
    assert set(STAGES) == set(ACTIONS)


def test_every_content_is_drawn_and_no_two_are_alike() -> None:
    pictures = {draw(n, s, a, size=32).tobytes() for n, s, a in CONTENTS}
    assert len(CONTENTS) == len(pictures) == 728


@pytest.mark.parametrize("size", [16, 48, 65, 256, 300, 513, 1024])
def test_a_picture_is_rgb_and_of_the_size_asked_for(size: int) -> None:
    picture = draw(3, "wolf", "typing", size=size)
    assert (picture.mode, picture.size) == ("RGB", (size, size))


@pytest.mark.parametrize(("number", "subject", "action"), CONTENTS[:: len(CONTENTS) // 28])
def test_variants_of_a_content_differ(number: int, subject: str, action: str) -> None:
    pictures = {draw(number, subject, action, variant=v, size=48).tobytes() for v in range(VARIANTS)}
    assert len(pictures) == VARIANTS >= 4


@pytest.mark.parametrize("variant", [-3, 0, 7, 10**12])
def test_any_variant_gives_the_same_bytes_each_time(variant: int) -> None:
    first, second = (draw(4, "fox", "jumping", variant=variant, size=64).tobytes() for _ in range(2))
    assert first == second


def test_another_process_draws_the_same_bytes() -> None:
    code = (
        "import hashlib; from core.drawing import draw; "
        "print(hashlib.sha256(draw(2, 'senior man', 'running', variant=5, size=96).tobytes()).hexdigest())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = draw(2, "senior man", "running", variant=5, size=96).tobytes()
    assert done.stdout.strip() == hashlib.sha256(here).hexdigest()


@pytest.mark.parametrize(
    ("number", "subject", "action", "size", "named"),
    [
        (0, "cat", "walking", 64, "0"),
        (5, "cat", "walking", 64, "5"),
        (1, "cats", "walking", 64, "'cats'"),
        (1, "any", "walking", 64, "'any'"),
        (1, "cat", "flying", 64, "'flying'"),
        (1, "cat", "walking", 0, "0"),
    ],
)
def test_a_value_that_cannot_be_drawn_is_named(number: int, subject: str, action: str, size: int, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        draw(number, subject, action, size=size)


def test_the_drawing_room_knows_no_benchmark() -> None:
    code = "import sys, core.drawing; print([m for m in sys.modules if m.startswith('core.benchmarks')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _timed() -> Iterator[float]:
    for number, subject, action in CONTENTS[::7][:100]:
        start = time.perf_counter()
        draw(number, subject, action, size=128)
        yield time.perf_counter() - start


def test_how_long_a_hundred_pictures_take() -> None:
    times = list(_timed())
    print(f"{len(times)} pictures of 128 pixels: {sum(times):.2f} s, slowest {max(times) * 1000:.1f} ms")
