"""Runs, and people, as sides of a comparison: their answers by item, and how they were asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.answered import Asked as Place
from core.answered import counted
from core.benchmarks import registry
from core.benchmarks.base import Benchmark
from core.cells import STEPS
from core.comparing import Correlation, Difference, Given, Side, correlations, differences
from core.conditions import Asked, Differing, differing, refuse_unmatched
from core.errors import UsageError
from core.planning import drawer_of
from core.records import Json, named
from core.repeats import Said, majority
from core.scoring import RULE
from core.study.preparing import request_of
from core.study.told import Told, unlisted
from sessions import encoding
from sessions.answers import Answers, answers_of
from sessions.cells import steps_of
from sessions.lanes import before_of
from sessions.runs import Run, every_run, find_run
from sessions.store import Store
from sessions.studies import reading as studies
from sessions.studies.excluding import counting
from sessions.studies.reading import Found, Kind

PEOPLE: Final = "people"
"""Instead of a run: the people of the store's study, ``people:STUDY``, or ``people:STUDY/CONDITION``."""

MOST_LISTED: Final = 6
"""So many runs of a respondent are named where one must be chosen."""

SIMULATED: Final = "simulated-people"
"""The same with simulated sessions: for trying things out."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Everything ``compare`` says. ``asked`` holds what differed between the sides."""

    sides: tuple[Side, ...]
    items: tuple[int, ...]
    asked: tuple[Differing, ...]
    differences: tuple[Difference, ...]
    correlations: tuple[Correlation, ...]
    remarks: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "sides": [
                {"name": side.name, "people": side.people, "items": items, "answers_an_item": side.times}
                for side, items in zip(self.sides, self.items, strict=True)
            ],
            "differed": [row.to_json() for row in self.asked],
            "differences": [row.to_json() for row in self.differences],
            "difficulty": [row.to_json() for row in self.correlations],
            "remarks": list(self.remarks),
        }


def compare(store: Store, names: Sequence[str], *, scorer: str = RULE, unmatched: bool = False) -> Compared:
    """These sides on the items that each two of them share, all of one moment. What-if trajectories never count.

    Raises UsageError for fewer than two sides, for sides of different benchmarks, without a shared item, or (but for
    ``unmatched``) asked otherwise.
    """
    if len(set(names)) < 2:
        raise UsageError(
            "a comparison needs two", where="compare", remedy="Name two runs or respondents, or `people` and one"
        )
    with store.snapshot():
        found = [_side(store, name, scorer) for name in names]
        _refuse_mixed(found)
        sides, asked = tuple(one.side for one in found), [one.asked for one in found]
        rows = differing(asked)
        if not unmatched:
            refuse_unmatched(asked, rows)
    told = differences(sides, scorer)
    if not told:
        raise UsageError(
            "they share no item that both answered", where=" and ".join(names), remedy="Run them on the same items"
        )
    items = tuple(len({item for by_item in side.answers.values() for item in by_item}) for side in sides)
    of_people = [row for row in correlations(sides) if any(s.people for s in sides if s.name in (row.a, row.b))]
    return Compared(sides, items, tuple(rows), tuple(told), tuple(of_people), tuple(_remarks(sides)))


@dataclass(frozen=True, slots=True)
class _Found:
    side: Side
    asked: Asked
    benchmark: str


def _side(store: Store, name: str, scorer: str) -> _Found:
    for word, kind in ((PEOPLE, "main"), (SIMULATED, "simulated")):
        if name == word or name.startswith(f"{word}:"):
            return _people(store, name.partition(":")[2], kind, scorer)  # type: ignore[arg-type]
    return _run(store, run_of(store, name), scorer)


def run_of(store: Store, name: str) -> Run:
    """The run of that name, or the only one of that respondent. Raises UsageError for none, and for several."""
    try:
        return find_run(store, name)
    except UsageError:
        of_name = [run for run in every_run(store) if run.config.respondent == name]
        own = [run for run in of_name if not before_of(run.config)] or of_name
        if not own:
            raise
    if len(own) > 1:
        listed = ", ".join(f"{run.name} ({_told_shortly(run)})" for run in own[:MOST_LISTED])
        more = f" and {len(own) - MOST_LISTED} more" if len(own) > MOST_LISTED else ""
        raise UsageError(f"{name} has several runs", where=name, remedy=f"Name one: {listed}{more}")
    return own[0]


def _told_shortly(run: Run) -> str:
    config = run.config
    return f"{named(config.benchmark, config.subset)} {config.protocol}"


def _refuse_mixed(found: Sequence[_Found]) -> None:
    benchmarks = dict.fromkeys(one.benchmark for one in found)
    if len(benchmarks) > 1:
        raise UsageError(
            f"they are of different benchmarks: {', '.join(benchmarks)}",
            where=" and ".join(one.side.name for one in found),
            remedy="Compare runs of one",
        )


def _remarks(sides: Sequence[Side]) -> Iterable[str]:
    together = [side.name for side in sides if side.majority]
    alone = [side.name for side in sides if not side.majority]
    if together and alone:
        yield (
            f"no majority of {', '.join(together)} is set against single answers of {', '.join(alone)}:"
            " run those with --repeats to compare majorities"
        )


# -- answers


def _run(store: Store, run: Run, scorer: str) -> _Found:
    rows = store.reader().execute(
        "SELECT id, item, repeat FROM trajectories WHERE run = ? AND parent IS NULL ORDER BY repeat, id", (run.id,)
    )
    of = {row: (item, repeat) for row, item, repeat in rows}
    benchmark = registry.get(run.config.benchmark)
    answers = answers_of(store, of, scorer, benchmark)
    if not answers:
        if before_of(run.config):
            raise UsageError(
                "what is answered after an intervention is compared with no other run",
                where=run.name,
                remedy=f"`phoropter report {run.name}` says what it changed against the plain run",
            )
        raise UsageError(f"{scorer} has scored nothing of this run", where=run.name)
    times = max(repeat for _, repeat in of.values()) + 1
    given = [(item, repeat, answers[row]) for row, (item, repeat) in of.items() if row in answers]
    side = _of_answers(run.name, given, times, benchmark, people=False)
    return _Found(side, _asked_of_run(store, run), named(benchmark.name, run.config.subset))


def _people(store: Store, what: str, kind: Kind, scorer: str) -> _Found:
    study, _, condition = what.partition("/")
    if not study:
        known = studies.studies_of(store)
        if len(known) != 1:
            remedy = f"There are: {', '.join(f'people:{name}' for name in known)}" if known else "Hold one first"
            what = "it does not say which study's people" if known else "the store holds no study"
            raise UsageError(what, where=PEOPLE, remedy=remedy)
        study = known[0]
    found = counting(store, studies.find(store, study, kind))
    runs = studies.runs_of(store, found)
    condition = _condition(found, condition, list(runs))
    sessions = {session.id: session for session in found.kept}
    trials = [
        trial
        for trial in studies.counted_trials(store, found, found.kept)
        if trial.condition == condition and trial.trajectory is not None
    ]
    answers = answers_of(store, [trial.trajectory or 0 for trial in trials], scorer, found.benchmark)
    given = [
        (trial.item, sessions[trial.session].person, answers[trial.trajectory or 0])
        for trial in sorted(trials, key=lambda trial: trial.id)
        if trial.trajectory in answers
    ]
    if not given:
        told = (
            f"{scorer} has scored nothing of these people's answers" if trials else "no session that counts has any"
        )
        raise UsageError(told, where=f"{study} ({kind})")
    name = PEOPLE if kind == "main" else SIMULATED
    label = f"{name} ({study}{f', {condition}' if condition else ''})"
    side = _of_answers(label, given, found.record.study.design.raters, found.benchmark, people=True)
    details = [trial.details for trial in trials]
    asked = _asked_of_people(store, found, runs[condition], condition, details, label)
    return _Found(side, asked, named(found.benchmark.name, found.subset))


def _condition(found: Found, wanted: str, there: Sequence[str]) -> str:
    if wanted in there or (not wanted and len(there) == 1):
        return wanted or there[0]
    if not there:
        raise UsageError(f"no {found.kind} session of this study has an answer", where=found.record.name)
    listed = ", ".join(f"people:{found.record.name}/{name}" for name in there)
    raise UsageError(
        "there is no such condition" if wanted else "which condition?", where=wanted or found.record.name,
        remedy=f"There are: {listed}",
    )  # fmt: skip


def _of_answers(
    name: str, given: Sequence[tuple[int, Hashable, Answers]], times: int, benchmark: Benchmark, *, people: bool
) -> Side:
    answers: dict[Place, dict[Hashable, list[Given]]] = defaultdict(lambda: defaultdict(list))
    by_item: dict[int, list[Answers]] = defaultdict(list)
    for item, by, own in given:
        by_item[item].append(own)
        for place, got in counted(own.said, benchmark.layout, benchmark.pooled).items():
            if place[1] != STEPS:
                answers[place][item].append(Given(by, got))
    together: dict[Place, dict[Hashable, list[Given]]] = defaultdict(lambda: defaultdict(list))
    if times > 1:
        for item, each in by_item.items():
            said = _majorities([one.said for one in each], times)
            for place, got in counted(said, benchmark.layout, benchmark.pooled).items():
                if place[1] != STEPS:
                    together[place][item].append(Given("majority", got))
    return Side(name, answers, together, times, people)


def _majorities(answers: Sequence[Mapping[str, Said]], times: int) -> dict[str, Said]:
    """The majority of the first ``times`` at each step that so many were asked, in the same words. It is wrong where
    nothing could be read in any of them; of a scorer that reads no values there is none."""
    out = {}
    for step in dict.fromkeys(step for each in answers for step in each):
        said = [each[step] for each in answers if step in each][:times]
        same = len({each.question for each in said}) == 1
        voted = any(each.values for each in said) or all(each.unread for each in said)
        if len(said) == times and same and voted:
            out[step] = majority(said)
    return out


# -- how they were asked


def _asked_of_run(store: Store, run: Run) -> Asked:
    config = run.config
    seen = (config.filter or {}).get("pictures") if isinstance(config.filter, Mapping) else None
    matters = _matters(store, run, config.told)
    if isinstance(seen, Mapping):
        matters["pictures"] = _drawn(drawn=bool(seen.get("drawn")))
    notes = _notes(store, run) | {"pictures in pixels": _sent(store, run)}
    return Asked(run.name, matters, notes)


def _asked_of_people(
    store: Store, found: Found, run: Run, condition: str, details: Sequence[Mapping[str, Json]], label: str
) -> Asked:
    study = found.record.study
    told = run.config.told or Told.of(study, found.record.digest, condition).options
    drawer = drawer_of(found.benchmark, request_of(study, study.ways[condition]))
    matters = _matters(store, run, told) | {"pictures": _drawn(drawn=drawer is not None)}
    sizes = {(width, height) for each in details for _, width, height in each.get("pictures", ())}
    notes = _notes(store, run) | {
        "respondent": f"{len({s.person for s in found.kept})} people",
        "kind": "human" if found.kind == "main" else found.kind,
        "answers an item": str(study.design.raters),
        "pictures in pixels": _sizes(sizes),
        "language": study.language,
        "limit of a turn": f"{study.timing.limit_s:g} s" if study.timing.limit_s else "none",
        "feedback": "yes" if study.answers.feedback else "no",
        "going back": "yes" if study.answers.back else "no",
    }
    return Asked(label, matters, notes)


def _matters(store: Store, run: Run, told: Mapping[str, str]) -> dict[str, str]:
    config = run.config
    out = {"protocol": config.protocol, "steps": ", ".join(steps_of(run))}
    out |= {f"option {key}": value for key, value in sorted(config.options.items())}
    if _lists_missing(store, run) or told.get("lists") == "yes":
        out["lists of values"] = "shown" if told.get("lists") == "yes" else "not shown"
    out["worked examples"] = told.get("worked", "none")
    out["largest picture"] = f"{told['picture_px']} px" if "picture_px" in told else "as sent"
    if config.interventions or config.respondents_at:
        out["what-if"] = "steps put in"
    else:
        out["what-if"] = "none"
    return out | {f"prompt {name}": digest[:12] for name, digest in config.prompts.items() if ".told_" not in name}


def _notes(store: Store, run: Run) -> dict[str, str]:
    db = store.reader()
    times = db.execute("SELECT max(repeat) + 1 FROM trajectories WHERE run = ?", (run.id,)).fetchone()[0]
    config = run.config
    return {
        "respondent": config.respondent,
        "kind": config.respondent_kind,
        "answers an item": str(times or 1),
    }


def _drawn(*, drawn: bool) -> str:
    return "drawn" if drawn else "files"


def _lists_missing(store: Store, run: Run) -> bool:
    """Whether some turn asked in this run has values to choose from that its own words do not list."""
    rows = store.reader().execute(
        "SELECT n.name, p.content FROM (SELECT min(s.prompt) AS prompt FROM trajectories AS t JOIN steps AS s"
        " ON s.trajectory = t.id WHERE t.run = ? GROUP BY s.name) AS q JOIN prompts AS p ON p.id = q.prompt"
        " JOIN step_names AS n ON n.id = p.step",
        (run.id,),
    )
    turns = (encoding.Prompt(encoding.from_text(name), content).turn({}, "", 0) for name, content in rows)
    return any(unlisted(turn) for turn in turns)


def _sent(store: Store, run: Run) -> str:
    rows = store.reader().execute(
        "SELECT DISTINCT content FROM picture_sets WHERE id IN (SELECT s.sent FROM trajectories AS t"
        " JOIN steps AS s ON s.trajectory = t.id WHERE t.run = ? AND s.sent IS NOT NULL)",
        (run.id,),
    )
    return _sizes({picture.size for (content,) in rows for picture in encoding.pictures_from_json(content)})


def _sizes(sizes: Iterable[tuple[int, int]]) -> str:
    """``320x240``, or from the smallest to the largest."""
    ordered = sorted(sizes, key=lambda size: size[0] * size[1])
    if not ordered:
        return "-"
    ends = dict.fromkeys(f"{width}x{height}" for width, height in (ordered[0], ordered[-1]))
    return " to ".join(ends)
