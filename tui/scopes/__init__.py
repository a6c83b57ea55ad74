"""The actions of every screen, from the same registry: whose keys may not clash with whose.

One room for each kind of screen; ``SCOPES`` says what works together on each. Screens take their keys from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tui.actions import ACTIONS, BROWSING, Action
from tui.scopes.common import APP, DIALOG, LINES
from tui.scopes.forks import CHOOSE, CONFIRM, EDIT, FORM, PICK, SWEEP
from tui.scopes.looking import COMPARE, DETAIL, HELP, OUTSIDE, RAW, REPEATS, ZOOM
from tui.scopes.notebook import DISPUTE, GRADE, GRADE_FIELDS, NOTE, TAG, TAGS
from tui.scopes.runs import ACCURACY, BATCHES, BEGIN, BESIDE, CLOSING, RUNS
from tui.scopes.setting_up import ADD, DATA, FIRST, MODELS, OPENING, SETTINGS

__all__ = ["APP", "DIALOG", "LINES", "SCOPES", "TWINS", "TYPED_INTO"]

SCOPES: Final[Mapping[str, tuple[Action, ...]]] = MappingProxyType(
    {
        "steps": ACTIONS,
        "detail": (*DETAIL, *DIALOG),
        "items": (*BROWSING, *LINES, *DIALOG),
        "edit": (*EDIT, *DIALOG),
        "pick": (*PICK, *LINES, *DIALOG),
        "choose": (*CHOOSE, *LINES, *DIALOG),
        "form": (*FORM, *LINES, *DIALOG),
        "confirm": (*CONFIRM, *DIALOG),
        "sweep": (*SWEEP, *DIALOG),
        "compare": (*COMPARE, *DIALOG),
        "repeats": (*REPEATS, *DIALOG),
        "raw": (*RAW, *DIALOG),
        "zoom": (*ZOOM, *DIALOG),
        "outside": (*OUTSIDE, *DIALOG),
        "help": (*HELP, *(action for action in DIALOG if action.id != "app.help")),
        "accuracy": (*ACCURACY, *DIALOG),
        "beside": (*BESIDE, *LINES, *DIALOG),
        "runs": (*RUNS, *LINES, *DIALOG),
        "batches": (*BATCHES, *LINES, *DIALOG),
        "begin": (*BEGIN, *LINES, *DIALOG),
        "closing": (*CLOSING, *DIALOG),
        "grade": (*GRADE, *LINES, *DIALOG),
        "grade's note": (*GRADE_FIELDS, *DIALOG),
        "tag": (*TAG, *DIALOG),
        "tags": (*TAGS, *LINES, *DIALOG),
        "note": (*NOTE, *DIALOG),
        "dispute": (*DISPUTE, *DIALOG),
        "models": (*MODELS, *LINES, *DIALOG),
        "add": (*ADD, *DIALOG),
        "settings": (*SETTINGS, *DIALOG),
        "first": (*FIRST, *LINES, *APP),
        "opening": (*OPENING, *APP),
        "data": (*DATA, *DIALOG),
    }
)
TYPED_INTO: Final = ("edit", "form", "begin", "grade's note", "tag", "note", "dispute", "add", "settings", "data")
"""In these, keys that write a character write it."""
TWINS: Final = frozenset({frozenset({"browse.open", "list.choose"})})
"""Pairs that do the same where both work: they may share a key."""
