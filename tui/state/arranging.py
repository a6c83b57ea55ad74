"""The pictures of a turn as the screen sets them out: as they were sent, each for itself, or joined to one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.records import SentPicture, Show, Step

Arrangement: TypeAlias = Literal["as sent", "joined", "apart"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A picture of a turn, and what the respondent was sent for it at that time."""

    show: Show
    sent: SentPicture


@dataclass(frozen=True, slots=True)
class Rearranged:
    """Pictures of the item in another form than they were sent in; ``how`` says it."""

    show: Show
    how: str


Shown: TypeAlias = Show | Recorded | Rearranged | SentPicture
"""A picture of the item as a turn shows it, the same with what was sent for it, or one that was made as an answer."""


def show_of(shown: Shown) -> Show | None:
    """Which of the item's pictures it is; None for one that was made."""
    if isinstance(shown, Show):
        return shown
    return None if isinstance(shown, SentPicture) else shown.show


def recorded(shows: Iterable[Show | SentPicture], steps: Sequence[Step]) -> tuple[Shown, ...]:
    """With what was sent for each, where one of the steps tells; the last step that does counts."""
    sent: dict[Show, SentPicture] = {}
    for step in steps:
        if len(step.answer.sent) == len(step.turn.shows):
            sent.update(zip(step.turn.shows, step.answer.sent, strict=True))
    return tuple(Recorded(each, sent[each]) if isinstance(each, Show) and each in sent else each for each in shows)


def other(shown: Sequence[Shown]) -> Arrangement | None:
    """How these pictures can be set out otherwise; None where there is but one way."""
    shows = [show for each in shown if (show := show_of(each)) is not None]
    if any(show.source for show in shows):
        return None
    if any(show.collage for show in shows):
        return "apart"
    alike = len({show.blank for show in shows}) == 1  # a joined picture is blank as a whole
    return "joined" if len(shows) > 1 and alike else None


def arranged(shown: Sequence[Shown], arrangement: Arrangement) -> tuple[Shown, ...]:
    """The same pictures set out like that; what was made as an answer stays by itself, at the end."""
    shows = [show for each in shown if (show := show_of(each)) is not None]
    rest = [each for each in shown if show_of(each) is None]
    if arrangement == "apart":
        return (*(part for each in shown for part in _parts(each)), *rest)
    if arrangement == "joined" and other(shown) == "joined":
        joined = Show(tuple(index for show in shows for index in show.of), shows[0].blank)
        return (Rearranged(joined, "joined here"), *rest)
    return tuple(shown)


def _parts(shown: Shown) -> Iterable[Shown]:
    show = show_of(shown)
    if show is None:
        return ()
    if not show.collage:
        return (shown,)
    return tuple(Rearranged(Show((index,), show.blank, show.source), "separated here") for index in show.of)
