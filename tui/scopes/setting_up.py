"""The keys of models, settings and the first screens."""

from __future__ import annotations

from typing import Final

from tui.actions import Action

MODELS: Final[tuple[Action, ...]] = (
    Action("models.check", "c", "c", "check", "Ask it the largest turn of this protocol and a few small questions.",
           "check", "Models", 1, keep=True),
    Action("models.stop", "x", "x", "stop the check", "Stop the check that runs.", "stop_check", "Models"),
    Action("models.add", "a", "a", "add", "A new one, written into phoropter.toml.", "add", "Models", 2),
    Action("models.use", "u", "u", "same items", "Open the items of this run with this respondent, as a run of its "
           "own.", "use", "Models", 3),
    Action("models.filter", "slash", "/", "filter", "Only those with these words.", "filter", "Models", 4),
    Action("models.leave", "escape,q,M", "esc q M", "back", "Back to where you were.", "leave", "Models", 7,
           keep=True),
)  # fmt: skip
ADD: Final[tuple[Action, ...]] = (
    Action("add.save", "ctrl+s", "ctrl+s", "save", "Write it into phoropter.toml.", "save", "New respondent", 1,
           keep=True),
    Action("add.leave", "escape", "esc", "back", "Back; what was typed is kept.", "leave",
           "New respondent", 2, keep=True),
)  # fmt: skip
SETTINGS: Final[tuple[Action, ...]] = (
    Action("settings.save", "ctrl+s", "ctrl+s", "save", "Write what was changed into phoropter.toml.", "save",
           "Settings", 1, keep=True),
    Action("settings.leave", "escape", "esc", "back", "Back; nothing is written.", "leave", "Settings", 2, keep=True),
)  # fmt: skip
FIRST: Final[tuple[Action, ...]] = (
    Action("first.demo", "1", "1", "the demo", "Open the built-in questions.", "choose(0)", "The beginning"),
    Action("first.data", "2", "2", "data", "Point at data, and open it.", "choose(1)", "The beginning"),
    Action("first.model", "3", "3", "a model", "Set up a model.", "choose(2)", "The beginning"),
    Action("first.quit", "q", "q", "quit", "Leave.", "app.quit", "The beginning", 3, keep=True),
)  # fmt: skip
OPENING: Final[tuple[Action, ...]] = (
    Action("opening.quit", "q", "q", "quit", "Leave.", "app.quit", "Opening", 1, keep=True),
)  # fmt: skip
DATA: Final[tuple[Action, ...]] = (
    Action("data.open", "ctrl+s", "ctrl+s", "open it", "Open what was found there.", "open", "Data", 1, keep=True),
    Action("data.leave", "escape", "esc", "back", "Back; what was typed is kept.", "leave", "Data", 3, keep=True),
)  # fmt: skip
