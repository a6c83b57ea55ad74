"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.records import Json, RespondentKind


class Verdict(StrEnum):
    """``UNKNOWN``: it was asked and could not be told. ``NONE``: there is no such thing with this respondent."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NONE = "none"


REACHABLE: Final = "reachable"
LARGEST: Final = "largest turn"
PICTURES: Final = "pictures"
STREAMING: Final = "streaming"
USAGE: Final = "usage"
ODDS: Final = "log-probabilities"
STRUCTURED: Final = "structured output"
LIMITS: Final = "limits"
SERVED: Final = "served model"

NEEDED: Final = (REACHABLE, LARGEST)
"""Without these a respondent cannot be used; the rest is good to know."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at, and what to do about it where it is not as wanted."""

    name: str
    verdict: Verdict
    what: str
    remedy: str = ""

    def to_json(self) -> Json:
        return {"name": self.name, "verdict": self.verdict.value, "what": self.what, "remedy": self.remedy}


@dataclass(frozen=True, slots=True)
class Report:
    """All lines on one respondent. ``step`` of ``item`` was the largest turn of ``protocol``, ``text`` its answer.

    ``draws``: it was asked for a picture, which is all that it is asked for.
    """

    respondent: str
    kind: RespondentKind
    benchmark: str
    protocol: str
    item: str
    step: str
    lines: tuple[Line, ...]
    text: str = ""
    draws: bool = False

    @property
    def tried(self) -> bool:
        """Whether it was tried: one whose weights are not here is not."""
        return any(line.name in NEEDED and line.verdict is not Verdict.UNKNOWN for line in self.lines)

    @property
    def asked_for(self) -> str:
        """What a run could ask of it, if it is usable."""
        whole = f"{self.benchmark} {self.protocol}"
        return f"step {self.step} of {whole} (--respondent-at {self.step}={self.respondent})" if self.draws else whole

    @property
    def usable(self) -> bool:
        """It answers the largest turn of the protocol."""
        found = {line.name: line.verdict for line in self.lines}
        return all(found.get(name) is Verdict.YES for name in NEEDED)

    def line(self, name: str) -> Line | None:
        """What was found under that name, None where it was not looked at."""
        return next((line for line in self.lines if line.name == name), None)

    def to_json(self) -> Json:
        return {
            "respondent": self.respondent,
            "kind": self.kind,
            "usable": self.usable,
            "benchmark": self.benchmark,
            "protocol": self.protocol,
            "item": self.item,
            "step": self.step,
            "text": self.text,
            "lines": [line.to_json() for line in self.lines],
        }
