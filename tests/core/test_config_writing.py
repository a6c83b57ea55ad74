"""phoropter.toml as the app writes it: comments and order stay, all of it or nothing, for the owner alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import load_config
from core.config_writing import add_respondent, set_app
from core.errors import ConfigError, UsageError

COMMENTED = """# mine
[respondents.b]   # the big one
kind = "openai"
model = "b"       # not a

# colours
[app]
mouse = false     # the terminal's
"""


def written(folder: Path, text: str = COMMENTED) -> Path:
    path = folder / "phoropter.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_choice_is_written_and_every_comment_stays(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert set_app(path, {"theme": "light"}).theme == "light"
    text = path.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line != 'theme = "light"'] == COMMENTED.splitlines()
    set_app(path, {"theme": None})
    assert path.read_text(encoding="utf-8") == COMMENTED
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_respondent_is_added_and_read_back(tmp_path: Path) -> None:
    for path in (written(tmp_path), tmp_path / "new" / "phoropter.toml"):
        add_respondent(path, "gpt 4.o", {"kind": "openai", "model": "gpt", "api_key_env": "OPENAI_API_KEY"})
        found = load_config(path)
        assert found.respondents["gpt 4.o"].model == "gpt"
        assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [entry.name for entry in path.parent.iterdir()] == ["phoropter.toml"]


@pytest.mark.parametrize(
    ("name", "entries", "error", "words"),
    [
        ("b", {"kind": "openai", "model": "x"}, UsageError, "already"),
        ("c", {"kind": "openai"}, ConfigError, "is missing"),
        ("c", {"kind": "open-ai", "model": "x"}, ConfigError, "the nearest is openai"),
        ("c", {"kind": "openai", "model": "x", "api_key_env": "sk-12345"}, ConfigError, "never the key itself"),
    ],
)
def test_what_would_be_unusable_is_not_written(
    tmp_path: Path, name: str, entries: dict[str, object], error: type[Exception], words: str
) -> None:
    path = written(tmp_path)
    with pytest.raises(error, match=words) as caught:
        add_respondent(path, name, entries)
    assert "12345" not in str(caught.value)
    assert path.read_text(encoding="utf-8") == COMMENTED


def test_a_file_of_odd_forms_is_changed_or_left_as_it_is(tmp_path: Path) -> None:
    inline = written(tmp_path, 'respondents = { a = { kind = "openai", model = "m" } }\napp = { mouse = true }\n')
    add_respondent(inline, "z", {"kind": "openai", "model": "n"})
    assert set(set_app(inline, {"theme": "dark"}).respondents) == {"a", "z"}
    broken = written(tmp_path, "app = 3\n")
    with pytest.raises(ConfigError, match="cannot be changed"):
        set_app(broken, {"theme": "dark"})
    assert broken.read_text(encoding="utf-8") == "app = 3\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    path = tmp_path / "phoropter.toml"
    path.symlink_to(written(tmp_path / "dotfiles"))
    set_app(path, {"theme": "light"})
    assert path.is_symlink()
    assert load_config(path).theme == "light"


def test_images_of_no_kind_are_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the nearest is sixel"):
        load_config(written(tmp_path, '[app]\nimages = "sixels"\n'))
