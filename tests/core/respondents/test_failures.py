"""An error's body says what it says, whatever its form; times are read as servers write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.respondents.failures import failure_of, span, told


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("6m0s", 360.0), ("120ms", 0.12), ("1h2m3.5s", 3723.5), ("1.5", 1.5), ("34s", 34.0), ("", None), ("soon", None)],
)
def test_spans_are_read(text: str, seconds: float | None) -> None:
    assert span(text) == (pytest.approx(seconds) if seconds is not None else None)


@given(
    st.integers(400, 599),
    st.text(max_size=600),
    st.dictionaries(st.text(max_size=20), st.text(max_size=20), max_size=3),
)
def test_any_error_becomes_one_bounded_line(status: int, text: str, headers: dict[str, str]) -> None:
    failure = failure_of(status, headers, text)
    assert "\n" not in failure.what
    assert len(failure.what) < 600
    assert not (failure.retry and failure.fatal)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"error": {"message": "a  b", "code": null}}', "a b"),
        ('{"error": "short"}', "short"),
        ('{"detail": "x"}', "x"),
        ('{"detail": [{"loc": ["body", "n"], "msg": "too many"}, {"msg": "and"}]}', "body.n: too many; and"),
        ('[{"error": {"message": "in a list"}}]', "in a list"),
        ('{"message": "m", "error": {}}', "m"),
        ("<!DOCTYPE html><title>502</title><p>Bad <b>gateway</b>", "502 Bad gateway"),
        ("a < b", "a < b"),
        ('{"other": 1}', '{"other": 1}'),
        ("", ""),
    ],
)
def test_what_a_body_says(text: str, said: str) -> None:
    assert told(text) == said


@pytest.mark.parametrize(
    ("text", "fatal"),
    [
        ("Rate limit reached on tokens per min (TPM): Limit 200000", False),
        ("Limits: 60 requests per minute, 1000 per day", False),
        ("Daily limit reached", True),
        ("Rate limit reached on requests per day (RPD)", True),
    ],
)
def test_only_a_days_limit_alone_is_final(text: str, fatal: bool) -> None:
    assert failure_of(429, {}, text).fatal is fatal
