"""Runs with interventions beside their plain run and their sham: which answers came right, which went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from core.benchmarks import registry
from core.flips import Bits, Compared, Flips, Pairs
from core.interventions import Intervention, as_sham, from_stored, to_stored
from core.records import Json, Origin, Progress
from core.tally import REASKED
from sessions import encoding
from sessions.cells import steps_of
from sessions.lanes import put_in, sent_in
from sessions.paths import ScoredStep, scored_steps
from sessions.reading import repeats_of
from sessions.runs import Run, every_run
from sessions.store import Store
from sessions.tallies import names_of

_CHOSEN: Final = ("where", "sample", "seed")
"""What of a filter only says which items: runs that differ in nothing else are compared over those they share."""

_Place: TypeAlias = tuple[int, int]  # an item's row and a repeat


@dataclass(frozen=True, slots=True)
class Intervened:
    """A run with interventions (or one that took over another's steps), and what became of its later answers.

    ``base`` is the plain run it is set against and ``sham`` its control, "" where the store holds none. Of the base's
    ``base_repeats`` of an item the first ``repeats`` are compared: so many this run has.
    """

    run: str
    interventions: str
    base: str
    sham: str
    rows: tuple[Flips, ...]
    repeats: int = 1
    base_repeats: int = 1


def flips_of(store: Store, chosen: Sequence[Run], scorer: str | None = None) -> list[Intervened]:
    """What the interventions of these runs changed at the steps that came after them, all of one moment.

    A run's base is the one it was made ``--from``, else the latest plain run of the same data, protocol, prompts,
    respondent and seed. Its sham is the latest run that differs only in that nothing was put in; a sham that stands
    beside a chosen run has no place of its own.
    """
    if not any(map(_intervened, chosen)):
        return []
    with store.snapshot():
        known = every_run(store)
        reader = _Reader(store)
        about = [(run, _base_of(run, known), _sham_of(run, known)) for run in chosen if _intervened(run)]
        beside = {sham.id for _, _, sham in about if sham is not None}
        return [_report(reader, *one, scorer) for one in about if one[0].id not in beside]


def _report(reader: _Reader, run: Run, base: Run | None, sham: Run | None, scorer: str | None) -> Intervened:
    rows: list[Flips] = []
    if base is not None:
        rows += reader.compared(run, base, "sham - plain" if _is_sham(run) else "intervention - plain", scorer)
    if base is not None and sham is not None:
        rows += reader.compared(sham, base, "sham - plain", scorer)
    if sham is not None:
        rows += reader.compared(run, sham, "intervention - sham", scorer)
    order: dict[str, int] = {}
    for index, name in enumerate(steps_of(run)):
        order |= {name: index, name.partition(".")[0]: index}  # numbered steps and parts under their common name
    rows.sort(key=lambda row: order[row.step])
    changed = put_in(run.config) + _asked_of_another(run, base)
    of_base = repeats_of(reader.store, base.id) if base is not None else 1
    names = (run.name, changed, base.name if base else "", sham.name if sham else "")
    return Intervened(*names, tuple(rows), repeats_of(reader.store, run.id), of_base)


def _asked_of_another(run: Run, base: Run | None) -> str:
    """Where the steps taken over are another respondent's: then not the intervention alone makes the difference."""
    if base is None or run.config.identity_of_respondent == base.config.identity_of_respondent:
        return ""
    return f" and asking {run.config.respondent} instead of {base.config.respondent}"


# -- which runs belong together


def _intervened(run: Run) -> bool:
    return bool(run.config.interventions or run.config.respondents_at or run.config.base_run)


def _is_sham(run: Run) -> bool:
    kinds = {one["kind"] for one in run.config.interventions or ()}
    return kinds == {"sham"}


def _likeness(run: Run, interventions: Json = (), respondents_at: Json = None) -> str:
    """The same for runs that differ only in what was put in, whose steps were taken over, and which items ran."""
    config = run.config
    seen = {key: value for key, value in (config.filter or {}).items() if key not in _CHOSEN}
    like = replace(config, filter=seen, interventions=list(interventions), respondents_at=respondents_at or {})
    return replace(like, base_run="").identity()


def _base_of(run: Run, known: Sequence[Run]) -> Run | None:
    if run.config.base_run:
        return next((other for other in known if other.uid == run.config.base_run), None)
    wanted = _likeness(run)
    plain = [other for other in known if not _intervened(other) and _likeness(other) == wanted]
    return min(plain, key=lambda other: other.config.filter != run.config.filter, default=None)


def _sham_of(run: Run, known: Sequence[Run]) -> Run | None:
    """The latest, one of the same base before any other. Where nothing was put in but somebody else was asked, the
    respondent itself is, once more."""
    config, others = run.config, sent_in(run.config)
    if _is_sham(run) or not (config.interventions or others):
        return None
    nothing, at = to_stored(as_sham(from_stored(config.interventions))), config.respondents_at
    if not config.interventions:
        nothing = to_stored([Intervention(step, "sham") for step in others])
        at = {step: other for step, other in at.items() if step not in others}
    wanted = _likeness(run, nothing, at)
    shams = [
        other
        for other in known
        if _is_sham(other) and _likeness(other, other.config.interventions, other.config.respondents_at) == wanted
    ]
    return min(shams, key=lambda other: other.config.base_run != run.config.base_run, default=None)


# -- their answers, pair by pair


@dataclass(frozen=True, slots=True)
class _Paths:
    """A run's finished main trajectories by their place, and how many it has in all."""

    steps: dict[_Place, list[ScoredStep]]
    total: int


@dataclass(slots=True)
class _Reader:
    """Reads each run once a scorer."""

    store: Store
    _read: dict[tuple[int, str], _Paths] = field(default_factory=dict)

    def compared(self, run: Run, against: Run, compared: Compared, scorer: str | None) -> list[Flips]:
        return [
            row
            for name in names_of(self.store.reader(), run.id, scorer)
            for row in _flips(run, self._paths(run, name), against, self._paths(against, name), compared, name)
        ]

    def _paths(self, run: Run, scorer: str) -> _Paths:
        if (run.id, scorer) not in self._read:
            db = self.store.reader()
            rows = db.execute(
                "SELECT id, item, repeat, progress FROM trajectories WHERE run = ? AND parent IS NULL", (run.id,)
            ).fetchall()
            done = encoding.PROGRESS_CODE[Progress.DONE]
            places = {row: (item, repeat) for row, item, repeat, progress in rows if progress == done}
            steps: dict[_Place, list[ScoredStep]] = {place: [] for place in places.values()}
            for step in scored_steps(db, places, scorer):
                steps[places[step.trajectory]].append(step)
            self._read[run.id, scorer] = _Paths(steps, len(rows))
        return self._read[run.id, scorer]


def _flips(run: Run, after: _Paths, against: Run, before: _Paths, compared: Compared, scorer: str) -> list[Flips]:
    config = run.config
    benchmark = registry.get(config.benchmark)
    pairs = Pairs(benchmark.layout, benchmark.pooled)
    anew = False
    shared = [place for place in after.steps if place in before.steps]
    lanes = bool(config.interventions or config.respondents_at)
    for place in shared:
        was = {step.name.removesuffix(REASKED): step for step in before.steps[place]}
        own = {step.name.removesuffix(REASKED): step for step in after.steps[place]}
        found: dict[str, tuple[Bits, Bits]] = {}
        for name, step in own.items():
            other = was.get(name)
            if other is None or other.id == step.id:
                continue
            if lanes and not step.lane:
                anew = True
            elif _counts(step) and _counts(other):
                found[name] = (other.right, other.scored), (step.right, step.scored)
        for whole, parts in benchmark.parts.items():
            if all(part in found for part in parts):
                found[whole] = _joined([found[part] for part in parts])
        for name, (bits, now) in found.items():
            pairs.add(name, place[0], bits, now)
    about = (run.name, against.name, compared, put_in(run.config), scorer)
    rest = (config.benchmark, config.subset, config.protocol, config.respondent, config.respondent_kind)
    left_out = after.total - len(shared)
    return [Flips(*about, step, name, change, left_out, anew, *rest) for step, name, change in pairs.rows()]


def _counts(step: ScoredStep) -> bool:
    """The respondent's own answer, scored."""
    return step.origin is Origin.RESPONDENT and step.status is not None


def _joined(parts: Sequence[tuple[Bits, Bits]]) -> tuple[Bits, Bits]:
    """Parts score different properties, so that their bits add up."""
    (was_right, was_scored), (now_right, now_scored) = (
        [sum(bits[which] for bits in side) for which in (0, 1)] for side in zip(*parts, strict=True)
    )
    return (was_right, was_scored), (now_right, now_scored)
