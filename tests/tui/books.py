"""A stepping state with a notebook, on a store of its own."""

from __future__ import annotations

from collections.abc import Sequence

from core.config import Config
from core.planning import Request, prepare
from core.respondents.base import Respondent
from sessions.journal import StoreJournal
from sessions.opening import open_prepared
from sessions.store import Store
from tests.tui.stage import Told, choosing, items, plan
from tui.state.notebook import Notebook
from tui.state.stepping import Stepping

WRONG = "Image 1: four wolves typing.\nImage 2: four wolves typing.\nImage 3: four wolves typing."


def journal(store: Store, asked: str = "voila:ND", protocol: str = "") -> StoreJournal:
    """The journal of a run of the built-in pack."""
    request = Request(asked, respondent="oracle", protocol=protocol)
    return open_prepared(store, prepare(request, Config())).journal


def written(store: Store, respondent: Respondent | str | None = None, author: str = "you") -> Stepping:
    """On the first items of the built-in VOILA pack; answers wrongly at first where nobody else is named."""

    state = Stepping(plan(respondent or Told(WRONG)), journal(store), items(4), clock=lambda: 0.0)
    state.notebook = Notebook(store, author)
    return state


def choices(store: Store, answers: Sequence[str]) -> Stepping:
    """The same on V-REX, whose steps are one choice each."""
    made = choosing("vrex:planning", Told(*answers), first="flowchart-001")
    state = Stepping(made.plan, journal(store, "vrex", "planning"), made.items, clock=lambda: 0.0)
    state.notebook = Notebook(store, "you")
    return state
