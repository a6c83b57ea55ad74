"""Data that a newcomer points at: what was typed, what lies there, and the run that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.errors import PhoropterError, UsageError
from core.planning import DRAWN, Request
from core.recognising import UNREADABLE, Recognised, UnreadableError, recognise
from tui.counting import counted, more_than
from tui.inert import one_line
from tui.state.own_ways import DATA, on_screen

ORACLE: Final = "oracle"
SHOWN: Final = 4
"""So many problems of one kind are told; the command tells them all."""


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
        lines.append(f"! {counted(len(found.problems), 'bad row')} left out:")
        lines += _some([str(problem) for problem in found.problems])
    if found.missing:
        how = "name their folder above" + (f", or {DRAWN}: drawings of the same contents" if found.drawable else "")
        lines.append(f"! baselines look at none; for anybody else {how}")
    return lines


def refused_words(error: PhoropterError) -> list[str]:
    """Why that is no data, a line each: what each benchmark's loader says, as the command would."""
    if not isinstance(error, UnreadableError):
        return [f"✗ {on_screen(error, DATA)}"]
    lines = [f"✗ {one_line(error.where)}: {UNREADABLE}"]
    for name, reasons in error.against.items():
        first, *others = _some([on_screen(reason, DATA) for reason in reasons])
        lines += [f"  {name}: {first.strip()}", *(f"  {' ' * len(name)}{other}" for other in others)]
    return lines


def _some(said: Sequence[str]) -> list[str]:
    shown = [f"  {one_line(each)}" for each in said[:SHOWN]]
    return [*shown, f"  {more}"] if (more := more_than(SHOWN, len(said), "problem")) else shown


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
