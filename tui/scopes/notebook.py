"""The keys of the notebook's dialogs."""

from __future__ import annotations

from typing import Final

from tui.actions import Action

GRADE_FIELDS: Final[tuple[Action, ...]] = (
    Action("grade.keep", "ctrl+s", "ctrl+s", "keep", "Keep your score.", "keep", "Your score", 1, keep=True),
    Action("grade.other", "tab", "tab", "note", "To the note, and back.", "other", "Your score", 5),
    Action("grade.leave", "escape", "esc", "back", "Back; what was set is kept.", "leave",
           "Your score", 7, keep=True),
)  # fmt: skip
"""Those that work in the note as well."""
GRADE: Final[tuple[Action, ...]] = (
    *GRADE_FIELDS,
    Action("grade.turn", "space", "space", "verdict", "Right, wrong, unscored, one after the other.", "turn",
           "Your score", 2),
    Action("grade.right", "r", "r", "right", "It is right.", "set('right')", "Your score"),
    Action("grade.wrong", "w", "w", "wrong", "It is wrong.", "set('wrong')", "Your score"),
    Action("grade.unscored", "u", "u", "unscored", "It is left out.", "set('unscored')", "Your score"),
    Action("grade.all", "a", "a", "all right", "Everything is right.", "all", "Your score", 3),
    Action("grade.reason", "y", "y", "why", "Who is wrong: the parser, the judge, something else.", "reason",
           "Your score", 4),
)  # fmt: skip
TAG: Final[tuple[Action, ...]] = (
    Action("tag.leave", "escape", "esc", "back", "Back.", "leave", "A tag", 4, keep=True),
    Action("tag.other", "tab", "tab", "the other step", "Tag the other step: the first wrong one, or that under the "
           "cursor.", "other", "A tag", 3),
    Action("tag.up", "up", "↑", "up", "A tag up.", "point(-1)", "A tag"),
    Action("tag.down", "down", "↓", "down", "A tag down.", "point(1)", "A tag"),
)  # fmt: skip
TAGS: Final[tuple[Action, ...]] = (
    Action("tags.leave", "escape,q,N", "esc q N", "back", "Back to the step.", "dismiss", "Tags", 1, keep=True),
)  # fmt: skip
NOTE: Final[tuple[Action, ...]] = (
    Action("note_text.save", "ctrl+s", "ctrl+s", "save", "Save the note.", "save", "A note", 1, keep=True),
    Action("note_text.other", "tab", "tab", "on what", "On this step, this path or the item.", "other", "A note", 2),
    Action("note_text.leave", "escape", "esc", "back, keeps it", "Back; what was typed is kept.", "leave", "A note",
           3, keep=True),
)  # fmt: skip
DISPUTE: Final[tuple[Action, ...]] = (
    Action("dispute.save", "ctrl+s", "ctrl+s", "save", "Save the dispute.", "save", "Disputed gold", 1, keep=True),
    Action("dispute.withdraw", "ctrl+d", "ctrl+d", "dispute it no more", "Take the dispute back.", "withdraw",
           "Disputed gold", 2),
    Action("dispute.down", "down,tab", "↓ tab", "next field", "The next field.", "move(1)", "Disputed gold", 3),
    Action("dispute.up", "up,shift+tab", "↑ shift+tab", "field before", "The field before.", "move(-1)",
           "Disputed gold"),
    Action("dispute.leave", "escape", "esc", "back", "Back; what was typed is kept.", "leave", "Disputed gold", 4,
           keep=True),
)  # fmt: skip
