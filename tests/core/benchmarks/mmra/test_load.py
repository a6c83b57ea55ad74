"""What MMRA's data files may look like."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.mmra.question import SUBTASKS, question
from core.errors import DataError, UsageError
from tests.mmra_data import PAPER_SIZES, every_subtask, loaded, made_rows, metadata, pack, write_pictures


def test_every_row_becomes_an_item_with_its_groups(tmp_path: Path) -> None:
    file = pack(tmp_path)
    data = loaded(file)
    assert data.problems() == []
    items = list(data)
    assert len(items) == 55
    assert [item.id for item in items] == [row["id"] for row in made_rows(every_subtask())]
    first = items[0]
    assert dict(first.groups) == {"subtask": "RP", "level": "entity", "qa": "choice", "options": "3"}
    assert dict(items[4].groups) == {"subtask": "RP", "level": "entity", "qa": "true-false", "options": "2"}
    assert {item.groups["subtask"] for item in items} == set(SUBTASKS)
    view = question(first)
    assert view.answer in view.options
    assert [Path(picture.path).is_file() for picture in first.pictures] == [True, True]
    assert list(loaded(tmp_path)) == items
    assert loaded(tmp_path).digest == hashlib.sha256(file.read_bytes()).hexdigest()


def test_a_set_of_the_papers_size_is_read_and_any_other_size_too(tmp_path: Path) -> None:
    file = metadata(tmp_path, made_rows(PAPER_SIZES), pictures=False)
    assert sum(1 for _ in loaded(file)) == 1024
    assert loaded(metadata(tmp_path, made_rows({"OA": 3}), pictures=False)).problems() == []


OPTIONS = {"A": "the cup", "B": "the 'dog'", "C": "a car\\tree", "D": "none"}


@pytest.mark.parametrize(
    "options",
    [
        OPTIONS,
        repr(OPTIONS),
        json.dumps(OPTIONS),
        f"  {OPTIONS!r}\n",
        {f" {k.lower()} ": v for k, v in OPTIONS.items()},
    ],
    ids=["object", "python literal", "json", "blanks", "small letters"],
)
def test_options_may_be_an_object_or_a_literal_of_one(tmp_path: Path, options: Any) -> None:
    row = made_rows({"US": 2})[1] | {"options": options, "answer": "d"}
    (item,) = loaded(metadata(tmp_path, [row], pictures=False))
    assert question(item).options == OPTIONS
    assert question(item).answer == "D"


def test_three_options_are_a_question_like_any_other(tmp_path: Path) -> None:
    row = made_rows({"US": 1})[0] | {"options": "{'A': 'x', 'B': 'y', 'C': 'z', 'D': None}", "answer": "C"}
    (item,) = loaded(metadata(tmp_path, [row], pictures=False))
    assert list(question(item).options) == ["A", "B", "C"]
    assert item.groups["options"] == "3"


@pytest.mark.parametrize("spelling", ["Choice QA", "Chooice QA", " choice  qa ", "CHOICE_QA"])
def test_the_published_spellings_of_a_choice(tmp_path: Path, spelling: str) -> None:
    row = made_rows({"US": 2})[1] | {"QA_type": spelling}
    (item,) = loaded(metadata(tmp_path, [row], pictures=False))
    assert item.groups["qa"] == "choice"


@pytest.mark.parametrize("options", [None, "", "None", "null", float("nan"), {"A": "Yes", "B": "No"}])
def test_a_true_false_question_needs_no_options(tmp_path: Path, options: Any) -> None:
    row = made_rows({"US": 5})[4] | {"QA_type": "true or false qa", "options": options, "answer": "yes"}
    (item,) = loaded(metadata(tmp_path, [row], pictures=False))
    assert question(item).answers == ("Yes", "No")
    assert question(item).answer == "Yes"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("RelativePosition", "RP"), ("relative position", "RP"), ("RP", "RP"), ("MadeOf", "SM"),
        ("SimilarMaterial", "SM"),
        ("Environment", "Env"), ("Environments", "Env"), ("env", "Env"), ("Near_Same_Entity", "NSE"), ("LO", "LO"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", ["subtask", "Task", "sub_task", "category", "type"])
def test_subtasks_by_any_of_their_names_and_fields(tmp_path: Path, name: str, short: str, field: str) -> None:
    row = made_rows({"US": 1})[0]
    del row["subtask"]
    (item,) = loaded(metadata(tmp_path, [row | {field: name}], pictures=False))
    assert item.groups["subtask"] == short


def test_the_subtask_may_be_told_by_the_key_or_the_file_name(tmp_path: Path) -> None:
    rows = made_rows({"US": 2})
    for row in rows:
        del row["subtask"]
    file = metadata(tmp_path, [], pictures=False)
    file.write_text(json.dumps({"MadeOf": rows[:1], "SubEvent": rows[1:]}))
    assert [item.groups["subtask"] for item in loaded(file)] == ["SM", "SubE"]
    named = tmp_path / "observation_angle.json"
    named.write_text(json.dumps(rows))
    assert {item.groups["subtask"] for item in loaded(named)} == {"OA"}


def test_without_ids_the_row_numbers_them(tmp_path: Path) -> None:
    rows = [{key: value for key, value in row.items() if key != "id"} for row in made_rows({"US": 3})]
    assert [item.id for item in loaded(metadata(tmp_path, rows, pictures=False))] == ["1", "2", "3"]
    rows[1]["id"] = 77
    assert [item.id for item in loaded(metadata(tmp_path, rows, pictures=False))] == ["1", "77", "3"]


def test_other_names_of_fields_are_mapped_either_way_round(tmp_path: Path) -> None:
    rows = made_rows({"US": 3})
    for row in rows:
        row["frage"] = row.pop("question")
    file = metadata(tmp_path, rows, pictures=False)
    assert [problem.field for problem in loaded(file).problems()] == ["question"] * 3
    for mapping in ({"question": "frage"}, {"frage": "question"}):
        assert loaded(file, mapping=mapping).problems() == []
    with pytest.raises(UsageError, match="Did you mean question"):
        loaded(file, mapping={"qestion": "frage2"})
    (problem,) = loaded(metadata(tmp_path, made_rows({"US": 3})), mapping={"id": "nr"}).problems()
    assert "no row has a field 'nr'" in str(problem)


# -- descriptions


def test_descriptions_come_from_the_row_or_from_the_file_beside_it(tmp_path: Path) -> None:
    rows = made_rows({"US": 2})
    rows[0] |= {"description1": " A bench. ", "image1": "images/01.png", "image2": "images/02.png"}
    rows[1] |= {"image1": "images/03.png", "image2": "images/04.png"}
    file = metadata(tmp_path, rows)
    plain = loaded(file).digest
    sha = hashlib.sha256((tmp_path / "images/04.png").read_bytes()).hexdigest()
    lines = [
        {"picture": "images/01.png", "text": "not this one"},
        {"picture": "02.png", "text": "A tree."},
        {"picture": sha.upper(), "text": "A car."},
    ]
    (tmp_path / "descriptions.jsonl").write_text("\n".join(map(json.dumps, lines)))
    first, second = loaded(file)
    assert question(first).descriptions == ("A bench.", "A tree.")
    assert question(second).descriptions == ("", "A car.")
    assert loaded(file).digest != plain


def test_bad_lines_of_descriptions_are_named_with_the_rest(tmp_path: Path) -> None:
    file = metadata(tmp_path, made_rows({"US": 1}))
    (tmp_path / "descriptions.jsonl").write_bytes(b'{"picture": "x"}\n\xff\n[1]\n{"picture": "a", "text": "b"},\n')
    found = loaded(file).problems()
    assert [problem.row for problem in found] == [1, 2, 3, 4]
    assert {problem.file for problem in found} == {str(tmp_path / "descriptions.jsonl")}


# -- folders


def test_a_snapshot_in_the_hubs_cache_is_read_through_its_links(tmp_path: Path) -> None:
    repo = tmp_path / "datasets--m-a-p--MMRA"
    blobs, snapshot = repo / "blobs", repo / "snapshots" / "abc"
    source = pack(tmp_path / "made").parent
    blobs.mkdir(parents=True)
    for number, file in enumerate(sorted(file for file in source.rglob("*") if file.is_file())):
        blob = blobs / f"{number:040x}"
        file.rename(blob)
        link = snapshot / file.relative_to(source)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(Path(*[".."] * (len(link.relative_to(repo).parts) - 1)) / "blobs" / blob.name)
    data = loaded(snapshot)
    assert data.problems() == []
    items = list(data)
    assert len(items) == 55
    assert all(Path(picture.path).read_bytes() for item in items for picture in item.pictures)


@pytest.mark.parametrize(
    "name", ["../secret.png", "/etc/passwd", "images/../../secret.png", "..\\secret.png", "C:\\x.png"]
)
def test_a_picture_outside_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    row = made_rows({"US": 1})[0] | {"image2": name}
    (problem,) = loaded(metadata(tmp_path / "data", [row])).problems()
    assert (problem.row, problem.field) == (1, "image2")
    assert "leads out of the data's folder" in problem.what


def test_a_link_out_of_the_folder_is_refused_for_pictures_and_for_data(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    file = metadata(tmp_path / "data", [made_rows({"US": 1})[0] | {"image1": "images/link.png"}])
    (tmp_path / "data/images/link.png").symlink_to(tmp_path / "secret.png")
    assert "leads out" in loaded(file).problems()[0].what
    other = tmp_path / "other"
    other.mkdir()
    (other / "metadata.json").symlink_to(file)
    with pytest.raises(DataError, match="symlink out of the folder"):
        loaded(other)


def test_pictures_may_lie_in_a_folder_of_their_own(tmp_path: Path) -> None:
    file = metadata(tmp_path / "data", made_rows({"US": 2}), pictures=False)
    write_pictures(tmp_path / "elsewhere")
    for item in loaded(file, pictures=tmp_path / "elsewhere"):
        assert all(Path(picture.path).is_file() for picture in item.pictures)
