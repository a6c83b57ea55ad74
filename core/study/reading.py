"""A study's file read: every problem in it together, each with its line and the nearest known name."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from core.errors import ConfigError
from core.files import read_text, user_path
from core.study.definition import Study
from core.toml_places import Problem, listed

LARGEST: Final = 4 * 1024 * 1024
"""No study's file is larger, in bytes."""
_NAMELESS: Final = {"name": "", "benchmark": ""}


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A study, the file it was read from, and that file's text, for the numbers of lines."""

    path: Path
    text: str = field(repr=False)
    study: Study

    def refusal(self, problems: Sequence[Problem]) -> ConfigError:
        """The error that lists the problems with their lines."""
        return ConfigError(listed(problems, self.text), where=str(self.path))


def read_study(path: Path, where: str = "") -> Study:
    """The study of a file; its data, pictures and prompts, where named, as whole paths beside the file.

    Raises ConfigError that lists every problem.
    """
    return read_file(path, where).study


def read_file(path: Path, where: str = "") -> StudyFile:
    """The same with the file it stands in."""
    path = user_path(path, where)
    text = read_text(path, "the study's file", error=ConfigError, limit=LARGEST)
    if not text.strip():
        raise ConfigError("the file is empty", where=str(path), remedy="Make one with `phoropter study new`")
    return StudyFile(path, text, parse_study(text, str(path), path.parent.absolute()))


def parse_study(text: str, where: str = "the study's file", folder: Path | None = None) -> Study:
    """The study of a file's text. ``folder`` is what its paths are relative to. Raises ConfigError."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"no valid TOML: {error}", where=where) from None
    except RecursionError:
        raise ConfigError("no usable TOML: it is nested too deep", where=where) from None
    except ValueError as error:  # a number of thousands of digits
        raise ConfigError(f"no usable TOML: {error}", where=where) from None
    from core.study.rules import problems_of  # pydantic and the benchmarks, once there is something to check
    from core.toml_records import record

    problems: list[Problem] = []
    study: Study | None = record(Study, tables, (), problems)
    unread = {place[0] for place, _ in problems}
    readable = {name: table for name, table in tables.items() if name not in unread}
    rest = study or record(Study, _NAMELESS | readable, (), [])
    problems += problems_of(rest, unread)
    if problems or study is None:
        raise ConfigError(listed(problems, text), where=where)
    return study if folder is None else _placed(study, folder)


def study_of(stored: Mapping[str, Any]) -> Study:
    """What :meth:`Study.to_json` kept."""
    from pydantic import TypeAdapter

    return TypeAdapter(Study).validate_json(json.dumps(stored))


def _placed(study: Study, folder: Path) -> Study:
    """With whole paths in place of those relative to the study's file."""

    def whole(name: str) -> str:
        return str(folder / user_path(name)) if name else ""

    pictures = study.pictures if study.pictures == "drawn" else whole(study.pictures)
    return replace(study, data=whole(study.data), pictures=pictures, prompts=whole(study.prompts))
