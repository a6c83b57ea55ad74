"""What another tool's file holds: a model's replies, each with what says which item and step it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from core.records import EMPTY, Json, Status

IMPORTED: Final = "imported"
"""Key of a respondent's identity, and purpose of its calls, where the replies come from a file."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply. ``item`` is the item's id as the tool knows it, ``row`` the item's place in the data from 0 (None:
    not told), ``question`` its words, ``target`` what the tool holds right: each "" where it does not say.

    ``step`` is the protocol's step, "" for its only one. ``where`` names the place in the file, ``asked`` is the
    prompt as the tool sent it, ``raw`` the entry as it stands there. ``failed`` says why it is no reply.
    """

    text: str
    where: str
    step: str = ""
    item: str = ""
    row: int | None = None
    question: str = ""
    target: str = ""
    repeat: int = 0
    status: Status = Status.OK
    asked: str = ""
    failed: str = ""
    raw: Json = None


@dataclass(frozen=True, slots=True)
class Results:
    """A file of replies. ``tool`` is the importer's name, ``digest`` the file's SHA-256, ``model`` who replied as far
    as the file tells; ``slips`` are mistakes of the tool that are not copied, in words."""

    tool: str
    file: str
    digest: str
    model: str
    replies: tuple[Reply, ...]
    slips: tuple[str, ...] = ()
    subset: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge's verdict on one step as another tool recorded it: ``right`` maps a field of the step's layout to 0 or
    1. ``error`` says why there is none."""

    item: str
    step: str
    where: str
    right: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    error: str = ""
    raw: Json = None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """A file of verdicts of one judge on one step."""

    file: str
    digest: str
    judge: str
    step: str
    judged: tuple[Judged, ...]
    slips: tuple[str, ...] = ()
