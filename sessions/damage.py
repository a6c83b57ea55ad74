"""A command that breaks off at a stored value is no fault of the program where the store is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.errors import StoreError
from sessions.values import BREAKS

MOST: Final = 512 * 1024 * 1024
"""Bytes of a store that is looked through at once: a larger one takes longer than who waits for an error does."""
_MEANT: Final = (*BREAKS, StopIteration, ExceptionGroup)

DOCTOR: Final = "`phoropter doctor` says what is damaged, and what to do"


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What breaks inside it is told by :func:`tell`."""
    try:
        yield
    except Exception as error:
        tell(error, path)
        raise


def tell(error: BaseException | None, path: Path) -> None:
    """Raises StoreError where reading ended in an error of ours that the store at ``path`` explains: it is damaged.
    Whatever reads or counts stored values may meet one that no part of this program wrote, in any form."""
    if not isinstance(error, _MEANT):
        return
    if _large(path):  # whoever wants to know has to wait for it
        error.add_note(f"if the store is damaged, {DOCTOR}")
    elif what := found_in(path):
        raise StoreError(what, where=str(path), remedy=DOCTOR) from error


def found_in(path: Path) -> str:
    """The first damage that is found in the rows, in words, "" where all is well."""
    from sessions.doctor import damage  # it reads the store through what imports this

    finding = damage(path)
    return f"the store is damaged: {finding.check}: {finding.what}" if finding is not None else ""


def _large(path: Path) -> bool:
    try:
        return path.stat().st_size > MOST
    except OSError:
        return True
