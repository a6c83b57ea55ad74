"""The desktop's own viewer on a picture, as a file that is the owner's alone and goes when the app ends."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.errors import UsageError
from core.respondents.secret import without_secrets
from tui.outside.places import Offer

PATIENCE: Final = 5.0
"""Seconds that a viewer's starter may take to say that it cannot; some stay as long as the viewer does."""


class Desktop:
    """Opens pictures with ``command``, each as a file in a folder of its own. ``close`` removes them."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._count = 0

    def open(self, offer: Offer, patience: float = PATIENCE) -> None:
        """Start the viewer; returns once its starter is done, or still there after ``patience`` seconds. Call it in a
        thread. Raises UsageError where it cannot be started or fails."""
        try:
            process = subprocess.Popen(  # noqa: S603  a known command, no shell
                [*self._command, str(self._written(offer))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=without_secrets(os.environ),
                start_new_session=True,  # a ctrl+c in this terminal is not meant for it
            )
        except OSError as error:
            raise UsageError(f"the viewer cannot be started ({error.strerror})", where=self._command[0]) from error
        try:
            status = process.wait(patience)
        except subprocess.TimeoutExpired:
            return
        if status:
            raise UsageError(
                f"the viewer ended with status {status}",
                where=self._command[0],
                remedy="Is a program for pictures installed?",
            )

    def close(self) -> None:
        """Remove the files. A viewer that still shows one has read it."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _written(self, offer: Offer) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="phoropter-", ignore_cleanup_errors=True)
        self._count += 1
        path = Path(self._folder.name, f"{self._count}{offer.ending}")
        path.touch(mode=0o600)
        path.write_bytes(offer.data)
        return path
