"""Prompts replaced from a file, one by one, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ConfigError
from core.prompts import built_in, filled, prompt_hashes, prompts_for


def test_a_file_replaces_single_prompts(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[voila]\nrelate = "What differs?"\n[vrex]\nfinal = "Well?"\n', encoding="utf-8")
    prompts = prompts_for("voila", file)
    assert prompts["relate"] == "What differs?"
    assert prompts["describe"] == built_in("voila")["describe"]


def test_a_changed_prompt_changes_its_hash_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[voila]\nrelate = "What differs?"\n', encoding="utf-8")
    before, after = prompt_hashes("voila", prompts_for("voila")), prompt_hashes("voila", prompts_for("voila", file))
    assert {name for name in before if before[name] != after[name]} == {"voila.relate"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'[voila]\nrelte = "x"', "Did you mean relate"),
        (b"[voila]\nrelate = 3", "must be text"),
        (b'[voila]\nrelate = " "', "not empty"),
        (b"[voila\n", "no TOML"),
        (b"", "no table [voila]"),
        (b"\xff\xfe[\x00", "not UTF-8"),
    ],
)
def test_a_bad_prompts_file_is_named_with_what_is_wrong(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as refused:
        prompts_for("voila", file)
    assert says in str(refused.value)
    assert str(file) in str(refused.value)


def test_a_missing_prompts_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        prompts_for("voila", tmp_path / "none.toml")


def test_only_named_placeholders_are_filled() -> None:
    assert filled("{images} and {number} and {", images="three") == "three and {number} and {"


def test_braces_in_a_value_are_nobodys_placeholder() -> None:
    assert filled("{question} A: {A}", question="Is {A} right?", A="{question}") == "Is {A} right? A: {question}"
