"""A drawn stand-in shows what the words say, and is the same for the same name on any machine."""

from __future__ import annotations

import pytest

from core.benchmarks.voila.contents import parse_content
from core.benchmarks.voila.drawn import draw_depicted
from core.benchmarks.voila.vocabulary import Content, all_contents


def test_every_content_is_read_back_from_its_words() -> None:
    assert all(parse_content(content.text()) == content for content in all_contents())


@pytest.mark.parametrize(
    "words", ["", "two hamsters", "five dogs walking", "two any walking", "a photo of a rock", "any any any"]
)
def test_other_words_are_not_drawn(words: str) -> None:
    assert draw_depicted(words, "a.png") is None


@pytest.mark.parametrize("words", ["Two  hamsters walking", "two hamster walking"])
def test_words_are_read_with_some_tolerance(words: str) -> None:
    assert parse_content(words) == Content("two", "hamster", "walking")


def test_a_drawing_depends_on_its_name_and_size_alone() -> None:
    first = draw_depicted("two hamsters walking", "a.png")
    assert first is not None
    assert first.size == (256, 256)
    again = draw_depicted("two hamsters walking", "a.png")
    assert again is not None
    assert first.tobytes() == again.tobytes()
    others = [draw_depicted("two hamsters walking", f"{n}.png") for n in range(8)]
    assert len({other.tobytes() for other in others if other is not None}) > 1
    small = draw_depicted("two hamsters walking", "a.png", 64)
    assert small is not None
    assert small.size == (64, 64)
