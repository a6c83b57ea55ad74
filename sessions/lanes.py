"""What a run put in, in words, and which of its answers are no plain ones for it."""

from __future__ import annotations

from core.benchmarks import registry
from core.interventions import from_stored
from core.tally import BEFORE
from sessions.identity import RunConfig


def put_in(config: RunConfig) -> str:
    """Interventions and respondents sent in for single steps, as lanes have them: ``describe=gold+relate=@other``."""
    labels = [one.label for one in from_stored(config.interventions)]
    return "+".join([*labels, *(f"{step}=@{other['name']}" for step, other in config.respondents_at.items())])


def before_of(config: RunConfig) -> str:
    """What the plain answers of a run are called in its cells where something was put in, "" for any other run.

    They count in no plain accuracy: of a chain they are only its beginning, and later ones are of those chains alone
    in which nothing was put in. Somebody else sent in for a scored step is an intervention like any; a maker of
    pictures, without whom a step could not be asked at all, is none, and the steps before it stay what they are.
    """
    if config.interventions or sent_in(config):
        return BEFORE + put_in(config)
    return ""


def sent_in(config: RunConfig) -> tuple[str, ...]:
    """The scored steps that are answered in words and that somebody else was asked."""
    benchmark = registry.get(config.benchmark)
    if not config.respondents_at or benchmark.pipeline:
        return ()
    drawn = benchmark.protocols[config.protocol](config.subset, config.options, {}).draws
    steps = (step for step in config.respondents_at if step not in drawn)
    return tuple(step for step in steps if step.partition(".")[0] not in benchmark.unscored)
