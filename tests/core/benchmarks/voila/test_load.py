"""Files to items: what is read, how it is named, and that nothing is kept."""

from __future__ import annotations

import csv
import gc
import hashlib
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.voila.load import VoilaFile
from core.benchmarks.voila.make import write_table
from core.benchmarks.voila.question import question, solve
from core.benchmarks.voila.rules import ND_RULES, RULES, fits
from core.benchmarks.voila.sample import plan
from core.errors import DataError, UsageError
from tests.voila_data import ND_COUNT, changed, loaded, real_file, small_voila_file, voila_file

GENERATORS_SPELLING = {
    "desc_im4": "desc_img4",
    "combined_description": "combined_descriptions",
    "question": "image_question",
    "Real_relations": "relations",
}


def rewritten(file: Path, out: Path, **dialect: Any) -> Path:
    """The same rows with other columns: ``names`` renames, ``order`` and ``extra`` rearrange."""
    names, extra = dialect.pop("names", {}), dialect.pop("extra", {})
    order, drop = dialect.pop("order", list), dialect.pop("drop", ())
    with file.open(encoding="utf-8", newline="") as stream:
        rows = [
            {names.get(k, k): v for k, v in row.items() if k not in drop} | extra for row in csv.DictReader(stream)
        ]
    with out.open("w", encoding=dialect.pop("encoding", "utf-8"), newline="") as stream:
        writer = csv.DictWriter(stream, order(rows[0]), **dialect)
        writer.writeheader()
        writer.writerows(rows)
    return out


def hashes(data: VoilaFile) -> list[str]:
    assert data.problems() == []
    return [item.hash for item in data]


def test_the_solver_gives_the_published_answer_on_every_row(tmp_path: Path) -> None:
    data = loaded(voila_file(tmp_path), "ND")
    assert data.problems() == []
    right = 0
    for item in data:
        view = question(item)
        right += solve(view.contents) == view.answer and fits(view.rule, view.contents, view.answer)
    assert right == ND_COUNT


@pytest.mark.skipif(real_file() is None, reason="the published file is not at hand")
def test_the_published_file_keeps_its_own_numbers() -> None:
    file = real_file()
    assert file is not None
    items = list(loaded(file))
    assert [items[0].id, items[-1].id, items[527].id] == ["voila-1", "voila-10013", "voila-2109"]
    assert items[0].facts["collage"] == "image_questions_1.png"
    assert items[0].pictures[0].name == "two_hamsters_carrying something_1111.png"


def test_a_full_check_takes_no_more_cpu_than_reading_the_bare_table_25_times(tmp_path: Path) -> None:
    file = voila_file(tmp_path)
    data = loaded(file, "ND")
    checked, read = [], []
    for _ in range(5):  # in turn: other work on the machine meets both
        start = time.process_time()
        assert data.problems() == []
        checked.append(time.process_time() - start)
        start = time.process_time()
        with file.open(encoding="utf-8", newline="") as stream:
            assert sum(1 for _ in csv.DictReader(stream)) == ND_COUNT
        read.append(time.process_time() - start)
    assert min(checked) <= 25 * min(read) * (4 if sys.gettrace() else 1)  # 15 here


def test_memory_is_flat_in_the_number_of_rows(tmp_path: Path) -> None:
    small = loaded(small_voila_file(tmp_path, 600, "WD"))
    large = loaded(small_voila_file(tmp_path, 3000, "WD"))

    def peak(data: VoilaFile) -> int:
        gc.collect()
        tracemalloc.start()
        assert data.problems() == []
        assert sum(1 for _ in data) in (600, 3000)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(large)  # fills the caches, which are bounded by the vocabulary
    assert peak(large) < 1.5 * peak(small)


def test_items_have_id_pictures_groups_and_facts(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 7, "ND")
    item = list(loaded(file))[2]
    row = list(csv.DictReader(file.open(encoding="utf-8")))[2]
    assert (item.benchmark, item.subset, item.id) == ("voila", "ND", "voila-3")
    assert [picture.name for picture in item.pictures] == [row["img1"], row["img2"], row["img3"]]
    assert [picture.depicts for picture in item.pictures] == [row[f"desc_img{place}"] for place in (1, 2, 3)]
    assert item.pictures[0].path == str(tmp_path / row["img1"])
    assert item.groups == {"rule": row["rule"], "structure": RULES[int(row["rule"])]}
    assert item.facts["collage"] == "image_questions_3.png"
    assert item.facts["relations"] == row["Real_relations"].strip()
    assert question(item).answer.text() == row["desc_im4"]


def test_pictures_are_sought_in_the_folder_given_then_beside_then_in_test_images(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 7, "ND")
    name = next(iter(loaded(file))).pictures[0].name
    (tmp_path / "Test_Images").mkdir()
    (tmp_path / "Test_Images" / name).touch()
    assert next(iter(loaded(file))).pictures[0].path == str(tmp_path / "Test_Images" / name)
    (tmp_path / name).touch()
    assert next(iter(loaded(file))).pictures[0].path == str(tmp_path / name)
    (tmp_path / "mine").mkdir()
    assert next(iter(loaded(file, pictures=tmp_path / "mine"))).pictures[0].path == str(tmp_path / "mine" / name)
    with pytest.raises(UsageError, match="no such folder"):
        loaded(file, pictures=tmp_path / "other")


def test_the_folder_of_pictures_does_not_change_an_items_hash(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 7, "ND")
    (tmp_path / "mine").mkdir()
    assert hashes(loaded(file)) == hashes(loaded(file, pictures=tmp_path / "mine"))


def test_both_spellings_give_equal_items(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 38, "WD")
    other = rewritten(file, tmp_path / "other.csv", names=GENERATORS_SPELLING)
    assert list(loaded(file)) == list(loaded(other))


@pytest.mark.parametrize(
    "form",
    [
        {"encoding": "utf-8-sig"},
        {"lineterminator": "\n"},
        {"quoting": csv.QUOTE_ALL},
        {"delimiter": ";"},
        {"delimiter": "\t"},
        {"order": lambda row: sorted(row, reverse=True)},
        {"extra": {"note": 'said "yes",\nand no', "": ""}},
        {"names": {"rule": "Rule", "img1": " IMG1 "}},
    ],
)
def test_the_form_of_the_csv_does_not_matter(tmp_path: Path, form: dict[str, Any]) -> None:
    file = small_voila_file(tmp_path, 38, "WD")
    other = rewritten(file, tmp_path / "other.csv", **form)
    assert hashes(loaded(file)) == hashes(loaded(other))


def test_blank_lines_are_no_rows(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 7, "ND")
    before = hashes(loaded(file))
    file.write_bytes(b"\r\n" + file.read_bytes().replace(b"\r\n", b"\r\n\r\n") + b"\r\n\r\n")
    assert hashes(loaded(file)) == before


def test_a_users_columns_are_mapped_either_way_round(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 7, "ND")
    other = rewritten(file, tmp_path / "other.csv", names={"rule": "Regel", "desc_im4": "gold"})
    assert [problem.field for problem in loaded(other).problems()] == ["rule"]  # img4 stands in for desc_im4
    same = hashes(loaded(file))
    assert hashes(loaded(other, mapping={"rule": "Regel", "desc_im4": "gold"})) == same
    assert hashes(loaded(other, mapping={"Regel": "rule", "gold": "desc_im4"})) == same


def test_a_mapping_that_names_no_field_is_refused_with_the_nearest(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 7, "ND")
    with pytest.raises(UsageError, match="Did you mean desc_img1"):
        loaded(file, mapping={"desc_img_1": "d"})


def test_a_mapping_to_a_column_the_file_lacks_is_a_problem(tmp_path: Path) -> None:
    (problem,) = loaded(small_voila_file(tmp_path, 7, "ND"), mapping={"rule": "rul"}).problems()
    assert problem.field == "rule"
    assert "'rul'" in problem.what
    assert "'rule'" in problem.what


def test_without_a_question_column_the_row_is_the_id(tmp_path: Path) -> None:
    file = rewritten(small_voila_file(tmp_path, 7, "ND"), tmp_path / "other.csv", drop=("question",))
    assert [item.id for item in loaded(file)] == [f"voila-{row}" for row in range(1, 8)]


@pytest.mark.parametrize(
    ("cell", "item_id"),
    [("image_questions_12.png", "voila-12"), ("0012", "voila-12"), ("q9", "voila-9"), ("", "voila-1"),
     ("What is in image 4?", "voila-1"), ("9" * 400, "voila-1")],
)  # fmt: skip
def test_the_id_is_the_number_in_the_question_column(tmp_path: Path, cell: str, item_id: str) -> None:
    file = changed(small_voila_file(tmp_path, 7, "ND"), lambda rows: rows[0].update(question=cell))
    assert next(iter(loaded(file))).id == item_id


def test_descriptions_are_read_from_file_names_where_there_are_none(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 38, "WD")
    bare = rewritten(file, tmp_path / "bare.csv", drop=[f"desc_img{place}" for place in (1, 2, 3)] + ["desc_im4"])
    assert hashes(loaded(bare)) == hashes(loaded(file))


def test_without_picture_names_the_contents_are_enough(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 38, "WD")
    bare = rewritten(file, tmp_path / "bare.csv", drop=["img1", "img2", "img3", "img4"])
    assert loaded(bare).problems() == []
    for item, full in zip(loaded(bare), loaded(file), strict=True):
        assert [picture.depicts for picture in item.pictures] == [picture.depicts for picture in full.pictures]
        assert all(picture.name and not picture.path for picture in item.pictures)


def test_any_is_read_in_the_answer_of_a_distraction_file(tmp_path: Path) -> None:
    def reworded(rows: list[dict[str, str]]) -> None:
        for row in rows:
            number, _, rest = row["desc_im4"].partition(" ")
            if number == "any":
                row["desc_im4"] = f"any number of {rest}"
            if row["desc_im4"].endswith(" any"):
                row["desc_im4"] = row["desc_im4"][:-3] + "doing anything"

    file = small_voila_file(tmp_path, 190, "WD")
    before = hashes(loaded(file))
    assert hashes(loaded(changed(file, reworded))) == before


def test_the_subset_filters_the_rules_of_any_file(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 190, "WD")
    assert len(list(loaded(file, "WD"))) == 190
    some = list(loaded(file, "ND"))
    assert len(some) == 70
    assert {int(item.groups["rule"]) for item in some} == set(ND_RULES)
    assert {item.subset for item in some} == {"ND"}
    assert loaded(file, "ND").problems() == []


def test_without_a_subset_the_file_decides(tmp_path: Path) -> None:
    both, plain = loaded(small_voila_file(tmp_path, 19, "WD")), loaded(small_voila_file(tmp_path, 7, "ND"))
    assert (both.subset, plain.subset) == ("WD", "ND")
    assert {item.subset for item in both} == {"WD"}


def test_bad_rows_of_the_other_structures_do_not_trouble_nd(tmp_path: Path) -> None:
    file = changed(small_voila_file(tmp_path, 19, "WD"), lambda rows: rows[1].update(desc_img1="nothing"))
    assert loaded(file, "ND").problems() == []
    assert len(loaded(file, "WD").problems()) == 1


def test_the_digest_is_that_of_the_files_bytes(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 7, "ND")
    assert loaded(file).digest == hashlib.sha256(file.read_bytes()).hexdigest()
    assert loaded(file).source == str(file)


def test_every_pass_reads_the_file_anew(tmp_path: Path) -> None:
    data = loaded(small_voila_file(tmp_path, 7, "ND"), "ND")
    assert len(list(data)) == len(list(data)) == 7
    write_table(tmp_path / "VOILA_ND_7.csv", plan("ND", 14, 1))
    assert len(list(data)) == 14


def test_a_path_with_unicode_and_blanks_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "mes données 数据 🐈"
    folder.mkdir()
    assert len(list(loaded(small_voila_file(folder, 7, "ND")))) == 7


def test_a_folder_stands_for_its_only_data_file(tmp_path: Path) -> None:
    for folder in ("data", "data/.cache", "data/Test_Images"):
        (tmp_path / folder).mkdir()
    file = small_voila_file(tmp_path / "data", 7, "ND")
    (tmp_path / "data" / ".cache" / "old.csv").touch()
    assert loaded(tmp_path / "data").source == str(file)
    assert loaded(tmp_path).source == str(file)


def test_of_several_files_in_a_folder_the_subset_picks_one(tmp_path: Path) -> None:
    small_voila_file(tmp_path, 7, "ND")
    wd = small_voila_file(tmp_path, 19, "WD")
    assert loaded(tmp_path, "WD").source == str(wd)
    with pytest.raises(DataError, match=r"several data files \(VOILA_ND_7.csv, VOILA_WD_19.csv\)"):
        loaded(tmp_path)


def test_iterating_a_bad_file_raises_at_the_bad_row(tmp_path: Path) -> None:
    file = changed(small_voila_file(tmp_path, 7, "ND"), lambda rows: rows[3].update(rule="x"))
    items = iter(loaded(file))
    assert [next(items).id for _ in range(3)] == ["voila-1", "voila-2", "voila-3"]
    with pytest.raises(DataError, match="row 4"):
        next(items)
