"""The options that the commands of ``phoropter study`` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from core.files import user_path

File: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE", parser=user_path, help="The study's file.")]
