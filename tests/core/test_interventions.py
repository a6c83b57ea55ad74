"""Interventions as they are written on the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import UsageError
from core.interventions import Intervention, as_sham, join_lanes, parse, rearranged
from core.records import Show, Text, Turn

STEPS = ("describe", "relate", "apply")
PROPERTIES = ("number", "subject", "action")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("describe=gold", Intervention("describe", "gold")),
        ("relate=gold:number", Intervention("relate", "gold", "number")),
        ("apply=wrong:action", Intervention("apply", "wrong", "action")),
        ("describe=pictures:2,1,3", Intervention("describe", "pictures", text="2,1,3")),
        ("describe=pictures:1,blank,3", Intervention("describe", "pictures", text="1,blank,3")),
    ],
)
def test_what_a_user_writes_is_read_and_labelled_the_same(spec: str, expected: Intervention) -> None:
    assert parse(spec, STEPS, PROPERTIES) == expected
    assert expected.label == spec


def test_words_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("two dogs, no more\n", encoding="utf-8")
    assert parse(f"describe=text:{file}", STEPS, PROPERTIES).text == "two dogs, no more"
    assert parse(f"relate=prompt:{file}", STEPS, PROPERTIES).kind == "prompt"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("describe", "no intervention"),
        ("describe=silver", "no intervention"),
        ("descrbe=gold", "no step 'descrbe'"),
        ("apply=wrong", "takes a property"),
        ("apply=gold:colour", "number, subject, action"),
        ("apply=text:/nowhere/at/all", "cannot be read"),
        ("describe=pictures", "no order of pictures"),
        ("describe=pictures:2,one", "no order of pictures"),
        ("describe=pictures:0,1", "no order of pictures"),
        ("describe=pictures:1,2,3", "stay in its place"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_is_known(spec: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(spec, STEPS, PROPERTIES)
    assert says in str(refused.value)


def test_a_text_file_without_words_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text(" \n\n")
    for kind in ("text", "prompt"):
        with pytest.raises(UsageError, match="no words"):
            parse(f"describe={kind}:{tmp_path / 'words.txt'}", STEPS, PROPERTIES)


def test_a_text_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes("häs".encode("latin-1"))
    with pytest.raises(UsageError, match="not UTF-8"):
        parse(f"describe=text:{file}", STEPS, PROPERTIES)


def test_the_sham_of_an_intervention_asks_at_the_same_steps() -> None:
    shams = as_sham((Intervention("describe", "gold"), Intervention("apply", "wrong", "number")))
    assert [sham.label for sham in shams] == ["describe=sham", "apply=sham"]


def test_lanes_tell_all_interventions_in_order() -> None:
    assert join_lanes(join_lanes("", "describe=gold"), "relate=again") == "describe=gold+relate=again"


THREE = Turn("describe", (Text("Image 1:"), Show((0,)), Text("Image 2:"), Show((1,)), Show((2,))))
COLLAGE = Turn("describe", (Show((0, 1, 2)), Text("Look.")))


def test_pictures_change_places_and_words_stay_where_they_were() -> None:
    turn = rearranged(THREE, "3,blank,1")
    assert turn.content == (Text("Image 1:"), Show((2,)), Text("Image 2:"), Show((1,), blank=True), Show((0,)))
    assert turn.made_by == "person"
    assert rearranged(COLLAGE, "2,1,3").shows == (Show((1, 0, 2)),)
    assert rearranged(COLLAGE, "blank,blank,blank").shows == (Show((0, 1, 2), blank=True),)


@pytest.mark.parametrize(
    ("turn", "order", "says"),
    [
        (THREE, "2,1", "shows 3 pictures, and the order names 2"),
        (THREE, "1,2,4", "there is no picture 4"),
        (replace(THREE, content=()), "2,1", "shows no pictures"),
        (COLLAGE, "1,blank,3", "a collage is blank as a whole"),
    ],
)
def test_an_order_that_a_turn_does_not_have_is_refused(turn: Turn, order: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        rearranged(turn, order)
