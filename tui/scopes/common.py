"""What works everywhere, in every dialog, and in every list."""

from __future__ import annotations

from typing import Final

from tui.actions import ACTIONS, Action

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
    Action("list.choose", "enter", "enter", "choose", "Take the line under the cursor.", "choose", "Any list"),
)  # fmt: skip


def scrolling(name: str, group: str, *, page_up: str = "pageup,b", shown: str = "PgUp b") -> tuple[Action, ...]:
    """Keys that scroll what is longer than the screen, for a screen that derives from ``Scrolling``."""
    return (
        Action(f"{name}.down", "down,j", "↓ j", "down", "A line down.", "scroll(1)", group),
        Action(f"{name}.up", "up,k", "↑ k", "up", "A line up.", "scroll(-1)", group),
        Action(
            f"{name}.page_down", "pagedown,space", "PgDn space", "page down", "A screenful down.", "page(1)", group
        ),
        Action(f"{name}.page_up", page_up, shown, "page up", "A screenful up.", "page(-1)", group),
        Action(f"{name}.top", "home", "home", "top", "To the top.", "end(-1)", group),
        Action(f"{name}.bottom", "end", "end", "bottom", "To the bottom.", "end(1)", group),
    )
