"""Everything a stepping screen needs, opened: from a run of the store, however it is found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from core.config import Config
from core.errors import UsageError
from core.records import Item
from sessions.background import Askable
from sessions.drafts import drafts_beside
from sessions.left import LeftAt
from sessions.reading import picture
from sessions.reopening import Source, first_item, item_of_id, reopen, source
from sessions.runs import Run
from sessions.store import Store
from tui.state.archive import Archive
from tui.state.backstage import Backstage, closed_gate
from tui.state.bench import Bench
from tui.state.crew import Crew
from tui.state.live import Live
from tui.state.notebook import Notebook
from tui.state.roster import shelved
from tui.state.stepping import Stepping

if TYPE_CHECKING:
    from tui.widgets.pictures import PicturesLike, Stored


@dataclass(frozen=True, slots=True)
class Ready:
    """A state to show. ``pictures`` are those of items; without any, what they depict is told in words. ``stored``
    gives the bytes of pictures that were answered. ``demo``: its numbers are a demonstration's. ``live`` and
    ``backstage`` are None where nothing lies behind the state but itself, and so is ``bench``, which runs batches,
    where nothing can be stored."""

    stepping: Stepping
    pictures: PicturesLike | None = None
    title: str = ""
    demo: bool = False
    stored: Stored | None = None
    live: Live | None = None
    backstage: Backstage | None = None
    bench: Bench | None = None


def ready(store: Store, run: Run, config: Config, *, demo: bool = False, at: str = "") -> Ready:
    """That run at the item of the id ``at``, where it or its data has that, else at the one it was left at, whatever
    became of its data; where that is gone, or nobody has looked at the run, at the first that fails. Takes
    milliseconds where the run has anything of it; else its data is read for it.

    Raises UsageError where it has none and its data cannot be read.
    """
    opened = reopen(store, run, config)
    found: Source | None = None
    rest: Iterator[Item] | None = None
    left = LeftAt(None if store.read_only else store.path.with_name(f"{store.path.name}.left"))
    shelf, first = shelved(opened.plan.benchmark), None
    for key in filter(None, (at, left.item(run.uid))):
        first = item_of_id(store, run, key)
        if first is None:
            found = found or source(opened)
            first = next((item for item in found.items if item.id == key), None)
        if first is not None:
            break
    scorers = opened.plan.scorers
    first = first or first_item(store, run, scorers[0].name if scorers else "")
    if first is None:
        found = found or source(opened)
        rest = iter(found.items)
        first = next(rest, None)
        if first is None:
            raise UsageError(found.missing or "there are no items", where=run.name)
        shelf.add([first])
    stepping = Stepping(
        opened.plan,
        opened.journal,
        shelf,
        first=first,
        base=opened.base,
        gate=closed_gate(opened),
        drafts=drafts_beside(store),
        left=left,
        run=run.uid,
    )
    stepping.notebook = None if store.read_only else Notebook(store, config.pseudonym)
    stepping.crew = Crew(config, opened.pictures)
    stepping.archive = Archive(store, run)
    live = Live(store, run, stepping)
    title = f"{run.name}{' (demonstration)' if demo else ''}"
    stored, behind = partial(picture, store), Backstage(opened, stepping, live, found, rest)
    asked = Askable(store, run, opened.plan, opened.journal)
    bench = None if store.read_only else Bench(asked, stepping, config, demo=demo)
    return Ready(stepping, opened.pictures, title, demo, stored, live, behind, bench)
