"""A made data set on disk: complete or not at all, in the published form."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.benchmarks.voila.columns import PUBLISHED
from core.benchmarks.voila.make import CARD, count_rows, write, write_table
from core.benchmarks.voila.question import question, solve
from core.benchmarks.voila.rules import READINGS, fits
from core.benchmarks.voila.sample import plan
from core.errors import UsageError
from tests.voila_data import loaded, real_file


def tiny(number: int, subject: str, action: str, *, variant: int, size: int) -> Any:
    """A drawer of plain pictures: the colour tells the arguments apart."""
    code = hashlib.sha256(f"{number} {subject} {action} {variant}".encode()).digest()
    return Image.new("RGB", (size, size), (code[0], code[1], code[2]))


def test_what_is_written_reads_back_as_the_same_questions(tmp_path: Path) -> None:
    made = write(tmp_path / "set", "WD", 200, 3, draw=tiny, size=2)
    data = loaded(tmp_path / "set")
    assert made.file == tmp_path / "set" / "VOILA_WD.csv"
    assert data.source == str(made.file)
    assert data.problems() == []
    for item, (planned, _) in zip(data, plan("WD", 200, 3), strict=True):
        view = question(item)
        assert view == planned
        assert solve(view.contents) == view.answer
        assert fits(view.rule, view.contents, view.answer)


def test_every_picture_of_a_question_is_there_and_no_other(tmp_path: Path) -> None:
    made = write(tmp_path / "set", "ND", 70, 3, draw=tiny, size=2)
    shown = {picture.path for item in loaded(made.file) for picture in item.pictures}
    assert shown == {str(file) for file in (tmp_path / "set" / "Test_Images").iterdir()}
    assert made.card["pictures"] == len(shown)
    with Image.open(sorted(shown)[0]) as picture:
        assert (picture.format, picture.size) == ("PNG", (2, 2))


def test_the_file_has_the_published_columns_and_texts(tmp_path: Path) -> None:
    file = write(tmp_path / "set", "ND", 7, 3, pictures=False).file
    assert file.read_bytes().startswith(",".join(PUBLISHED).encode() + b"\r\n")
    with file.open(encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), 1):
            described = [row[f"desc_img{place}"] for place in (1, 2, 3)]
            assert row["img4"] == row["desc_im4"]
            assert row["question"] == f"image_questions_{number}.png"
            assert row["combined_description"] == ". ".join(
                f"Image {place}: {text}" for place, text in enumerate(described, 1)
            )


@pytest.mark.skipif(real_file() is None, reason="the published file is not at hand")
def test_the_published_texts_are_those_the_maker_writes(tmp_path: Path) -> None:
    """Every published row, written again, differs in nothing but the variants of its pictures."""
    file = real_file()
    assert file is not None
    again = tmp_path / "again.csv"
    write_table(again, ((question(item), (0, 0, 0)) for item in loaded(file)))
    with file.open(encoding="utf-8", newline="") as one, again.open(encoding="utf-8", newline="") as other:
        for published, written in zip(csv.DictReader(one), csv.DictReader(other), strict=True):
            for column in set(PUBLISHED) - {"img1", "img2", "img3", "question"}:
                assert written[column] == published[column]


def test_without_pictures_none_is_drawn(tmp_path: Path) -> None:
    made = write(tmp_path / "set", "ND", 7, 3, pictures=False)
    assert sorted(file.name for file in made.folder.iterdir()) == ["VOILA_ND.csv", CARD]
    assert made.card["pictures"] == 0


def test_one_variant_gives_one_picture_a_content(tmp_path: Path) -> None:
    made = write(tmp_path / "set", "ND", 3689, 3, variants=1, draw=tiny, size=1)
    assert made.card["pictures"] == 728


def test_the_card_says_how_to_make_it_again(tmp_path: Path) -> None:
    made = write(tmp_path / "set", "ND", 15, 3, draw=tiny, size=2)
    card = json.loads((made.folder / CARD).read_text(encoding="utf-8"))
    assert card == made.card
    assert (card["subset"], card["questions"], card["seed"], card["picture_size"]) == ("ND", 15, 3, 2)
    assert sum(card["rules"].values()) == 15
    assert card["sha256"] == hashlib.sha256(made.file.read_bytes()).hexdigest()
    assert card["licence"]
    again = write(tmp_path / "again", "ND", card["questions"], card["seed"], draw=tiny, size=2)
    assert again.file.read_bytes() == made.file.read_bytes()


def test_progress_is_told_for_each_picture(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    made = write(tmp_path / "set", "ND", 7, 3, draw=tiny, size=1, progress=lambda *done: told.append(done))
    total = made.card["pictures"]
    assert told == [(done, total) for done in range(1, total + 1)]


def test_a_folder_that_holds_anything_is_refused_and_untouched(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        write(tmp_path / "set", "ND", 7, 3, pictures=False)
    assert [file.name for file in tmp_path.rglob("*")] == ["set", "mine.txt"]


def test_an_empty_folder_and_missing_parents_are_fine(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert write(tmp_path / "empty", "ND", 7, 3, pictures=False).file.is_file()
    assert write(tmp_path / "a" / "b", "ND", 7, 3, pictures=False).file.is_file()


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "set").write_text("mine")
    with pytest.raises(UsageError, match="file of that name"):
        write(tmp_path / "set", "ND", 7, 3, pictures=False)
    with pytest.raises(UsageError, match="cannot be made"):
        write(tmp_path / "set" / "below", "ND", 7, 3, pictures=False)
    assert (tmp_path / "set").read_text() == "mine"


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_breaks_off_leaves_nothing_behind(tmp_path: Path, error: type[BaseException]) -> None:
    def breaks(number: int, subject: str, action: str, *, variant: int, size: int) -> Any:
        raise error

    with pytest.raises(error):
        write(tmp_path / "set", "ND", 7, 3, draw=breaks)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_message_and_leaves_nothing_behind(tmp_path: Path) -> None:
    def full(number: int, subject: str, action: str, *, variant: int, size: int) -> Any:
        raise OSError(28, "No space left on device")

    with pytest.raises(UsageError, match="No space left"):
        write(tmp_path / "set", "ND", 7, 3, draw=full)
    assert list(tmp_path.iterdir()) == []


def test_too_many_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="rule 1"):
        write(tmp_path / "set", "ND", 7 * 340_705, 3)
    assert list(tmp_path.iterdir()) == []


def test_the_table_of_counts_has_a_row_a_structure_and_a_total() -> None:
    rows = count_rows("ND", 3689, 0)
    assert [row["structure"] for row in rows] == ["CSS", "SCS", "SSA", "CCS", "SCA", "CSA", "CCA", "ND"]
    assert all(row["questions"] == 527 for row in rows[:-1])
    assert rows[-1]["questions"] == 3689
    assert all(set(READINGS) < set(row) for row in rows)
    assert count_rows("WD", 19, 0)[-1]["table 7"] == 11_518_747_968
