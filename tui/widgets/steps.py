"""The tree of steps: every path on the item, its marks, and where an answer came from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from core.records import Origin, Step
from sessions.notebook import Target
from tui.inert import one_line
from tui.state.choices import picked_as
from tui.state.family import Row
from tui.state.forking import aim, deed, whose
from tui.state.marks import Mark, expected_of, fraction, marks
from tui.state.stepping import Stepping
from tui.widgets.lines import Lines
from tui.widgets.notebook_text import NOTE

ROOMY = 34
"""Columns from which a row has room for what people wrote, and forks are set in by two."""


class Steps(Lines):
    """Draws ``Stepping.rows()``; the cursor is the state's. A click on a row posts Chosen."""

    BORDER_TITLE = "steps"
    can_focus = False

    def __init__(self, stepping: Stepping, *, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id)
        self._stepping = stepping
        self._rows: Sequence[Row] = stepping.rows()

    @property
    def count(self) -> int:
        return len(self._rows)

    def row(self, index: int) -> Row:
        """The row that was drawn there."""
        return self._rows[index]

    def redraw(self) -> None:
        """Take the state's rows and cursor over."""
        self._rows = self._stepping.rows()
        self.recount()
        self.cursor = self._stepping.row_index(self._rows)

    def line(self, index: int, width: int) -> Text:
        row = self._rows[index]
        text = Text(no_wrap=True, end="")
        text.append("▌" if row.on_path else " ", self.style("strong"))
        text.append(" " * min(row.depth, 4) * (2 if width >= ROOMY else 1))
        quiet = Style() if row.on_path else self.style("muted")
        if row.kind == "head":
            self._head(text, row)
        elif row.kind == "step":
            step = row.trajectory.steps[row.index]
            self._step(text, row.index + 1, step, quiet, written=width < ROOMY and self._written(step))
            if width >= ROOMY:
                self._remarks(text, step)
        else:
            self._open(text, row, quiet)
        text.rstrip()
        text.truncate(width, overflow="ellipsis")
        return text

    def _head(self, text: Text, row: Row) -> None:
        t = row.trajectory
        if t.parent is None:
            text.append(f"repeat {t.repeat + 1}", self.style("muted"))
        elif len(t.steps) > t.fork:
            own = t.steps[t.fork]
            text.append(f"╰ {one_line(own.turn.step)}: {one_line(deed(own))}", self.style("muted"))
        elif (kept := self._stepping.kept_of(t)) is not None and kept.deed.kind:
            turn = self._stepping.engine.next_turn(t)
            text.append(
                f"╰ {one_line(turn.step) if turn else 'end'}: {one_line(aim(kept.deed))}", self.style("muted")
            )
        else:
            text.append("╰ nothing in it yet", self.style("muted"))

    def _step(self, text: Text, number: int, step: Step, quiet: Style, *, written: bool) -> None:
        text.append(f"{number}{NOTE if written else ' '}{one_line(step.turn.step):<8} ", quiet)
        origin = one_line(whose(step))
        score = step.score(self._stepping.scorer)
        if score is None or not (score.scored or step.turn.form):
            said = "not scored" if step.turn.form or step.turn.makes == "picture" else "answered"
            text.append(origin or said, self.style("muted"))
            return
        if step.origin is Origin.GOLD and score.correct:
            text.append(origin, self.style("strong"))
            return
        layout = self._stepping.plan.benchmark.layout(step.turn.step)
        if layout.units > 1:
            text.append("{}/{} ".format(*fraction(score)), quiet)
        found = marks(layout, score)
        pick = picked_as(step.turn, step, self._stepping.scorer) if len(layout.properties) == 1 else None
        if pick is not None:
            found = (Mark(one_line(pick), found[0].right),)
        for mark in found:
            how = "muted" if mark.right is None else "right" if mark.right else "wrong"
            text.append(mark.letter, quiet)
            text.append(f"{mark.sign} ", self.style(how))
        if origin:
            text.append(origin, self.style("muted"))

    def _written(self, step: Step) -> bool:
        """Whether people wrote anything about it; where there is no room for what."""
        page = self._stepping.page
        return bool(page.latest(step.id) or page.tags_of(step.id) or page.notes_on(Target(step=step.id)))

    def _remarks(self, text: Text, step: Step) -> None:
        """What people hold of it, its tags, and that there is a note."""
        page, layout = self._stepping.page, self._stepping.plan.benchmark.layout(step.turn.step)
        for grading in page.latest(step.id):
            text.append(f" {one_line(grading.author)} ", self.style("muted"))
            for mark in marks(layout, grading, expected=expected_of(step)):
                how = "muted" if mark.right is None else "right" if mark.right else "wrong"
                text.append(mark.letter)
                text.append(mark.sign, self.style(how))
        for tag in page.tags_of(step.id):
            text.append(f" #{one_line(tag)}", self.style("strong"))
        if page.notes_on(Target(step=step.id)):
            text.append(f" {NOTE}", self.style("strong"))

    def _open(self, text: Text, row: Row, quiet: Style) -> None:
        running = self._stepping.running
        turn = self._stepping.engine.next_turn(row.trajectory)
        text.append(f"{row.index + 1} {turn.step if turn else 'end':<8} ", quiet)
        here = (row.trajectory.item.id, row.trajectory.id, row.index)
        if running is not None and (running.item, running.trajectory, running.index) == here:
            doing = "loading" if running.loading else "asking"
            text.append("waits" if running.held else f"{doing} {running.seconds:.0f} s", self.style("strong"))
            if running.waits is not None:
                text.append(f" · {one_line(running.waits.short)}", self.style("wrong"))
        elif row.kind == "failed":
            text.append("! failed", self.style("wrong"))
        elif row.kind == "stopped":
            text.append("stopped", self.style("strong"))
        else:
            text.append("next", self.style("muted"))
