"""An item as a reviewer sees it: its pictures, what is asked of them, the item's words, and what is in doubt."""

from __future__ import annotations

from core.records import Show, Text
from sessions.curating.desk import Waiting
from tui.grading.cases import Case


def case_of(waiting: Waiting) -> Case:
    """Pictures of the item, and the one that was made on the way, if any."""
    item = waiting.trajectory.item
    made = next((step.answer.picture for step in reversed(waiting.trajectory.steps) if step.answer.picture), None)
    shows = tuple(Show((index,)) for index in range(len(item.pictures)))
    return Case(item, shows, asked(waiting), {}, "", words(waiting), made)


def asked(waiting: Waiting) -> str:
    """What the reviewer is to decide."""
    parts = [part.text for part in waiting.turn.content if isinstance(part, Text)]
    return parts[0] if parts else waiting.turn.step


def words(waiting: Waiting) -> str:
    """The item, with what must be mended before it can be accepted, and what else there is to know."""
    rest = [part.text for part in waiting.turn.content[1:] if isinstance(part, Text)]
    return "\n".join(rest)
