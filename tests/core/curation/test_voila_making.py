"""VOILA's own pictures: asked as briefly as the paper's, judged ones first, used evenly."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.contents import parse_file_name
from core.benchmarks.voila.load import load
from core.benchmarks.voila.question import SINGLE_LAYOUT
from core.benchmarks.voila.vocabulary import all_contents
from core.curation.cards import Making
from core.curation.voila.export import needed, write
from core.curation.voila.load import write as write_contents
from core.curation.voila.protocol import MakePicture
from core.errors import UsageError
from core.pictures import made
from core.records import Answer, Item, Parse, Score, SentPicture, Step
from tests.making import items, protocol

MAKING = Making("run", 3, {}, {}, {}, {}, "2026-11-30")


def picture(number: int, kind: str = "PNG") -> SentPicture:
    out = BytesIO()
    Image.new("RGB", (16, 16), (number % 256, number // 256, 9)).save(out, format=kind)
    return made(out.getvalue(), f"p{number}")


@pytest.fixture
def contents(tmp_path: Path) -> list[Item]:
    file = tmp_path / "contents.jsonl"
    write_contents(file, all_contents())
    return items("make-voila", file)


def picturing(**options: str) -> MakePicture:
    asked = protocol("make-voila", **options)
    assert isinstance(asked, MakePicture)
    return asked


def test_728_prompts_each_as_the_paper_asked(contents: list[Item]) -> None:
    asked = picturing()
    said = [turn.text for item in contents if (turn := asked.next_turn(item, ())) is not None]
    assert len(said) == len(set(said)) == 728
    assert "Two dogs walking" in said
    assert "Four senior women carrying something" in said


def test_a_candidate_is_made_then_reviewed_and_what_is_no_picture_ends(contents: list[Item]) -> None:
    asked, item = picturing(), contents[0]
    turn = asked.next_turn(item, ())
    assert turn is not None
    assert (turn.step, turn.makes) == ("generate", "picture")
    step = Step(turn, Answer("", picture=picture(1)))
    review = asked.next_turn(item, [step])
    assert review is not None
    assert review.step == "review.1"
    nothing = Step(turn, Answer(""))
    assert asked.next_turn(item, [nothing]) is None
    assert asked.thrown_out(item, [nothing]) == "no picture was made"


def test_what_a_judge_holds_right_comes_first(contents: list[Item]) -> None:
    asked, item = picturing(), contents[0]
    turn = asked.next_turn(item, ())
    assert turn is not None

    def judged(right: int) -> list[Step]:
        score = Score("gpt-4o", "1", Parse.OK, right, SINGLE_LAYOUT.mask)
        return [Step(turn, Answer("", picture=picture(1)), (score,))]

    assert asked.rank(judged(SINGLE_LAYOUT.mask)) == 0
    wrong = judged(SINGLE_LAYOUT.bit("number"))
    assert asked.rank(wrong) == 2
    assert asked.draft(item, wrong).notes == ("gpt-4o judged: number right, subject wrong, action wrong",)


def test_the_kept_pictures_are_used_evenly_and_the_set_loads(tmp_path: Path) -> None:
    shown = needed("WD", 95, 3)
    kept = {content: [picture(10 * k + n) for n in range(1 + k % 3)] for k, content in enumerate(shown)}
    file = write(tmp_path / "out", "WD", 95, kept, MAKING, {})
    found = list(load(file, "WD", LoadOptions()))
    assert len(found) == 95
    uses = Counter(picture.name for item in found for picture in item.pictures)
    for content, pictures in kept.items():
        of = [n for name, n in uses.items() if parse_file_name(name) == content]
        assert len(of) <= len(pictures)
        if sum(of) >= len(pictures):
            assert len(of) == len(pictures)
            assert max(of) - min(of) <= 1
    assert len(list((file.parent / "Test_Images").iterdir())) == len(uses)


def test_other_kinds_of_pictures_become_png(tmp_path: Path) -> None:
    shown = needed("ND", 7, 3)
    file = write(tmp_path / "out", "ND", 7, {content: [picture(1, "JPEG")] for content in shown}, MAKING, {})
    for one in (file.parent / "Test_Images").iterdir():
        assert one.read_bytes().startswith(b"\x89PNG")


def test_a_content_of_which_nothing_was_kept_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    shown = needed("ND", 7, 3)
    kept = {content: [picture(1)] for content in shown[1:]}
    with pytest.raises(UsageError, match=f"no picture was kept of 1 contents, such as {shown[0].text()}"):
        write(tmp_path / "out", "ND", 7, kept, MAKING, {})
    assert not (tmp_path / "out").exists()
