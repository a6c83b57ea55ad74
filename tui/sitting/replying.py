"""From a turn as it was answered on the screen to what is kept of it, and to what is said of it in practice."""

from __future__ import annotations

from collections.abc import Sequence

from core.benchmarks.base import Benchmark
from core.records import Trajectory
from core.study.texts import Wording
from sessions.studies.clock import Clock
from sessions.studies.said import Reply
from tui.sitting.state.guard import Anticipation
from tui.sitting.state.trial import TurnState


def replied(
    state: TurnState,
    clock: Clock,
    early: Sequence[Anticipation],
    *,
    timed_out: bool = False,
    confidence: float | None = None,
    why: str = "",
) -> Reply:
    """All times by the sitting's clock. When the time was out, what was typed so far is kept and answers nothing."""
    times = state.clock
    return Reply(
        values={} if timed_out else state.values,
        text=state.words if timed_out or state.form is None else "",
        onset_ms=clock.of(times.onset or 0.0),
        first_ms=clock.of(times.first) if times.first is not None else None,
        final_ms=clock.of(times.final) if times.final is not None else None,
        paused_ms=(times.paused if times.final is None else times.paused_final) * 1000,
        paused_first_ms=times.paused_first * 1000,
        zoom_ms=times.zoomed * 1000,
        changes=tuple((clock.of(at), name, value) for at, name, value in state.changes if value),
        confidence=confidence,
        why=why,
        timed_out=timed_out,
        anticipations=tuple((clock.of(each.at), each.key) for each in early),
    )


def feedback(benchmark: Benchmark, trajectory: Trajectory, wording: Wording) -> str:
    """Whether the last answer was right, and what would have been."""
    step = trajectory.steps[-1]
    score = step.score()
    if score is None or not score.scored:
        return wording.ui("saved")
    if score.correct:
        return wording.ui("right")
    offer = benchmark.offer(trajectory.item, step.turn)
    named = len(step.turn.gold) > 1
    said = []
    for name, value in step.turn.gold.items():
        unit, dot, part = name.rpartition(".")
        text = offer.options[value].text if offer is not None and value in offer.options else ""
        words = f"{wording.label(value)} {text}".strip()
        head = f"{wording.ui('picture')} {unit} {wording.label(part)} " if dot else f"{wording.label(part)} "
        said.append(f"{head}{words}" if named else words)
    return wording.ui("wrong", answer=", ".join(said) or step.turn.gold_text)
