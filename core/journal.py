"""Where trajectories are kept, as the engine sees it; ``sessions`` implements it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.records import Answer, Call, Item, Progress, SentPicture, Step, Trajectory


class Journal(Protocol):
    """The engine's only view of storage: one run's trajectories.

    Every method that writes returns when the change is safe on disk: a killed process loses only what was in
    flight.
    """

    async def take_up(self, item: Item, repeat: int) -> Trajectory:
        """The run's trajectory for this item as stored, its steps replayed; a new one where there is none.

        A failed one comes back open, at the step where it failed. A done one comes back done, and its steps may
        be left out.
        """
        ...

    async def all_on(self, item: Item) -> tuple[Trajectory, ...]:
        """All the run's trajectories on this item with their steps, forks after what they were forked from."""
        ...

    async def add_step(self, trajectory: Trajectory, step: Step, *, last: bool = False) -> Trajectory:
        """Append a step at the trajectory's head. Returns the trajectory with the stored step as its last.

        ``last``: nothing is asked after it, and in the same change the trajectory is done. It comes back open where
        that could not be, because another process's step stands there.
        """
        ...

    async def add_sibling(self, trajectory: Trajectory, step: Step) -> Step:
        """Store a step after the head without moving it: an asking that an intervention replaces."""
        ...

    async def sibling(self, trajectory: Trajectory, step: str, repeat: int) -> Step | None:
        """The respondent's answer to that step after the head as ``add_sibling`` stored it, if any."""
        ...

    async def recall(self, request_hash: str, repeat: int, behind: str | None = None) -> Answer | None:
        """The latest answer that exactly this request got before, in any run: ``recalled`` says where, and it has no
        call. None where it was never answered, or only by calls that failed.

        ``behind``: only one asked behind just these interventions ("" for none; see ``interventions.what_if``). A run
        that is to ask anew recalls what it asked itself.
        """
        ...

    async def call_of(self, step: Step, *, raw: bool = True) -> Call | None:
        """The request and reply behind a stored step, None where nothing was sent for it. Without ``raw`` both may be
        left empty: what it took is all that is wanted."""
        ...

    async def pictures(self, hashes: Sequence[str]) -> Mapping[str, SentPicture]:
        """Those of these pictures that were sent before, with their bytes."""
        ...

    async def fork(self, trajectory: Trajectory, keep: int) -> Trajectory:
        """A new open trajectory that shares the first ``keep`` steps; the old one stays as it is."""
        ...

    async def finish(
        self,
        trajectory: Trajectory,
        progress: Progress,
        reason: str = "",
        call: Call | None = None,
        *,
        step: str = "",
    ) -> Trajectory:
        """Mark it done or failed; ``call`` is the failed call for the ledger, ``step`` where it failed."""
        ...

    async def remove_fork(self, fork: Trajectory) -> None:
        """Take a fork away, with the forks made from it: the one removal. Raises UsageError for a main trajectory."""
        ...
