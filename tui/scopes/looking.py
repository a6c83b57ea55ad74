"""The keys of what is looked at: request and reply, pictures, two paths, repeats, help."""

from __future__ import annotations

from typing import Final

from tui.actions import Action
from tui.scopes.common import scrolling

RAW: Final[tuple[Action, ...]] = (
    Action("raw.leave", "escape,p,q", "esc p q", "back", "Back to the step.", "dismiss", "Request and reply", 1,
           keep=True),
    Action("raw.curl", "c", "c", "copy curl", "Copy the line that sends the request again.", "copy_curl",
           "Request and reply", 2),
    Action("raw.copy", "y", "y", "copy all", "Copy all of it.", "copy_all", "Request and reply", 3),
    *scrolling("raw", "Request and reply"),
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
DETAIL: Final[tuple[Action, ...]] = (
    Action("detail.line_down", "down,j", "↓ j", "down", "A line down.", "line(1)", "The detail"),
    Action("detail.line_up", "up,k", "↑ k", "up", "A line up.", "line(-1)", "The detail"),
    Action("detail.top", "home", "home", "top", "To the top.", "far(-1)", "The detail"),
    Action("detail.bottom", "end", "end", "bottom", "To the bottom.", "far(1)", "The detail"),
    Action("detail.leave", "escape", "esc", "back", "Back to the steps.", "screen.into_detail", "The detail", 1,
           keep=True),
)  # fmt: skip
"""In the detail itself, where what stands there is longer than its part of the screen."""
HELP: Final[tuple[Action, ...]] = (
    Action("help.leave", "escape,q,question_mark,f1", "esc q ? F1", "back", "Back to where you were.", "dismiss",
           "Help", 1, keep=True),
    Action("help.find", "slash", "/", "find", "Only lines with these words.", "find", "Help", 2),
    Action("help.down", "down,j", "↓ j", "down", "A line down.", "scroll(1)", "Help"),
    Action("help.up", "up,k", "↑ k", "up", "A line up.", "scroll(-1)", "Help"),
)  # fmt: skip
COMPARE: Final[tuple[Action, ...]] = (
    Action("compare.leave", "escape,c,q", "esc c q", "back", "Back to the step.", "dismiss(None)", "Two paths", 7,
           keep=True),
    Action("compare.first", "f", "f", "first difference", "To the first step that differs.", "difference(0)",
           "Two paths", 1),
    Action("compare.next", "n", "n", "next", "To the next difference.", "difference(1)", "Two paths", 2),
    Action("compare.before", "b", "b", "before", "To the difference before.", "difference(-1)", "Two paths", 3),
    Action("compare.unfold", "p", "p", "unfold", "Long answers as a whole, or their beginnings again.", "unfold",
           "Two paths", 4),
    Action("compare.swap", "s", "s", "swap", "The left one at the right.", "dismiss('swap')", "Two paths"),
    Action("compare.other", "slash", "/", "other", "Compare with another one.", "dismiss('other')", "Two paths", 6),
    *scrolling("compare", "Two paths", page_up="pageup", shown="PgUp"),
)  # fmt: skip
REPEATS: Final[tuple[Action, ...]] = (
    Action("repeats.leave", "escape,S,q", "esc S q", "back", "Back to the step.", "dismiss(0)", "Repeats", 2,
           keep=True),
    Action("repeats.again", "s", "s", "once more", "Ask the same once more; a digit asks so many times.",
           "dismiss(1)", "Repeats", 1, keep=True),
    Action("repeats.unfold", "p", "p", "unfold", "Long answers as a whole, or their beginnings again.", "unfold",
           "Repeats", 3),
    *scrolling("repeats", "Repeats"),
)  # fmt: skip
