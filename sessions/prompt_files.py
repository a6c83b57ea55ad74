"""Prompts written on the screen and put in over many items: files beside the store, as ``prompt:FILE`` names them.

A run's recipe and its command name the file, so that it stays. The same words are the same file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import UsageError
from core.records import digest

if TYPE_CHECKING:
    from sessions.store import Store


def keep_prompt(store: Store, step: str, text: str) -> Path:
    """The file with these words, made where there is none; readable by its owner alone. Raises UsageError where it
    cannot be written."""
    folder = store.path.absolute().with_name(f"{store.path.name}.prompts")
    file = folder / f"{step}-{digest(text)[:12]}.txt"
    where = str(file)
    if store.read_only:
        raise UsageError("nothing can be written beside this store, so the prompt cannot be kept", where=where)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(handle, "w", encoding="utf-8", newline="") as stream:  # noqa: PTH123  made with its mode
            stream.write(f"{text}\n")
    except OSError as error:
        raise UsageError(f"the prompt cannot be kept ({error.strerror or error})", where=where) from None
    return file
