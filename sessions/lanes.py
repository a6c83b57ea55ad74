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
    in which nothing was put in. Where another respondent has a step that all items have (the maker of VOILA's fourth
    picture) the steps before it are whole, and stay what they are.
    """
    pooled = registry.get(config.benchmark).pooled
    if config.interventions or any(step.partition(".")[0] in pooled for step in config.respondents_at):
        return BEFORE + put_in(config)
    return ""
