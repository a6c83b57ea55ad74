"""Pictures that were made as answers, out of the store and into files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from core.errors import UsageError
from core.records import SentPicture, Trajectory
from sessions import reading
from sessions.store import Store
from tui.cli.output import say
from tui.counting import counted
from tui.inert import one_line

_UNFIT: Final = re.compile(r"[^\w.-]+")
_LONGEST: Final = 80
_LONGEST_ENDING: Final = 16


def save_made(store: Store, trajectories: Iterable[Trajectory], folder: Path) -> None:
    """Write each picture that a step was answered with as ITEM-TRAJECTORY-STEP.png, readable by the owner alone.

    The folder is made where it is missing; a file of that name that holds something else is never overwritten. Says
    on stderr what was written. Raises UsageError where it cannot be.
    """
    written = 0
    for trajectory in trajectories:
        for index, step in enumerate(trajectory.steps, 1):
            picture = step.answer.picture
            data = reading.picture(store, picture.hash) if picture is not None else None
            if picture is not None and data is not None:
                place = f"{trajectory.item.id[:_LONGEST]}-{trajectory.id}-{index}-{step.turn.step}"
                name = f"{place}.{_ending(picture)}"  # ids and types are as somebody else wrote them
                _write(folder, fit_name(name), data)
                written += 1
    say(
        f"{counted(written, 'picture')} in {one_line(str(folder))}"
        if written
        else "no step was answered with a picture"
    )


def fit_name(name: str) -> str:
    """The name as one that any file can have."""
    return _UNFIT.sub("_", name).lstrip(".") or "_"


def _write(folder: Path, name: str, data: bytes) -> None:
    file = folder / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if file.is_file() and file.read_bytes() == data:
            return
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as stream:  # noqa: PTH123  a descriptor, so that it is the owner's from the start
            stream.write(data)
    except FileExistsError:
        raise UsageError(
            "there is another file of that name", where=str(file), remedy="Name another folder"
        ) from None
    except OSError as error:
        raise UsageError(f"the picture cannot be written ({error.strerror})", where=str(file)) from None


def _ending(picture: SentPicture) -> str:
    return picture.mime.partition("/")[2][:_LONGEST_ENDING] or "png"
