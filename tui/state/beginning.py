"""What a new batch asks: this run's plan, somebody else, or an intervention with its sham; its judge and budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.errors import PhoropterError, UsageError
from core.planning import Request
from sessions.reopening import request_of
from sessions.runs import find_run
from tui.inert import one_line
from tui.state.bench import Bench
from tui.state.sweeping import command, sweep

BASELINES: Final = ("oracle", "random", "noisy:0.6", "seeing:0.8")
JUDGING_BASELINES: Final = ("random", "noisy:0.6")
WAYS: Final = ("live", "batch")
Kind = Literal["here", "respondent", "intervention"]


@dataclass(frozen=True, slots=True)
class Beginning:
    """What to begin. ``value`` is a respondent's name or an intervention as it is written: ``describe=gold``.
    ``judge`` is who judges its answers, "" for nobody; ``carried``: through the server's Batch API."""

    kind: Kind
    value: str = ""
    budget: float | None = None
    judge: str = ""
    carried: bool = False


def way_of(given: str) -> bool:
    """Whether what was typed means the Batch API; nothing typed: live. Raises UsageError for another word."""
    given = given.strip() or WAYS[0]
    if given not in WAYS:
        raise UsageError(f"{given} is no way to ask: live, or batch for the server's Batch API")
    return given == WAYS[1]


def typed(text: str) -> tuple[Kind, str]:
    """What somebody typed stands for: ``STEP=...`` is an intervention, anything else a respondent's name."""
    text = text.strip()
    return ("intervention" if "=" in text else "respondent", text)


def sum_of(given: str) -> float | None:
    """A budget as it was typed, None for none. Raises UsageError for what is no sum."""
    given = given.strip().removeprefix("$")
    try:
        budget = float(given) if given else None
    except ValueError:
        budget = math.nan
    if budget is not None and not (math.isfinite(budget) and budget > 0):
        raise UsageError("a budget is a sum of USD above 0, such as 2.50")
    return budget


def offered(bench: Bench) -> list[tuple[Kind, str, str]]:
    """What can be chosen, with a line for each."""
    plan = bench.asked.plan
    name = one_line(plan.respondent.name)
    out: list[tuple[Kind, str, str]] = [
        ("here", "", f"this run: {name}, {plan.protocol.name}; asks what is not done")
    ]
    who = [other for other in (*bench.config.respondents, *BASELINES) if other != plan.respondent.name]
    where = "on what this run has finished, and its sham beside it"
    if not plan.interventions:
        steps = [step for step in plan.protocol.steps if step.partition(".")[0] not in plan.benchmark.unscored]
        out += [
            ("intervention", f"{step}=gold", f"what if {step}=gold, {where}")
            for step in steps[:-1]
            if step not in plan.protocol.draws
        ]
        if not plan.respondents_at:
            out += [
                ("intervention", f"{step}=@", f"what if {step}=@NAME, whom you name, {where}")
                for step in steps[:-1]
                if step not in plan.protocol.draws
            ]
    return [*out, *(("respondent", other, f"the same asked of {one_line(other)}") for other in who)]


def completed(bench: Bench) -> tuple[str, ...]:
    """What the field for a respondent or an intervention suggests."""
    who = tuple(name for kind, name, _ in offered(bench) if kind == "respondent")
    steps = tuple(value for _, value, _ in offered(bench) if value.endswith("=@"))
    return (*who, *(f"{step}{name}" for step in steps for name in who))


def judges(bench: Bench) -> tuple[str, ...]:
    """Who can judge by name: those of the configuration first."""
    return (*bench.config.respondents, *JUDGING_BASELINES)


def commands(bench: Bench, wanted: Beginning) -> tuple[str, ...]:
    """The same over all items of the run, for a shell. () where the run does not say how it was asked, or there is
    nothing to say yet."""
    run, store = bench.asked.run, str(bench.asked.store.path)
    try:
        base = _named(request_of(run, told=True), bench)
        requests: Sequence[Request] = (base,)
        if wanted.kind == "respondent":
            requests = (base.asked_of(wanted.value),)
        elif wanted.kind == "intervention":
            requests = sweep(base, run.name, wanted.value).requests
    except PhoropterError:
        return ()
    if wanted.kind != "here" and not wanted.value:
        return ()
    more = [("--judge", wanted.judge)] if wanted.judge else []
    more += [("--budget", f"{wanted.budget:g}")] if wanted.budget is not None else []
    more += [("--via", "batch")] if wanted.carried else []
    return tuple(command(one, store=store, more=tuple(more)) for one in requests)


def _named(request: Request, bench: Bench) -> Request:
    """With the run that it takes steps over from by its name, where that is still there."""
    if not request.base_run:
        return request
    return replace(request, base_run=find_run(bench.asked.store, request.base_run).name)
