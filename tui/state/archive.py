"""What the store holds beside the run that is looked at: others on the same item, and runs that intervened on it."""

from __future__ import annotations

from core.planning import Request
from core.records import Item, Progress, Trajectory
from sessions.flips import Intervened, flips_of
from sessions.prompt_files import keep_prompt
from sessions.reading import items
from sessions.rivals import Rival, rival, rivals_on
from sessions.runs import Run, runs
from sessions.store import Store


class Archive:
    """Reads; every method may be called in a thread."""

    def __init__(self, store: Store, run: Run) -> None:
        self.store = store
        self.run = run

    @property
    def request(self) -> Request | None:
        """What the run was asked for, None where it does not say."""
        return Request.from_json(self.run.recipe) if self.run.recipe else None

    @property
    def store_file(self) -> str:
        return str(self.store.path)

    def keep_prompt(self, step: str, text: str) -> str:
        """The path of a file with these words. Raises UsageError where it cannot be written."""
        return str(keep_prompt(self.store, step, text))

    def rivals(self, item: Item) -> list[Rival]:
        """The trajectories of other runs on that item."""
        return rivals_on(self.store, item, self.run.id)

    def load(self, item: Item, row: int) -> Trajectory:
        """One of them whole. KeyError where it was deleted meanwhile."""
        return rival(self.store, item, row)

    def finished(self) -> list[str]:
        """The ids of the items that this run has finished plainly, in the order they were first seen."""
        found = items(self.store, self.run)
        return [one.key for one in found if one.progress is Progress.DONE]

    def intervened(self, first: str = "") -> list[Intervened]:
        """What the runs that were made from this one changed; those with the intervention ``first`` come first."""
        made_from = [one.run for one in runs(self.store) if one.run.config.base_run == self.run.uid]
        return sorted(flips_of(self.store, made_from, "rule"), key=lambda one: one.interventions != first)
