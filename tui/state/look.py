"""What lies under the cursor: a stored step, or the place where the next turn will be asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.events import Waiting
from core.records import Step, Trajectory, Turn
from tui.state.halting import Deed


@dataclass(slots=True)
class Running:
    """A call under way. ``follow`` is False once the user has looked elsewhere: its answer then leaves the cursor.
    ``waits`` is why it has to be asked again, and when; None otherwise. ``held`` is why it is not asked at all yet,
    ``loading`` how far the model is that is loaded first; the seconds are those of the loading then. ``asked``: the
    turn has gone out and its step has not come; ``path`` is where drafts of the trajectory are kept, ``anew`` the
    path that this is asked anew for, and ``deed`` what for.
    """

    item: str
    trajectory: int
    index: int
    step: str
    started: float
    clock: Callable[[], float]
    follow: bool = True
    pieces: list[str] = field(default_factory=list)
    waits: Waiting | None = None
    held: str = ""
    loading: str = ""
    asked: bool = False
    path: int = 0
    anew: int = -1
    deed: Deed = field(default_factory=Deed)

    @property
    def seconds(self) -> float:
        return self.clock() - self.started

    @property
    def words(self) -> str:
        """That it is under way, or what it waits for."""
        if self.loading:
            return f"{self.step} waits: the model is being loaded ({self.loading})"
        return f"{self.step} waits: {self.held}" if self.held else f"{self.step} is still being asked"

    def loads(self, what: str, now: float) -> None:
        """How far loading is now; "" once it is over, and the call begins."""
        if bool(what) != bool(self.loading):
            self.started = now
        self.loading = what

    @property
    def text(self) -> str:
        """What has arrived of the answer."""
        return "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Stopped:
    """A call that ended without an answer, by the user (``reason`` "") or by a failure; what arrived is kept.
    ``whom``: it was asked of somebody else."""

    trajectory: int
    index: int
    step: str
    text: str = ""
    reason: str = ""
    whom: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """Everything the detail shows. ``step`` is None at the place of the next turn; ``turn`` too where all is done."""

    trajectory: Trajectory
    index: int
    turn: Turn | None
    step: Step | None
    running: Running | None = None
    stopped: Stopped | None = None
