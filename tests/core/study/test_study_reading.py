"""A study's file: what it says is read, and everything wrong in it is told together, with lines and nearest names."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import pytest

from core.errors import ConfigError, PhoropterError
from core.study.reading import parse_study, read_study, study_of
from core.toml_places import line_of, places

LEAST = 'name = "pilot"\nbenchmark = "voila:WD"\n'


def problem(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_study(textwrap.dedent(text))
    return str(caught.value)


def lines(text: str) -> list[str]:
    """The problems, each on its line."""
    return [line.strip() for line in problem(text).splitlines()[1:]]


def test_a_name_and_a_benchmark_are_enough() -> None:
    study = parse_study(LEAST)
    assert (study.name, study.benchmark, study.design.raters) == ("pilot", "voila:WD", 3)
    assert list(study.ways) == [""]


def test_what_the_store_keeps_reads_back_and_holds_no_key() -> None:
    study = parse_study(
        LEAST + 'experimenter_key = "blue door"\n[conditions.paper]\nprotocol = "direct"\nexamples = ["voila-1"]\n'
        '[[gate]]\nid = "g"\ntext = "?"\noptions = ["a", "b"]\nanswer = "b"\n'
        '[text.en]\nlabels = { any = "no rule" }\n'
    )
    kept = study.to_json()
    assert "blue" not in str(kept)
    again = study_of(kept)
    assert again.asked == study.asked
    assert again.digest == study.digest
    for each in (study, again):
        assert each.unlocked_by("blue door")
        assert each.unlocked_by(" blue door ")
        assert not each.unlocked_by("blue")
        assert not each.unlocked_by(kept["experimenter_key"])
    assert not parse_study(LEAST).unlocked_by("")
    assert not parse_study(LEAST + 'experimenter_key = "  "\n').unlocked_by("  ")


def test_the_digest_covers_what_is_asked_and_nothing_else() -> None:
    plain = parse_study(LEAST).digest
    for same in ('pictures = "drawn"\n', 'experimenter_key = "k"\n', '[reporting]\nethics = "board 7"\n'):
        assert parse_study(LEAST + same).digest == plain
    for other in ("seed = 1\n", "[design]\nraters = 4\n", '[text.en]\nconsent = "Yes?"\n'):
        assert parse_study(LEAST + other).digest != plain


def test_all_problems_are_told_together_in_the_order_of_the_file() -> None:
    found = lines(
        """
        name = "a b"
        benchmark = "voila:WD"
        seed = -1
        colour = "red"
        [desgin]
        raters = 3
        [timing]
        limit_s = nan
        break_every = "five"
        [conditions.one]
        protocl = "direct"
        [[gate]]
        id = "a"
        text = "x"
        [[gate]]
        id = "b"
        txt = "y"
        """
    )
    assert [line.partition(":")[0] for line in found] == [
        "name (line 2)",
        "seed (line 4)",
        "colour (line 5)",
        "desgin (line 6)",
        "timing.break_every (line 10)",
        "conditions.one.protocl (line 12)",
        "gate.1.text (line 16)",
        "gate.1.txt (line 18)",
    ]
    assert found[3].endswith("the nearest is design")
    assert found[4].endswith("must be a whole number, not a text")
    assert found[5].endswith("the nearest is protocol")
    assert found[7].endswith("the nearest is text")


def test_what_no_type_can_say_is_judged_too() -> None:
    found = lines(
        LEAST
        + """
        gate_attempts = 0
        [items]
        ids = ["voila-1", "voila-1"]
        sample = 4
        [practice]
        ids = ["voila-1"]
        [design]
        blocks = 3
        per_session = 2
        conditions = "within"
        stratify = "rules"
        [timing]
        limit_s = inf
        [answers]
        confidence = 1
        [exclude]
        catch_right = 80.0
        [conditions.a]
        protocol = "l2n"
        [conditions.b]
        options = { examples = "maybe" }
        protocol = "direct"
        [conditions.c]
        options = { generate = "yes" }
        [conditions.d]
        picture_px = -1
        """.replace("\n        ", "\n")
    )
    told = {line.split(" ")[0].rstrip(":"): line for line in found}
    assert set(told) == {
        "gate_attempts",
        "items.ids",
        "practice.ids",
        "design.blocks",
        "design.stratify",
        "timing.limit_s",
        "answers.confidence",
        "exclude.catch_right",
        "conditions.a.protocol",
        "conditions.b.options",
        "conditions.c.options",
        "conditions.d.picture_px",
    }
    assert "nearest is rule" in told["design.stratify"]
    assert "nearest is l2m" in told["conditions.a.protocol"]
    assert "cannot be 'maybe'" in told["conditions.b.options"]
    assert "people draw no pictures" in told["conditions.c.options"]
    assert "from 0 to 1, not 80" in told["exclude.catch_right"]


def test_questions_can_be_answered() -> None:
    found = lines(
        LEAST
        + """
        [[gate]]
        id = "one"
        text = "Which?"
        options = ["a", "b"]
        answer = "c"
        [[gate]]
        id = "two"
        text = "How many?"
        kind = "number"
        answer = "some"
        [[gate]]
        id = "three"
        text = "How far?"
        kind = "scale"
        points = 5
        answer = "6"
        required = false
        [[before]]
        id = "one"
        text = " "
        options = ["a", "a", ""]
        [[after]]
        id = "four"
        text = "Well?"
        kind = "text"
        options = ["x"]
        answer = "x"
        """.replace("\n        ", "\n")
    )
    assert [line.partition(":")[0].partition(" ")[0] for line in found] == [
        "gate.0.answer",
        "gate.1.answer",
        "gate.2.answer",
        "gate.2.required",
        "before.0.id",
        "before.0.text",
        "before.0.options",
        "before.0.options",
        "after.0.options",
        "after.0.answer",
    ]


def test_labels_are_of_values_there_are_and_tell_them_apart() -> None:
    found = lines(
        LEAST
        + """
        language = "fr"
        [text.de.labels]
        man = "Person"
        woman = "person"
        womn = "Frau"
        dog = ""
        [text.de.ui]
        nxt = "Weiter"
        [text.de.questions]
        agee = "Wie alt?"
        [[before]]
        id = "age"
        text = "How old?"
        kind = "number"
        """.replace("\n        ", "\n")
    )
    told = {line.split(" ")[0].rstrip(":"): line for line in found}
    assert "no table [text.fr]" in told["language"]
    assert "as man is" in told["text.de.labels.woman"]
    assert "nearest is woman" in told["text.de.labels.womn"]
    assert "is empty" in told["text.de.labels.dog"]
    assert "nearest is next" in told["text.de.ui.nxt"]
    assert "nearest is age" in told["text.de.questions.agee"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf  \r\n", "the file is empty"),
        (b"\xff\xfen\x00a\x00", "not UTF-8"),
        (b"PK\x03\x04zip", "no valid TOML"),
        (b"name = 'x'\nname = 'y'\n", "no valid TOML"),
        (b"a = " + b"[" * 3000 + b"]" * 3000, "nested too deep"),
        (b"seed = " + b"9" * 5000, "no usable TOML"),
        (b"# " + b"x" * (4 * 1024 * 1024) + b"\n", "larger than 4 MB"),
        (b"3 = 4\n", "benchmark: is missing"),
        (b"name = 1979-05-27\nbenchmark = ['voila']\n", "benchmark (line 2): must be a text, not a list"),
        ("name = 'p'\nbenchmark = 'voila:ΨΔ'\n".encode(), "benchmark (line 2)"),
        ("name = 'a\u202eb'\nbenchmark = 'mmra'\n".encode(), "name (line 1)"),
        (b"name = 'p'\nbenchmark = 'mmra'\nseed = 99999999999999999999\n", "seed (line 3)"),
        (b"name = 'p'\nbenchmark = 'mmra'\nitems = 3\ngate = {}\n", "items (line 3): must be a table, not a number"),
        (b"name = 'p'\nbenchmark = 'mmra'\ndata = " + rb'"a\u0000b"', "NUL"),
    ],
)
def test_a_hostile_file_gets_one_message(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "study.toml"
    file.write_bytes(content)
    with pytest.raises(PhoropterError) as caught:
        read_study(file)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 2000
    assert caught.value.exit_status == 2


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, said in (("no", "No such file"), (".", "Is a directory"), ("pipe", "it is a pipe")):
        with pytest.raises(ConfigError, match=said):
            read_study(tmp_path / name)


def test_a_mark_at_the_start_and_lines_of_windows_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_bytes(
        b"\xef\xbb\xbf" + LEAST.replace("\n", "\r\n").encode() + b'[text.en]\r\nconsent = "\xe7\x8c\xab"\r\n'
    )
    study = read_study(file)
    assert study.texts.consent == "猫"
    file.write_bytes(b"\xef\xbb\xbf" + LEAST.replace("\n", "\r\n").encode() + b"sed = 3\r\n")
    with pytest.raises(ConfigError, match=r"sed \(line 3\)"):
        read_study(file)


def test_places_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(LEAST + 'data = "d/v.csv"\npictures = "drawn"\nprompts = "/p.toml"\n', encoding="utf-8")
    study = read_study(file)
    assert (study.data, study.pictures, study.prompts) == (str(tmp_path / "d/v.csv"), "drawn", "/p.toml")


def test_lines_are_found_whatever_stands_in_texts_and_lists() -> None:
    text = textwrap.dedent('''\
        a = """
        [no.table]
        b = 1
        quoted \\""" and on
        """
        c = [
          "x = 1",  # ]
          "[t]",
        ]
        "d e".f = 2
        g = """one""" # """
        [t]
        h.i = {
        # inline
        }
        [[l]]
        j = 1
        [l.m]
        k = 2
        [[l]]
        j = 3
        [[l.n]]
        o = 4
        ''')
    found = places(text)
    where = {".".join(place): line for place, line in found.items()}
    assert where == {
        "a": 1, "c": 6, "d e": 10, "d e.f": 10, "g": 11, "t": 12, "t.h": 13, "t.h.i": 13, "l": 16, "l.0": 16,
        "l.0.j": 17, "l.0.m": 18, "l.0.m.k": 19, "l.1": 20, "l.1.j": 21, "l.1.n": 22, "l.1.n.0": 22, "l.1.n.0.o": 23,
    }  # fmt: skip
    assert line_of(("l", "1", "missing"), found) == 20
    assert line_of(("nowhere",), found) == 0
