"""Leads a participant through a session: what is shown after what, and each answer on disk before the next."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from core.errors import PhoropterError, PictureError
from core.records import Item, Json, Step, Trajectory, Turn, digest
from core.study.definition import Condition, Question, Study
from core.study.plan import Planned
from core.study.texts import Wording
from tui.imaging import Imaging
from tui.sitting.asking import Put, QuestionScreen, scale
from tui.sitting.card import CardScreen
from tui.sitting.examples import Worked, worked
from tui.sitting.form_text import wanted_rows
from tui.sitting.pages import PageScreen, PauseScreen, StoppedScreen
from tui.sitting.pictures import sight
from tui.sitting.state_flow import pause_between, progress
from tui.sitting.state_layout import Layout, shared_out, shown_px
from tui.sitting.state_station import rows_of, shows_of
from tui.sitting.state_trial import TurnState
from tui.sitting.state_turn import put
from tui.sitting.trial import Scene, TrialScreen
from tui.widgets.pictures import Scaler

T = TypeVar("T")

LISTEN_S = 2.0
"""So often the monitor's wishes are heard."""

ALIVE_EVERY = 5
"""Every so many times a sign of life is given."""


class EndedError(Exception):
    """The session ends here; ``state`` is what it is left in ("" where it stays open)."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self.state = state
