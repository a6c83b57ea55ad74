"""Whatever stands in a data file is read, or said to be unreadable; nothing else happens."""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmarks.mmra import values
from core.benchmarks.mmra.published import match_choice, match_yes_no

WORDS = st.text(min_size=1, max_size=40).filter(lambda words: words.strip() and "\0" not in words)
PLAIN = WORDS.filter(lambda words: words.encode("utf-8", "replace").decode() == words)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.binary(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)


@given(st.lists(PLAIN, min_size=2, max_size=values.MOST_OPTIONS))
def test_options_come_back_from_an_object_and_from_either_literal(texts: list[str]) -> None:
    options = dict(zip(string.ascii_uppercase, texts, strict=False))
    wanted = {letter: text.strip() for letter, text in options.items()}
    for given_ in (options, repr(options), json.dumps(options)):
        assert values.options(given_) == wanted


@pytest.mark.parametrize("read", [values.options, values.kind, values.subtask, values.needed, values.text])
def test_no_value_breaks_a_reader(read: Callable[[Any], Any]) -> None:
    @settings(max_examples=300)
    @given(ANYTHING)
    def holds(value: Any) -> None:
        with suppress(values.UnreadableError):
            read(value)

    holds()


@given(st.text(alphabet="{}[]()'\"\\ABCD:,_.x1 \n", max_size=60))
def test_no_literal_breaks_the_reader_of_options(literal: str) -> None:
    try:
        found = values.options(literal)
    except values.UnreadableError:
        return
    assert all(isinstance(text, str) and text for text in found.values())


@given(st.text(max_size=200), st.lists(PLAIN, min_size=2, max_size=6))
def test_the_published_rule_names_an_option_and_where_it_stands_or_nothing(reply: str, texts: list[str]) -> None:
    options = dict(zip(string.ascii_uppercase, texts, strict=False))
    found = match_choice(reply, options)
    if found is not None:
        assert found.answer in options
        assert reply[slice(*found.span)] in (found.answer, options[found.answer].strip())
    said = match_yes_no(reply)
    assert said is None or reply[slice(*said.span)].lower() == said.answer.lower()


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("train-00000-of-00001", ""), ("UsageSimilarity-00000-of-00001", "US"), ("near_same_entity", "NSE"),
        ("LO", "LO"), ("metadata", ""), ("MMRA_SubEvent_test", "SubE"), ("data", ""),
    ],
)  # fmt: skip
def test_a_files_name_may_tell_the_subtask(name: str, short: str) -> None:
    assert values.subtask_in(name) == short
