"""Writes a pack's files so that the same tables give the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image

SEED = 2025

NOTE = (
    "A demonstration: items and pictures are the project's own, few and simple. "
    "Scores on them are no scores on the published benchmark."
)


def save_picture(image: Image.Image, file: Path) -> None:
    """The picture as PNG."""
    file.parent.mkdir(parents=True, exist_ok=True)
    image.save(file, format="PNG", optimize=True)


def save_text(text: str, file: Path) -> str:
    """``text`` in ``file``; returns its SHA-256."""
    file.parent.mkdir(parents=True, exist_ok=True)
    raw = text.encode("utf-8")
    file.write_bytes(raw)
    return hashlib.sha256(raw).hexdigest()


def as_lines(records: Sequence[Mapping[str, object]]) -> str:
    """JSON, one record a line."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def as_list(records: Sequence[Mapping[str, object]]) -> str:
    """A JSON list, indented."""
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def save_card(card: Mapping[str, object], file: Path) -> None:
    """A pack's card."""
    save_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", file)
