"""The same intervention over many items: the run that puts it in, and its sham control, as requests and commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from core.benchmarks.registry import parse_name
from core.errors import UsageError
from core.flips import Compared
from core.interventions import BLANK, answered_by, shown
from core.placeholders import drafted
from core.planning import Request
from core.prompts import prompts_for
from core.records import Origin, Turn
from core.selection import Filter
from sessions.flips import Intervened
from tui.key_names import key
from tui.state.stepping import Stepping

MOST_IDS: Final = 2000
"""More ids than that make no command line; such a filter runs over all items of the run."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """An intervention over the items: ``treatment`` puts it in, ``control`` asks the same step again (its sham)."""

    label: str
    treatment: Request
    control: Request

    @property
    def requests(self) -> tuple[Request, Request]:
        return self.treatment, self.control


def unfinished() -> str:
    """Why nothing can be begun where no item has all its steps."""
    all_of_them = f"{key('run.batches')}, then {key('batches.new')}, runs them all"
    return f"none of these items is finished yet: {all_of_them}; {key('step.end')} runs this one to its end"


def specs(stepping: Stepping) -> tuple[str, ...]:
    """What can be put in at the step under the cursor in a batch, as ``--intervene`` has it."""
    turn = stepping.look().turn
    if turn is None:
        return ()
    out = []
    words = turn.makes == "text"
    names = tuple(dict.fromkeys(f.name.rpartition(".")[2] for f in turn.form)) if words else ()
    if turn.gold_text and (words or stepping.plan.benchmark.answer_drawer is not None):
        out.append(f"{turn.step}=gold")
        if len(names) > 1:
            out += [f"{turn.step}=gold:{name}" for name in names]
        out += [f"{turn.step}=wrong:{name}" for name in names]
    return (*out, *(f"{turn.step}=pictures:{order}" for order in orders(turn)))


@dataclass(frozen=True, slots=True)
class Own:
    """What was done on the path looked at and can be done over the items: ``spec`` as ``--intervene`` has it, or
    ``STEP=@NAME`` for somebody else; ``text`` is the prompt that a file must hold first."""

    spec: str
    words: str
    text: str = ""


def own(stepping: Stepping) -> tuple[Own, ...]:
    """Prompts that were put in on this path, and turns of it that were somebody else's; the cursor's step first."""
    look = stepping.look()
    out, path = [], look.trajectory
    for index in (look.index, *range(len(path.steps))):
        if index >= len(path.steps):
            continue
        step = path.steps[index]
        name = step.turn.step
        if step.origin is Origin.OTHER:
            who = answered_by(step, "")
            out.append(Own(f"{name}=@{who}", f"that step asked of {who}, as here"))
        elif step.turn.made_by == "person" and f"{name}=prompt" in step.lane.split("+"):
            with suppress(UsageError):  # over joined or blank pictures it cannot be written
                words = drafted(step.turn, stepping.engine.plain_turn(path, index))
                out.append(Own(f"{name}=prompt", "the prompt of this fork, word for word", words))
    return tuple(dict.fromkeys(out))


def to_other(turn: Turn) -> str:
    """``STEP=@``, to be ended with whom, where that step's answers count as somebody's own; "" elsewhere."""
    return "" if turn.shared or turn.makes != "text" else f"{turn.step}=@"


def orders(turn: Turn) -> tuple[str, ...]:
    """Every exchange of two of the turn's pictures, every one of them blank, and all blank."""
    count = shown(turn)
    plain = [str(place + 1) for place in range(count)]
    out = []
    for one in range(count):
        for other in range(one + 1, count):
            order = list(plain)
            order[one], order[other] = order[other], order[one]
            out.append(order)
    if not any(show.collage for show in turn.shows):
        out += [[*plain[:one], BLANK, *plain[one + 1 :]] for one in range(count) if count > 1]
    out += [[BLANK] * count] if count else []
    return tuple(",".join(order) for order in out)


def over(finished: Sequence[str], chosen: Sequence[str] | None, count: int) -> tuple[str, ...] | None:
    """The ids of the items that an intervention can start from: finished ones, of the filter's where one is set
    (``chosen`` not None). None for all ``count`` of them."""
    wanted = None if chosen is None else set(chosen)
    ids = tuple(key for key in finished if wanted is None or key in wanted)
    return None if wanted is None and len(ids) >= count else ids


def sweep(base: Request, run: str, spec: str, ids: Sequence[str] = ()) -> Sweep:
    """The two runs that put ``spec`` in over the base run's items, or those of them with these ids; ``STEP=@NAME``
    asks somebody else there.

    They start from the base run (``run`` is its name or uid): steps before the intervention are taken over, and the
    answer that is changed is that run's own. Raises UsageError for ``STEP=@`` without a name.
    """
    chosen = base.filter
    if ids and len(ids) <= MOST_IDS:
        chosen = Filter({"id": tuple(ids)}, seed=base.filter.seed)
    step, _, kind = spec.partition("=")
    plain = replace(base, sham=False, base_run=run, filter=chosen)
    if not kind.startswith("@"):
        treatment = replace(plain, interventions=(spec,))
        return Sweep(label_of(spec), treatment, replace(treatment, sham=True))
    if not kind[1:].strip():
        raise UsageError(f"say whom {step} is to be asked of: {step}=@NAME")
    treatment = replace(plain, interventions=(), respondents_at={**base.respondents_at, step: kind[1:].strip()})
    return Sweep(spec, treatment, replace(plain, interventions=(f"{step}=gold",), sham=True))


def label_of(spec: str) -> str:
    """The intervention as reports have it: a file's words go without its path."""
    head, _, _ = spec.partition(":")
    return head if head.endswith(("=prompt", "=text")) else spec


def command(request: Request, *, store: str = "", more: Iterable[tuple[str, str]] = ()) -> str:
    """The request as a line for a shell, with ``more`` options. Prompts that a run keeps as texts are the program's
    own in a command."""
    data = () if request.data is None else ("--data", str(request.data))
    named: list[tuple[str, object]] = [
        ("--pictures", request.pictures),
        ("--protocol", request.protocol),
        ("--prompts", request.prompts or ""),
        ("--respondent", request.respondent),
    ]
    words = ["phoropter", "run", request.benchmark, *data]
    words += [word for name, value in named if value for word in (name, str(value))]
    words += _pairs("--set", request.options) + _pairs("--respondent-at", request.respondents_at)
    words += _pairs("--map", request.mapping)
    for spec in request.interventions:
        words += ["--intervene", spec]
    words += ["--sham"] if request.sham else []
    words += ["--from", request.base_run] if request.base_run else []
    words += _pairs("--where", {key: ",".join(values) for key, values in request.filter.where.items()})
    for name, number, usual in (
        ("--sample", request.filter.sample, 0),
        ("--seed", request.filter.seed, 0),
        ("--limit", request.filter.limit, 0),
        ("--repeats", request.repeats, 1),
    ):
        words += [name, str(number)] if number != usual else []
    words += ["--skip-bad"] if request.skip_bad else []
    words += ["--store", store] if store else []
    words += [word for option in more for word in option]
    return shlex.join(words)


def unsayable(request: Request) -> str:
    """Why no command says these items, "" where one does."""
    if any("," in value for values in request.filter.where.values() for value in values):
        return "an id has a comma, which --where takes for the end of it: no command says these items"
    return ""


def commands(made: Sweep, store: str = "") -> tuple[str, ...]:
    """Both runs and the report, to be run in a shell."""
    report = shlex.join(["phoropter", "report", *(["--store", store] if store else [])])
    return (*(command(request, store=store) for request in made.requests), report)


def order_words(order: str) -> str:
    """``2,1,3`` in words."""
    places = order.split(",")
    blank = [str(at) for at, place in enumerate(places, 1) if place == BLANK]
    if len(blank) == len(places):
        return "every picture blank" if len(places) > 1 else "the picture blank"
    if blank:
        return f"picture {', '.join(blank)} blank"
    moved = [place for at, place in enumerate(places, 1) if place != str(at)]
    return f"pictures {' and '.join(sorted(moved))} exchanged"


def spec_words(spec: str) -> str:
    """``describe=gold:number`` in words."""
    kind, _, said = spec.partition("=")[2].partition(":")
    if kind == "pictures":
        return order_words(said)
    if kind == "gold":
        return f"the {said} set right, the rest as it was answered" if said else "the gold answer put in"
    return f"a wrong {said} put in, the rest as it was answered"


def has_own_prompts(request: Request) -> bool:
    """Whether the run was asked with other prompts than the program's own: a command cannot say those."""
    known = prompts_for(parse_name(request.benchmark, pipelines=True)[0].name)
    return any(known.get(name) != text for name, text in request.prompt_texts.items())


@dataclass(frozen=True, slots=True)
class Outcome:
    """One line of what a sweep changed: accuracy before and after at one step and property, in percent."""

    run: str
    what: str
    step: str
    property: str
    n: int
    before: float
    after: float
    low: float
    high: float
    p: float


_WHAT: Final[Mapping[Compared, str]] = {
    "intervention - plain": "what-if",
    "sham - plain": "sham",
    "intervention - sham": "vs sham",
}


def outcomes(found: Iterable[Intervened]) -> tuple[Outcome, ...]:
    """Every comparison of these runs, where anything was compared, in the reports' order."""
    out = []
    for one in found:
        for row in one.rows:
            figures = row.figures
            if not figures.n:
                continue
            before = 100 * (figures.right_right + figures.right_wrong) / figures.n
            after = 100 * (figures.right_right + figures.wrong_right) / figures.n
            interval = 100 * figures.low, 100 * figures.high
            out.append(
                Outcome(one.run, _WHAT[row.compared], row.step, row.property, figures.n, before, after, *interval,
                        figures.p)
            )  # fmt: skip
    return tuple(out)


def _pairs(option: str, given: Mapping[str, str]) -> list[str]:
    return [word for key, value in given.items() for word in (option, f"{key}={value}")]
