"""From a checked request to an open run: which run it goes on with, its journal, and an engine on both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from core.engine import Engine
from core.errors import UsageError
from core.events import Listener
from core.executors import Base, Elsewhere
from core.plan import Plan
from core.planning import Prepared
from core.records import EMPTY, Trajectory, named
from core.version import own_version
from sessions import reading
from sessions.identity import RunConfig, safe_name
from sessions.journal import StoreJournal
from sessions.runs import FRESH, SIZE, Resumption, Run, find_run, open_run
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run that can be gone on with."""

    store: Store
    prepared: Prepared
    run: Run
    resumption: Resumption
    journal: StoreJournal

    def engine(
        self,
        listener: Listener | None = None,
        *,
        stream: bool = False,
        plan: Plan | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> Engine:
        """An engine on this run's journal and its plan, or on ``plan``: the same one, carried another way. Its
        trajectories run here, or ``elsewhere``."""

        return Engine(
            plan or self.prepared.plan,
            self.journal,
            listener,
            stream=stream,
            base=self.base,
            elsewhere=elsewhere,
        )

    def done_before(self) -> int:
        """How many of the trajectories that are asked for were done when the run was opened. They are counted one by
        one where only some of the run's are asked for."""
        prepared, done = self.prepared, self.resumption.done
        some = prepared.request.filter.limit or prepared.request.filter.shard
        if not done or not (some or done > len(prepared.selection) * prepared.plan.repeats):
            return done
        return self.journal.done_among(prepared.selection, prepared.plan.repeats)

    @property
    def base(self) -> Base | None:
        """Where the steps of ``--from`` come from, None without it."""
        return self.journal.base_steps if self.journal.base is not None else None


def config_of(prepared: Prepared, base: Run | None) -> RunConfig:
    """What identifies the run. Drawn stand-ins are other pictures to a respondent that looks."""
    respondent = prepared.plan.respondent
    return RunConfig(
        benchmark=prepared.benchmark.name,
        subset=prepared.subset,
        protocol=prepared.protocol.name,
        respondent=respondent.name,
        respondent_kind=respondent.kind,
        data_digest=prepared.dataset.digest,
        filter=prepared.request.filter.to_json() | prepared.what_is_seen(),
        options=prepared.protocol.options,
        prompts=prepared.prompt_hashes,
        identity_of_respondent=respondent.identity,
        respondents_at={
            step: {"name": other.name, "identity": dict(other.identity)}
            for step, other in prepared.plan.respondents_at.items()
        },
        interventions=prepared.interventions,
        base_run=base.uid if base is not None else "",
        seed=prepared.plan.seed,
        told=prepared.request.told.options if prepared.request.told is not None else EMPTY,
    )


def open_prepared(store: Store, prepared: Prepared, name: str | None = None, *, fresh: bool = False) -> OpenRun:
    """The run that this request resumes, or a new one. Raises UsageError as ``open_run`` and ``find_run`` do."""
    base = _base(store, prepared) if prepared.request.base_run else None
    recipe = replace(
        prepared.request, prompt_texts=prepared.protocol.prompts, base_run=base.uid if base is not None else ""
    ).to_json()
    run, resumption = open_run(
        store,
        config_of(prepared, base),
        name,
        fresh=fresh,
        versions={"phoropter": own_version(), **_size(prepared)},
        recipe={**recipe, FRESH: True} if fresh else recipe,
        suggested=_telling_name(prepared),
    )
    return OpenRun(store, prepared, run, resumption, StoreJournal(store, run, base=base))


def _size(prepared: Prepared) -> dict[str, str]:
    """The model's size as far as it is configured: it changes no answer, so it is no part of the identity."""
    size = getattr(getattr(prepared.plan.respondent, "settings", None), SIZE, None)
    return {SIZE: str(size)} if size is not None else {}


def _base(store: Store, prepared: Prepared) -> Run:
    """The run of ``--from``. Raises UsageError where nothing of it can be reused, or nothing would be asked."""
    base = find_run(store, prepared.request.base_run, exact=True)
    where = f"--from {base.name}"
    asked = named(prepared.benchmark.name, prepared.subset)
    found = named(base.config.benchmark, base.config.subset)
    if asked != found:
        raise UsageError(f"that run is one of {found}, not {asked}", where=where)
    if base.config.data_digest != prepared.dataset.digest:
        raise UsageError("that run was made on other data", where=where)
    repeats = reading.repeats_of(store, base.id)
    if prepared.plan.repeats > repeats:
        raise UsageError(
            f"that run has {repeats} repeats of an item, not {prepared.plan.repeats}",
            where=where,
            remedy="Fewer --repeats",
        )
    if base.config.interventions or base.config.respondents_at:
        raise UsageError("that run has interventions of its own", where=where, remedy="Start from a plain run")
    stored = next((t for t in reading.finished(store, base.id) if t.steps), None)
    plan = prepared.plan
    differs = plan.interventions or plan.respondents_at
    if stored is not None and not differs and _asks_the_same(prepared, stored):
        raise UsageError(
            "all its steps would be taken over, so nothing would be asked",
            where=where,
            remedy="Say with --intervene or --respondent-at what is to be otherwise, or leave out --from",
        )
    return base


def _asks_the_same(prepared: Prepared, stored: Trajectory) -> bool:
    for index, step in enumerate(stored.steps):
        if prepared.protocol.next_turn(stored.item, stored.steps[:index]) != step.turn:
            return False
    return prepared.protocol.next_turn(stored.item, stored.steps) is None


def _telling_name(prepared: Prepared) -> str:
    """What was asked of whom, with the options given and the interventions: ``voila-ND-l2m-gpt-4o-describe-gold``;
    of a pipeline, what it is made from."""
    if prepared.benchmark.pipeline:
        return safe_name([prepared.benchmark.name, prepared.subset, Path(prepared.dataset.source).stem])
    given = [f"{key}-{value}" for key, value in sorted(prepared.request.options.items())]
    labels = [intervention.label for intervention in prepared.plan.interventions]
    labels += [f"{step}-by-{other.name}" for step, other in prepared.plan.respondents_at.items()]
    study = prepared.request.told.study if prepared.request.told is not None else ""
    words = [study, prepared.benchmark.name, prepared.subset, prepared.protocol.name, prepared.plan.respondent.name]
    return safe_name([*words, *given, *labels])
