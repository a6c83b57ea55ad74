"""``study people``, ``study deal`` and ``study simulate`` as processes."""

from __future__ import annotations

from pathlib import Path

from tests.end_to_end.commands import phoropter, told

STUDY = """
name = "small"
benchmark = "voila:ND"
pictures = "drawn"
experimenter_key = "let me"
[items]
sample = 12
[conditions.paper]
protocol = "direct"
[design]
raters = 2
per_session = 4
no_picture_twice = "session"
[text.en]
consent = "Do you agree?"
instructions = "Look, and answer."
"""


def test_a_study_is_simulated_dealt_and_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(STUDY, encoding="utf-8")
    sat = told(tmp_path, "study", "simulate", file, 4, "--skill", "1", "--store", "s.db")
    assert [one["answered"] for one in sat["people"]] == [4] * 4
    assert sat["coverage"]["done"] == 16
    more = phoropter(tmp_path, "study", "simulate", file, 3, "--store", "s.db")
    assert more.returncode == 0
    assert "no slot was left for 1 more person" in more.stderr
    assert "24 of 24 answers of simulated people are there" in more.stdout

    assert phoropter(tmp_path, "study", "people", file, "--issue", 2, "--store", "s.db").stdout == "P01\nP02\n"
    dealt = told(tmp_path, "study", "deal", file, "--stations", 2, "--store", "s.db")
    assert [one["pseudonyms"] for one in dealt["stations"]] == [
        ["A01", "A02", "A03", "A04"],
        ["B01", "B02", "B03", "B04"],
    ]
    assert (dealt["coverage"]["dealt"], dealt["coverage"]["free"]) == (24, 0)
    station = phoropter(tmp_path, "study", "people", file, "--store", "small-station2.db")
    assert [line.split()[0] for line in station.stdout.splitlines()] == ["B01", "B02", "B03", "B04"]
    back = told(tmp_path, "study", "deal", file, "--take-back", "station1", "--store", "s.db")
    assert (back["freed"], back["coverage"]["free"]) == (12, 12)

    refused = phoropter(tmp_path, "study", "deal", file, "--stations", 9, "--store", "s.db")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "small-station1.db: there is a file of that name already" in refused.stderr
