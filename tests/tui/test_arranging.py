"""Pictures as they were sent, joined, or each for itself."""

from __future__ import annotations

from dataclasses import replace

from core.records import Answer, SentPicture, Show, Step, Turn
from tui.state.arranging import Rearranged, Recorded, arranged, other, recorded

ONE, TWO, BOTH = Show((0,)), Show((1,)), Show((0, 1))
SENT = SentPicture("h", "image/png", (10, 10), (20, 20), "a")


def test_several_are_joined_and_a_collage_taken_apart() -> None:
    assert arranged((ONE, TWO), "joined") == (Rearranged(BOTH, "joined here"),)
    assert arranged((BOTH,), "apart") == (Rearranged(ONE, "separated here"), Rearranged(TWO, "separated here"))
    assert arranged((ONE, TWO), "as sent") == (ONE, TWO)


def test_what_was_made_stays_by_itself() -> None:
    assert arranged((ONE, TWO, SENT), "joined")[1:] == (SENT,)
    assert arranged((BOTH, SENT), "apart")[2:] == (SENT,)


def test_a_blank_one_is_never_joined_with_one_that_is_not() -> None:
    mixed = (ONE, replace(TWO, blank=True))
    assert other(mixed) is None
    assert arranged(mixed, "joined") == mixed
    blank = tuple(replace(show, blank=True) for show in (ONE, TWO))
    assert arranged(blank, "joined") == (Rearranged(Show((0, 1), blank=True), "joined here"),)


def test_one_picture_has_one_way() -> None:
    assert other((ONE,)) is None
    assert other((ONE, TWO)) == "joined"
    assert other((BOTH,)) == "apart"


def test_each_comes_with_what_was_sent_for_it_last() -> None:
    newer = replace(SENT, hash="newer")
    steps = [
        Step(Turn("a", (ONE, TWO)), Answer("", sent=(SENT, SENT))),
        Step(Turn("b", (ONE,)), Answer("", sent=(newer,))),
    ]
    assert recorded((ONE, TWO, SENT), steps) == (Recorded(ONE, newer), Recorded(TWO, SENT), SENT)
    assert recorded((ONE,), [Step(Turn("a", (ONE,)), Answer(""))]) == (ONE,)
