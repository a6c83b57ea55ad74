"""Interventions as they are written on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from core.interventions import Intervention, as_sham, join_lanes, parse

STEPS = ("describe", "relate", "apply")
PROPERTIES = ("number", "subject", "action")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("describe=gold", Intervention("describe", "gold")),
        ("relate=gold:number", Intervention("relate", "gold", "number")),
        ("apply=wrong:action", Intervention("apply", "wrong", "action")),
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
    ],
)
def test_what_cannot_be_read_is_refused_with_what_is_known(spec: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(spec, STEPS, PROPERTIES)
    assert says in str(refused.value)


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
