"""How an error is told: what, where, and what to do about it, as sentences."""

from __future__ import annotations

import pytest

from core.errors import CallError, joined


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("the file is empty", "the file is empty. Name another"),
        ("At most 1 image(s) in one request.", "At most 1 image(s) in one request. Name another"),
        ("Why so many?", "Why so many? Name another"),
        ("slow down!", "slow down! Name another"),
        ("what the server said, cut off …", "what the server said, cut off … Name another"),
        ("is it 'a.'", "is it 'a.'. Name another"),
    ],
)
def test_a_sentence_ends_once(what: str, told: str) -> None:
    assert joined(what, "Name another") == told
    assert str(CallError(what, where="voila-1", remedy="Name another")) == f"voila-1: {told}"
    assert joined(what, "") == what
    assert str(CallError(what)) == what
