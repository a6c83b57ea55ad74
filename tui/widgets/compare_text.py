"""The words of a comparison: two answers to a step beside each other, and what is read otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from textual.content import Content

from core.benchmarks.base import Benchmark
from core.interventions import answered_by
from core.records import Status, Step
from tui.counting import counted
from tui.inert import one_line
from tui.key_names import key
from tui.state.comparing import Pair
from tui.state.forking import Change, deed, standing_sign
from tui.state.marks import RIGHT, WRONG, fraction, marks
from tui.state.reading import readings
from tui.widgets.detail_text import ORIGINS, STATUSES, answered

FOLDED_LINES = 6


def heading(pair: Pair, number: int) -> Content:
    """Which step, and whether anything differs."""
    words = [(f" {number} {one_line(pair.name)}", "bold")]
    asked = ", asked otherwise" if pair.prompts else ""
    if not pair.differs:
        return Content.assemble(*words, (f"  {'=' if pair.same else '…'} {pair.words}{asked}", "dim"))
    first = "  ◀ first difference" if pair.first else ""
    return Content.assemble(*words, (f"  ≠ {pair.words}{asked}", ""), (first, "bold $text-warning"))


def cell(
    step: Step | None, benchmark: Benchmark, scorer: str, who: str, *, whole: bool, unasked: bool = False
) -> Content:
    """One side: how it came out, whose it is, what it says."""
    if step is None:
        return Content.styled("not asked yet" if unasked else "no such step", "dim")
    said = answered(step, benchmark, scorer)
    lines = said.split("\n")
    if not whole and len(lines) > FOLDED_LINES:
        left = len(lines) - FOLDED_LINES
        said = Content("\n").join(
            [
                *lines[:FOLDED_LINES],
                Content.styled(f"… {counted(left, 'more line')}; {key('compare.unfold')} unfolds", "dim"),
            ]
        )
    return Content("\n").join([verdict(step, benchmark, scorer, who), said])


def verdict(step: Step, benchmark: Benchmark, scorer: str, who: str) -> Content:
    """Marks by property, and who answered."""
    score, layout = step.score(scorer), benchmark.layout(step.turn.step)
    parts: list[Content | str | tuple[str, str]] = []
    if score is not None and score.scored:
        right, total = fraction(score)
        parts.append((f"{standing_sign(step, scorer)} ", _verdict(score.correct)))
        if layout.units > 1:
            parts.append(f"{right}/{total} ")
        found = marks(layout, score)
        if len(found) == 1:  # the initial of a property that stands alone would be taken for an option's letter
            parts += [f"{one_line(read.read)} " for read in readings(benchmark, step.turn, score) if read.read]
            found = ()
        for mark in found:
            style = "dim" if mark.right is None else _verdict(mark.right)
            parts.extend([mark.letter, (f"{mark.sign} ", style)])
    name = who or ORIGINS[step.origin]
    ended = [STATUSES[step.answer.status]] if step.answer.status is not Status.OK else []
    parts.append((f" {', '.join([one_line(name), *ended])}", "dim"))
    return Content.assemble(*parts)


def differing(changes: Sequence[Change]) -> Content | None:
    """A line for each value that was read otherwise, None where none was."""
    if not changes:
        return None
    wide = max(len(one_line(each.label)) for each in changes)
    return Content("\n").join(
        Content.assemble(
            (f" ≠ {one_line(each.label):<{wide}}  ", "bold"),
            *_value(each.before, each.was_right),
            ("  |  ", "dim"),
            *_value(each.after, each.is_right),
            (f"   gold {one_line(each.gold)}", "dim"),
        )
        for each in changes
    )


def _value(said: str, right: bool | None) -> tuple[tuple[str, str], ...]:
    sign = "" if right is None else f" {RIGHT if right else WRONG}"
    return (one_line(said) or "not read", ""), (sign, _verdict(right is True))


def _verdict(right: bool) -> str:
    return "$text-success" if right else "bold $text-error"


def counts(benchmark: Benchmark, steps: Sequence[Step], scorer: str) -> Content:
    """What several answers to one turn say, value by value: how often each was read, the most frequent first."""
    right = sum(standing_sign(step, scorer) == RIGHT for step in steps)
    scored = sum(bool(standing_sign(step, scorer)) for step in steps)
    asked = f"{counted(len(steps), 'answer')} to the same turn"
    head = f"{asked}, {right} of {scored} right as a whole" if scored else asked
    lines = [Content.styled(f" {head}", "bold")]
    for of_field in zip(*(readings(benchmark, step.turn, step.score(scorer)) for step in steps), strict=True):
        said = Counter((each.read, each.read is not None and each.agrees) for each in of_field)
        parts: list[str | tuple[str, str]] = [(f"   {one_line(of_field[0].label)}: ", "dim")]
        for at, ((value, good), count) in enumerate(said.most_common()):
            parts += ["" if not at else ", ", one_line(value) if value else "not read",
                      (f" {RIGHT if good else WRONG}", _verdict(good)), f" x {count}"]  # fmt: skip
        lines.append(Content.assemble(*parts))
    return Content("\n").join(lines)


def who_of(step: Step | None, usual: str) -> str:
    """Who answered, and what was done to it, where ``usual`` is the one asked otherwise."""
    return "" if step is None else deed(step) or answered_by(step, usual)
