"""The model's files go with the program."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path

from core.respondents import eyes

ROOT = Path(__file__).parents[3]


def test_every_file_of_the_model_is_package_data() -> None:
    kept = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = kept["tool"]["setuptools"]["package-data"]["*"]
    files = [file.name for file in eyes.folder().iterdir() if file.is_file() and file.suffix != ".py"]
    assert {"config.json", "model.safetensors", "processor_config.json", "tokenizer.json", eyes.ANSWERS} <= set(files)
    assert [name for name in files if not any(fnmatch(name, pattern) for pattern in patterns)] == []


def test_who_answers_in_the_demonstration_is_the_model_where_it_can_run() -> None:
    assert eyes.for_demo() in (eyes.NAME, eyes.RECORDED)
