"""What a worker is told before its first trajectory: the plan as it can travel, and its share of every limit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from core.benchmarks import registry as benchmarks
from core.config import Config
from core.errors import UsageError
from core.interventions import Intervention
from core.pictures import Pictures
from core.plan import Plan
from core.planning import Prepared, Request, drawer_of, largest_side, make_plan
from core.prompts import prompt_hashes
from core.records import digest
from core.respondents import registry
from core.respondents.addresses import places
from core.respondents.settings import (
    Connection,
    DiffusersSettings,
    LocalSettings,
    Settings,
)
from core.version import own_version

T = TypeVar("T", bound=Connection)

TOKENS_EACH: Final = 8_000
"""A worker's share of the tokens a minute is no smaller: one request may take as many."""


@dataclass(frozen=True, slots=True)
class Terms:
    """One worker's. ``config`` holds no key, only the names of variables that the worker looks up for itself.

    ``folder`` is the driver's working folder, which paths are relative to. ``at_once`` trajectories are under way at
    a time. ``charged``: every request is to be reserved for. ``based``: the run starts from another's steps.
    ``plan`` is the digest that the worker's own plan must have, so that no answer comes of another program, prompt or
    file.
    """

    request: Request
    subset: str
    interventions: tuple[Intervention, ...]
    config: Config
    folder: str
    at_once: int
    charged: bool
    based: bool
    plan: str

    def make(self) -> Plan:
        """The plan, as the driver has it. Raises what ``make_plan`` does, and UsageError where it is another one."""
        benchmark, _ = benchmarks.parse_name(self.request.benchmark)
        pictures = Pictures(drawer=drawer_of(benchmark, self.request), max_side=largest_side(self.request))
        pictures.expect(self.at_once)
        plan = make_plan(benchmark, self.subset, self.request, self.config, pictures)
        plan = replace(plan, interventions=self.interventions)
        if plan_digest(plan) != self.plan:
            raise UsageError(
                "a worker would ask otherwise than this program",
                remedy="Install the same version of phoropter on every machine, with the same files (replay:FILE)",
            )
        return plan


@dataclass(frozen=True, slots=True)
class Staff:
    """How many workers a plan can use, and what each of them takes.

    ``gpus`` is for one worker, 0 where no model runs in it. ``most`` bounds how many there can be, where limits are
    shared. ``in_flight`` is what one respondent wants at once; all workers together where it is ``shared``.
    """

    gpus: float
    most: int | None
    in_flight: int
    shared: bool

    def at_once(self, workers: int, number: int) -> int:
        """Trajectories that worker has under way, of so many workers, counted from 0."""
        return _part(self.in_flight, workers, number) if self.shared else self.in_flight


def staff_of(prepared: Prepared, config: Config, concurrency: int = 0) -> Staff:
    """What the respondents of a prepared request ask for. ``concurrency`` is the user's own number for all."""
    settings = list(_models(prepared.request, config).values())
    gpus = sum(each.gpus for each in settings if isinstance(each, LocalSettings | DiffusersSettings))
    bounds = [bound for each in settings if isinstance(each, Connection) for bound in _bounds(each)]
    main = registry.settings_of(prepared.request.respondent, config)
    if concurrency:
        bounds.append(concurrency)
    return Staff(
        gpus,
        max(1, int(min(bounds))) if bounds else None,
        concurrency or prepared.plan.respondent.in_flight,
        bool(concurrency) or isinstance(main, Connection),
    )


def terms_of(
    prepared: Prepared, config: Config, staff: Staff, workers: int, number: int, *, charged: bool = False
) -> Terms:
    """What the worker of that ``number``, of so many, is told. Limits of servers are divided among all of them."""
    request = prepared.request
    shared: dict[str, Settings] = {
        name: _share(each, workers, number) if isinstance(each, Connection) else each
        for name, each in _models(request, config).items()
    }
    return Terms(
        replace(
            request,
            prompts=None,
            prompt_texts=prepared.protocol.prompts,
            interventions=(),
            sham=False,
            base_run="",
        ),
        prepared.subset,
        prepared.plan.interventions,
        Config(file=config.file, respondents=shared),
        str(Path.cwd()),
        staff.at_once(workers, number),
        charged,
        bool(request.base_run),
        plan_digest(prepared.plan),
    )


def plan_digest(plan: Plan) -> str:
    """The same for two plans exactly when they ask the same of the same, by the same program."""
    return digest(
        {
            "version": own_version(),
            "protocol": [plan.protocol.name, dict(plan.protocol.options), list(plan.protocol.steps)],
            "prompts": dict(prompt_hashes(plan.benchmark.name, plan.protocol.prompts)),
            "respondents": {
                step: [each.name, dict(each.identity)]
                for step, each in {"": plan.respondent, **plan.respondents_at}.items()
            },
            "seed": plan.seed,
        }
    )


# -- parts


def _models(request: Request, config: Config) -> Mapping[str, Settings]:
    """The settings of all respondents that are no baselines, by name."""
    found = {}
    for name in (request.respondent, *request.respondents_at.values()):
        settings = registry.settings_of(name, config)
        if settings is not None:
            found[name] = settings
    return found


def _bounds(settings: Connection) -> list[float]:
    """How many workers each limit is enough for."""
    bounds = [float(settings.concurrency)]
    if settings.requests_per_minute is not None:
        bounds.append(settings.requests_per_minute)
    if settings.tokens_per_minute is not None:
        bounds.append(settings.tokens_per_minute / TOKENS_EACH)
    return bounds


def _share(settings: T, workers: int, number: int) -> T:
    """Its part of the limits, at the addresses that the driver would ask."""
    urls, variable = places(settings, os.environ)
    return replace(
        settings,
        base_url=urls,
        api_key_env=variable,
        concurrency=_part(settings.concurrency, workers, number),
        requests_per_minute=_even(settings.requests_per_minute, workers),
        tokens_per_minute=_even(settings.tokens_per_minute, workers),
    )


def _part(whole: int, workers: int, number: int) -> int:
    """The parts of all workers add up to the whole; none is 0."""
    return max(1, whole // workers + (number < whole % workers))


def _even(limit: float | None, workers: int) -> float | None:
    return None if limit is None else limit / workers
