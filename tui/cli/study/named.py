"""Which study a command is about: a study's file, or the name of one that the store holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from core.files import user_path

Named: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE|NAME", parser=user_path, help="The study's file, or its name in the store.")
]


def study_name(given: Path) -> str:
    """The name that the file says; what is no file is a name. Raises ConfigError for an unusable file."""
    if given.is_file():
        from core.study.reading import read_file

        return read_file(given).study.name
    return str(given)
