"""How an error is told: what, where, and what to do about it, as sentences."""

from __future__ import annotations

import io

import pytest

from core.errors import CallError, PictureError, joined


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


def test_where_an_object_lay_in_memory_is_left_out_so_that_reasons_can_be_counted() -> None:
    told = {str(PictureError(f"torn: cannot identify image file {io.BytesIO()!r}", where="a.png")) for _ in range(9)}
    assert told == {"a.png: torn: cannot identify image file <_io.BytesIO object>"}
    assert str(CallError("status 0x80004005 at 0x7f, 3 > 2")) == "status 0x80004005 at 0x7f, 3 > 2"
