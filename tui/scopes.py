"""The actions of every screen, from the same registry: whose keys may not clash with whose."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tui.actions import ACTIONS, BROWSING, Action

_SHARED: Final = ("app.help", "app.palette", "app.suspend")

DIALOG: Final[tuple[Action, ...]] = (
    *(action for action in ACTIONS if action.id in _SHARED),
    Action("dialog.stop", "ctrl+c", "ctrl+c", "copy, quit", "Copy what is selected; else, twice, quit.", "app.stop",
           "Phoropter"),
)  # fmt: skip
"""What every dialog understands beside its own keys."""

APP: Final[tuple[Action, ...]] = (
    *DIALOG,
    *(action for action in ACTIONS if action.method.startswith("app.") and action.id not in _SHARED),
)
"""What works wherever no dialog is open."""

LINES: Final[tuple[Action, ...]] = (
    Action("list.up", "up,k", "↑ k", "up", "A line up.", "point(-1)", "Any list"),
    Action("list.down", "down,j", "↓ j", "down", "A line down.", "point(1)", "Any list"),
    Action("list.page_up", "pageup", "PgUp", "page up", "A screenful up.", "page(-1)", "Any list"),
    Action("list.page_down", "pagedown", "PgDn", "page down", "A screenful down.", "page(1)", "Any list"),
    Action("list.first", "home", "home", "first", "To the first line.", "point(-1000000000)", "Any list"),
    Action("list.last", "end", "end", "last", "To the last line.", "point(1000000000)", "Any list"),
)

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
RAW: Final[tuple[Action, ...]] = (
    Action("raw.leave", "escape,p,q", "esc p q", "back", "Back to the step.", "dismiss", "Request and reply", 1,
           keep=True),
    Action("raw.down", "down,j", "↓ j", "down", "A line down.", "scroll(1)", "Request and reply"),
    Action("raw.up", "up,k", "↑ k", "up", "A line up.", "scroll(-1)", "Request and reply"),
    Action("raw.page_down", "pagedown,space", "PgDn space", "page down", "A screenful down.", "page(1)",
           "Request and reply"),
    Action("raw.page_up", "pageup,b", "PgUp b", "page up", "A screenful up.", "page(-1)", "Request and reply"),
    Action("raw.first", "home", "home", "top", "To the top.", "end(-1)", "Request and reply"),
    Action("raw.last", "end", "end", "bottom", "To the bottom.", "end(1)", "Request and reply"),
    Action("raw.curl", "c", "c", "copy curl", "Copy the line that sends the request again.", "copy_curl",
           "Request and reply", 2),
    Action("raw.copy", "y", "y", "copy all", "Copy all of it.", "copy_all", "Request and reply", 3),
)  # fmt: skip
CONFIRM: Final[tuple[Action, ...]] = (
    Action("confirm.yes", "y", "y", "yes", "Do it.", "answer(True)", "Sure?", 1, keep=True),
    Action("confirm.no", "n,escape,q,enter", "n esc q", "no", "Leave it as it is.", "answer(False)", "Sure?", 2,
           keep=True),
)  # fmt: skip
HELP: Final[tuple[Action, ...]] = (
    Action("help.leave", "escape,q,question_mark,f1", "esc q ? F1", "back", "Back to where you were.", "dismiss",
           "Help", 1, keep=True),
    Action("help.find", "slash", "/", "find", "Only lines with these words.", "find", "Help", 2),
    Action("help.down", "down,j", "↓ j", "down", "A line down.", "scroll(1)", "Help"),
    Action("help.up", "up,k", "↑ k", "up", "A line up.", "scroll(-1)", "Help"),
)  # fmt: skip
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
    Action("add.leave", "escape", "esc", "back", "Back; what was typed is kept until you leave the models.", "leave",
           "New respondent", 2, keep=True),
)  # fmt: skip
SETTINGS: Final[tuple[Action, ...]] = (
    Action("settings.save", "ctrl+s", "ctrl+s", "save", "Write what was changed into phoropter.toml.", "save",
           "Settings", 1, keep=True),
    Action("settings.leave", "escape", "esc", "back", "Back; nothing is written.", "leave", "Settings", 2, keep=True),
)  # fmt: skip
ZOOM: Final[tuple[Action, ...]] = (
    Action("zoom.leave", "escape,z,q", "esc z q", "back", "Back to the step.", "dismiss", "One picture", 1,
           keep=True),
    Action("zoom.in", "plus,equals_sign", "+", "nearer", "Nearer; the wheel does so where it points.", "zoom(1)",
           "One picture", 2),
    Action("zoom.out", "minus,underscore", "-", "further", "Further away.", "zoom(-1)", "One picture", 3),
    Action("zoom.fit", "0", "0", "fit", "The whole picture.", "fit", "One picture", 4),
    Action("zoom.right", "right,l", "→ l", "right", "To the right; the next picture while it is whole.", "move(1, 0)",
           "One picture"),
    Action("zoom.left", "left,h", "← h", "left", "To the left; the one before while it is whole.", "move(-1, 0)",
           "One picture"),
    Action("zoom.down", "down,j", "↓ j", "down", "Down; the next picture while it is whole.", "move(0, 1)",
           "One picture"),
    Action("zoom.up", "up,k", "↑ k", "up", "Up; the one before while it is whole.", "move(0, -1)", "One picture"),
    Action("zoom.next", "space", "space", "next picture", "The next picture.", "turn(1)", "One picture", 5),
    Action("zoom.before", "b", "b", "picture before", "The picture before.", "turn(-1)", "One picture"),
    *(
        Action(f"zoom.picture_{number}", str(number), str(number), f"picture {number}", f"Picture {number}.",
               f"pick({number - 1})", "One picture")
        for number in range(1, 10)
    ),
    Action("zoom.outside", "O", "O", "outside", "This picture in the desktop's viewer or your browser.", "outside",
           "One picture", 6),
)  # fmt: skip
OUTSIDE: Final[tuple[Action, ...]] = (
    Action("outside.leave", "escape,q,O", "esc q O", "back", "Back to the pictures.", "dismiss", "Outside", 1,
           keep=True),
    Action("outside.address", "c,y", "c y", "copy the address", "Copy the address for the browser.", "copy_address",
           "Outside", 2, keep=True),
    Action("outside.ssh", "s", "s", "copy the ssh line", "Copy the line for ssh.", "copy_ssh", "Outside", 3),
)  # fmt: skip

SCOPES: Final[Mapping[str, tuple[Action, ...]]] = MappingProxyType(
    {
        "steps": ACTIONS,
        "items": (*BROWSING, *LINES, *DIALOG),
        "edit": (*EDIT, *DIALOG),
        "pick": (*PICK, *LINES, *DIALOG),
        "raw": (*RAW, *DIALOG),
        "confirm": (*CONFIRM, *DIALOG),
        "help": (*HELP, *(action for action in DIALOG if action.id != "app.help")),
        "models": (*MODELS, *LINES, *DIALOG),
        "add": (*ADD, *DIALOG),
        "settings": (*SETTINGS, *DIALOG),
        "zoom": (*ZOOM, *DIALOG),
        "outside": (*OUTSIDE, *DIALOG),
    }
)
TYPED_INTO: Final = ("edit", "add", "settings")
"""In these, keys that write a character write it."""
