"""What the copy key takes from the step that is looked at."""

from __future__ import annotations

from core.records import Text
from tui.state.look import Look


def to_copy(look: Look) -> tuple[str, str]:
    """The text and what it is: the answer, what has arrived of one, else the prompt; with nothing there, nothing."""
    if look.running is not None and look.running.text:
        return look.running.text, "what has arrived"
    if look.step is not None:
        return look.step.answer.text, "the answer"
    if look.stopped is not None and look.stopped.text:
        return look.stopped.text, "what had arrived"
    if look.turn is None:
        return "", "nothing: there is no step here"
    words = [part.text for part in look.turn.content if isinstance(part, Text)]
    return "\n".join([*words, look.turn.answer_format] if look.turn.answer_format else words), "the prompt"
