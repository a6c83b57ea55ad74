"""A turn that asks for a picture as a pipeline gets it: words, seed and how to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.records import Json, digest
from core.respondents.base import Request
from core.respondents.local.asking import seed_of
from core.respondents.settings import DiffusersSettings


@dataclass(frozen=True, slots=True)
class Sketch:
    """One request, ready to be painted. ``recorded`` is all that can change its picture, ``hash`` that of it."""

    recorded: Mapping[str, Json]
    hash: str

    @property
    def words(self) -> str:
        return str(self.recorded["prompt"])

    @property
    def seed(self) -> int:
        return int(self.recorded["seed"])

    @property
    def group(self) -> tuple[()]:
        """All requests to one pipeline may be painted together."""
        return ()


def prepare(request: Request, settings: DiffusersSettings, weights: str) -> Sketch:
    """The request for a turn. The conversation does not go along: the turn's words must say all there is to draw.

    ``weights`` stands for what is in the pipeline's folder.
    """
    recorded = {
        **describe(settings),
        "weights": weights or settings.revision,
        "prompt": request.turn.text,
        "seed": seed_of(request, settings),
    }
    return Sketch(recorded, digest(recorded))


def describe(settings: DiffusersSettings) -> dict[str, Json]:
    """The pipeline and how it draws; where it runs and how many pictures at once is left out."""
    return {
        "kind": settings.kind,
        "model": settings.model,
        "revision": settings.revision,
        "variant": settings.variant,
        "dtype": settings.dtype,
        "seed": settings.seed,
        **options(settings),
    }


def options(settings: DiffusersSettings) -> dict[str, Any]:
    """What is set of how to draw, under the pipeline's own names."""
    named = {
        "num_inference_steps": settings.steps,
        "guidance_scale": settings.guidance,
        "width": settings.width,
        "height": settings.height,
        "negative_prompt": settings.negative_prompt or None,
    }
    return {name: value for name, value in named.items() if value is not None}
