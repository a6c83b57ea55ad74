"""The keys of accuracy, of runs and of batches."""

from __future__ import annotations

from typing import Final

from tui.actions import Action
from tui.scopes.common import scrolling

ACCURACY: Final[tuple[Action, ...]] = (
    Action("accuracy.leave", "escape,a,q", "esc a q", "back", "Back; it is read no more.", "dismiss", "Accuracy", 1,
           keep=True),
    Action("accuracy.next_page", "tab", "tab", "pages", "The next page; each has a key of its own.", "next_view(1)",
           "Accuracy", 2),
    Action("accuracy.page_before", "shift+tab", "shift+tab", "page before", "The page before.", "next_view(-1)",
           "Accuracy"),
    Action("accuracy.steps", "1", "1", "steps", "Each step by property.", "view('steps')", "Accuracy"),
    Action("accuracy.groups", "2", "2", "groups", "One step by group.", "view('groups')", "Accuracy"),
    Action("accuracy.survival", "3", "3", "still right", "How many are all right up to each step.",
           "view('survival')", "Accuracy"),
    Action("accuracy.runs", "4", "4", "runs", "This run beside others.", "view('runs')", "Accuracy"),
    Action("accuracy.group", "g", "g", "group", "The next group.", "group(1)", "Accuracy", 4),
    Action("accuracy.group_before", "G", "G", "group before", "The group before.", "group(-1)", "Accuracy"),
    Action("accuracy.step", "right_square_bracket", "]", "step", "The next step.", "step(1)", "Accuracy", 5),
    Action("accuracy.step_before", "left_square_bracket", "[", "step before", "The step before.", "step(-1)",
           "Accuracy"),
    Action("accuracy.lane", "w", "w", "what-ifs", "To the what-ifs, and back.", "lane", "Accuracy", 6),
    Action("accuracy.scorer", "s", "s", "scorer", "Another scorer: a judge, the rule as somebody overruled it.",
           "scorer", "Accuracy"),
    Action("accuracy.published", "p", "p", "published", "With the published figures, or without.", "published",
           "Accuracy"),
    Action("accuracy.chart", "c", "c", "chart", "With the chart, or without.", "chart", "Accuracy"),
    Action("accuracy.beside", "r", "r", "runs beside", "Choose the runs that stand beside this one.", "runs",
           "Accuracy", 3),
    *scrolling("accuracy", "Accuracy"),
)  # fmt: skip
BESIDE: Final[tuple[Action, ...]] = (
    Action("beside.switch", "space,x", "space x", "tick", "Tick the run under the cursor, or take it out.", "switch",
           "Runs beside", 2, keep=True),
    Action("beside.leave", "escape,q,r", "esc q r", "back", "Back; as it was.", "dismiss", "Runs beside", 3,
           keep=True),
)  # fmt: skip
RUNS: Final[tuple[Action, ...]] = (
    Action("runs.search", "slash", "/", "search", "Words that the run's row is to hold.", "search", "Runs", 2),
    Action("runs.leave", "escape,q,L", "esc q L", "back", "Back to the run on the screen.", "leave", "Runs", 7,
           keep=True),
)  # fmt: skip
BATCHES: Final[tuple[Action, ...]] = (
    Action("batches.new", "n", "n", "new", "Start one on the items in the filter.", "new", "Batches", 1, keep=True),
    Action("batches.pause", "space", "space", "pause", "Begin no further step; again: go on.", "pause", "Batches",
           2),
    Action("batches.cancel", "x", "x", "cancel", "Drop the calls under way; what is stored stays.", "cancel",
           "Batches", 3),
    Action("batches.start", "s", "s", "start again", "Go on from where it stands, also where it was broken off "
           "before; collect what was out.", "start", "Batches", 4),
    Action("batches.retry", "f", "f", "retry failed", "Ask the failed ones again.", "retry", "Batches", 5),
    Action("batches.leave", "escape,B,q", "esc B q", "back", "Back; batches go on.", "dismiss", "Batches", 7,
           keep=True),
)  # fmt: skip
BEGIN: Final[tuple[Action, ...]] = (
    Action("begin.leave", "escape", "esc", "back", "Back; nothing begins.", "leave", "A new batch", 4, keep=True),
    Action("begin.copy", "ctrl+y", "ctrl+y", "copy the command", "Copy the line for a shell.", "copy",
           "A new batch", 3),
)  # fmt: skip
CLOSING: Final[tuple[Action, ...]] = (
    Action("closing.now", "y", "y", "close now", "Close at once; calls under way are dropped.", "dismiss('now')",
           "Batches are running", 1, keep=True),
    Action("closing.wait", "w", "w", "wait for the calls, then close", "Close when the calls under way have come "
           "back.", "dismiss('settled')", "Batches are running", 2),
    Action("closing.stay", "n,escape,q,enter", "n esc q", "stay", "Stay.", "dismiss", "Batches are running", 3,
           keep=True),
)  # fmt: skip
