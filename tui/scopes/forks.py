"""The keys of the dialogs that step in."""

from __future__ import annotations

from typing import Final

from tui.actions import Action
from tui.scopes.common import scrolling

EDIT: Final[tuple[Action, ...]] = (
    Action("edit.put_in", "ctrl+s", "ctrl+s", "put in", "Put these words in, as a fork.", "put_in", "Own answer", 1,
           keep=True),
    Action("edit.empty", "ctrl+l", "ctrl+l", "empty it", "An empty field; ctrl+z there brings the words back.",
           "empty", "Own answer", 2),
    Action("edit.leave", "escape", "esc", "back, the draft is kept", "Back; the draft is kept.", "leave",
           "Own answer", 3, keep=True),
)  # fmt: skip
PICK: Final[tuple[Action, ...]] = (
    Action("pick.leave", "escape,o,q", "esc o q", "back", "Back, nothing is put in.", "dismiss", "Options", 2,
           keep=True),
)  # fmt: skip
CONFIRM: Final[tuple[Action, ...]] = (
    Action("confirm.yes", "y", "y", "yes", "Do it.", "answer(True)", "Sure?", 1, keep=True),
    Action("confirm.no", "n,escape,q,enter", "n esc q", "no", "Leave it as it is.", "answer(False)", "Sure?", 2,
           keep=True),
)  # fmt: skip
CHOOSE: Final[tuple[Action, ...]] = (
    Action("choose.leave", "escape,q", "esc q", "back", "Back; from the field, to the list.", "leave", "A list", 3,
           keep=True),
    Action("choose.search", "slash", "/", "search", "Only lines with these words.", "search", "A list", 2),
)  # fmt: skip
FORM: Final[tuple[Action, ...]] = (
    Action("form.done", "ctrl+s", "ctrl+s", "put in", "Put these values in, as a fork.", "done", "Your answer", 1,
           keep=True),
    Action("form.words", "ctrl+e", "ctrl+e", "own words", "Answer in own words instead.", "words", "Your answer", 2),
    Action("form.next", "right", "→", "next value", "The next value; a letter goes to the next that begins so.",
           "turn(1)", "Your answer", 3),
    Action("form.before", "left", "←", "value before", "The value before.", "turn(-1)", "Your answer", 4),
    Action("form.leave", "escape", "esc", "back", "Back; what was chosen is kept.", "dismiss(None)", "Your answer", 5,
           keep=True),
)  # fmt: skip
SWEEP: Final[tuple[Action, ...]] = (
    Action("sweep.start", "enter", "enter", "start both", "Begin the intervention and its sham.", "start",
           "Over the items", 1, keep=True),
    Action("sweep.copy", "y", "y", "copy the commands", "Copy the lines for a shell.", "copy", "Over the items", 2),
    Action("sweep.leave", "escape,q", "esc q", "back", "Back; nothing begins.", "dismiss(False)", "Over the items", 3,
           keep=True),
    *scrolling("sweep", "Over the items"),
)  # fmt: skip
