"""The accuracy strip: one line for the run as it stands, one for what-ifs once there are any."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from core.cells import ALL
from core.tally import BEFORE
from tui.state.accuracy import Lane, StepAccuracy, called
from tui.state.marks import letters


def percent(share: float | None) -> str:
    """Two or three digits, a dot where nothing is counted."""
    return "·" if share is None else f"{share * 100:.0f}"


def step_words(step: StepAccuracy, *, whole: bool) -> str:
    """``describe N78 S80 A75 all 52 n27``, or without the properties; a mean over samples says so."""
    if not step.n and step.whole is None:
        return f"{step.step} ·"
    names = [name for name, _ in step.shares if name != ALL]
    shares = dict(step.shares)
    by_property = [f"{letter}{percent(shares[name])}" for name, letter in letters(names).items()] if whole else []
    if len(names) > 1:
        return " ".join([step.step, *by_property, f"all {percent(step.whole)}", f"n{step.n}"])
    return f"{step.step} {'mean ' if step.pooled else ''}{percent(step.whole)} n{step.n}"


def lane_line(head: str, lane: Lane, looked_at: str, width: int) -> str:
    """A lane in as much detail as the width has room for; the step looked at keeps its properties longest."""
    steps = [step for step in lane.steps if step.n or not lane.name]
    for whole in (lambda s: True, lambda s: s.step == looked_at, lambda s: False):
        line = f"{head}  " + " │ ".join(step_words(step, whole=whole(step)) for step in steps)
        if cell_len(line) <= width:
            return line
    return f"{head}  " + " ".join(f"{step.step} {percent(step.whole)}" for step in steps)


class AccuracyStrip(Static):
    """Percent right by step and property, over the whole run."""

    _last: tuple[Sequence[Lane], str, str] | None = None

    def __init__(self, *, demo: bool, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__("", id=id, markup=False)
        self._head = "% right (demo)" if demo else "% right"

    def on_resize(self) -> None:
        if self._last is not None:
            self.show(*self._last)

    def show(self, lanes: Sequence[Lane], looked_at: str, lane: str) -> None:
        """Redraw: the plain lane, and of the what-ifs the one looked at (``lane``), else, on a plain path, the
        latest."""
        self._last = (lanes, looked_at, lane)
        looked_at = looked_at.partition(".")[0]
        width = max(self.size.width - 2, 10)
        lines = [lane_line(self._head, lanes[0], looked_at, width)]
        others = [each for each in lanes[1:] if any(step.n for step in each.steps)]
        if others:
            what_ifs = [each for each in others if not each.name.startswith(BEFORE)] or others
            shown = next((each for each in others if each.name == lane), None if lane else what_ifs[-1])
            count = len(others) - (shown is not None)
            more = f" (+{count})" if count else ""
            if shown is None:  # the figures of another path would be taken for those of this one
                lines.append(f"{called(lane)}{more}  no answers behind it yet")
            else:
                lines.append(lane_line(f"{called(shown.name)}{more}", shown, looked_at, width))
        text = "\n".join(lines)
        before = str(self.content)
        if text != before:  # laying the screen out costs the most, and many times a second where a batch runs
            self.update(Content(text), layout=not before or text.count("\n") != before.count("\n"))
