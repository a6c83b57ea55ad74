"""The one registry of actions: keys, footer, help and palette are drawn from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.cells import cell_len


@dataclass(frozen=True, slots=True)
class Action:
    """Something a key does on a screen.

    ``id`` names it for remapping, ``method`` is the screen's ``action_*`` (``app.`` before it: the application's).
    ``shown`` are the keys as people read them. ``rank`` orders the footer (0: not there); where it is narrow,
    ``keep`` ones stay.
    """

    id: str
    keys: str
    shown: str
    label: str
    help: str
    method: str
    group: str
    rank: int = 0
    keep: bool = False

    @property
    def key(self) -> str:
        """The first of its keys, for the footer."""
        return self.shown.split()[0]


ACTIONS: Final[tuple[Action, ...]] = (
    Action("step.next", "space", "space", "next", "Forward along stored steps; at the end, ask the next turn.",
           "next", "Step", 1, keep=True),
    Action("step.back", "b", "b", "back", "Back along the stored steps. Asks nobody.", "back", "Step", 2),
    Action("step.first_wrong", "f", "f", "first wrong", "To the first wrong step; asks on until there is one.",
           "first_wrong", "Step", 3),
    Action("step.end", "r", "r", "run", "Ask every turn that is left on this path.", "to_end", "Step"),
    Action("step.to", "R,enter", "R enter", "to a step", "To any step of this path: stored ones at once, later ones "
           "by asking up to there.", "to_step", "Step"),
    Action("step.stop", "ctrl+c", "ctrl+c", "stop",
           "Copy what is selected, else stop the running call, else (twice) quit.",
           "stop", "Step"),
    Action("fork.gold", "g", "g", "gold", "Put the gold answer in here, as a fork.", "gold", "Step in", 4),
    Action("fork.edit", "e", "e", "edit", "Put your own answer in here, as a fork.", "edit", "Step in"),
    Action("fork.pick", "o", "o", "another option", "Put another of the options in, as a fork.", "pick", "Step in"),
    Action("fork.remove", "delete,D", "Del D", "remove fork",
           "Remove the fork you look at, and the forks made from it, after asking.", "remove_fork", "Step in"),
    Action("fork.again", "s", "s", "ask again", "Ask the same turn once more, as a fork.", "ask_again", "Step in"),
    Action("fork.repeats", "S", "S", "repeats", "All answers to this turn beside each other; ask for more.",
           "repeats", "Step in"),
    Action("fork.menu", "w", "w", "what if", "All that can be done at this step: gold, wrong values, own words, "
           "another prompt, other pictures, somebody else, yourself.", "what_if", "Step in"),
    Action("fork.sweep", "W", "W", "over the items", "The same intervention over all items or those of the filter, "
           "with its sham: accuracy before and after.", "sweep", "Step in"),
    Action("compare", "c", "c", "compare", "This path beside another one: a fork, another run, a person.",
           "compare", "Look around"),
    Action("move.up", "up,k", "↑ k", "up", "Up the tree of steps and forks.", "up", "Look around"),
    Action("move.down", "down,j", "↓ j", "down", "Down the tree of steps and forks.", "down", "Look around"),
    Action("move.left", "left,h", "← h", "previous fork", "To the fork before.", "left", "Look around"),
    Action("move.right", "right,l", "→ l", "next fork", "To the next fork.", "right", "Look around"),
    Action("detail.up", "pageup", "PgUp", "scroll up", "Scroll the detail.", "scroll_detail(-1)", "Look around"),
    Action("detail.down", "pagedown", "PgDn", "scroll down", "Scroll the detail.", "scroll_detail(1)", "Look around"),
    Action("detail.enter", "tab", "tab", "into the detail",
           "Into the detail, and out of it: there ↑ ↓ and j k go by lines, Home and End to its top and its end.",
           "into_detail", "Look around"),
    Action("detail.raw", "p", "p", "prompt, raw",
           "The whole prompt; then request and reply as they went.", "raw", "Look around"),
    Action("detail.copy", "y", "y", "copy", "Copy the answer; where there is none yet, the prompt.", "copy",
           "Look around"),
    Action("pictures.zoom", "z", "z", "zoom", "A picture over the whole screen.", "zoom", "Look around"),
    Action("pictures.arrange", "ampersand", "&", "join pictures",
           "The pictures joined to one, or those of a collage each for itself; again: as they were sent.",
           "arrange", "Look around"),
    Action("pictures.outside", "O", "O", "view outside",
           "The pictures in the desktop's viewer; over ssh, at an address for your browser.",
           "outside", "Look around"),
    Action("items.failing", "right_square_bracket", "]", "next failing",
           "The next item, in the filter, that has a wrong step.", "failing(1)", "Items"),
    Action("items.failing_before", "left_square_bracket", "[", "previous failing", "The one before that.",
           "failing(-1)", "Items"),
    Action("items.next", "greater_than_sign", ">", "next item", "The next item, in the filter.", "item(1)", "Items"),
    Action("items.previous", "less_than_sign", "<", "previous item", "The item before.", "item(-1)", "Items"),
    Action("items.list", "i", "i", "items", "The list of items.", "items(False)", "Items", 5),
    Action("items.filter", "slash", "/", "filter",
           "The list of items, ready to type a filter. It stays for the walk.", "items(True)", "Items"),
    Action("items.all", "x", "x", "no filter", "Walk all items again, in the order of the data.",
           "all_items", "Items"),
    Action("run.accuracy", "a", "a", "accuracy", "Step by property, by group, still right, runs side by side; live.",
           "accuracy", "Run"),
    Action("run.batches", "B", "B", "batches", "Start, watch, pause, cancel batches on the items in the filter.",
           "batches", "Run"),
    Action("run.open", "L", "L", "runs", "The runs of this store; opens another one at this item.",
           "app.runs", "Run"),
    Action("note.grade", "v", "v", "your score", "Score this step yourself, beside the rule; say who is wrong.",
           "grade", "Notebook"),
    Action("note.tag", "t", "t", "tag", "Tag the first wrong step, or the one under the cursor.", "tag", "Notebook"),
    Action("note.note", "n", "n", "note", "A note on this step, this path, or the item.", "note", "Notebook"),
    Action("note.dispute", "exclamation_mark", "!", "dispute gold",
           "Dispute the gold, with a reason and the right value.", "dispute", "Notebook"),
    Action("note.table", "N", "N", "tags", "Tags by model and step.", "tags", "Notebook"),
    Action("app.models", "M", "M", "models", "Who can answer: list, check, add; the same items with another.",
           "app.models", "Phoropter"),
    Action("app.theme", "T", "T", "theme", "Dark, light, high contrast, colour-blind safe, 16 colours; remembered.",
           "app.next_theme", "Phoropter"),
    Action("app.settings", "comma", ",", "settings", "Colours, pictures, mouse; written into phoropter.toml.",
           "app.settings", "Phoropter"),
    Action("app.help", "question_mark,f1", "? F1", "help", "The keys of where you are.", "app.help", "Phoropter", 6,
           keep=True),
    Action("app.palette", "ctrl+p,f2,colon", "ctrl+p F2 :", "palette", "Every action by name.",
           "app.command_palette", "Phoropter"),
    Action("app.suspend", "ctrl+z", "ctrl+z", "suspend", "To the shell; fg brings it back.",
           "app.suspend_process", "Phoropter"),
    Action("app.quit", "q", "q", "quit", "Leave. Everything asked so far is stored.",
           "quit", "Phoropter", 7, keep=True),
)  # fmt: skip


BROWSING: Final[tuple[Action, ...]] = (
    Action("browse.open", "enter", "enter", "open", "Look at the item under the cursor.", "open", "List of items", 1,
           keep=True),
    Action("browse.filter", "slash", "/", "filter",
           "Type a filter: words, rule=19, status=wrong, wrong=relate, tag=..., note=yes, disputed=yes, graded=yes; "
           "it stays for the walk.",
           "filter", "List of items", 2),
    Action("browse.values", "tab", "tab", "values",
           "The values that items can be told apart by, with counts; enter wants one, or no more.",
           "values", "List of items", 3),
    Action("browse.order", "s", "s", "sort", "As in the data, hardest first, easiest first: by the share of "
           "finished trajectories of all runs that are right.", "order", "List of items", 4),
    Action("browse.failing", "right_square_bracket", "]", "next failing", "Down to the next failing item.",
           "failing(1)", "List of items"),
    Action("browse.failing_before", "left_square_bracket", "[", "previous failing", "Up to the one before.",
           "failing(-1)", "List of items"),
    Action("browse.all", "x", "x", "no filter", "All items, in the order of the data.", "all", "List of items", 5),
    Action("browse.leave", "escape,i,q", "esc i q", "back", "Back to the item; the filter stays.", "leave",
           "List of items", 7, keep=True),
)  # fmt: skip
"""The keys of the list of items."""


def cells(actions: Sequence[Action]) -> int:
    """How wide a footer of these is."""
    return sum(cell_len(action.key) + cell_len(action.label) + 3 for action in actions)


def footer(width: int, actions: Sequence[Action] = ACTIONS) -> tuple[Action, ...]:
    """The footer's actions at that width, at most seven. Where it is narrow those that need not be kept go from the
    right, then words are cut at their first comma, then others go as well; help goes last."""
    ranked = sorted((action for action in actions if action.rank), key=lambda action: action.rank)
    while cells(ranked) > width and (loose := [action for action in ranked if not action.keep]):
        ranked.remove(loose[-1])
    if cells(ranked) > width:
        ranked = [replace(action, label=action.label.partition(",")[0]) for action in ranked]
    while cells(ranked) > width and (others := [action for action in ranked if action.id != "app.help"]):
        ranked.remove(others[-1])
    return tuple(ranked)
