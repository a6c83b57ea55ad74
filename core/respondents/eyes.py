"""``eyes``: the small model that ships with the program, live where torch is installed, recorded everywhere."""

from __future__ import annotations

import importlib.util
from importlib import resources
from pathlib import Path
from typing import Final

from core.respondents.settings import LocalSettings

NAME: Final = "eyes"
RECORDED: Final = "eyes-recorded"
"""Its answers about the built-in packs, as a replay."""

MODEL: Final = "phoropter/eyes"
"""What it is called where a model is named; it lies in the folder :func:`folder`, wherever the program is."""

ANSWERS: Final = "answers.jsonl"
REMEDY: Final = "Plain answers and those after a gold step are recorded; with phoropter[local] eyes answers anything"

SETTINGS: Final = LocalSettings(model=MODEL, dtype="float32", device="cpu", batch_size=8, max_tokens=160)
"""As it is asked under its name; float32, so that an answer does not depend on its batch."""


def folder() -> Path:
    """The folder of the model's files and the recorded answers."""
    return Path(str(resources.files("assets.eyes")))


def for_demo() -> str:
    """Who answers in the demonstration: the model where it can run, else its recorded answers."""
    live = all(importlib.util.find_spec(package) is not None for package in ("torch", "transformers"))
    return NAME if live else RECORDED
