"""``run --on``: where trajectories run, in the words of the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from core.config import Config
from core.errors import UsageError
from core.respondents.budget import Budget
from tui.cli.output import say

if TYPE_CHECKING:
    from core.workers.crew import Crew
    from core.workers.links import Hiring
    from core.workers.on_ray import Cluster
    from core.workers.terms import Staff
    from sessions.opening import OpenRun

MOST: Final = 4096
FORMS: Final = "processes, processes:N, ray or ray:ADDRESS"


@dataclass(slots=True)
class On:
    """``kind`` is ``processes``, ``ray``, or "" for this process; ``workers`` 0 is as many as fit."""

    kind: str = ""
    address: str = ""
    workers: int = 0
    _cluster: Cluster | None = None

    @classmethod
    def of(cls, text: str, workers: int = 0) -> On:
        """Of ``--on`` and ``--workers``. Raises UsageError."""
        kind, colon, rest = text.partition(":")
        where = f"--on {text}"
        if kind not in ("", "processes", "ray") or (colon and not rest):
            raise UsageError("nothing runs there", where=where, remedy=f"Write {FORMS}")
        if not kind and workers:
            raise UsageError("workers are somewhere else", where=f"--workers {workers}", remedy=f"Add --on {FORMS}")
        if kind == "ray" and rest.startswith("ray://"):
            raise UsageError(
                "a driver outside of the cluster is too far away",
                where=where,
                remedy="Run the command on a machine of the cluster, with HOST:PORT of its head",
            )
        if kind == "processes" and colon:
            if workers or not (rest.isascii() and rest.isdigit() and 0 < int(rest) <= MOST):
                remedy = f"For example processes:4, without --workers; {MOST} at most"
                raise UsageError("that is no number of processes", where=where, remedy=remedy)
            return cls(kind, "", int(rest))
        return cls(kind, rest, workers)

    @contextmanager
    def connected(self) -> Iterator[None]:
        """With the cluster at hand, a cluster of this machine's own for as long. Raises UsageError.

        To be entered before there is an event loop.
        """
        if self.kind != "ray":
            yield
            return
        from core.workers.on_ray import Cluster

        if not self.address:
            say("starting Ray on this machine")
        self._cluster = Cluster(self.address)
        try:
            yield
        finally:
            self._cluster.close()
            self._cluster = None

    def crew(
        self, opened: OpenRun, settings: Config, concurrency: int, budget: Budget | None, *, carried: bool
    ) -> Crew | None:
        """The workers of one run, told to the user; None where it stays in this process.

        Raises UsageError where some of the run is ``carried`` by a server's batches.
        """
        if not self.kind:
            return None
        from core.workers.crew import Crew
        from core.workers.terms import staff_of, terms_of
        from sessions.background import refuse_while_out

        if carried:
            refuse_while_out(opened.store, opened.run)
        staff = staff_of(opened.prepared, settings, concurrency)
        hiring = self._hiring(staff)
        say(f"{opened.run.name}: on {hiring.words}")
        charged = budget is not None
        terms = partial(terms_of, opened.prepared, settings, staff, hiring.count, charged=charged)
        return Crew(hiring, terms, lambda line: say(f"{opened.run.name}: {line}"), budget=budget)

    def refuse_others(self, *, batched: bool) -> None:
        """Raises UsageError where what was asked for cannot be anywhere else."""
        if self.kind and batched:
            raise UsageError(
                "a batch is the server's own work: nothing of it can run elsewhere",
                where=f"--on {self.kind}",
                remedy="Leave out --on or --via batch",
            )

    def _hiring(self, staff: Staff) -> Hiring:
        if self._cluster is not None:
            return self._cluster.crew_of(staff, self.workers, say)
        from core.workers.process import Processes, here

        fitting = int(len(here()) / staff.gpus) if staff.gpus else _cpus()
        count = self.workers or max(1, fitting)
        if staff.most is not None and count > staff.most:
            count = staff.most
        return Processes(count, staff.gpus)


def _cpus() -> int:
    """Those that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


HERE: Final = On()
"""In this process."""
