from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import DataError, UsageError
from core.study.definition import Catch, Condition, Design, Items, Practice
from core.study.pool import pictures_of
from core.study.preparing import prepare_study
from tests.studies import a_study, voila_study


def test_a_sample_is_drawn_with_the_seed_from_what_every_session_does_not_show(tmp_path: Path) -> None:
    """Each picture stands in three items: those of a practice, a catch and an example item can be asked nobody."""
    made = {
        "items": Items(sample=20),
        "practice": Practice(ids=("voila-2",)),
        "catch": Catch(ids=("voila-3",)),
        "conditions": {"": Condition(protocol="direct", examples=("voila-1", "voila-11"))},
    }
    prepared = prepare_study(voila_study(tmp_path, 10, times=3, **(made | {"items": Items(sample=18)})))
    pool = prepared.pool
    assert len(pool.items) == 18
    assert [item.id for item in (*pool.practice, *pool.catch)] == ["voila-2", "voila-3"]
    assert list(pool.examples) == ["voila-1", "voila-11"]
    fixed = {p for item in (*pool.practice, *pool.catch, *pool.examples.values()) for p in pictures_of(item)}
    assert not any(fixed & set(pictures_of(item)) for item in pool.items.values())
    assert {one.id for one in pool.left_out} == {"voila-12", "voila-13", "voila-21", "voila-22", "voila-23"}
    assert "shares a picture with voila-1" in {one.id: one.why for one in pool.left_out}["voila-21"]
    assert list(prepared.protocols) == [""]
    assert prepared.name == "voila:ND"
    other = prepare_study(voila_study(tmp_path, 10, times=3, seed=6, **(made | {"items": Items(sample=18)})))
    assert list(other.pool.items) != list(pool.items) or len(other.pool.items) == 21
    off = Design(no_picture_twice="off")
    assert len(prepare_study(voila_study(tmp_path, 10, times=3, design=off, **made)).pool.items) == 20
    with pytest.raises(UsageError, match=r"leaves 21 items, 5 more cannot be asked about \(it shares a picture"):
        prepare_study(voila_study(tmp_path, 10, times=3, **(made | {"items": Items(sample=22)})))


def test_items_that_are_named_are_asked_about_in_the_datas_order(tmp_path: Path) -> None:
    study = voila_study(tmp_path, 8, items=Items(ids=("voila-7", "voila-2", "voila-5")))
    assert list(prepare_study(study).pool.items) == ["voila-2", "voila-5", "voila-7"]


def test_a_filter_chooses(tmp_path: Path) -> None:
    study = voila_study(tmp_path, 30, items=Items(where={"rule": ("1", "5")}))
    found = prepare_study(study).pool.items.values()
    assert {item.groups["rule"] for item in found} == {"1", "5"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"items": Items(ids=("voila-1", "voila-99", "voila-98"))}, r"no item voila-99 \(2 ids are like that"),
        ({"practice": Practice(ids=("voila1",))}, "Did you mean voila-1"),
        ({"items": Items(ids=("voila-1",)), "practice": Practice(ids=("voila-1",))}, "voila-1 cannot be asked about"),
        ({"items": Items(where={"rule": ("77",)})}, "no item has rule 77"),
        ({"design": Design(stratify="colour")}, "no group colour.*rule, structure"),
        (
            {"conditions": {"draw": Condition(protocol="l2m", options={"generate": "yes"})}},
            r"\[conditions.draw\]: step generate asks for a picture, and people answer in words",
        ),
        ({"conditions": {"": Condition(protocol="walking")}}, "no protocol walking"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_line(tmp_path: Path, fields: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        prepare_study(voila_study(tmp_path, 6, **fields))


def test_named_items_that_share_a_picture_with_practice_are_refused(tmp_path: Path) -> None:
    study = voila_study(tmp_path, 3, times=2, items=Items(ids=("voila-4",)), practice=Practice(ids=("voila-1",)))
    with pytest.raises(UsageError, match="voila-4 cannot be asked about: it shares a picture with voila-1"):
        prepare_study(study)


def test_missing_pictures_are_told_together(tmp_path: Path) -> None:
    study = voila_study(tmp_path, 3, pictures="")
    with pytest.raises(DataError, match="9 problems"):
        prepare_study(study)
    assert len(prepare_study(study, check_pictures=False).pool.items) == 3


def test_prompts_of_a_frozen_study_are_asked_whatever_the_programs_are(tmp_path: Path) -> None:
    study = a_study()
    plain = prepare_study(study)
    prompts = plain.protocols[""].prompts
    name = next(iter(prompts))
    other = prepare_study(study, prompt_texts={**prompts, name: prompts[name] + " Please."})
    changed = {key for key, value in other.prompt_hashes[""].items() if value != plain.prompt_hashes[""][key]}
    assert changed == {f"voila.{name}"}
