"""What was done at a fork, in words, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.benchmarks.base import Benchmark
from core.interventions import answered_by
from core.plan import Plan
from core.records import Origin, Step, Trajectory
from tui.state.family import Family
from tui.state.marks import RIGHT, WRONG
from tui.state.reading import readings

_SAID: Final = {
    "gold": "gold put in",
    "text": "own words",
    "prompt": "another prompt",
    "person": "answered by you",
    "sham": "asked again, as a sham",
    "again": "asked again",
}


def deed(step: Step) -> str:
    """What was done at a step that a fork begins with: ``number set right``, ``asked oracle``."""
    label = step.lane.rpartition(f"{step.turn.step}=")[2] if f"{step.turn.step}=" in step.lane else ""
    kind, _, said = label.partition(":")
    if label.startswith("@"):
        return f"asked {label[1:]}"
    if kind == "again":
        return f"{_SAID[kind]} ({step.repeat})"
    if kind == "gold" and said:
        return f"{said} set right"
    if kind == "wrong":
        return f"{said} set wrong"
    if kind == "pictures":
        return f"pictures {said.replace('blank', '-')}"
    return _SAID.get(kind, label)


_WHOSE: Final = {
    Origin.RESPONDENT: "",
    Origin.GOLD: "gold",
    Origin.WRONG: "put wrong",
    Origin.EDITED: "edited",
    Origin.PERSON: "you",
}


def whose(step: Step) -> str:
    """The same in a word or two, "" for a step as the respondent gave it."""
    if step.origin is Origin.OTHER:
        return f"@{answered_by(step, 'other')}"
    label = step.lane.rpartition(f"{step.turn.step}=")[2] if f"{step.turn.step}=" in step.lane else ""
    kind = label.partition(":")[0]
    return _WHOSE[step.origin] or (kind if kind in ("again", "prompt", "pictures") else "")


@dataclass(frozen=True, slots=True)
class Change:
    """A value that was read in two answers to the same step. ``""``: not read; ``right`` None: not scored."""

    label: str
    before: str
    after: str
    was_right: bool | None
    is_right: bool | None
    gold: str


def changes(benchmark: Benchmark, before: Step, after: Step, scorer: str) -> tuple[Change, ...]:
    """The values that were read otherwise in the one than in the other, in the order of the form."""
    was = {each.field.name: each for each in readings(benchmark, before.turn, before.score(scorer))}
    out = []
    for now in readings(benchmark, after.turn, after.score(scorer)):
        old = was.get(now.field.name)
        if old is not None and now.otherwise(old):
            out.append(Change(now.label, old.read or "", now.read or "", old.right, now.right, now.gold))
    return tuple(out)


def standing_sign(step: Step, scorer: str) -> str:
    """Right, wrong, or "" where nothing is scored."""
    score = step.score(scorer)
    if score is None or not score.scored:
        return ""
    return RIGHT if score.correct else WRONG


def history(fork: Trajectory, family: Family, plan: Plan, scorer: str) -> tuple[str, ...]:
    """Lines that say how a fork differs from what it was forked from: what was done, what is read otherwise there,
    and which later steps came out otherwise. Empty for what is no fork, or holds no step of its own yet."""
    parent = family.get(fork.parent) if fork.parent is not None else None
    if len(fork.steps) <= fork.fork or fork.parent is None:
        return ()
    own = fork.steps[fork.fork]
    lines = [f"at {fork.fork + 1} {own.turn.step}: {deed(own)}"]
    old = parent.steps[fork.fork] if parent is not None and len(parent.steps) > fork.fork else None
    if parent is None or old is None:
        return tuple(lines)
    found = changes(plan.benchmark, old, own, scorer)
    lines.extend(f"{each.label}: {each.before or 'not read'} → {each.after or 'not read'}" for each in found)
    if not found:
        same = old.answer.text == own.answer.text
        lines.append("the same answer" if same else "other words, nothing read otherwise")
    later = []
    for was, now in zip(parent.steps[fork.fork + 1 :], fork.steps[fork.fork + 1 :], strict=False):
        signs = standing_sign(was, scorer), standing_sign(now, scorer)
        if was.turn.step == now.turn.step and all(signs):
            later.append(f"{now.turn.step} {signs[0]} → {signs[1]}" if signs[0] != signs[1] else
                         f"{now.turn.step} stays {signs[1]}")  # fmt: skip
    if later:
        lines.append(f"then {', '.join(later)}")
    return tuple(lines)
