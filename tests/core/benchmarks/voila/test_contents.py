"""Texts of the data file as contents and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmarks.voila.contents import (
    combined_text,
    file_name,
    parse_content,
    parse_file_name,
    relations_text,
    says,
)
from core.benchmarks.voila.vocabulary import Content, all_contents

contents = st.sampled_from(all_contents())


@given(contents)
def test_a_content_survives_its_text(content: Content) -> None:
    assert parse_content(content.text()) == content


@given(contents, st.none() | st.integers(min_value=0, max_value=99999))
def test_a_content_survives_its_file_name(content: Content, variant: int | None) -> None:
    assert parse_file_name(file_name(content, variant)) == content
    assert parse_file_name("Test_Images/" + file_name(content, variant)) == content


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("two senior men digging a hole", Content("two", "senior man", "digging a hole")),
        ("Two  senior man digging a hole ", Content("two", "senior man", "digging a hole")),
        ("one fox ice-skating", Content("one", "fox", "ice-skating")),
        ("four wolves eating food", Content("four", "wolf", "eating food")),
    ],
)
def test_case_spaces_and_number_of_the_noun_do_not_matter(text: str, content: Content) -> None:
    assert parse_content(text) == content


@pytest.mark.parametrize(
    "text",
    ["", "two", "five cats walking", "two lions walking", "two cats flying", "two cats", "any cats walking", "cats"],
)
def test_what_is_no_content_is_none(text: str) -> None:
    assert parse_content(text) is None


@pytest.mark.parametrize("name", ["image1.png", "", "two_cats.png", "five_cats_walking_1.png", "a/b/c"])
def test_other_file_names_say_nothing(name: str) -> None:
    assert parse_file_name(name) is None


@given(st.text(max_size=200))
def test_any_text_can_be_asked(text: str) -> None:
    parse_content(text)
    parse_file_name(text)
    says(text, Content("any", "cat", "any"))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("any cats walking", Content("any", "cat", "walking")),
        ("any number of cats walking", Content("any", "cat", "walking")),
        ("any number cat walking", Content("any", "cat", "walking")),
        ("four [any subject] reading", Content("four", "any", "reading")),
        ("four any reading", Content("four", "any", "reading")),
        ("two male children doing anything", Content("two", "male child", "any")),
        ("two male children any action", Content("two", "male child", "any")),
        ("any any any", Content("any", "any", "any")),
        ("Any number any subject doing any action.", Content("any", "any", "any")),
    ],
)
def test_any_may_be_written_in_several_ways(text: str, answer: Content) -> None:
    assert says(text, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("two cats walking", Content("any", "cat", "walking")),
        ("any cats walking", Content("two", "cat", "walking")),
        ("two any walking", Content("two", "cat", "any")),
        ("two dogs walking", Content("two", "cat", "walking")),
        ("", Content("any", "any", "any")),
    ],
)
def test_any_is_not_a_value_and_a_value_is_not_any(text: str, answer: Content) -> None:
    assert not says(text, answer)


def test_relations_and_descriptions_read_as_published() -> None:
    four = (
        Content("one", "monkey", "swimming"),
        Content("four", "monkey", "swimming"),
        Content("two", "fox", "typing"),
    )
    assert relations_text(four) == (
        "Number is changed from one to four. Action remains constant swimming. Subject type remains constant monkey. "
    )
    assert combined_text(four) == (
        "Image 1: one monkey swimming. Image 2: four monkeys swimming. Image 3: two foxes typing"
    )
