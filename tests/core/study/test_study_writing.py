"""A new study's file is usable as it is written, for each benchmark; what only its researchers know is blank."""

from __future__ import annotations

import stat
import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from core.errors import DataError, UsageError
from core.study.checking import check
from core.study.checklist import ENTRIES, OPEN, filled
from core.study.definition import Reporting, Study
from core.study.reading import parse_study, read_file
from core.study.texts import UI, Wording
from core.study.wanted import blanks_of, blocking, labels_of, lacking
from core.study.writing import Wish, named_after, save, written
from tests.voila_data import voila_file

MADE = [
    ("voila:WD", "direct"),
    ("voila:ND", "direct"),
    ("voila:ND", "l2m"),
    ("vrex", "planning"),
    ("vrex", "following"),
    ("vrex", "direct"),
    ("mmra", "iq"),
]


@pytest.mark.parametrize(("benchmark", "protocol"), MADE)
def test_what_is_written_can_be_checked_and_asked(tmp_path: Path, benchmark: str, protocol: str) -> None:
    file = tmp_path / "study.toml"
    save(written(Wish(benchmark, "study", protocol=protocol, seed=4), file), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    dry = check(read_file(file))
    assert [way.protocol for way in dry.ways] == [protocol]
    apart = {item.id for item in (*dry.prepared.pool.practice, *dry.prepared.pool.examples.values())}
    assert len(apart) == (4 if benchmark.startswith("voila") else 2)
    assert not apart & set(dry.prepared.pool.items)
    assert dry.answers == 3 * len(dry.prepared.pool.items)
    assert all(blank[0] for blank in dry.blanks), "each blank has its line"
    assert dry.blocked
    text = file.read_text(encoding="utf-8")
    for line, place, what in dry.blanks:
        if what.startswith("<"):
            assert what.rstrip("…") in text.splitlines()[line - 1], place


def test_voila_is_as_the_paper_ran_people(tmp_path: Path) -> None:
    for benchmark, rules in (("voila:WD", True), ("voila:ND", False)):
        study = parse_study(written(Wish(benchmark, "p"), tmp_path / "p.toml"))
        way = study.ways["direct"]
        assert (way.protocol, len(way.examples), way.lists) == ("direct", 2, True)
        assert ('answer "any"' in study.texts.instructions) is rules
        assert any(question.answer == "any" for question in study.gate) is rules


def test_of_the_published_file_440_questions_are_drawn(tmp_path: Path) -> None:
    data = voila_file(tmp_path)
    file = tmp_path / "p.toml"
    save(written(Wish("voila:ND", "p", data=data, pictures="drawn"), file), file)
    dry = check(read_file(file))
    assert dry.study.items.sample == 440
    assert dry.study.data == str(data)
    assert (len(dry.prepared.pool.items), dry.answers, sum(dry.sessions)) == (440, 1320, 1320)


def test_every_field_stands_in_the_file_and_is_commented(tmp_path: Path) -> None:
    text = written(Wish("voila:WD", "p", languages=("de",)), tmp_path / "p.toml")
    tables = tomllib.loads(text)
    tables["conditions"] = tables["conditions"]["direct"]
    tables["text"] = tables["text"]["en"] | {"labels": {}, "ui": {}, "questions": {}}
    own = {"gate", "before", "after", "conditions", "text"}
    missing = [name for name in _names(Study) if name not in _keys(tables) and name.partition(".")[0] not in own]
    assert missing == []
    for line in text.splitlines():
        if " = " in line and line.partition(" = ")[0] in ("seed", "raters", "limit_s", "back", "catch_right", "card"):
            assert "# " in line, line


def _names(kind: Any, place: str = "") -> list[str]:
    out = []
    for one in fields(kind):
        out.append(place + one.name)
        if is_dataclass(one.default) and not isinstance(one.default, type):
            out += _names(type(one.default), f"{place}{one.name}.")
    return out


def _keys(tables: dict[str, Any], place: str = "") -> set[str]:
    out: set[str] = set()
    for name, value in tables.items():
        out.add(place + name)
        if isinstance(value, dict):
            out |= _keys(value, f"{place}{name}.")
    return out


def test_the_same_seed_writes_the_same_file_and_another_other_items(tmp_path: Path) -> None:
    file = tmp_path / "p.toml"
    one, again, other = (written(Wish("vrex", "p", seed=seed), file) for seed in (1, 1, 2))
    assert one == again
    assert parse_study(one).practice.ids != parse_study(other).practice.ids


def test_another_language_is_written_as_blanks_and_listed_as_lacking(tmp_path: Path) -> None:
    study = parse_study(written(Wish("voila:ND", "p", languages=("de",)), tmp_path / "p.toml"))
    assert blocking(study) == [blank for blank in blanks_of(study) if blank[0][0] != "reporting"]
    missing = {place[2:] for place, _ in lacking(study, "de")}
    assert ("labels", "woman") in missing
    assert ("labels", "subject") in missing
    assert ("ui", "next") in missing
    assert ("questions", "age") in missing
    assert ("questions", "eyesight.Yes") in missing
    assert lacking(study, "en") == []
    labels = "\n".join(f'"{value}" = "X{number}"' for number, value in enumerate(labels_of(study)))
    ui = "\n".join(f'{name} = "Y"' for name in UI)
    questions = "\n".join(
        f'"{".".join(place[3:])}" = "Z"' for place, _ in lacking(study, "de") if place[2] == "questions"
    )
    whole = (
        'name = "p"\nbenchmark = "voila:ND"\nlanguage = "de"\n[text.de]\ntitle = "T"\nconsent = "C"\n'
        f'instructions = "I"\ndebrief = "D"\n[text.de.labels]\n{labels}\n[text.de.ui]\n{ui}\n'
        '[[before]]\nid = "age"\ntext = "How old?"\nkind = "number"\n'
        '[[before]]\nid = "eyesight"\ntext = "See?"\noptions = ["Yes", "No"]\n'
    )
    assert [place[2] for place, _ in lacking(parse_study(whole), "de")] == ["questions"] * 4
    asked = [line for line in questions.splitlines() if line.startswith(('"age', '"eyesight'))]
    assert lacking(parse_study(whole + "[text.de.questions]\n" + "\n".join(asked)), "de") == []


def test_words_are_shown_in_the_studys_language() -> None:
    study = parse_study(
        'name = "p"\nbenchmark = "voila:WD"\nlanguage = "de"\n[text.de]\n[text.de.labels]\nwoman = "Frau"\n'
        'dog = "Hund"\nany = "egal"\n[text.de.ui]\nprogress = "{done} von {total}"\n'
    )
    wording = Wording(study)
    among = ("dog", "woman", "any")
    assert wording.labels(among) == ("Hund", "Frau", "egal")
    assert wording.ui("progress", done=3, total=20) == "3 von 20"
    assert wording.ui("next") == "Next"


def test_nothing_is_written_over_and_nothing_half(tmp_path: Path) -> None:
    file = tmp_path / "p.toml"
    save("one", file)
    with pytest.raises(UsageError, match="there is a file of that name"):
        save("two", file)
    assert file.read_text() == "one"
    with pytest.raises(UsageError, match="cannot be written"):
        save("three", tmp_path / "no" / "p.toml")
    bad = tmp_path / "bad.csv"
    bad.write_text("img1,img2\n1,2\n")
    with pytest.raises(DataError):
        written(Wish("voila:ND", "p", data=bad), file)
    for language, said in (("en", "written anyway"), ('d"e', "no language"), ("", "no language")):
        with pytest.raises(UsageError, match=said):
            written(Wish("voila:ND", "p", languages=(language,)), tmp_path / "q.toml")
    with pytest.raises(UsageError, match="no protocol"):
        written(Wish("voila:ND", "p", protocol="l2n"), tmp_path / "q.toml")


@pytest.mark.parametrize(
    ("file", "name"),
    [("people.toml", "people"), ("My study (2).toml", "My-study-2"), ("猫.toml", "猫"), ("!!.toml", "study")],
)
def test_a_study_is_called_after_its_file(file: str, name: str) -> None:
    assert named_after(Path(file)) == name


def test_the_checklist_is_filled_from_the_file_the_reporting_table_and_the_store(tmp_path: Path) -> None:
    study = parse_study(
        'name = "p"\nbenchmark = "voila:WD"\nseed = 3\n[items]\nsample = 40\n'
        '[conditions.paper]\nprotocol = "direct"\n'
        'examples = ["voila-1", "voila-2"]\n[exclude]\ncatch_right = 0.8\n'
        '[reporting]\nethics = "board 7"\nrecruitment = "<FILL IN: how>"\n'
    )
    by_key = {one.entry.key: one for one in filled(study, {"size": "8 people"})}
    assert by_key["items"].answer == "40 items drawn with seed 3 of voila:WD"
    assert "2 worked examples" in by_key["protocol"].answer
    assert "fewer than 80% of catch trials right" in by_key["quality"].answer
    assert by_key["ethics"].answer == "board 7"
    assert (by_key["recruitment"].answer, by_key["recruitment"].said) == (OPEN, False)
    assert by_key["size"].answer == "8 people"
    assert not by_key["agreement"].said
    keys = [entry.key for entry in ENTRIES]
    assert len(keys) == len(set(keys))
    assert {entry.key for entry in ENTRIES if entry.source == "reporting"} == {one.name for one in fields(Reporting)}
