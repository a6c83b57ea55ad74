"""``respondents check`` on models run here: what applies to them, and what does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.checking import Report, Verdict, check
from core.config import Config
from core.respondents.settings import LocalSettings

Folder = Callable[..., Path]
NO, YES, UNKNOWN, NONE = Verdict.NO, Verdict.YES, Verdict.UNKNOWN, Verdict.NONE


async def checked(folder: Path | str, benchmark: str = "mmra", protocol: str = "iq", **settings: object) -> Report:
    """The report on a tiny model in that folder."""
    chosen = {"model": str(folder), "dtype": "float32", "device": "cpu", "max_tokens": 24, **settings}
    config = Config(respondents={"tiny": LocalSettings(**chosen)})  # type: ignore[arg-type]
    return await check("tiny", config, benchmark=benchmark, protocol=protocol)


def told(report: Report) -> dict[str, Verdict]:
    return {line.name: line.verdict for line in report.lines}


async def test_a_model_with_random_weights_is_usable_and_sees_nothing_right(folder: Folder) -> None:
    report = await checked(folder("llava"))
    assert report.usable
    found = told(report)
    assert found.pop("pictures") in (UNKNOWN, NO)
    assert found.pop("structured output") is NONE
    assert set(found.values()) == {YES}
    assert report.text


async def test_a_model_of_one_picture_is_told_of_the_collage(folder: Folder) -> None:
    place = folder("idefics3", one_picture=True)
    report = await checked(place)
    assert not report.usable
    assert told(report)["reachable"] is YES
    for name in ("largest turn", "pictures"):
        line = report.line(name)
        assert line is not None
        assert line.verdict is NO
        assert 'several = "collage"' in line.remedy
    assert (await checked(place, several="collage")).usable


async def test_a_text_only_model_reads_words_and_no_pictures(folder: Folder) -> None:
    report = await checked(folder("llama"))
    assert (report.usable, told(report)["reachable"], told(report)["largest turn"]) == (False, YES, NO)
    assert (await checked(folder("llama"), protocol="qo")).usable


async def test_a_model_that_cannot_be_loaded_is_one_line(tmp_path: Path) -> None:
    report = await checked(tmp_path / "nowhere")
    assert [(line.name, line.verdict) for line in report.lines] == [("reachable", NO)]
    assert "no such folder" in report.lines[0].what
