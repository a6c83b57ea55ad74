"""The words on a fork and on what a step took."""

from __future__ import annotations

from textual.content import Content

from tui.counting import counted
from tui.inert import one_line
from tui.state.forking import history
from tui.state.look import Look
from tui.state.stepping import Stepping


def fork(stepping: Stepping, look: Look) -> Content | None:
    """How the fork that is looked at differs from its parent; None on a plain path, and before the fork."""
    if look.index < look.trajectory.fork:
        return None
    lines = history(look.trajectory, stepping.family, stepping.plan, stepping.scorer)
    return Content("\n").join(Content(one_line(line)) for line in lines) if lines else None


def took(stepping: Stepping, look: Look) -> Content | None:
    """Time, tokens and price of the step, and of the path up to here where that is more; None where nobody was
    called, or nothing has been read yet."""
    if look.step is None or look.running is not None:
        return None
    own = stepping.costs.of(look.step)
    steps = look.trajectory.steps[: look.index + 1]
    path = stepping.costs.total(steps)
    lines = [Content(one_line(own.words))] if own is not None and own.calls else []
    if path is not None and path.calls > 1:
        lines.append(Content.styled(f"up to here, {counted(path.calls, 'call')}: {one_line(path.words)}", "dim"))
    return Content("\n").join(lines) if lines else None
