"""From what a user asked for to a checked plan: data, protocol, respondents, interventions. Writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from core.benchmarks import registry
from core.benchmarks.base import Benchmark, Dataset, LoadOptions, Partial, ProtocolLike
from core.config import Config
from core.errors import DataError, Problem, UsageError
from core.interventions import Intervention, as_asked, as_sham, parse, to_stored
from core.packs import pack
from core.pictures import Drawer, Pictures
from core.placeholders import unplaced, unplaced_words
from core.plan import Plan
from core.prompts import prompt_hashes, prompts_for
from core.records import Answer, Item, Json, Origin, Step, Turn
from core.respondents import registry as respondents
from core.respondents.base import Respondent
from core.respondents.people import PEOPLE
from core.scoring import scorers_of
from core.selection import Filter, Selection
from core.study.told import Telling, Told, Worked

DRAWN = "drawn"
PICTURES_REMEDY = (
    f"Name the folder they lie in with --pictures FOLDER, let drawn ones stand in with --pictures {DRAWN}, "
    "or run the rest with --skip-bad"
)


@dataclass(frozen=True, slots=True)
class Request:
    """What a user asked for, in the words of the command line. ``data`` None: the built-in pack.

    ``prompt_texts`` are prompts by name as a stored run used them, whatever the program's are by now. ``told`` is
    what a study's participants are told, too.
    """

    benchmark: str
    data: Path | None = None
    pictures: str = ""
    protocol: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    prompts: Path | None = None
    prompt_texts: Mapping[str, str] = field(default_factory=dict)
    respondent: str = "oracle"
    respondents_at: Mapping[str, str] = field(default_factory=dict)
    interventions: tuple[str, ...] = ()
    sham: bool = False
    repeats: int = 1
    filter: Filter = field(default_factory=lambda: Filter({}))
    mapping: Mapping[str, str] = field(default_factory=dict)
    skip_bad: bool = False
    base_run: str = ""
    told: Told | None = None

    def asked_of(self, name: str) -> Request:
        """The same of somebody else throughout: no other is sent in for single steps, and no run is started from,
        whose answers are not theirs."""
        return replace(self, respondent=name, respondents_at={}, base_run="")

    def to_json(self) -> dict[str, Json]:
        """As kept with a run, so that the app can take it up again; paths are absolute, prompts are texts."""
        kept = {name: getattr(self, name) for name in _KEPT}
        return kept | {
            "data": _absolute(self.data),
            "pictures": self.pictures if self.pictures in ("", DRAWN) else _absolute(Path(self.pictures)),
            "options": dict(self.options),
            "prompt_texts": dict(self.prompt_texts),
            "respondents_at": dict(self.respondents_at),
            "mapping": dict(self.mapping),
            "told": self.told.to_json() if self.told is not None else None,
            "interventions": [_with_absolute_file(spec, ("text", "prompt")) for spec in self.interventions],
            "respondent": _with_absolute_file(self.respondent, ("replay",)),
            "where": {key: list(values) for key, values in self.filter.where.items()},
            "sample": self.filter.sample,
            "seed": self.filter.seed,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Json]) -> Request:
        """What :meth:`to_json` kept, by this or another version; without a limit, which says only how far to go."""
        kept = {name: stored[name] for name in _KEPT if name in stored}
        where = {key: tuple(values) for key, values in stored.get("where", {}).items()}
        return cls(
            **kept,
            data=Path(stored["data"]) if stored.get("data") else None,
            interventions=tuple(stored.get("interventions", ())),
            filter=Filter(where, stored.get("sample", 0), stored.get("seed", 0)),
            told=Told.from_json(stored["told"]) if stored.get("told") else None,
        )


_KEPT = (
    "benchmark",
    "pictures",
    "protocol",
    "options",
    "prompt_texts",
    "respondent",
    "respondents_at",
    "sham",
    "repeats",
    "mapping",
    "skip_bad",
    "base_run",
)
"""Fields of a request that are kept as they are."""


def _with_absolute_file(spec: str, kinds: tuple[str, ...]) -> str:
    """``replay:FILE``, ``STEP=text:FILE`` with the file's whole path; anything else as it stands."""
    head, colon, file = spec.partition(":")
    if colon and file and head.rpartition("=")[2] in kinds:
        return f"{head}:{_absolute(Path(file))}"
    return spec


def _absolute(path: Path | None) -> str:
    return str(path.expanduser().absolute()) if path is not None else ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A checked request: the plan, the items it runs on, and what identifies it."""

    request: Request
    benchmark: Benchmark
    subset: str
    dataset: Dataset
    selection: Selection
    pictures: Pictures
    plan: Plan
    left_out: tuple[Problem, ...] = ()

    def what_is_seen(self) -> Json:
        """What of the data and its pictures changes answers beyond the file's bytes: part of a run's identity."""
        out: dict[str, Json] = {"mapping": dict(self.request.mapping)} if self.request.mapping else {}
        if self.plan.looks:
            out["pictures"] = {**self.pictures.identity, **self.pictures.content(self.dataset.good())}
        return out

    @property
    def protocol(self) -> ProtocolLike:
        return self.plan.protocol

    @property
    def respondents(self) -> tuple[Respondent, ...]:
        return self.plan.respondents

    @property
    def prompt_hashes(self) -> Mapping[str, str]:
        """Of the prompts of this benchmark, by name."""
        return prompt_hashes(self.benchmark.name, self.protocol.prompts)

    @property
    def interventions(self) -> Json:
        return to_stored(self.plan.interventions)

    def steps_of(self, item: Item) -> int:
        """How many steps the item is asked when every answer is the gold one."""
        if not self.benchmark.pooled:
            return len(self.protocol.steps)
        return len(gold_steps(self.benchmark, self.protocol, item))

    async def close(self) -> None:
        """Give the respondents' connections back."""
        for respondent in self.respondents:
            await respondent.close()


def load(request: Request, protocol: str = "") -> tuple[Benchmark, str, Dataset]:
    """Benchmark, subset and data set of a request; the built-in pack where no data is named.

    With a ``protocol`` the data must hold what that one asks.
    """
    benchmark, subset = registry.parse_name(request.benchmark, pipelines=True)
    path = request.data if request.data is not None else pack(benchmark.name, subset)
    folder = folder_of_pictures(benchmark, request.pictures)
    dataset = benchmark.load(path, subset, LoadOptions(folder, request.mapping or None, protocol))
    return benchmark, dataset.subset, dataset


def folder_of_pictures(benchmark: Benchmark, given: str) -> Path | None:
    """The folder that ``--pictures`` names, None where it names none. UsageError where drawings cannot be had."""
    if given == DRAWN and benchmark.drawer is None:
        raise UsageError(
            f"{benchmark.name} has no drawn pictures",
            where=f"--pictures {DRAWN}",
            remedy="Name the folder they lie in, or leave the option out where they lie beside the data",
        )
    return None if given in ("", DRAWN) else Path(given).expanduser()


def prepare(request: Request, config: Config) -> Prepared:
    """Check everything that can be checked before the first turn, and make the plan.

    Raises UsageError, ConfigError, RespondentError, or DataError with all bad rows and missing pictures together.
    With ``skip_bad`` bad rows are left out instead and listed in ``left_out``.
    """
    benchmark, subset, dataset = load(request, protocol_name(request))
    pictures = Pictures(drawer=drawer_of(benchmark, request), max_side=largest_side(request))
    plan = make_plan(benchmark, subset, request, config, pictures)
    selection, left_out = choose(request, dataset, plan, pictures)
    return Prepared(request, benchmark, subset, dataset, selection, pictures, plan, left_out)


def drawer_of(benchmark: Benchmark, request: Request) -> Drawer | None:
    """What draws the stand-ins that a request asks for; None where pictures are files."""
    drawn = request.pictures == DRAWN or (request.data is None and not request.pictures)
    return benchmark.drawer if drawn else None


def largest_side(request: Request) -> int:
    """The largest width and height of a picture that is sent, 0 for any."""
    return request.told.picture_px if request.told is not None else 0


def make_plan(benchmark: Benchmark, subset: str, request: Request, config: Config, pictures: Pictures) -> Plan:
    """Who is asked what, checked without a look at any data. Raises UsageError, ConfigError, RespondentError."""
    protocol = make_protocol(benchmark, subset, request)
    asked = respondents.make(request.respondent, config, pictures)
    at = {step: respondents.make(name, config, pictures) for step, name in request.respondents_at.items()}
    _refuse_people(benchmark, request)
    known_steps = {*protocol.steps, *(step.partition(".")[0] for step in protocol.steps)}
    for step in at:
        if step not in known_steps:
            raise UsageError(
                f"this protocol has no step {step!r}",
                where=f"--respondent-at {step}={request.respondents_at[step]}",
                remedy=f"Its steps: {', '.join(protocol.steps)}",
            )
    plan = Plan(
        benchmark,
        protocol,
        asked,
        scorers_of(benchmark),
        at,
        interventions_of(benchmark, protocol, request),
        request.repeats,
        request.filter.seed,
    )
    plan.check()
    return plan


def _refuse_people(benchmark: Benchmark, request: Request) -> None:
    """Raises UsageError where a run would wait for people whom nobody asks."""
    if PEOPLE in (request.respondent, *request.respondents_at.values()) and not benchmark.pipeline:
        raise UsageError(
            "people answer in a study, at a screen of their own",
            where=f"respondent {PEOPLE}",
            remedy="phoropter study new FILE begins one",
        )


def choose(
    request: Request, dataset: Dataset, plan: Plan, pictures: Pictures
) -> tuple[Selection, tuple[Problem, ...]]:
    """The items to run, every row and picture looked at, and what ``skip_bad`` leaves out.

    Raises UsageError where nothing is left, DataError with all bad rows and missing pictures together.
    """
    problems = dataset.problems()
    if problems and not request.skip_bad:
        raise DataError(problems, remedy=mends(problems, "run"))
    covers = covers_of(plan.protocol)
    selection = Selection(dataset, request.filter, skip_bad=request.skip_bad, covers=covers)
    selection.refuse_nothing()
    _refuse_unasked(plan, selection)
    _refuse_asking(plan, selection)
    unseen: dict[str, list[Problem]] = {}
    if plan.looks:
        unseen = _unusable_pictures(plan, selection, pictures, whole=request.skip_bad)
    missing = list(dict.fromkeys(problem for found in unseen.values() for problem in found))
    if missing and not request.skip_bad:
        raise DataError(missing, remedy=PICTURES_REMEDY)
    if missing:
        selection = Selection(dataset, request.filter, skip_bad=True, skipped=frozenset(unseen), covers=covers)
        if next(iter(selection), None) is None:
            raise DataError(missing, remedy=PICTURES_REMEDY)
    return selection, (*problems, *missing)


def mends(problems: Sequence[Problem], what: str) -> str:
    """What to do about bad data; ``what`` is done with the rest where it is not the file as a whole that is bad."""
    if all(problem.row == 0 for problem in problems):
        return "Mend the file, or name another one with --data"
    return f"Mend these rows, or {what} the rest with --skip-bad"


def covers_of(protocol: ProtocolLike) -> Callable[[Item], bool] | None:
    """Which items the protocol asks anything of; None where of all."""
    return protocol.covers if isinstance(protocol, Partial) and protocol.partial else None


def protocol_name(request: Request) -> str:
    """The protocol that a request asks for: the benchmark's first where it names none."""
    return request.protocol or next(iter(registry.parse_name(request.benchmark, pipelines=True)[0].protocols))


def gold_steps(benchmark: Benchmark, protocol: ProtocolLike, item: Item) -> tuple[str, ...]:
    """Names of the steps that this item is asked when every answer is the gold one."""
    return tuple(step.turn.step for step in gold_walk(benchmark, protocol, item))


def count_steps(prepared: Prepared) -> int:
    """How many steps all trajectories have: counted item by item where chains differ in length."""
    if not prepared.benchmark.pooled:
        return len(prepared.selection) * prepared.plan.repeats * len(prepared.protocol.steps)
    return sum(map(prepared.steps_of, prepared.selection)) * prepared.plan.repeats


def gold_walk(benchmark: Benchmark, protocol: ProtocolLike, item: Item) -> tuple[Step, ...]:
    """The steps of this item when every answer is the gold one."""
    steps: tuple[Step, ...] = ()
    while (turn := protocol.next_turn(item, steps)) is not None:
        score = benchmark.score(item, turn, turn.gold_text)
        choice = protocol.choice(item, turn, score)
        steps = (*steps, Step(turn, Answer(turn.gold_text), (score,), Origin.GOLD, choice))
    return steps


def make_protocol(benchmark: Benchmark, subset: str, request: Request) -> ProtocolLike:
    """The protocol by its name ("" for the benchmark's first) with its options and prompts."""
    name = protocol_name(request)
    maker = benchmark.protocols.get(name)
    if maker is None:
        near = get_close_matches(name, benchmark.protocols, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(benchmark.protocols)}"
        raise UsageError(f"{benchmark.name} has no protocol {name}", where=f"--protocol {name}", remedy=hint)
    prompts = {**prompts_for(benchmark.name, request.prompts), **request.prompt_texts}
    made = maker(subset, request.options, prompts)
    if request.told is None:
        return made
    told = request.told
    return Telling(benchmark, made, told, lambda: _worked(request, made, told.examples), request.prompt_texts)


def _worked(request: Request, protocol: ProtocolLike, ids: Sequence[str]) -> tuple[Worked, ...]:
    """The worked examples of a study. Raises UsageError where the data lacks one, DataError where it is unusable."""
    benchmark, _, dataset = load(request, protocol.name)
    found = {item.id: item for item in dataset if item.id in ids}
    for id_ in ids:
        if id_ not in found:
            raise UsageError(f"there is no item {id_}, which serves as a worked example", where=dataset.source)
    return tuple(Worked(found[id_], gold_walk(benchmark, protocol, found[id_])) for id_ in ids)


def interventions_of(benchmark: Benchmark, protocol: ProtocolLike, request: Request) -> tuple[Intervention, ...]:
    """The request's interventions, or their shams. Raises UsageError for an unknown one or two at one step."""
    found = []
    for spec in request.interventions:
        step = spec.partition("=")[0]
        properties = benchmark.layout(step).properties
        part = step.partition(".")[2]
        found.append(parse(spec, protocol.steps, (part,) if part in properties else properties))
    for intervention in found:
        if sum(other.step == intervention.step for other in found) > 1:
            raise UsageError(
                f"there are two interventions at {intervention.step}", where=f"--intervene {intervention.label}"
            )
    if request.sham and not found:
        raise UsageError(
            "a sham needs the intervention it is the control of", where="--sham", remedy="Add --intervene"
        )
    return as_sham(found) if request.sham else tuple(found)


def _refuse_unasked(plan: Plan, selection: Selection) -> None:
    """Raises UsageError for an intervention at a numbered step that no item's chain is long enough for."""
    numbered = [i for i in plan.interventions if i.step.partition(".")[0] in plan.benchmark.pooled]
    unasked = {intervention.step: intervention for intervention in numbered}
    longest: tuple[str, ...] = ()
    for item in selection if unasked else ():
        asked = gold_steps(plan.benchmark, plan.protocol, item)
        longest = max(longest, asked, key=len)
        unasked = {step: intervention for step, intervention in unasked.items() if step not in asked}
        if not unasked:
            return
    for intervention in unasked.values():
        raise UsageError(
            f"no item is asked {intervention.step}",
            where=f"--intervene {intervention.label}",
            remedy=f"The longest chain here: {', '.join(longest)}",
        )


def _refuse_asking(plan: Plan, selection: Selection) -> None:
    """Raises UsageError for an order of pictures, or a line for one, that the first item asked that step lacks."""
    for intervention, turn in _changed_turns(plan, selection):
        as_asked(turn, intervention)


def unplaced_pictures(prepared: Prepared) -> tuple[str, ...]:
    """A line for each prompt put in that says nothing of where some of its turn's pictures stand."""
    out = []
    for intervention, turn in _changed_turns(prepared.plan, prepared.selection):
        asked = intervention.kind == "prompt" and as_asked(turn, intervention) != turn
        if asked and (missing := unplaced(turn, intervention.text)):
            out.append(f"{intervention.label}: {unplaced_words(missing)}")
    return tuple(out)


def _changed_turns(plan: Plan, selection: Selection) -> Iterator[tuple[Intervention, Turn]]:
    """The interventions that change a turn, each with that turn of the first item that is asked it."""
    wanted = {i.step: i for i in plan.interventions if i.asks}
    for item in selection if wanted else ():
        turns = {step.turn.step: step.turn for step in gold_walk(plan.benchmark, plan.protocol, item)}
        for step in wanted.keys() & turns.keys():
            yield wanted.pop(step), turns[step]
        if not wanted:
            return


def _unusable_pictures(
    plan: Plan, selection: Selection, pictures: Pictures, *, whole: bool
) -> dict[str, list[Problem]]:
    """By item id: what is wrong with the pictures of items whose first turn shows some; ``whole``: where it takes
    more than a look at their beginning, too."""

    def shown(item: Item) -> bool:
        turn = plan.protocol.next_turn(item, ())
        return turn is not None and bool(turn.shows)

    return pictures.problems((item for item in selection if shown(item)), whole=whole)
