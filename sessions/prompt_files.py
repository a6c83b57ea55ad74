"""Prompts written on the screen and put in over many items: files beside the store, as ``prompt:FILE`` names them.

A run's recipe and its command name the file, so that it stays. The same words are the same file.
"""

from __future__ import annotations

import tempfile
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
    words = f"{text}\n".encode()
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if not file.is_file() or file.read_bytes() != words:  # a run that begins now may be reading it
            with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{step}-", delete=False) as stream:
                stream.write(words)
            Path(stream.name).replace(file)
    except OSError as error:
        raise UsageError(f"the prompt cannot be kept ({error.strerror or error})", where=where) from None
    return file
