"""An item as a reviewer sees it: its pictures, what is asked of them, the item's words, and what is in doubt."""

from __future__ import annotations

from core.records import Show, Text
from sessions.curating.desk import Waiting
from tui.grading.cases import Case

TO_WRITE = "Nothing is written yet: e writes it, r says that nothing fits."


def case_of(waiting: Waiting) -> Case:
    """Pictures of the item, and the one that was made on the way, if any."""
    item = waiting.trajectory.item
    made = next((step.answer.picture for step in reversed(waiting.trajectory.steps) if step.answer.picture), None)
    shows = tuple(Show((index,)) for index in range(len(item.pictures)))
    asked, words = asked_and_words(waiting)
    return Case(item, shows, asked, {}, "", words, made, "the candidate")


def asked_and_words(waiting: Waiting) -> tuple[str, str]:
    """What the reviewer is to decide; and the item, first what else they must know.

    Of what is asked its question alone: a definition that comes with it is read below the item.
    """
    draft = waiting.draft
    texts = [part.text for part in waiting.turn.content if isinstance(part, Text)]
    if draft.writes:
        asked, told = TO_WRITE, texts
    else:
        asked, mark, rest = (texts[0] if texts else waiting.turn.step).partition("? ")
        asked += mark.strip()
        told = [*texts[1:], *([f"\n{rest}"] if rest else [])]
    if draft.faults:
        asked = f"To be mended before it can be accepted: {'; '.join(draft.faults)}"
    notes = [note for note in draft.notes if all(text == note or note not in text for text in told)]
    return asked, "\n".join([*notes, *(text for text in told if text not in notes)])
