"""Data that a newcomer points at: what was typed, what lies there, and the run that it becomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from core.errors import UsageError
from core.planning import DRAWN, Request
from core.recognising import Recognised, recognise
from tui.counting import counted
from tui.inert import one_line

ORACLE = "oracle"


@dataclass(slots=True)
class Pointing:
    """The fields as they were typed. ``found`` is what lay at ``looked`` when it was looked at last."""

    path: str = ""
    pictures: str = ""
    respondent: str = ""
    found: Recognised | None = None
    looked: tuple[str, str] = field(default=("", ""))

    @property
    def place(self) -> tuple[str, str]:
        """What is to be looked at."""
        return self.path.strip(), self.pictures.strip()

    def look(self, place: tuple[str, str]) -> Recognised:
        """Read what lies there. Touches the disk: it belongs in a thread. Raises UsageError where it is no data."""
        return recognise(*place)

    def take(self, place: tuple[str, str], found: Recognised | None) -> None:
        """What was found at a place."""
        self.looked, self.found = place, found

    def request(self) -> Request:
        """The run of what was found, bad rows left out. Raises UsageError where nothing was."""
        if self.found is None or self.looked != self.place:
            raise UsageError("no data has been found at that path yet")
        return Request(
            self.found.name,
            data=self.found.path.absolute(),
            pictures=self.place[1],
            respondent=self.respondent.strip() or ORACLE,
            skip_bad=bool(self.found.problems),
        )


def found_words(found: Recognised, pictures: str) -> list[str]:
    """What lies there, a line each."""
    lines = [f"✓ {found.name}: {counted(found.items, 'item')}, {_pictures(found, pictures)}"]
    if found.problems:
        lines.append(
            f"! {counted(len(found.problems), 'bad row')} left out; the first: {one_line(str(found.problems[0]))}"
        )
    if found.missing:
        how = "name their folder above" + (f", or {DRAWN}: drawings of the same contents" if found.drawable else "")
        lines.append(f"! baselines look at none; for anybody else {how}")
    return lines


def _pictures(found: Recognised, pictures: str) -> str:
    count = counted(found.pictures, "picture")
    if pictures == DRAWN and found.drawable:
        return f"{count}, drawn"
    if not found.missing:
        return f"{count}, all there"
    return f"{found.missing:,} of {count} missing"


def entries(typed: str) -> str | None:
    """The first file or folder that goes on as typed, None where none does."""
    folder, slash, begun = typed.rpartition("/")
    if not typed:
        return None
    try:
        place = Path(f"{folder}{slash}" or ".").expanduser()
        names = sorted(one.name for one in place.iterdir() if one.name.startswith(begun))
        shown = next((name for name in names if begun.startswith(".") or not name.startswith(".")), None)
        if shown is None:
            return None
        return f"{folder}{slash}{shown}{'/' if (place / shown).is_dir() else ''}"
    except (OSError, RuntimeError, ValueError):
        return None
