"""A drawn stand-in shows what the words say, and is the same for the same name on any machine."""

from __future__ import annotations

import pytest

from core.benchmarks.voila.contents import parse_content
from core.benchmarks.voila.drawn import draw_answer, draw_depicted
from core.benchmarks.voila.vocabulary import Content, all_contents


def test_every_content_is_read_back_from_its_words() -> None:
    assert all(parse_content(content.text()) == content for content in all_contents())


@pytest.mark.parametrize(
    "words", ["", "two hamsters", "five dogs walking", "two any walking", "a photo of a rock", "any any any"]
)
def test_other_words_are_not_drawn(words: str) -> None:
    assert draw_depicted(words, "a.png") is None


@pytest.mark.parametrize("words", ["two any walking", "any dogs walking", "any any any", "one any eating food"])
def test_an_answer_that_leaves_values_open_is_drawn_as_one_that_fits(words: str) -> None:
    drawings = [draw_answer(words, f"{n}.png") for n in range(6)]
    assert all(drawing is not None for drawing in drawings)
    assert len({drawing.tobytes() for drawing in drawings if drawing is not None}) > 2
    again = draw_answer(words, "0.png")
    assert again is not None
    assert drawings[0] is not None
    assert again.tobytes() == drawings[0].tobytes()


def test_an_answer_in_other_words_is_not_drawn() -> None:
    assert draw_answer("a herd of mice", "a.png") is None


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
