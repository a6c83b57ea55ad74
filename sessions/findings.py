"""What an examination of a store found, thing by thing, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from core.records import Json

SHOWN: Final = 5


class State(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was found, and what to do about it where that is not fine."""

    state: State
    check: str
    what: str
    remedy: str = ""

    def to_json(self) -> Json:
        return {"state": self.state.value, "check": self.check, "what": self.what, "remedy": self.remedy}


@dataclass(frozen=True, slots=True)
class Examination:
    """All findings on one store, and how many rows its tables hold (empty where it cannot be read)."""

    path: Path
    findings: tuple[Finding, ...]
    counts: dict[str, int]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @property
    def sound(self) -> bool:
        """Nothing bad was found; warnings are nothing bad."""
        return all(finding.state is not State.BAD for finding in self.findings)

    def to_json(self) -> Json:
        return {
            "path": str(self.path),
            "sound": self.sound,
            "counts": self.counts,
            "findings": [finding.to_json() for finding in self.findings],
        }


RESTORE: Final = (
    "Copy the file away first; a backup beside it (.backup-...) may be whole, and `sqlite3 STORE .recover` saves what"
    " can be read"
)
HAND_MADE: Final = (
    "Another program changed it, or the disk did, and what is reported of it may be wrong. Put a copy from before"
    " back, or delete the runs it is of (`phoropter runs delete`) and give their commands again"
)


def shown(rows: Sequence[object]) -> str:
    """The first of them."""
    return ", ".join(str(row) for row in rows[:SHOWN]) + (", ..." if len(rows) > SHOWN else "")
