"""The card beside a fetched set, SOURCE.json, and the list of its files with their hashes.

A set's folder holds ``SOURCE.json``, ``CITATION.bib``, ``MANIFEST.sha256`` (as ``sha256sum --check`` reads it) and
the files themselves under ``data``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from core.errors import DataError, Problem
from core.fetching.kinds import unusable_name
from core.fetching.staging import Origin

CARD: Final = "SOURCE.json"
CITATION: Final = "CITATION.bib"
MANIFEST: Final = "MANIFEST.sha256"
DATA: Final = "data"
FORMAT: Final = 1

_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Card:
    """What a set is and where it came from, as SOURCE.json keeps it.

    ``source`` is core.fetching.staging.Origin as JSON. ``items``, ``questions`` and ``groups`` were counted, None
    where nobody could; ``expected`` is what the paper says of the same. ``data_sha256`` is what identifies the data
    in a run, where a loader read it.
    """

    benchmark: str
    subset: str
    source: Mapping[str, str]
    fetched: str
    by: str
    validated: bool
    items: int | None
    questions: int | None
    groups: Mapping[str, Mapping[str, int]]
    expected: Mapping[str, int]
    differences: tuple[str, ...]
    bad_rows: int
    pictures_missing: int
    files: int
    bytes: int
    data_files: tuple[str, ...]
    data_sha256: str
    manifest_sha256: str
    licence: str
    licence_stated: bool
    licence_note: str
    citation: str
    format: int = field(default=FORMAT)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def name(self) -> str:
        """``voila:ND``, or the benchmark alone."""
        return f"{self.benchmark}:{self.subset}" if self.subset else self.benchmark


def read(folder: Path) -> Card | None:
    """The card of a set's folder, None where there is none. Raises DataError for one that cannot be read."""
    file = folder / CARD
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        known = {name: stored[name] for name in Card.__dataclass_fields__}
        for name, of in Card.__dataclass_fields__.items():
            if not _HOLDS[str(of.type)](known[name]):
                raise TypeError(name)
        Origin(**known["source"])
        known |= {name: tuple(known[name]) for name in ("differences", "data_files")}
        return Card(**known)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        what = f"is no card of this version's ({type(error).__name__})"
        remedy = "Move its folder away and fetch the set again"
        raise DataError([Problem(str(file), 0, "", what)], remedy=remedy) from error


def _mapping(of: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda held: isinstance(held, dict) and all(map(of, held.values()))


def _text(held: Any) -> bool:
    return isinstance(held, str)


def _whole(held: Any) -> bool:
    return isinstance(held, int) and not isinstance(held, bool)


_HOLDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "str": _text,
    "bool": lambda held: isinstance(held, bool),
    "int": _whole,
    "int | None": lambda held: held is None or _whole(held),
    "tuple[str, ...]": lambda held: isinstance(held, list) and all(map(_text, held)),
    "Mapping[str, str]": _mapping(_text),
    "Mapping[str, int]": _mapping(_whole),
    "Mapping[str, Mapping[str, int]]": _mapping(_mapping(_whole)),
}
"""By a field's type, what it holds in JSON: a set may have been carried here from somebody else's machine."""


def write(folder: Path, card: Card, files: Mapping[PurePosixPath, tuple[str, int]]) -> None:
    """Card, citation and manifest into the set's folder."""
    _put(folder / MANIFEST, manifest(files))
    _put(folder / CITATION, card.citation)
    _put(folder / CARD, json.dumps(card.to_json(), ensure_ascii=False, indent=2) + "\n")


def _put(file: Path, text: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())


def manifest(files: Mapping[PurePosixPath, tuple[str, int]]) -> str:
    """The files and their hashes, a line each, in order of their names."""
    return "".join(f"{files[path][0]}  {DATA}/{path}\n" for path in sorted(files))


def manifest_sha256(files: Mapping[PurePosixPath, tuple[str, int]]) -> str:
    """One hash for all files and names of a set."""
    return hashlib.sha256(manifest(files).encode()).hexdigest()


def changed_files(folder: Path, card: Card) -> list[Problem]:
    """What is no longer as it was fetched: files changed, missing or put in since. Reads every byte."""
    file = folder / MANIFEST
    try:
        text = file.read_bytes()
    except OSError as error:
        return [Problem(str(file), 0, "", f"cannot be read ({error.strerror})")]
    if hashlib.sha256(text).hexdigest() != card.manifest_sha256:
        return [Problem(str(file), 0, "", "is not the list that was written when the set was fetched")]
    lines = [line.partition("  ") for line in text.decode("utf-8", "replace").split("\n") if line]
    listed = {name: sha256 for sha256, _, name in lines}
    if strange := [name for name in listed if unusable_name(name) or not name.startswith(f"{DATA}/")]:
        return [Problem(str(file), 0, "", f"names what is no file of the set: {name!r}") for name in strange]
    there = {path.relative_to(folder).as_posix() for path in (folder / DATA).rglob("*") if not path.is_dir()}
    problems = [Problem(str(folder / name), 0, "", "was put in since") for name in sorted(there - listed.keys())]
    for name, sha256 in listed.items():
        what = _difference(folder / name, sha256)
        if what:
            problems.append(Problem(str(folder / name), 0, "", what))
    return problems


def _difference(file: Path, sha256: str) -> str:
    found = hashlib.sha256()
    try:
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                found.update(chunk)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return "" if found.hexdigest() == sha256 else "was changed since it was fetched"
